// Real git repositories: `merge=union`, memctl as merge driver, and the conflict markers of a merge without either.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, hasTool, LIBRARY, makeHome, must, PROGRAM, run } from './kit/program.mjs'
import { createReport, options, skip } from './kit/report.mjs'
import { witness } from './kit/witness.mjs'

const { count, seed, random } = options(20)
if (!hasTool('git')) skip('git is not there')

const NAME = 'notes.mem.jsonl'
const WAYS = {
  union: { attributes: '*.mem.jsonl -text merge=union\n' },
  driver: { attributes: '*.mem.jsonl -text merge=memctl\n', driver: true }
}

const report = createReport(`git merge (seed ${seed})`)
ensureBuilt()
const { openDevice } = await import(LIBRARY)
const home = makeHome()
let serial = 0
for (let n = 0; n < count; n++) for (const way of Object.keys(WAYS)) await randomMerge(way)
for (const way of Object.keys(WAYS)) await addedOnBothSides(way)
await letGoOnOneSide()
await damagedSide()
await conflictMarkers()
offeredAttributes()
report.finish()

/** Creates a repository with one snapshot committed on `main`. */
function makeRepository(way) {
  const folder = join(home.work, `repository-${++serial}`)
  mkdirSync(folder)
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'config', 'user.email', 'nobody@example.org')
  git(folder, 'config', 'user.name', 'nobody')
  git(folder, 'config', 'commit.gpgsign', 'false')
  if (WAYS[way]?.driver) {
    git(
      folder,
      'config',
      'merge.memctl.driver',
      `"${process.execPath}" "${PROGRAM}" device merge --git-driver %O %A %B`
    )
  }
  writeFileSync(join(folder, '.gitattributes'), WAYS[way]?.attributes ?? '')
  commit(folder, 'attributes')
  return { folder, file: join(folder, NAME), device: (...args) => must(home, deviceArgs(join(folder, NAME), args)) }
}

function deviceArgs(file, args) {
  return ['device', ...args, '--snapshot', file, '--json']
}

function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, env: gitEnv(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Returns an environment in which git uses only the repository's settings, and the program uses the test's folders. */
function gitEnv() {
  return { ...home.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(home.folder, 'no-such-config') }
}

function tryMerge(folder, branch) {
  const { status, stdout, stderr } = spawnSync('git', ['merge', '-q', '--no-edit', branch], {
    cwd: folder,
    env: gitEnv(),
    encoding: 'utf8'
  })
  return { status, said: stdout + stderr }
}

function commit(folder, message) {
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '--allow-empty', '-m', message)
}

/** Stores a memory in this process, because a process for each would take most of the time. Returns its id. */
async function store({ file }, text) {
  const device = openDevice(file, { cacheFolder: join(home.folder, 'cache') })
  try {
    return (await device.store({ text })).id
  } finally {
    device.close()
  }
}

/**
 * Stores, forgets and compacts at random on both sides. After a merge in both directions, the file is valid and
 * contains the union.
 */
async function randomMerge(way) {
  const repository = makeRepository(way)
  const { folder, file, device } = repository
  must(home, ['device', 'init', file])
  const common = Array.from({ length: 4 }, (_, n) => `{"raw_text":"common ${n}"}\n`)
  must(home, deviceArgs(file, ['store', '--batch', '-']), { input: common.join('') })
  commit(folder, 'base')
  git(folder, 'branch', 'theirs')
  git(folder, 'branch', 'back')
  const ours = await change(repository, 'ours')
  commit(folder, 'ours')
  git(folder, 'checkout', '-q', 'theirs')
  const theirs = await change(repository, 'theirs')
  commit(folder, 'theirs')
  git(folder, 'checkout', '-q', 'main')
  const { status, said } = tryMerge(folder, 'theirs')
  const expected = new Set([...ours.known, ...theirs.known])
  const gone = new Set([...ours.forgotten, ...theirs.forgotten])
  report.case(`${way}: both sides changed`, status === 0 ? problemOf(file, expected, gone) : `git: ${said}`)
  if (!WAYS[way].driver) device('compact')
  const oneWay = readFileSync(file)
  commit(folder, 'merged')
  git(folder, 'checkout', '-q', '-f', 'theirs')
  const other = tryMerge(folder, 'main~0^1').status === 0
  if (!WAYS[way].driver && other) device('compact')
  const isSame = other && readFileSync(file).equals(oneWay)
  report.case(`${way}: the other way round, the same bytes`, isSame ? undefined : 'the files differ')
}

