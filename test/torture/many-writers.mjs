// Eight processes store twenty-five memories each, 15 % of the stores are killed, and others compact, verify and search
// meanwhile.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ended, ensureBuilt, makeHome, must, run, start } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'
import { witness } from './kit/witness.mjs'

const { count, seed, random } = options(25)
const WRITERS = 8
const KILLED_SHARE = 0.15
/** Maximum time from the start of a store to its kill, in milliseconds. */
const LIFE_MS = 400
const READS = [
  ['verify', []],
  ['search', ['writer memory']],
  ['list', []]
]

const report = createReport(`${WRITERS} writers x ${count} stores (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const snapshot = ['--snapshot', file]
must(home, ['device', 'init', file])

/** Texts by acknowledged id. */
const acknowledged = new Map()
const tried = new Set()
let killed = 0
let open = WRITERS
const compactions = { done: 0 }
const reads = { verify: 0, search: 0, list: 0 }

const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer).finally(() => open--))
await Promise.all([...writers, compactAll(), readAll(), killCompactions()])
finish()

async function write(writer) {
  for (let n = 0; n < count; n++) {
    const text = `writer ${writer} memory ${n} ${'y'.repeat(Math.floor(random() * 3000))}`
    tried.add(text)
    const child = start(home, ['device', 'store', text, ...snapshot, '--json'])
    const end = ended(child)
    if (random() < KILLED_SHARE) void delay(random() * LIFE_MS).then(() => child.kill('SIGKILL'))
    const { code, signal, stdout, stderr } = await end
    if (signal === 'SIGKILL') killed++
    else report.case('stores that ran to their end', code === 0 ? undefined : `exit ${code}: ${stderr}`)
    if (stdout.endsWith('}\n')) acknowledged.set(JSON.parse(stdout).id, text)
  }
}

async function compactAll() {
  while (open > 0) {
    const { code, stderr } = await ended(start(home, ['device', 'compact', ...snapshot, '--json']))
    compactions.done++
    report.case('compact', code === 0 ? undefined : `exit ${code}: ${stderr}`)
  }
}

/** Runs compactions that are killed at any moment, beside others. */
async function killCompactions() {
  while (open > 0) {
    const child = start(home, ['device', 'compact', ...snapshot])
    const end = ended(child)
    await delay(random() * LIFE_MS)
    child.kill('SIGKILL')
    await end
    report.case('compact, killed', undefined)
  }
}

async function readAll() {
  for (let n = 0; open > 0; n++) {
    const [name, args] = READS[n % READS.length]
    const { code, stderr, stdout } = await ended(start(home, ['device', name, ...args, ...snapshot, '--json']))
    reads[name]++
    const isOdd = code !== 0 || /damaged|lost|vanished|no longer|missing/.test(stderr)
    report.case(name, isOdd ? `exit ${code}: ${stderr} ${stdout.slice(0, 300)}` : undefined)
  }
}

function finish() {
  const verified = run(home, ['device', 'verify', ...snapshot, '--json'])
  report.case('verify at the end', verified.code === 0 ? undefined : verified.stdout)
  must(home, ['device', 'compact', ...snapshot])
  const { records, counts, bad } = witness(file)
  report.case('lines sound at the end', bad[0])
  const texts = new Map(records.map((record) => [record.id, record.text]))
  for (const [id, text] of acknowledged) {
    const times = counts.get(id) ?? 0
    const isSame = texts.get(id) === text
    report.case('acknowledged', times === 1 && isSame ? undefined : `${id} is there ${times} times, same ${isSame}`)
  }
  for (const { type, text } of records) {
    if (type === 'memory') report.case('in the file', tried.has(text) ? undefined : `nobody stored ${text}`)
  }
  report.note('acknowledged', `${killed} stores killed, each other one there exactly once`)
  report.finish()
}
