// The Big List of Naughty Strings, and every control character: byte-exact through store, search, list, compact and
// merge, and never raw on a terminal.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPORA, ensureBuilt, hasTool, makeHome, must, PROGRAM, run } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'

const { count } = options(Number.MAX_SAFE_INTEGER)
const LIST = join(CORPORA, 'blns', 'blns.json')
/** Number of strings that are stored and shown one by one, with a process each. */
const SINGLE_MAX = Math.min(100, Math.ceil(count / 5))
/**
 * What a program may write to a terminal: text, line ends, and the codes for color, cursor and erasing that it uses.
 */
const OWN_CODES = /\u001b\[(?:[\d;]*m|\d*[ABCDGJK]|\?25[hl]|\d+;\d+H)|\r?\n|\r/g
const DANGEROUS = /[\0-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const report = createReport('naughty strings')
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const snapshot = ['--snapshot', file]
const texts = makeTexts()
must(home, ['device', 'init', file])
store()
same('list --json', listed())
same(
  'show',
  texts.map((text, n) =>
    n < SINGLE_MAX ? JSON.parse(must(home, ['device', 'show', idOf(n), '--json', ...snapshot])).text : text
  )
)
searchAll()
must(home, ['device', 'compact', ...snapshot])
same('list after compact', listed())
must(home, ['device', 'merge', file, file, '-o', join(home.work, 'b.mem.jsonl')])
same('list after merge', listed(join(home.work, 'b.mem.jsonl')))
must(home, ['device', 'compact', '--format', 'json', ...snapshot])
same('list of the object form', listed())
onTerminal()
report.finish()

function makeTexts() {
  const naughty = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : []
  if (naughty.length === 0) report.note('list --json', 'without the Big List, which is not there')
  const controls = Array.from({ length: 160 }, (_, code) => `a${String.fromCharCode(code)}b`)
  const bidi = [0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff]
  const escapes = [
    '\u001b]0;title\u0007',
    '\u001b[2J\u001b[H',
    '\u009b31m',
    '\u001b]8;;http://x\u0007link\u001b]8;;\u0007',
    '\u001bP+q\u001b\\'
  ]
  const all = [...controls, ...bidi.map((code) => `a${String.fromCharCode(code)}b`), ...escapes, ...naughty]
  return [...new Set(all)].filter((text) => text !== '' && text.isWellFormed()).slice(0, count)
}

/** Stores the first few one by one, as arguments if possible, and all of them as a batch. */
function store() {
  const lines = texts.map((text, n) =>
    JSON.stringify({ raw_text: text, speaker: text, at: timeOf(n), metadata: { n, text } })
  )
  const { stored } = JSON.parse(
    must(home, ['device', 'store', '--batch', '-', '--json', ...snapshot], { input: lines.join('\n') })
  )
  report.case('stored', stored === texts.length ? undefined : `${stored} of ${texts.length}`)
  const single = join(home.work, 'single.mem.jsonl')
  must(home, ['device', 'init', single])
  for (const text of texts.slice(-SINGLE_MAX)) {
    if (text.includes('\0')) continue
    must(home, ['device', 'store', '--snapshot', single, '--', text])
  }
  const got = new Set(listed(single).map(({ text }) => text))
  for (const text of texts.slice(-SINGLE_MAX)) {
    if (!text.includes('\0')) report.case('stored as a word', got.has(text) ? undefined : JSON.stringify(text))
  }
}

function timeOf(n) {
  return new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
}

function listed(path = file) {
  return JSON.parse(must(home, ['device', 'list', '--json', '--snapshot', path]))
}

function idOf(n) {
  idOf.ids ??= listed().map(({ id }) => id)
  return idOf.ids[n]
}

function same(row, records) {
  for (const [n, text] of texts.entries()) {
    const record = records[n]
    const got = typeof record === 'string' ? [record] : [record?.text, record?.speaker, record?.metadata?.text]
    report.case(
      row,
      got.every((value) => value === text) ? undefined : `${JSON.stringify(text)} came back as ${JSON.stringify(got)}`
    )
  }
}

/** Searches for each string without a failure, and compares the results with the originals. */
function searchAll() {
  const queries = join(home.folder, 'queries.jsonl')
  writeFileSync(queries, texts.map((text, n) => `${JSON.stringify({ id: `q${n}`, query: text })}\n`).join(''))
  const known = new Set(texts)
  const { code, stdout, stderr } = run(home, ['device', 'search', '--queries', queries, '--jsonl', ...snapshot])
  if (code !== 0) return report.case('search', `exit ${code}: ${stderr}`)
  for (const line of stdout.trimEnd().split('\n')) {
    const { id, response } = JSON.parse(line)
    const odd = response.sources.find(({ text }) => !known.has(text))
    report.case('search', odd === undefined ? undefined : `${id}: ${JSON.stringify(odd.text)}`)
  }
}

/** Runs commands under a terminal created by `script`: no data may reach it as a control sequence. */
function onTerminal() {
  if (!hasTool('script')) return report.note('on a terminal', 'left out: script is not there')
  for (const args of [
    ['list', '--limit', String(texts.length)],
    ['search', 'a b'],
    ['show', idOf(0)],
    ['list', '--json'],
    ['list', '--jsonl'],
    ['search', 'a b', '--json'],
    ['search', 'a b', '--explain'],
    ['verify'],
    ['stats'],
    ['list', '--speaker', texts.at(-1)],
    ['store', '\u001b]0;title\u0007\u202e\u009b31m']
  ]) {
    const words = [process.execPath, PROGRAM, 'device', ...args, ...snapshot].map(shellWord)
    const { stdout } = spawnSync('script', ['-qec', words.join(' '), '/dev/null'], {
      cwd: home.work,
      env: { ...home.env, TERM: 'xterm' },
      encoding: 'utf8'
    })
    const rest = stdout.replaceAll(OWN_CODES, '')
    const found = DANGEROUS.exec(rest)
    const problem =
      found === null ? undefined : `${JSON.stringify(rest.slice(Math.max(0, found.index - 30), found.index + 30))}`
    report.case('on a terminal', stdout === '' ? `${args[0]} showed nothing` : problem)
  }
}

function shellWord(word) {
  return `'${word.replaceAll("'", "'\\''")}'`
}
