// Pipes, signals and unusual environments: readers that leave or are slow, closed streams, no home, no environment, no
// folder.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ended, ensureBuilt, makeHome, must, PROGRAM, run, start } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'
import { unclear, witness } from './kit/witness.mjs'

const WHOLE = 40
const { count, seed, random } = options(WHOLE)
const isWhole = count >= WHOLE
/** Far more than a pipe holds. */
const MEMORIES = isWhole ? 5000 : 1500
/** Lines of a batch that is interrupted. */
const LINES = isWhole ? 30_000 : 8000

const report = createReport(`pipes, signals, surroundings (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const snapshot = ['--snapshot', file]
must(home, ['device', 'init', file])
must(home, ['device', 'store', '--batch', '-', ...snapshot], { input: batchText('note', MEMORIES) })

headOne()
await slowReader()
closedStreams()
bareSurroundings()
nobodyThere()
for (let n = 0; n < count; n++) await signalled(n)
await signalledStream()
report.finish()

function batchText(name, lines) {
  return Array.from({ length: lines }, (_, n) => `{"raw_text":"${name} ${n} ${'x'.repeat(150)}"}\n`).join('')
}

function shell(text, { env = home.env, cwd = home.work, args = [] } = {}) {
  const words = ['-c', text, 'sh', process.execPath, PROGRAM, file, ...args]
  const { status, stdout, stderr } = spawnSync('sh', words, { env, cwd, encoding: 'utf8', timeout: 60_000 })
  return { code: status, stdout, stderr }
}

/**
 * Runs the program with `head -1`. `$1 $2` is the program, `$3` the snapshot. The program's exit code is written to
 * descriptor 3.
 */
function headOne() {
  for (const words of [
    'list',
    'list --json',
    'list --jsonl',
    'search note --limit 100 --json',
    'store --batch - --dry-run --jsonl'
  ]) {
    const input = words.startsWith('store') ? `cat "$4" |` : ''
    const path = join(home.folder, 'head.jsonl')
    writeFileSync(path, batchText('head', MEMORIES))
    const { code, stderr } = shell(
      `exec 3>&1; code=$( { { ${input} "$1" "$2" device ${words} --snapshot "$3" 3>&-; echo $? >&4; } | head -1 >/dev/null; } 4>&1 ); exit $code`,
      { args: [path] }
    )
    const isQuiet = stderr.replace(/^snapshot: .*\n/, '') === ''
    report.case('| head -1', code === 0 && isQuiet ? undefined : `${words}: exit ${code}: ${stderr}`)
  }
}

async function slowReader() {
  const child = start(home, ['device', 'list', '--jsonl', ...snapshot])
  const end = once(child, 'close')
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (random() < 0.2) await delay(2)
  }
  const [code] = await end
  const lines = text.split('\n').length - 1
  report.case('a slow reader', code === 0 && lines === MEMORIES ? undefined : `exit ${code}, ${lines} lines`)
}

function closedStreams() {
  const store = `"$1" "$2" device store "closed" --snapshot "$3"`
  const cases = {
    'stdin closed': [`${store} <&-`, 0],
    'stderr closed': [`${store} 2>&-`, 0],
    'stdin and stderr closed': [`${store} <&- 2>&-`, 0],
    'stdout closed': [`${store} >&-`, 0],
    'all closed': [`${store} <&- >&- 2>&-`, 0],
    'search, stderr closed': [`"$1" "$2" device search note --snapshot "$3" 2>&-`, 0],
    'a failure, stderr closed': [`"$1" "$2" device show mem_000000000 --snapshot "$3" 2>&-`, 3],
    'a batch from a closed stdin': [`"$1" "$2" device store --batch - --snapshot "$3" <&-`, 0]
  }
  for (const [name, [text, expected]] of Object.entries(cases)) {
    const { code, stderr } = shell(text)
    report.case(name, code === expected && !/\n\s+at /.test(stderr) ? undefined : `exit ${code}: ${stderr}`)
  }
  const { bad } = witness(file)
  report.case('nothing of it got into the file', bad[0])
}

function bareSurroundings() {
  const named = `device store "bare" --snapshot "$3" && "$1" "$2" device search note --limit 1 --snapshot "$3" > /dev/null`
  const noHome = { ...home.env }
  for (const name of ['HOME', 'MEMCTL_CACHE_DIR', 'MEMCTL_DATA_DIR', 'MEMCTL_CONFIG_DIR']) delete noHome[name]
  const folders = 'MEMCTL_CACHE_DIR="$4" MEMCTL_DATA_DIR="$4" MEMCTL_CONFIG_DIR="$4"'
  const cases = {
    'no environment, folders given': [`env -i ${folders} "$1" "$2" device store bare --snapshot "$3"`, home.env],
    'HOME is no folder': [`"$1" "$2" ${named}`, { ...home.env, HOME: '/dev/null' }],
    'HOME is relative': [`"$1" "$2" ${named}`, { ...home.env, HOME: 'somewhere' }],
    'the cache is nowhere': [`"$1" "$2" ${named}`, { ...home.env, MEMCTL_CACHE_DIR: '/dev/null/cache' }],
    'CI=1': [`"$1" "$2" ${named}`, { ...home.env, CI: '1' }],
    'TERM=dumb': [`"$1" "$2" ${named}`, { ...home.env, TERM: 'dumb' }],
    'an odd locale': [`"$1" "$2" ${named}`, { ...home.env, LANG: 'xx_YY', LC_ALL: 'nonsense', TZ: 'Nowhere/Land' }]
  }
  for (const [name, [text, env]] of Object.entries(cases)) {
    const { code, stderr } = shell(text, { env, args: [join(home.folder, 'bare')] })
    report.case(name, code === 0 ? undefined : `exit ${code}: ${stderr}`)
  }
  const { code, stdout } = shell(`env -i "$1" "$2" --version`)
  report.case('no environment, --version', code === 0 && stdout !== '' ? undefined : `exit ${code}`)
  const help = shell(`env -u HOME "$1" "$2" device store --help`, { env: noHome })
  report.case('no HOME, --help', help.code === 0 ? undefined : `exit ${help.code}: ${help.stderr}`)
  deletedFolder()
}

function deletedFolder() {
  const gone = join(home.folder, 'gone')
  for (const [words, codes] of [
    ['device store "from nowhere" --snapshot "$3"', [0, 1]],
    ['device search note --snapshot "$3"', [0, 1]],
    ['--version', [0]],
    ['device list --snapshot relative.mem.jsonl', [1, 3]]
  ]) {
    mkdirSync(gone)
    const { code, stderr } = shell(`rmdir "$4" && "$1" "$2" ${words}`, { cwd: gone, args: [gone] })
    const isClear = codes.includes(code) && (code === 0 || unclear(stderr) === undefined)
    report.case('current folder deleted', isClear ? undefined : `${words}: exit ${code}: ${stderr}`)
    rmSync(gone, { recursive: true, force: true })
  }
}

/** Checks that a prompt without a user ends with 2 and names the flag, without waiting. */
function nobodyThere() {
  for (const args of [['store'], ['forget', '--query', 'note'], ['forget', '--query', 'note', '--no-input']]) {
    const { code, stderr } = run(home, ['device', ...args, ...snapshot], { timeout: 10_000 })
    const isClear = code === 2 && /^error: .*\nhint: /m.test(stderr)
    report.case('nobody there', isClear ? undefined : `${args}: exit ${code}: ${stderr}`)
  }
}

/**
 * Checks that an interrupted batch reports what is stored, and that repeating it stores the rest, and nothing twice.
 */
async function signalled(n) {
  const path = join(home.work, 'signalled.mem.jsonl')
  const batch = join(home.folder, 'signalled.jsonl')
  rmSync(path, { force: true })
  must(home, ['device', 'init', path])
  writeFileSync(batch, batchText(`signalled ${n}`, LINES))
  const [name, expected] = n % 2 === 0 ? ['SIGINT', 130] : ['SIGTERM', 143]
  const args = ['device', 'store', '--batch', batch, '--snapshot', path]
  const child = start(home, args)
  const end = ended(child)
  await delay(100 + random() * 900)
  child.kill(name)
  const { code, signal, stderr } = await end
  const there = witness(path)
  const isOutside = signal === name && [0, LINES].includes(there.counts.size)
  // Before the program handles signals and after it has answered, a signal ends it like any program.
  if (code !== 0 && !isOutside) {
    const said = /(\d+) memor(?:y|ies) of the batch/.exec(stderr)?.[1]
    const isNone = stderr.includes('nothing was stored')
    const isTrue = (isNone ? 0 : Number(said ?? Number.NaN)) === there.counts.size
    report.case(name, code === expected && isTrue ? undefined : `exit ${code}, ${there.counts.size} there: ${stderr}`)
  }
  const again = JSON.parse(must(home, [...args, '--json']))
  const { records, counts } = witness(path)
  const isWhole = counts.size === LINES && records.length === LINES + 1 && again.known === there.counts.size
  report.case('run again', isWhole ? undefined : `${counts.size} ids in ${records.length} lines, ${again.known} known`)
}

/** Checks that an interrupted stream reports what was stored, which exists. */
async function signalledStream() {
  for (const [name, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143]
  ]) {
    const path = join(home.work, `stream-${name}.mem.jsonl`)
    must(home, ['device', 'init', path])
    const child = start(home, ['device', 'store', '--batch', '-', '--snapshot', path], {
      stdio: ['pipe', 'pipe', 'pipe']
    })
    const end = ended(child)
    child.stdin.write(batchText('stream', 100))
    while (!readFileSync(path, 'utf8').includes('stream 99')) await delay(5)
    child.kill(name)
    const { code, stderr } = await end
    const isSaid = code === expected && stderr.includes('100 memories')
    report.case(
      `${name}, a stream`,
      isSaid && witness(path).counts.size === 100 ? undefined : `exit ${code}: ${stderr}`
    )
  }
}
