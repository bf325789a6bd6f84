// Places that refuse: folders, FIFOs, links, read-only and full disks, no inodes, endless paths. Mounts need `unshare`.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, linkSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt, hasTool, makeHome, must, run } from './kit/program.mjs'
import { createReport, options, PATIENCE, takeInTurn } from './kit/report.mjs'
import { picture, unclear, witness } from './kit/witness.mjs'

const { count, only } = options(Number.MAX_SAFE_INTEGER)
const WITHIN_MS = 5000 * PATIENCE
/** In blocks of 512 bytes: between the first memory and the second. */
const LIMIT_BLOCKS = 60
/** A short run tries the commands in turn, one or a few at each place. */
const inTurn = takeInTurn(count)
const SELF = fileURLToPath(import.meta.url)

const report = createReport('places that refuse')
ensureBuilt()
const home = makeHome()
const good = join(home.folder, 'good.mem.jsonl')
must(home, ['device', 'init', good])
must(home, ['device', 'store', 'a good memory', '--snapshot', good])

if (only === 'mounted') onMounts(process.env.TORTURE_MOUNT)
else {
  oddFiles()
  longPaths()
  batchPlaces()
  fullOutput()
  limitedSize()
  mounted()
}
report.finish()

function commandsOn(path) {
  return {
    store: ['store', 'x', '--snapshot', path],
    search: ['search', 'x', '--snapshot', path],
    verify: ['verify', '--snapshot', path],
    compact: ['compact', '--snapshot', path],
    forget: ['forget', 'mem_0123456789', '--yes', '--snapshot', path],
    'merge from': ['merge', path, good, '-o', join(home.work, 'out.mem.jsonl')],
    'merge into': ['merge', good, path, '-o', path]
  }
}

/** Checks for a refusal with one of these codes within seconds, one clear line, and an unchanged folder. */
function refused(row, { path, codes, folder = home.work, commands = commandsOn(path) }) {
  for (const [name, args] of inTurn(Object.entries(commands))) {
    // Writing and truncating again changes the time.
    const before = picture(folder, { times: false })
    const ended = run(home, ['device', ...args], { timeout: 20_000 })
    report.case(row, problemOf(name, ended, { codes, isSame: picture(folder, { times: false }) === before }))
  }
}

function problemOf(name, { code, signal, stdout, stderr, ms }, { codes, isSame }) {
  if (!codes.includes(code)) return `${name}: exit ${code ?? signal}: ${stderr}`
  if (stdout !== '') return `${name}: it answered ${stdout.slice(0, 100)}`
  if (ms > WITHIN_MS) return `${name}: it took ${Math.round(ms)} ms`
  if (!isSame) return `${name}: the folder was changed`
  const problem = unclear(stderr)
  return problem === undefined ? undefined : `${name}: ${problem}`
}

function oddFiles() {
  const at = (name) => join(home.work, name)
  mkdirSync(at('folder.mem.jsonl'))
  symlinkSync('nowhere', at('dangling.mem.jsonl'))
  symlinkSync('circle.mem.jsonl', at('circle.mem.jsonl'))
  writeFileSync(at('plain'), '')
  writeFileSync(at('twice.mem.jsonl'), 'x')
  linkSync(at('twice.mem.jsonl'), at('second-name.mem.jsonl'))
  if (hasTool('mkfifo')) {
    execFileSync('mkfifo', [at('fifo.mem.jsonl')])
    refused('a FIFO', { path: at('fifo.mem.jsonl'), codes: [10] })
  }
  refused('a folder', { path: at('folder.mem.jsonl'), codes: [10] })
  refused('a dangling link', { path: at('dangling.mem.jsonl'), codes: [10, 3] })
  refused('a link to itself', { path: at('circle.mem.jsonl'), codes: [10, 1] })
  refused('a file with two names', { path: at('twice.mem.jsonl'), codes: [10] })
  refused('below a file', { path: at('plain/a.mem.jsonl'), codes: [3, 1, 10] })
  refused('a character device', { path: '/dev/null', codes: [10] })
  refused('a missing folder', { path: at('no/such/a.mem.jsonl'), codes: [3] })
  const inits = ['folder', 'dangling', 'circle', 'twice']
  for (const name of inits)
    refused('init over it', { commands: { [name]: ['init', at(`${name}.mem.jsonl`)] }, codes: [6] })
  refused('init in no folder', { commands: { init: ['init', at('no/such/a.mem.jsonl')] }, codes: [1, 3] })
  for (const name of ['folder.mem.jsonl']) rmSync(at(name), { recursive: true })
}

function longPaths() {
  const long = join(home.work, ...Array(40).fill('d'.repeat(99)), 'a.mem.jsonl')
  refused('a path of 4,000 bytes', { path: long, codes: [1, 3, 10] })
  refused('a path of 4,000 bytes', { commands: { init: ['init', long] }, codes: [1, 3] })
  const name = join(home.work, `${'n'.repeat(300)}.mem.jsonl`)
  refused('a name of 300 bytes', { path: name, codes: [1, 3, 10] })
  refused('a name of 300 bytes', { commands: { init: ['init', name] }, codes: [1] })
  // The name of the lock would be too long, so nothing can be written, and the error must say so.
  const tight = join(home.work, `${'t'.repeat(243)}.mem.jsonl`)
  refused('a name that leaves no room for the lock', { commands: { init: ['init', tight] }, codes: [1] })
  refused('a name with NUL', { commands: { init: ['init', join(home.work, 'a\u0001b', 'c')] }, codes: [1, 3] })
}

