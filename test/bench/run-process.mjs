import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sized } from './sized.mjs'

const MEMCTL = fileURLToPath(new URL('../../dist/memctl.js', import.meta.url))

/** Writes the process's peak resident memory to descriptor 3 at its exit. */
const WITNESS = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))"
)}`

/** Creates a temporary folder for one section, with settings that keep memctl inside it. */
export function benchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-bench-'))
  const env = {
    ...process.env,
    MEMCTL_CACHE_DIR: join(folder, 'cache'),
    MEMCTL_DATA_DIR: folder,
    MEMCTL_CONFIG_DIR: folder
  }
  return { folder, env, remove: () => rmSync(folder, { recursive: true }) }
}

/** Runs Node as a complete process. Returns wall time in ms, peak resident memory in MB, and its output. */
export function runNode(args, env = process.env) {
  const start = performance.now()
  const done = spawnSync(process.execPath, ['--import', WITNESS, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe']
  })
  const ms = performance.now() - start
  if (done.status !== 0) throw new Error(`node ${args.join(' ')}: exit ${done.status}\n${done.stderr}`)
  return { ms, mb: Number(done.output[3]) / 1024, stdout: done.stdout.toString() }
}

export function runMemctl(args, env) {
  return runNode([MEMCTL, ...args], env)
}

/** Number of the first round. Round 0 is not counted, because it reads files and programs from the disk. */
const FIRST_ROUND = sized(0, 1)

/**
 * Runs each of several processes `rounds` times in turn, so that drift of the machine affects all alike. Returns
 * medians.
 */
export function inTurn(rounds, processes) {
  const runs = Object.fromEntries(Object.keys(processes).map((name) => [name, []]))
  for (let round = FIRST_ROUND; round <= rounds; round++) {
    for (const [name, run] of Object.entries(processes)) {
      const result = run(round)
      if (round > 0) runs[name].push(result)
    }
  }
  return Object.fromEntries(
    Object.entries(runs).map(([name, results]) => [
      name,
      { ms: median(results.map(({ ms }) => ms)), mb: median(results.map(({ mb }) => mb)) }
    ])
  )
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