async function change(repository, side) {
  const { device, file } = repository
  const steps = {
    store: () => store(repository, `${side} ${++serial}`),
    forget: () => device('forget', oneOf([...witness(file).counts.keys()]), '--yes'),
    compact: () => device('compact'),
    batch: () =>
      must(home, deviceArgs(file, ['store', '--batch', '-']), { input: '{"raw_text":"both","at":"2026-01-01"}\n' })
  }
  await store(repository, `${side} ${++serial}`)
  for (let n = 0; n < 4; n++) await steps[oneOf(Object.keys(steps))]()
  const { counts, forgotten } = witness(file)
  return { known: new Set([...counts.keys(), ...forgotten]), forgotten }
}

function oneOf(list) {
  return list[Math.floor(random() * list.length)]
}

/**
 * Checks that the program and the witness find the file valid, with exactly these known ids, and that no forgotten
 * memory is returned.
 */
function problemOf(file, expected, gone) {
  const verified = run(home, deviceArgs(file, ['verify']))
  if (verified.code !== 0) return `verify: exit ${verified.code} ${verified.stdout} ${verified.stderr}`
  const { counts, forgotten, bad } = witness(file)
  if (bad.length > 0) return bad[0]
  const known = new Set([...counts.keys(), ...forgotten])
  for (const id of expected) if (!known.has(id)) return `${id} is lost`
  if (known.size !== expected.size) return `${known.size} ids, not ${expected.size}`
  const live = JSON.parse(must(home, deviceArgs(file, ['list']))).map(({ id }) => id)
  if (live.some((id) => gone.has(id))) return 'a forgotten memory is listed'
  return live.length === [...expected].filter((id) => !gone.has(id)).length ? undefined : `${live.length} are listed`
}

/** Creates the file on both sides, without a common ancestor. */
async function addedOnBothSides(way) {
  const repository = makeRepository(way)
  const { folder, file } = repository
  git(folder, 'branch', 'theirs')
  const known = new Set()
  for (const side of ['main', 'theirs']) {
    git(folder, 'checkout', '-q', side)
    must(home, ['device', 'init', file])
    known.add(await store(repository, `from ${side}`))
    commit(folder, side)
  }
  const { status, said } = tryMerge(folder, 'main')
  report.case(`${way}: added on both sides`, status === 0 ? problemOf(file, known, new Set()) : `git: ${said}`)
}

/** Checks that what one side dropped with `compact --drop-forgets` does not return from the other, with the driver. */
async function letGoOnOneSide() {
  const repository = makeRepository('driver')
  const { folder, file, device } = repository
  must(home, ['device', 'init', file])
  const kept = await store(repository, 'kept')
  const secret = await store(repository, 'secret')
  device('forget', secret, '--yes')
  commit(folder, 'base')
  git(folder, 'branch', 'theirs')
  device('compact', '--drop-forgets')
  const ours = await store(repository, 'ours')
  commit(folder, 'ours')
  git(folder, 'checkout', '-q', 'theirs')
  const theirs = await store(repository, 'theirs')
  commit(folder, 'theirs')
  const { status, said } = tryMerge(folder, 'main')
  const problem = status === 0 ? problemOf(file, new Set([kept, ours, theirs]), new Set([secret])) : `git: ${said}`
  const isGone = !readFileSync(file, 'utf8').includes(secret)
  report.case('driver: let go on one side', problem ?? (isGone ? undefined : 'its id is in the file again'))
}

