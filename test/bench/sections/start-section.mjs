import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startServer } from '../load/server-process.mjs'
import { callService } from '../load/service.mjs'
import { table } from '../results-file.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const MEMCTL = fileURLToPath(new URL('../../../dist/memctl.js', import.meta.url))
const ROUNDS = sized(15, 1)

/** Measures the CPU time of complete processes relative to bare Node: the minimum of several rounds in turn. */
export const startSection = {
  title: 'Start of the command line',
  async run() {
    const bench = benchFolder()
    const server = await startServer({ env: bench.env })
    try {
      const [collection] = await callService(server, { method: 'GET', path: '/v1/collections' })
      const env = { ...bench.env, MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: server.key, NO_COLOR: '1' }
      const commands = {
        'bare node': ['-e', '0'],
        'an empty module': ['--input-type=module', '-e', ''],
        '`--version`': [MEMCTL, '--version'],
        '`--help`': [MEMCTL, '--help'],
        '`completion bash`': [MEMCTL, 'completion', 'bash'],
        '`connections list` of a server': [MEMCTL, 'connections', 'list', '-c', collection.id]
      }
      return rows(leastCpu(commands, env))
    } finally {
      await server.stop()
      bench.remove()
    }
  }
}

function rows(least) {
  const bare = least['bare node']
  return table([
    ['what', 'CPU ms', 'relative to bare node'],
    ...Object.entries(least).map(([name, ms]) => [name, ms.toFixed(0), `${(ms / bare).toFixed(2)}x`])
  ])
}

function leastCpu(commands, env) {
  const least = Object.fromEntries(Object.keys(commands).map((name) => [name, Number.POSITIVE_INFINITY]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, args] of Object.entries(commands)) least[name] = Math.min(least[name], cpuMs(args, env))
  return least
}

/**
 * Returns the user and system time of a process, as bash measures its children. Nothing is loaded into the process for
 * that.
 */
function cpuMs(args, env) {
  const words = ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" >&3 2>&1 </dev/null', 'bash', process.execPath, ...args]
  const { stderr, status, output } = spawnSync('bash', words, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status}\n${output[3]}`)
  const [user, system] = stderr.toString().trim().split(' ').map(Number)
  return (user + system) * 1000
}
