// Every case of JSONTestSuite as a metadata value, in a batch and through `--metadata`: stored as an equal value, or
// refused.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CORPORA, ensureBuilt, makeHome, must, run } from './kit/program.mjs'
import { createReport, options, PATIENCE, skip } from './kit/report.mjs'
import { picture, unclear } from './kit/witness.mjs'

const { count } = options(Number.MAX_SAFE_INTEGER)
const WITHIN_MS = 5000 * PATIENCE
/** Maximum length of a command-line argument on every system, in bytes. */
const WORD_BYTES_MAX = 100_000
const SUITE = join(CORPORA, 'JSONTestSuite', 'test_parsing')
if (!existsSync(SUITE)) skip('JSONTestSuite is not there')

/** Valid JSON according to the suite, which must be refused because parsers disagree on its meaning. */
const AMBIGUOUS = /^y_object_duplicated_key/
const report = createReport('JSON values of all kinds as metadata')
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const batch = join(home.folder, 'batch.jsonl')
must(home, ['device', 'init', file])
must(home, ['device', 'store', 'a good memory', '--snapshot', file])

const names = readdirSync(SUITE).filter((name) => name.endsWith('.json'))
const step = Math.max(1, Math.floor(names.length / count))
let serial = 0
for (const [at, name] of names.entries()) {
  if (at % step !== 0) continue
  const bytes = withoutLineEnds(readFileSync(join(SUITE, name)))
  throughBatch(name, bytes)
  throughOption(name, bytes)
}
throughOption('n_nothing', Buffer.alloc(0))
report.finish()

function withoutLineEnds(bytes) {
  return Buffer.from(bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d))
}

function throughBatch(name, bytes) {
  const text = `batch ${++serial}`
  const parts = [`{"raw_text":"before ${serial}"}\n{"raw_text":"${text}","metadata":{"v":`, bytes, '}}\n']
  writeFileSync(batch, Buffer.concat(parts.map((part) => Buffer.from(part))))
  const words = ['device', 'store', '--batch', batch, '--snapshot', file]
  judge(name, { bytes, text, way: 'batch', work: () => run(home, words) })
}

/** Text that is not UTF-8, or contains NUL, cannot be an argument. */
function throughOption(name, bytes) {
  const value = bytes.toString('utf8')
  if (!Buffer.from(value).equals(bytes) || value.includes('\0') || bytes.length > WORD_BYTES_MAX) return
  const text = `option ${++serial}`
  const words = ['device', 'store', text, '--metadata', `v:=${value}`, '--snapshot', file]
  judge(name, { bytes, text, way: '--metadata', work: () => run(home, words) })
}

/**
 * Expects the values that the suite calls valid to be stored, including cases that removing line ends has made valid.
 * The rest must be refused.
 */
function judge(name, { bytes, text, way, work }) {
  const mustBeKept = name.startsWith('y_') && !AMBIGUOUS.test(name)
  const mayBeKept = name.startsWith('n_') && parsed(bytes) !== undefined
  const before = picture(home.work)
  const ended = work()
  const row = `${way}: ${name.slice(0, 1)}_`
  const isKept = mustBeKept || (mayBeKept && ended.code === 0)
  if (isKept && ended.code !== 0) return report.case(row, `${name}: refused: ${ended.stderr}`)
  report.case(row, isKept ? problemKept(name, text, bytes) : problemRefused(name, { ended, before }))
}

function parsed(bytes) {
  try {
    return { value: JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(bytes)) }
  } catch {
    return undefined
  }
}

function problemKept(name, text, bytes) {
  const listed = JSON.parse(must(home, ['device', 'list', '--json', '--snapshot', file]))
  const found = listed.find((record) => record.text === text)
  if (found === undefined) return `${name}: acknowledged and not listed`
  const expected = parsed(bytes)?.value
  // Values are compared as JSON, which has only one zero.
  const isEqual = isDeepStrictEqual(found.metadata.v, JSON.parse(JSON.stringify(expected)))
  return isEqual ? undefined : `${name}: ${JSON.stringify(found.metadata.v)} came back for ${bytes}`
}

function problemRefused(name, { ended, before }) {
  if (ended.code !== 10) return `${name}: exit ${ended.code}: ${ended.stderr}`
  if (ended.ms > WITHIN_MS) return `${name}: took ${Math.round(ended.ms)} ms`
  if (picture(home.work) !== before) return `${name}: refused, and something was written`
  const problem = unclear(ended.stderr)
  return problem === undefined ? undefined : `${name}: ${problem}`
}
