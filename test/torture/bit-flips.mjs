// Random single bits flipped in a file of varied memories: `verify` finds each in its line.
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, LIBRARY, makeHome, must, run } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'

const { count, seed, random } = options(1000)
const MEMORIES = 300
/** Every nth flip also runs through complete processes; the others use the library in this process. */
const PROCESS_EVERY = 20
const LF = 0x0a

const report = createReport(`bit flips (seed ${seed})`)
ensureBuilt()
const home = makeHome()
Object.assign(process.env, home.env)
const { openDevice } = await import(LIBRARY)
const file = join(home.work, 'a.mem.jsonl')
const whole = makeFile()
const fd = openSync(file, 'r+')
const device = openDevice(file)
const truth = new Map([...device.list().records].map((record) => [record.id, JSON.stringify(record)]))
for (let n = 0; n < count; n++) await flipOne(n)
device.close()
report.finish()

function makeFile() {
  must(home, ['device', 'init', file])
  const lines = Array.from({ length: MEMORIES }, (_, n) => JSON.stringify(memory(n)))
  must(home, ['device', 'store', '--batch', '-', '--snapshot', file], { input: lines.join('\n') })
  const ids = readFileSync(file, 'utf8')
    .match(/mem_[0-9a-f]{32}/g)
    .slice(0, 10)
  must(home, ['device', 'forget', ...ids, '--yes', '--snapshot', file])
  return readFileSync(file)
}

function memory(n) {
  const scripts = [
    'plain words',
    'naïve café',
    'Ünïcödé 東京 タワー',
    'привет мир',
    '🙂👩‍👩‍👧',
    'tab\tand "quotes" \\ \u0001'
  ]
  const text = `memory ${n} ${scripts[n % scripts.length]} ${'z'.repeat(n % 97)}`
  if (n % 3 === 0) return { raw_text: text }
  const metadata = { number: n / 7, deep: [{ n }, [null, true, 1e21]], '': 'empty key' }
  return { raw_text: text, metadata, speaker: `S${n % 5}`, conversation: `c${n % 9}`, at: '2026-03-04T05:06:07.008Z' }
}

async function flipOne(n) {
  const place = Math.floor(random() * whole.length)
  const mask = 1 << Math.floor(random() * 8)
  const flipped = Buffer.from([whole[place] ^ mask])
  writeSync(fd, flipped, 0, 1, place)
  const line = whole.subarray(0, place).filter((byte) => byte === LF).length + 1
  const isLf = whole[place] === LF
  const found = await verdict()
  const kind = found.sound && found.tail === null ? 'same value' : isLf ? 'LF' : line === 1 ? 'header' : 'other lines'
  const where = `byte ${place} (line ${line}) ^ ${mask}`
  report.case(`found, ${kind}`, problemOf(found, { line, isLf, where, madeLf: flipped[0] === LF }))
  if (line > 1 && !isLf) report.case('answers', wrongAnswer(where, kind === 'same value'))
  if (n % PROCESS_EVERY === 0 && kind !== 'same value') report.case('as a process', processProblem(where))
  writeSync(fd, whole, place, 1, place)
}

async function verdict() {
  try {
    const { sound, damaged, tail, notes } = await device.verify()
    return { sound, lines: damaged.map(({ line }) => line), tail, notes }
  } catch (error) {
    return { sound: false, lines: [1], refused: error.message, code: error.code }
  }
}

/**
 * Returns the problem of a verdict. A flipped LF joins two lines or, at the end, leaves a tail; a new LF splits a line.
 */
function problemOf({ sound, lines, tail, notes, refused }, { line, isLf, where, madeLf }) {
  if (refused !== undefined) return line === 1 ? undefined : `${where}: refused though the header is whole: ${refused}`
  if (isLf && line === whole.filter((byte) => byte === LF).length)
    return tail === null ? `${where}: not seen` : undefined
  if (sound) return isNoted(notes, line) ? undefined : `${where}: not found`
  const expected = madeLf ? [line, line + 1] : [line]
  return lines.join() === expected.join() ? undefined : `${where}: found in lines ${lines}, not ${expected}`
}

/**
 * Reports whether the verdict notes the line. A flip may leave the same value in another notation, such as 1E+21 for
 * 1e+21, which is not damage and must be noted.
 */
function isNoted(notes, line) {
  return notes.some((note) => new RegExp(`\\blines? .*\\b${line}\\b`).test(note))
}

/** Checks that everything still returned equals the original byte for byte. */
function wrongAnswer(where, isSame) {
  const { records, damaged } = device.list()
  if (damaged.length === 0 && !isSame) return `${where}: list says nothing of the damage`
  let served = 0
  for (const record of records) {
    served++
    const expected = truth.get(record.id)
    if (expected === JSON.stringify(record)) continue
    // A damaged forget line makes its memory visible again. The memory is intact, and the damage is reported.
    if (expected !== undefined || !whole.includes(record.id)) return `${where}: list gives another ${record.id}`
  }
  return served >= truth.size - (isSame ? 0 : 3) ? undefined : `${where}: only ${served} memories are served`
}

function processProblem(where) {
  for (const args of [['verify'], ['list'], ['search', 'memory'], ['compact'], ['stats']]) {
    const { code, stderr } = run(home, ['device', ...args, '--snapshot', file])
    const isTail = code === 0 && args[0] === 'verify' && /unfinished|tail|LF/i.test(stderr)
    if (code !== 10 && !isTail) return `${where}: ${args[0]} ends with ${code} ${stderr}`
  }
  const now = readFileSync(file)
  if (now.length !== whole.length) writeFileSync(file, whole)
  return now.length === whole.length ? undefined : `${where}: the file was changed`
}
