import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Makes sure that this process may hold enough descriptors for its connections: where the limit is lower, the script is run once
 * more by a shell that raises it, and its end is this one's. Throws where it cannot be raised so far.
 */
export function ensureDescriptors(needed) {
  const limit = descriptorLimit()
  if (limit >= needed) return
  if (process.env.MEMCTL_BENCH_RAISED)
    throw new Error(`${limit} open files are allowed, ${needed} are needed: raise ulimit -n`)
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync(
    'sh',
    ['-c', `ulimit -n ${needed} 2>/dev/null || ulimit -n $(ulimit -Hn); exec "$@"`, 'sh', ...again],
    {
      stdio: 'inherit',
      env: { ...process.env, MEMCTL_BENCH_RAISED: '1' }
    }
  )
  process.exit(status ?? 1)
}

/** How many files and sockets this process may hold open. */
function descriptorLimit() {
  const said = execFileSync('sh', ['-c', 'ulimit -n']).toString().trim()
  return said === 'unlimited' ? Number.POSITIVE_INFINITY : Number(said)
}
