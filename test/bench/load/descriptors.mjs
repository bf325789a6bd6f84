import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Makes sure that this process may have enough descriptors for its connections. If the limit is lower, runs the script
 * again in a shell that raises it, and exits with its result. Throws if the limit cannot be raised that far.
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

/** Returns how many files and sockets this process may have open. */
function descriptorLimit() {
  const said = execFileSync('sh', ['-c', 'ulimit -n']).toString().trim()
  return said === 'unlimited' ? Number.POSITIVE_INFINITY : Number(said)
}