/** Checks that the error of an unreadable batch does not mention snapshots. */
function batchPlaces() {
  const path = join(home.work, 'good.mem.jsonl')
  must(home, ['device', 'init', path])
  const store = (batch) => ['store', '--batch', batch, '--snapshot', path]
  refused('a batch that is not there', { commands: { batch: store(join(home.work, 'none.jsonl')) }, codes: [3] })
  refused('a batch that is a folder', { commands: { batch: store(home.work) }, codes: [1, 2, 10] })
  const { stderr } = run(home, ['device', ...store(join(home.work, 'none.jsonl'))])
  report.case('a batch that is not there', stderr.includes('init') ? `it hints at init: ${stderr}` : undefined)
}

/** Checks that output that cannot be written is a failure, while stored memories stay stored. */
function fullOutput() {
  const path = join(home.work, 'full-output.mem.jsonl')
  must(home, ['device', 'init', path])
  const full = openSync('/dev/full', 'w')
  for (const args of [['store', 'x'], ['list'], ['search', 'x'], ['verify'], ['stats']]) {
    const { code, stderr } = run(home, ['device', ...args, '--snapshot', path], { stdio: ['ignore', full, 'pipe'] })
    report.case('stdout is full', code === 1 ? unclear(stderr) : `${args[0]}: exit ${code}: ${stderr}`)
  }
  closeSync(full)
  report.case('stdout is full', witness(path).counts.size === 1 ? undefined : 'the memory is not there')
}

/** Limits the file size: a line must be stored completely or not at all. */
function limitedSize() {
  const path = join(home.work, 'limited.mem.jsonl')
  must(home, ['device', 'init', path])
  must(home, ['device', 'store', 'y'.repeat(20_000), '--snapshot', path])
  const under = ['sh', '-c', 'ulimit -f "$0"; exec "$@"', String(LIMIT_BLOCKS)]
  const limited = (args) => run(home, ['device', ...args, '--snapshot', path], { under })
  for (const args of [['store', 'z'.repeat(30_000)]]) {
    const before = picture(home.work, { times: false })
    const ended = limited(args)
    const isSame = picture(home.work, { times: false }) === before
    report.case('a limit of file size', problemOf(args[0], ended, { codes: [1], isSame }))
    report.case(
      'a limit of file size',
      witness(path).tail === 0 && witness(path).bad.length === 0 ? undefined : 'the file is not whole'
    )
  }
}

/** Runs the rest in its own mount namespace, where small file systems can be created. */
function mounted() {
  const folder = join(home.folder, 'mount')
  mkdirSync(folder)
  const script = `mount -t tmpfs -o size=256k,nr_inodes=12 none "$TORTURE_MOUNT" && exec "${process.execPath}" "${SELF}" --only mounted --count ${count}`
  const env = { ...process.env, TORTURE_MOUNT: folder }
  const { status, stdout, error } = spawnSync('unshare', ['-rm', 'sh', '-c', script], { env, encoding: 'utf8' })
  if (error !== undefined || !stdout?.startsWith('places'))
    return report.note('mounted', 'left out: file systems cannot be mounted here')
  process.stdout.write(stdout)
  report.case('mounted', status === 0 ? undefined : 'see above')
}

function onMounts(folder) {
  const path = join(folder, 'a.mem.jsonl')
  must(home, ['device', 'init', path])
  must(home, ['device', 'store', 'kept', '--snapshot', path])
  const commands = (names) =>
    Object.fromEntries(Object.entries(commandsOn(path)).filter(([name]) => names.includes(name)))
  const big = ['store', 'w'.repeat(100_000), '--snapshot', path]
  must(home, ['device', ...big])
  writeFileSync(join(folder, 'filler'), Buffer.alloc(60_000))
  refused('a full disk', { folder, commands: { store: big, compact: ['compact', '--snapshot', path] }, codes: [1] })
  const made = join(folder, 'made.mem.jsonl')
  fill(join(folder, 'filler'))
  refused('a full disk', {
    folder,
    commands: { init: ['init', made], merge: ['merge', path, good, '-o', made] },
    codes: [1]
  })
  report.case(
    'a full disk',
    run(home, ['device', 'search', 'kept', '--snapshot', path]).code === 0 ? undefined : 'search fails'
  )
  rmSync(join(folder, 'filler'))
  takeInodes(folder)
  refused('no inodes', { folder, commands: commands(['store', 'compact', 'merge into']), codes: [1] })
  refused('no inodes', { folder, commands: { init: ['init', made] }, codes: [1] })
  execFileSync('mount', ['-o', 'remount,ro', folder])
  const words = commands(['store', 'compact', 'merge into'])
  refused('a read-only disk', { folder, commands: { ...words, init: ['init', made] }, codes: [1] })
  for (const name of ['search', 'verify']) {
    const { code, stderr } = run(home, ['device', ...commandsOn(path)[name]])
    report.case('read on a read-only disk', code === 0 ? undefined : `${name}: ${stderr}`)
  }
  execFileSync('mount', ['-o', 'remount,rw', folder])
  rmSync(join(folder, 'inode-0'))
  const { code, stderr } = run(home, ['device', 'store', 'after all', '--snapshot', path])
  report.case('writable again', code === 0 && witness(path).bad.length === 0 ? undefined : stderr)
}

function fill(path) {
  const fd = openSync(path, 'a')
  try {
    for (;;) writeFileSync(fd, Buffer.alloc(4096))
  } catch {
    closeSync(fd)
  }
}

function takeInodes(folder) {
  try {
    for (let n = 0; ; n++) writeFileSync(join(folder, `inode-${n}`), '')
  } catch {
    // The last inode is now in use.
  }
}
