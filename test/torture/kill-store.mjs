// A thousand `kill -9` during every command that writes: nothing acknowledged is lost, nothing is unreadable, and no
// process is blocked.
import { existsSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ended, ensureBuilt, makeHome, must, run, start } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'
import { witness } from './kit/witness.mjs'

const WHOLE = 1000
/** Share of the kills for each command. */
const SHARES = { store: 0.5, batch: 0.15, compact: 0.1, forget: 0.07, merge: 0.08, init: 0.05, search: 0.05 }
const { count, seed, only, random } = options(WHOLE, Object.keys(SHARES))
const report = createReport(`kill -9 (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const other = join(home.work, 'b.mem.jsonl')
const snapshot = ['--snapshot', file]
const acknowledged = new Set()
const forgotten = new Set()
let killed = 0
let hits = 0
let serial = 0

/** Longer than any store without a wait, and far shorter than the wait for a lock (30 s). In milliseconds. */
const AT_ONCE_MS = 5000 * PATIENCE

const AT = '2026-01-02T03:04:05.000Z'

/** Lines of a batch: enough for a kill to interrupt it. */
const LINES = count < WHOLE ? 200 : 3000

must(home, ['device', 'init', file])
must(home, ['device', 'init', other])
storeSome(other, 50)
storeSome(file, 50)
const usual = {}
for (const name of Object.keys(SHARES)) usual[name] = await timeOf(name)
for (const [name, share] of Object.entries(only === undefined ? SHARES : { [only]: 1 })) {
  const until = killed + Math.max(1, Math.round(count * share))
  for (let n = 0; killed < until; n++) await killOne(name, n)
}
finish()

/** Starts a command, kills it, and checks the result. */
async function killOne(name, n) {
  const job = jobOf(name)
  const child = start(home, job.args)
  const end = ended(child)
  if (n % 2 === 0 && job.mark !== undefined) killWhenMarked(child, job.mark, usual[name])
  else {
    await delay(random() * usual[name])
    child.kill('SIGKILL')
  }
  const { signal, stdout } = await end
  if (signal === 'SIGKILL') killed++
  job.heard?.(stdout)
  if (signal === 'SIGKILL') report.case(name, problemAfter(job))
}

/** Polls for the lock without yielding, so that the kill hits the few milliseconds of work. */
function killWhenMarked(child, mark, ms) {
  const giveUp = performance.now() + ms * 2
  while (performance.now() < giveUp && !isThere(mark));
  if (isThere(mark)) hits++
  const wait = performance.now() + random() ** 2 * 3
  while (performance.now() < wait);
  child.kill('SIGKILL')
}

function isThere(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Checks the state after a kill: valid files, everything acknowledged, and no obstacle for the next store. */
function problemAfter(job) {
  const before = witness(file)
  if (before.bad.length > 0) return before.bad[0]
  if (job.after !== undefined) {
    const problem = job.after()
    if (problem !== undefined) return problem
  }
  const next = run(home, ['device', 'store', `next ${++serial}`, ...snapshot, '--json'])
  if (next.code !== 0) return `the next store failed: ${next.stderr}`
  if (next.ms > AT_ONCE_MS) return `the next store took ${Math.round(next.ms)} ms`
  acknowledged.add(JSON.parse(next.stdout).id)
  return missing(witness(file))
}

function missing({ counts, forgotten: targets, bad }) {
  if (bad.length > 0) return bad[0]
  for (const id of acknowledged) if (!counts.has(id) && !targets.has(id)) return `${id} is lost`
  for (const id of forgotten) if (!targets.has(id)) return `the forgetting of ${id} is lost`
  return undefined
}

/**
 * Returns a command to kill: its arguments, the file that shows it at work, what it acknowledges, and what must hold
 * afterwards.
 */
function jobOf(name) {
  const lock = `${file}.lock`
  const text = `memory ${++serial} ${'x'.repeat(Math.floor(random() * 2000))}`
  const jobs = {
    store: () => ({ args: ['device', 'store', text, ...snapshot, '--json'], mark: lock, heard: heardStored }),
    batch: batchJob,
    compact: () => ({ args: ['device', 'compact', ...snapshot], mark: lock }),
    forget: forgetJob,
    merge: () => ({ args: ['device', 'merge', file, other, '-o', file], mark: lock }),
    init: initJob,
    search: searchJob
  }
  return jobs[name]()
}

function heardStored(stdout) {
  if (stdout.endsWith('}\n')) acknowledged.add(JSON.parse(stdout).id)
}

/** Creates a batch that is repeated until it succeeds, and must be stored completely, each line once. */
function batchJob() {
  const batch = join(home.work, 'batch.jsonl')
  const name = `batch ${serial} line`
  const lines = Array.from({ length: LINES }, (_, n) => JSON.stringify({ raw_text: `${name} ${n}`, at: AT }))
  writeFileSync(batch, `${lines.join('\n')}\n`)
  const args = ['device', 'store', '--batch', batch, ...snapshot, '--json']
  const after = () => {
    const { code, stdout, stderr } = run(home, args)
    if (code !== 0) return `the batch again: exit ${code} ${stderr}`
    const { stored, known } = JSON.parse(stdout)
    if (stored + known !== lines.length) return `stored ${stored}, known ${known} of ${lines.length}`
    const { records } = witness(file)
    const there = records.filter((record) => record.text?.startsWith(`${name} `)).map(({ id }) => id)
    if (there.length !== lines.length) return `${there.length} lines of the batch are in the file`
    return new Set(there).size === lines.length ? undefined : 'a line of the batch is there twice'
  }
  return { args, mark: `${file}.lock`, after: () => after() ?? shrink() }
}

/** Keeps the file short, so that a thousand rounds are fast. */
function shrink() {
  const { records } = witness(file)
  if (records.length < 20_000) return undefined
  rmSync(file)
  acknowledged.clear()
  forgotten.clear()
  must(home, ['device', 'init', file])
  storeSome(file, 50)
  return undefined
}

function forgetJob() {
  const [id] = [...acknowledged].filter((one) => !forgotten.has(one))
  const heard = (stdout) => {
    if (stdout.includes(id)) forgotten.add(id)
  }
  return { args: ['device', 'forget', id, '--yes', ...snapshot, '--json'], mark: `${file}.lock`, heard }
}

function initJob() {
  const path = join(home.work, `made-${serial}.mem.jsonl`)
  const after = () => {
    const stored = existsSync(path) ? undefined : run(home, ['device', 'init', path])
    if (stored !== undefined && stored.code !== 0) return `init again: ${stored.stderr}`
    const { code, stderr, ms } = run(home, ['device', 'store', 'first', '--snapshot', path])
    if (ms > AT_ONCE_MS) return `the first store took ${Math.round(ms)} ms`
    return code === 0 ? undefined : `store after a killed init: ${stderr}`
  }
  return { args: ['device', 'init', path], mark: `${path}.lock`, after }
}

/** Creates a search to kill while it builds the index. The next search must answer as usual. */
function searchJob() {
  rmSync(join(home.folder, 'cache'), { recursive: true, force: true })
  const after = () => {
    const { code, stdout, stderr } = run(home, ['device', 'search', 'memory', ...snapshot, '--json'])
    if (code !== 0) return `search after a killed search: ${stderr}`
    return JSON.parse(stdout).sources.length > 0 ? undefined : 'search finds nothing'
  }
  return { args: ['device', 'search', 'memory', ...snapshot], mark: undefined, after }
}

function storeSome(path, number) {
  const lines = Array.from({ length: number }, (_, n) => `{"raw_text":"sample ${n} memory of ${serial}"}\n`)
  must(home, ['device', 'store', '--batch', '-', '--snapshot', path], { input: lines.join('') })
  for (const id of witness(path).counts.keys()) if (path === file) acknowledged.add(id)
}

/** Measures a command without a kill, in milliseconds. */
async function timeOf(name) {
  const job = jobOf(name)
  const started = performance.now()
  const { stdout } = await ended(start(home, job.args))
  job.heard?.(stdout)
  return performance.now() - started
}

function finish() {
  const verified = run(home, ['device', 'verify', ...snapshot, '--json'])
  const verdict = JSON.parse(verified.stdout)
  report.case('verify at the end', verdict.sound ? missing(witness(file)) : verified.stdout)
  const late = ['.new', '.lock.break'].filter((ending) => isThere(`${file}${ending}`))
  report.note('verify at the end', `${verdict.memories} memories, ${killed} killed, ${hits} of them under the lock`)
  const leftovers = must(home, ['device', 'compact', ...snapshot, '--json']) && isThere(`${file}.new`)
  report.case('leftovers', leftovers ? `NAME.new outlives a compact (${late})` : undefined)
  report.finish()
}
