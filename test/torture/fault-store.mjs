// Every file system call of a command on a snapshot, its lock, its new file and its index: it fails once with EIO, once
// with ENOSPC if a disk can be full, and once the process is killed at it. Needs strace.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, hasTool, makeHome, must, run } from './kit/program.mjs'
import { createReport, options, PATIENCE, skip } from './kit/report.mjs'
import { unclear, witness } from './kit/witness.mjs'

const { count, only } = options(1000)
if (!hasTool('strace', ['-V'])) skip('strace is not there')

/** Longer than any store without a wait, and far shorter than the wait for a lock (30 s). In milliseconds. */
const AT_ONCE_MS = 8000 * PATIENCE
const CAN_BE_FULL =
  /^(openat|write|pwrite64|writev|fsync|fdatasync|symlink|symlinkat|rename|renameat2?|mkdir|ftruncate)$/
const NOT_OURS = /^(exit|exit_group|execve|getcwd|\+\+\+)$/

const report = createReport('every file system call failing once')
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const other = join(home.work, 'b.mem.jsonl')
const made = join(home.work, 'made.mem.jsonl')
const log = join(home.folder, 'strace.log')
const index = join(home.folder, 'cache', 'index')
const snapshot = ['--snapshot', file]
let serial = 0
let target = ''
const calls = new Map()

for (const path of [file, other]) {
  must(home, ['device', 'init', path])
  must(home, ['device', 'store', '--batch', '-', '--snapshot', path], { input: batchLines(path) })
}
must(home, ['device', 'search', 'memory', ...snapshot])
const deadOwner = ownerOfKilled()
for (const [name, job] of Object.entries(makeJobs())) {
  if (only === undefined || name === only) everyFault(name, job)
}
report.finish()

function batchLines(text) {
  return Array.from({ length: 20 }, (_, n) => `${JSON.stringify({ raw_text: `memory ${text} ${n}` })}\n`).join('')
}

/** Returns the lock text of a dead process. */
function ownerOfKilled() {
  strace(['device', 'store', 'killed', ...snapshot], ['-e', 'inject=fdatasync:signal=KILL:when=1'])
  return readlinkSync(`${file}.lock`)
}

function strace(args, inject) {
  const indexed = existsSync(index) ? readdirSync(index).filter((name) => /\.(sqlite|stamp)$/.test(name)) : []
  const watched = [file, made].flatMap((path) =>
    ['', '.lock', '.lock.break', '.new', '.aside'].map((end) => path + end)
  )
  const cached = indexed.flatMap((name) => ['', '.lock', '.new'].map((end) => join(index, name) + end))
  const paths = [...watched, ...cached, other, home.work, index].flatMap((path) => ['-P', path])
  return run(home, args, { under: ['strace', '-f', '-qq', '-o', log, ...paths, ...inject] })
}

/** Injects faults at the first, second and every further call of each kind, until one is not reached. */
function everyFault(name, job) {
  job.setup?.()
  strace([...job.args(), '--json'], [])
  const kinds = [...new Set(callsInLog())].filter((kind) => !NOT_OURS.test(kind))
  for (const kind of kinds) {
    for (const fault of faultsOf(kind)) {
      for (let nth = 1; nth <= count && oneFault({ name, job }, kind, { fault, nth }); nth++);
    }
  }
}

/** Returns the faults of a kind of call: only a kill if one call is tried, since another test lets each call fail. */
function faultsOf(kind) {
  if (count === 1) return ['signal=KILL']
  return ['error=EIO', ...(CAN_BE_FULL.test(kind) ? ['error=ENOSPC'] : []), 'signal=KILL']
}

