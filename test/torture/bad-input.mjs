// Files that are not snapshots, passed as snapshots: refused within seconds with one clear line, and the file and its
// folder unchanged.
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CORPORA, ensureBuilt, makeHome, must, run } from './kit/program.mjs'
import { createReport, options, PATIENCE, skip, takeInTurn } from './kit/report.mjs'
import { picture, unclear } from './kit/witness.mjs'

const { count, only } = options(Number.MAX_SAFE_INTEGER, ['suite', 'kinds', 'huge'])
const WITHIN_MS = 5000 * PATIENCE
const SPACE_BYTES_MIN = 3e9
const SUITE = join(CORPORA, 'JSONTestSuite', 'test_parsing')

const SECOND_LINE = /line 2/
const BLOCK = 1 << 20

/** A short run tries the commands in turn, one or a few with each file. */
const inTurn = takeInTurn(count)

const HUGE = {
  'a million brackets': () => ['['.repeat(1e6)],
  'a million brackets, closed': () => ['['.repeat(1e6), ']'.repeat(1e6)],
  '134 million elements': () => ['[', ...Array(128).fill('1,'.repeat(BLOCK)), '1,1]'],
  '500 MB in a line': () => ['"', ...Array(500).fill('x'.repeat(BLOCK)), '"'],
  '500 MB of blanks': () => Array(500).fill(' '.repeat(BLOCK))
}

const report = createReport('what is no snapshot')
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const good = join(home.folder, 'good.mem.jsonl')
const batch = join(home.folder, 'batch.jsonl')
must(home, ['device', 'init', good])
must(home, ['device', 'store', 'a good memory', '--snapshot', good])
const goodBytes = readFileSync(good)

const COMMANDS = {
  store: ['store', 'x', '--snapshot', file],
  batch: ['store', '--batch', batch, '--snapshot', file],
  search: ['search', 'x', '--snapshot', file],
  list: ['list', '--snapshot', file],
  verify: ['verify', '--snapshot', file],
  compact: ['compact', '--snapshot', file],
  merge: ['merge', file, good, '-o', join(home.work, 'out.mem.jsonl')],
  'merge into it': ['merge', good, file, '-o', file]
}

writeFileSync(batch, '{"raw_text":"x"}\n')
if (only === undefined || only === 'suite') testSuite()
if (only === undefined || only === 'kinds') knownKinds()
if (only === undefined || only === 'huge') huge()
report.finish()

/** Tries every parsing case of JSONTestSuite as a complete file. */
function testSuite() {
  if (!existsSync(SUITE)) return only === undefined ? undefined : skip('JSONTestSuite is not there')
  const names = readdirSync(SUITE).filter((name) => name.endsWith('.json'))
  const step = Math.max(1, Math.floor(names.length / count))
  for (const [at, name] of names.entries()) {
    if (at % step !== 0) continue
    writeFileSync(file, readFileSync(join(SUITE, name)))
    refusedByAll('JSONTestSuite', name)
  }
}

/** Tries files of other formats, with the expected error. */
function knownKinds() {
  const kinds = {
    gzip: [gzipSync(goodBytes), /gzip/],
    SQLite: [Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4080)]), /SQLite/],
    'UTF-16 LE': [Buffer.from(`\ufeff${goodBytes}`, 'utf16le'), /UTF-16/],
    'UTF-16 BE': [Buffer.from(`\ufeff${goodBytes}`, 'utf16le').swap16(), /UTF-16/],
    'UTF-16 without mark': [Buffer.from(`${goodBytes}`, 'utf16le'), /UTF-16|NUL/],
    empty: [Buffer.alloc(0), /empty/],
    'one LF': [Buffer.from('\n'), /header|snapshot|blank|empty/],
    'another version': [Buffer.from(goodBytes.toString().replace('"version":1', '"version":2')), /version|check/],
    'header cut off': [goodBytes.subarray(0, 100), /header|JSON|snapshot|too early/],
    'no header': [goodBytes.subarray(goodBytes.indexOf(0x0a) + 1), /header/],
    'NUL bytes': [Buffer.alloc(5000), /NUL/]
  }
  for (const [name, [bytes, says]] of Object.entries(kinds)) {
    writeFileSync(file, bytes)
    refusedByAll('other kinds', name, says)
  }
}

/** Tries input that would crash a naive parser, as a complete file, as a second line, and as a line of a batch. */
function huge() {
  const { bavail, bsize } = statfsSync(home.folder)
  if (bavail * bsize < SPACE_BYTES_MIN) return report.note('huge', 'left out: less than 3 GB free')
  const header = goodBytes.subarray(0, goodBytes.indexOf(0x0a) + 1)
  for (const [name, parts] of Object.entries(HUGE)) {
    writeParts(file, parts())
    writeFileSync(batch, '{"raw_text":"x"}\n')
    refusedByAll('huge, whole file', name)
    writeParts(file, [header, ...parts(), '\n'])
    refusedByReaders('huge, second line', name)
    rmSync(file)
    writeParts(batch, ['{"raw_text":"before"}\n{"raw_text":"t","metadata":{"v":', ...parts(), '}}\n'])
    writeFileSync(file, goodBytes)
    refused('huge, line of a batch', { name, args: COMMANDS.batch })
  }
}

function writeParts(path, parts) {
  const fd = openSync(path, 'w')
  for (const part of parts) writeSync(fd, part)
  closeSync(fd)
}

function refusedByAll(row, name, says) {
  for (const [command, args] of inTurn(Object.entries(COMMANDS)))
    refused(row, { name: `${name}, ${command}`, args, says })
}

function refusedByReaders(row, name) {
  for (const command of ['list', 'compact', 'merge', 'merge into it'])
    refused(row, { name: `${name}, ${command}`, args: COMMANDS[command], says: SECOND_LINE })
  const { code, stdout, ms } = run(home, ['device', ...COMMANDS.verify, '--json'])
  const { damaged } = JSON.parse(stdout)
  const isNamed = code === 10 && damaged.length === 1 && damaged[0].line === 2
  report.case(row, isNamed && ms < WITHIN_MS ? undefined : `${name}, verify: ${code} ${stdout} in ${Math.round(ms)} ms`)
}

/** Checks for exit code 10 within five seconds, one clear line, and no changes or leftovers. */
function refused(row, { name, args, says }) {
  const before = picture(home.work)
  const ended = run(home, ['device', ...args])
  const problem = problemOf(ended, says) ?? (picture(home.work) === before ? undefined : 'the folder was changed')
  report.case(row, problem === undefined ? undefined : `${name}: ${problem}`)
}

function problemOf({ code, signal, stdout, stderr, ms }, says) {
  if (code !== 10) return `exit ${code ?? signal}: ${stderr.slice(0, 200)}`
  if (stdout !== '' && says !== SECOND_LINE) return `it answered ${stdout.slice(0, 100)}`
  if (ms > WITHIN_MS) return `it took ${Math.round(ms)} ms`
  if (says !== undefined && !says.test(stderr)) return `it does not say ${says}: ${stderr}`
  return /[^\n\x20-\x7e\u00a0-\uffff]/.test(stderr) ? 'raw control characters on stderr' : unclear(stderr)
}
