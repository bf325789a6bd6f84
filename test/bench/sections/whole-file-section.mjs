import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, inTurn, runMemctl, runNode } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories } from '../synthetic-memories.mjs'

const MEMORIES = sized(100_000, 200)
const ROUNDS = sized(7, 1)

/** The reference: a process that only parses the file in the simplest way. */
const PARSE = `require('node:fs').readFileSync(process.argv[1], 'utf8').trimEnd().split('\\n').map((line) => JSON.parse(line))`

/** The minimum for parsing: each value is discarded before the next one is created. */
const PARSE_AND_DROP = `
  const bytes = require('node:fs').readFileSync(process.argv[1])
  for (let start = 0, end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) JSON.parse(bytes.toString('utf8', start, end))
`

/**
 * Measures commands that read or rewrite a whole file relative to parsing that file once: time of complete processes,
 * memory above bare Node's.
 */
export const wholeFileSection = {
  title: `Whole files of ${MEMORIES.toLocaleString('en')} memories`,
  async run() {
    const bench = benchFolder()
    const memories = syntheticMemories(MEMORIES)
    const path = makeSnapshot(bench, 'all', memories)
    const parts = [
      makeSnapshot(bench, 'a', memories.slice(0, MEMORIES * 0.6)),
      makeSnapshot(bench, 'b', memories.slice(MEMORIES * 0.4))
    ]
    const results = inTurn(ROUNDS, {
      bare: () => runNode(['-e', '0']),
      parse: () => runNode(['-e', PARSE, path]),
      drop: () => runNode(['-e', PARSE_AND_DROP, path]),
      verify: () => runMemctl(['device', 'verify', '--snapshot', path], bench.env),
      compact: (round) => compact(bench, path, round),
      merge: (round) =>
        runMemctl(['device', 'merge', ...parts, '-o', join(bench.folder, `m${round}.mem.jsonl`)], bench.env)
    })
    const megabytes = statSync(path).size / 1e6
    bench.remove()
    const row = (name, { ms, mb }) => [
      name,
      ms.toFixed(0),
      `${(ms / results.parse.ms).toFixed(2)}x`,
      mb.toFixed(0),
      `${((mb - results.bare.mb) / megabytes).toFixed(2)}x`
    ]
    return table([
      [
        'what',
        'ms',
        'relative to parsing',
        'peak MB',
        `memory over bare node, in file sizes of ${megabytes.toFixed(0)} MB`
      ],
      row('parse the file into values', results.parse),
      row('parse each line and discard it', results.drop),
      row('verify', results.verify),
      row('compact', results.compact),
      row('merge two files that share a third of their lines', results.merge)
    ])
  }
}

function compact(bench, path, round) {
  const copy = join(bench.folder, `c${round}.mem.jsonl`)
  copyFileSync(path, copy)
  return runMemctl(['device', 'compact', '--snapshot', copy], bench.env)
}