function callsInLog() {
  return readFileSync(log, 'latin1')
    .split('\n')
    .map((line) => /^\d+ +(\w+)\(/.exec(line)?.[1])
    .filter((kind) => kind !== undefined)
}

/** Injects one fault in one run and checks the result. Returns false if the run made no such call. */
function oneFault({ name, job }, kind, { fault, nth }) {
  recover(job)
  const before = witness(file)
  job.setup?.()
  const ended = strace([...job.args(), '--json'], ['-e', `inject=${kind}:${fault}:when=${nth}`])
  const isKill = fault === 'signal=KILL'
  const reached = isKill
    ? ended.signal === 'SIGKILL' || ended.code === 137
    : readFileSync(log, 'latin1').includes('(INJECTED)')
  if (!reached) return false
  calls.set(name, (calls.get(name) ?? new Set()).add(`${kind} ${nth}`))
  const problem = (isKill ? undefined : problemSaid(ended)) ?? problemLeft(before, job, ended)
  const row = `${name}: ${fault.split('=')[1]}`
  report.case(row, problem === undefined ? undefined : `${kind} no. ${nth}: ${problem}`)
  report.note(row, `at ${calls.get(name).size} calls`)
  return true
}

function problemSaid({ code, stdout, stderr }) {
  if (code === 0) return undefined
  if (code !== 1) return `exit ${code}: ${stderr}`
  if (stdout !== '') return `it failed and answered ${stdout.slice(0, 80)}`
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return error.code === 'system_refused' ? unclear(`error: ${error.message}`) : `it said ${stderr}`
}

/** Checks that nothing was lost and that the next command works immediately. */
function problemLeft(before, job, ended) {
  const after = witness(file)
  const problem = damageSince(before, after) ?? job.problem?.(ended, after)
  if (problem !== undefined) return problem
  const next = run(home, ['device', 'store', `next ${++serial}`, ...snapshot, '--json'])
  if (next.code !== 0) return `the next store: exit ${next.code} ${next.stderr}`
  if (next.ms > AT_ONCE_MS) return `the next store took ${Math.round(next.ms)} ms`
  const later = witness(file)
  if (!later.counts.has(JSON.parse(next.stdout).id)) return 'the next store is not in the file'
  return later.tail > 0 ? 'a tail outlives the next store' : damageSince(before, later)
}

function damageSince(before, after) {
  if (after.bad.length > 0) return after.bad[0]
  for (const id of before.counts.keys()) {
    if (!after.counts.has(id) && !before.forgotten.has(id)) return `${id} is lost`
  }
  for (const id of before.forgotten) if (!after.forgotten.has(id)) return `the forgetting of ${id} is lost`
  return undefined
}

/** Removes leftovers that would disturb the count, and updates the index of a search. */
function recover({ problem }) {
  for (const end of ['', '.lock', '.new']) rmSync(made + end, { force: true })
  if (problem === answered) must(home, ['device', 'search', 'memory', ...snapshot])
}

function makeJobs() {
  const store = () => ['device', 'store', `memory ${++serial}`, ...snapshot]
  const cached = join(home.folder, 'cache')
  return {
    store: { args: store, problem: storedOrNot },
    'store, unfinished tail': { args: store, problem: storedOrNot, setup: () => addTail('{"at":"2026-01-02T03:0') },
    'store, last LF missing': { args: store, problem: storedOrNot, setup: cutLastLf },
    'store, dead lock': { args: store, problem: storedOrNot, setup: () => symlinkSync(deadOwner, `${file}.lock`) },
    batch: { args: batchArgs, problem: batchStored },
    forget: { args: () => ['device', 'forget', someId(), '--yes', ...snapshot], problem: forgottenOrNot },
    compact: { args: () => ['device', 'compact', ...snapshot] },
    'compact, unfinished tail': { args: () => ['device', 'compact', ...snapshot], setup: () => addTail('{"at":') },
    merge: { args: () => ['device', 'merge', file, other, '-o', file] },
    init: { args: () => ['device', 'init', made], problem: madeOrNot },
    'search, new lines': { args: searchArgs, problem: answered, setup: () => must(home, store()) },
    'search, no index': { args: searchArgs, problem: answered, setup: () => rmSync(cached, { recursive: true }) },
    verify: { args: () => ['device', 'verify', ...snapshot] },
    list: { args: () => ['device', 'list', ...snapshot] }
  }
}

function storedOrNot({ code, stdout }, { records }) {
  const last = records.some(({ text }) => text === `memory ${serial}`)
  if (code === 0) return JSON.parse(stdout).id !== undefined && last ? undefined : 'acknowledged and not in the file'
  if (code === 1 && last) return 'refused, yet it is in the file'
  return undefined
}

function batchArgs() {
  const path = join(home.folder, 'batch.jsonl')
  writeFileSync(path, batchLines(`${++serial}`).replaceAll('}', ',"at":"2026-01-02T03:04:05.000Z"}'))
  return ['device', 'store', '--batch', path, ...snapshot]
}

/** Checks that a repeated batch stores the rest, and nothing twice. */
function batchStored({ code }, { records }) {
  const lines = (found) => found.filter(({ text }) => text?.startsWith(`memory ${serial} `)).length
  if (code === 0 && lines(records) !== 20) return `acknowledged, and ${lines(records)} of 20 lines are in the file`
  must(home, ['device', 'store', '--batch', join(home.folder, 'batch.jsonl'), ...snapshot])
  const now = lines(witness(file).records)
  return now === 20 ? undefined : `run again, ${now} of 20 lines are in the file`
}

function someId() {
  const { counts, forgotten } = witness(file)
  target = [...counts.keys()].filter((id) => !forgotten.has(id)).at(-1)
  return target
}

function forgottenOrNot({ code }, { forgotten }) {
  if (code === 0 && !forgotten.has(target)) return 'acknowledged and not forgotten'
  return code === 1 && forgotten.has(target) ? 'refused, yet forgotten' : undefined
}

function madeOrNot({ code }) {
  const isThere = existsSync(made)
  if (code === 0 && !isThere) return 'acknowledged and not made'
  if (isThere && (witness(made).bad.length > 0 || witness(made).records.length !== 1)) return 'made, and not whole'
  const again = isThere ? ['store', 'first', '--snapshot', made] : ['init', made]
  const { code: next, stderr } = run(home, ['device', ...again])
  return next === 0 ? undefined : `device ${again[0]} after it: ${stderr}`
}

function searchArgs() {
  return ['device', 'search', 'memory', '--limit', '100', ...snapshot]
}

function answered({ code, stdout }) {
  if (code !== 0) return undefined
  const expected = JSON.parse(must(home, [...searchArgs(), '--json'])).sources.map(({ id }) => id)
  const got = JSON.parse(stdout).sources.map(({ id }) => id)
  return got.join() === expected.join() ? undefined : `it answered ${got.length} of ${expected.length}`
}

function addTail(text) {
  writeFileSync(file, text, { flag: 'a' })
}

function cutLastLf() {
  truncateSync(file, lstatSync(file).size - 1)
}
