// The clock jumps ten years in either direction between commands: ids, order, locks and the index are unaffected.
import { join } from 'node:path'
import { ensureBuilt, makeHome, must, run } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'
import { witness } from './kit/witness.mjs'

const { count, seed, random } = options(60)
const YEAR_MS = 365.25 * 24 * 3600 * 1000
const JUMPS = [0, 10 * YEAR_MS, -10 * YEAR_MS, 1000, -1000, 7000 * YEAR_MS, -3000 * YEAR_MS]
const AT_ONCE_MS = 8000 * PATIENCE

const report = createReport(`a clock that jumps (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const snapshot = ['--snapshot', file]
const acknowledged = new Map()
must(home, ['device', 'init', file])
for (let n = 0; n < count; n++) step(n)
atTheEnd()
report.finish()

/** Returns options that load code before the program which shifts `Date` by some milliseconds. */
function shifted(ms) {
  const code = `
    const now = Date.now
    Date.now = () => now() + ${ms}
    globalThis.Date = class extends Date { constructor(...a) { a.length === 0 ? super(Date.now()) : super(...a) } }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

function step(n) {
  const jump = JUMPS[n % JUMPS.length]
  const env = shifted(jump)
  const row = `clock ${Math.abs(jump) > YEAR_MS ? `${jump / YEAR_MS} years` : `${jump} ms`}`
  const text = `memory ${n}`
  const stored = run(home, ['device', 'store', text, ...snapshot, '--json'], { env })
  const isStored = stored.code === 0 && stored.ms < AT_ONCE_MS
  report.case(row, isStored ? undefined : `store: exit ${stored.code}: ${stored.stderr}`)
  if (isStored) acknowledged.set(JSON.parse(stored.stdout).id, text)
  const batch = `{"raw_text":"undated ${n}"}\n{"raw_text":"dated ${n}","at":"2026-01-01"}\n`
  for (const known of [0, 2]) {
    const env2 = shifted(JUMPS[Math.floor(random() * 3)])
    const { stdout, code, stderr } = run(home, ['device', 'store', '--batch', '-', ...snapshot, '--json'], {
      env: env2,
      input: batch
    })
    const isRight = code === 0 && JSON.parse(stdout).known === known
    report.case('a batch said again', isRight ? undefined : `exit ${code}: ${stdout} ${stderr}`)
  }
  answersAt(jump, row, text)
}

/**
 * Checks with shifted clocks that the search finds what was stored last, the file is valid, and a second search
 * rebuilds no index.
 */
function answersAt(jump, row, text) {
  for (const env of [shifted(jump), shifted(-jump)]) {
    const found = run(home, ['device', 'search', text, ...snapshot, '--json'], { env })
    const isFound = found.code === 0 && JSON.parse(found.stdout).sources.some((source) => source.text === text)
    report.case(row, isFound ? undefined : `search: exit ${found.code}: ${found.stderr} ${found.stdout.slice(0, 200)}`)
    const { code, stdout } = run(home, ['device', 'verify', ...snapshot, '--json'], { env })
    report.case(row, code === 0 ? undefined : `verify: ${stdout}`)
  }
}

function atTheEnd() {
  must(home, ['device', 'compact', ...snapshot], { env: shifted(-10 * YEAR_MS) })
  const { counts } = witness(file)
  for (const id of acknowledged.keys()) report.case('acknowledged', counts.get(id) === 1 ? undefined : `${id} is lost`)
  const times = JSON.parse(must(home, ['device', 'list', '--json', ...snapshot])).map(({ at }) => at)
  const isOrdered = times.every((at, n) => n === 0 || times[n - 1] <= at)
  report.case('listed by time', isOrdered ? undefined : 'out of order')
}