/** Checks a damaged side: git gets a conflict, and our file is unchanged. */
async function damagedSide() {
  const repository = makeRepository('driver')
  const { folder, file } = repository
  must(home, ['device', 'init', file])
  commit(folder, 'base')
  git(folder, 'branch', 'theirs')
  await store(repository, 'ours')
  const ours = readFileSync(file)
  commit(folder, 'ours')
  git(folder, 'checkout', '-q', 'theirs')
  await store(repository, 'theirs')
  writeFileSync(file, readFileSync(file, 'utf8').replace('theirs', 'thoirs'))
  commit(folder, 'theirs')
  git(folder, 'checkout', '-q', 'main')
  const { status, said } = tryMerge(folder, 'theirs')
  const isNamed = /line 2/.test(said) && status !== 0
  const problem = isNamed ? undefined : `status ${status}: ${said}`
  report.case(
    'driver: a damaged side',
    problem ?? (readFileSync(file).equals(ours) ? undefined : 'the file was changed')
  )
}

/** Checks that commands report git's conflict markers with their lines, without attributes. */
async function conflictMarkers() {
  const repository = makeRepository('none')
  const { folder, file, device } = repository
  must(home, ['device', 'init', file])
  await store(repository, 'common')
  commit(folder, 'base')
  git(folder, 'branch', 'theirs')
  await store(repository, 'ours')
  commit(folder, 'ours')
  git(folder, 'checkout', '-q', 'theirs')
  await store(repository, 'theirs')
  commit(folder, 'theirs')
  tryMerge(folder, 'main')
  const marked = readFileSync(file, 'utf8').split('\n')
  const lines = marked.flatMap((line, at) => (/^(<{7}|={7}|>{7})/.test(line) ? [at + 1] : []))
  report.case('markers: git left three', lines.length === 3 ? undefined : `${lines.length}`)
  const { code, stdout } = run(home, deviceArgs(file, ['verify']))
  const { damaged } = JSON.parse(stdout)
  const named = damaged.filter(({ reason }) => /conflict marker/.test(reason)).map(({ line }) => line)
  report.case('markers: verify', code === 10 && named.join() === lines.join() ? undefined : stdout)
  for (const args of [['compact'], ['merge', file, '-o', `${file}.out`], ['list'], ['search', 'common'], ['stats']]) {
    const words = args[0] === 'merge' ? ['device', ...args] : ['device', ...args, '--snapshot', file]
    const ended = run(home, words)
    const isNamed =
      ended.code === 10 && ended.stderr.includes('conflict marker') && ended.stderr.includes(`${lines[0]}`)
    report.case(`markers: ${args[0]}`, isNamed ? undefined : `exit ${ended.code}: ${ended.stderr}`)
  }
  device('store', 'after the conflict')
  report.case(
    'markers: store appends',
    readFileSync(file, 'utf8').includes('after the conflict') ? undefined : 'not there'
  )
}

/** Checks that `init` with `--yes` in a work tree adds the line once. */
function offeredAttributes() {
  const repository = makeRepository('none')
  const { folder, file } = repository
  must(home, ['device', 'init', file, '--yes'])
  must(home, ['device', 'init', join(folder, 'second.mem.jsonl'), '--yes'])
  copyFileSync(file, join(folder, 'third.mem.jsonl'))
  const lines = readFileSync(join(folder, '.gitattributes'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const isOnce = lines.length === 1 && lines[0] === '*.mem.jsonl -text merge=union'
  report.case('init offers the attributes', isOnce ? undefined : `.gitattributes holds ${JSON.stringify(lines)}`)
  const driven = makeRepository('driver')
  must(home, ['device', 'init', driven.file, '--yes'])
  const kept = readFileSync(join(driven.folder, '.gitattributes'), 'utf8') === WAYS.driver.attributes
  report.case('init leaves the driver be', kept ? undefined : 'it was overruled')
}
