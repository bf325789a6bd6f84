import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from '../results-file.mjs'
import { benchFolder } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const MEMORIES = sized(1_000_000, 1000)
/** Memory limit of V8 for each engine, in MB. */
const HEAP_MB = 4096
/** Time limits for building, and for opening and searching, after which the run continues without the engine. */
const BUILD_MS = sized(45_000, 600000)
const SEARCH_MS = sized(25_000, 600000)

/**
 * Measures a million memories with each engine in separate processes: one builds and writes the index, one opens the
 * file and searches. Engines that exceed the memory or time limit report that in their row.
 */
export const millionSection = {
  title: `Index of ${MEMORIES.toLocaleString('en')} memories`,
  async run() {
    const bench = benchFolder()
    const rows = ['memctl', 'FlexSearch', 'MiniSearch'].map((name) => row(name, join(bench.folder, name)))
    bench.remove()
    return [
      ...table([HEAD, ...rows]),
      '',
      'Top 10 results. Cold: from reading the file to the first answer, before anything is compiled.',
      'Memory is that of the whole process, including Node.'
    ]
  }
}

const HEAD = [
  ...['engine', 'build, s', 'build, peak MB', 'bytes', 'cold open to first answer, ms'],
  ...['query p50, ms', 'query p99, ms', 'queries', 'search, peak MB']
]

function row(name, file) {
  const built = measure(['build', name, MEMORIES, file], BUILD_MS)
  if (built.failure !== undefined) return [name, built.failure, ...HEAD.slice(2).map(() => '')]
  const left = [name, (built.ms / 1000).toFixed(1), built.mb.toFixed(0), built.bytes.toLocaleString('en')]
  const found = measure(['search', name, MEMORIES, file], SEARCH_MS)
  if (found.failure !== undefined) return [...left, found.failure, '', '', '', '']
  const { coldMs, p50, p99, queries, mb } = found
  return [...left, coldMs.toFixed(0), p50.toFixed(2), p99.toFixed(2), queries, mb.toFixed(0)]
}

const ENGINE = fileURLToPath(new URL('../million-engine.mjs', import.meta.url))

function measure(args, timeout) {
  const done = spawnSync(process.execPath, [`--max-old-space-size=${HEAP_MB}`, ENGINE, ...args.map(String)], {
    timeout
  })
  if (done.status === 0) return JSON.parse(done.stdout.toString())
  return {
    failure: done.error?.code === 'ETIMEDOUT' ? `not finished after ${timeout / 1000} s` : `failed (${failure(done)})`
  }
}

function failure({ status, signal, stderr }) {
  const reason = /heap out of memory|Error: .*/.exec(stderr.toString())?.[0]
  return reason ?? signal ?? `exit ${status}`
}
