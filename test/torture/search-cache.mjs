// Whatever happens to the index or to the file without the program, a search answers from the current file.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { ended, ensureBuilt, LIBRARY, makeHome, must, run, start } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'
import { foreignDatabase, resealed } from './kit/sealed-index.mjs'
import { witness } from './kit/witness.mjs'

const WHOLE = 60
const { count, seed, only, random } = options(WHOLE)
const isWhole = count >= WHOLE
const MEMORIES = 1200
/** Except in a full run, the index is small, and the bulk of the file is not indexed. */
const WORDS_EACH = isWhole ? 120 : 20
const PADDING = isWhole ? {} : { metadata: { padding: 'x'.repeat(700) } }

const report = createReport(`search and its cache (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
const snapshot = ['--snapshot', file]
const cache = join(home.folder, 'cache')
const index = join(cache, 'index')
const fresh = { ...home, env: { ...home.env, MEMCTL_CACHE_DIR: join(home.folder, 'fresh') } }
const WORDS = ['river', 'mountain', 'harbour', 'garden', 'winter', 'letter', 'bridge', 'window', 'engine', 'silver']
/** Attacks after which a user with `-v` is told that the index was rebuilt. */
const TOLD = /empty|truncated|zeros|other file|another snapshot|half written|short of|version|foreign|doubled/
let serial = 0
let old = []
await makeFile()
for (const [name, attack] of chosen(attacksOnCache())) onCache(name, attack)
for (const [name, attack] of chosen(attacksOnFile())) await onFile(name, attack)
for (let n = 0; n < count; n++) await onFile('at random', oneOf(Object.values(attacksOnFile())))
for (let n = 0; n < count; n++) onCache('damaged at random', damageAtRandom)
await together()
await twoAtOnce()
await killedWhileBuilding()
report.finish()

/** Creates a file over 1 MiB, which has several blocks to verify. Its texts are extracted only in a full run. */
async function makeFile() {
  const { createSnapshot, openDevice } = await import(LIBRARY)
  rmSync(file, { force: true })
  const options = { extract: isWhole, cacheFolder: cache }
  await createSnapshot(file, options)
  const lines = Array.from({ length: MEMORIES }, () => `${JSON.stringify(memory())}\n`)
  writeFileSync(join(home.folder, 'batch.jsonl'), lines.join(''))
  await openDevice(file, options).storeBatch({ file: join(home.folder, 'batch.jsonl') })
}

function memory() {
  const words = Array.from({ length: WORDS_EACH }, () => oneOf(WORDS)).join(' ')
  return {
    raw_text: `note ${++serial} ${words}`,
    speaker: oneOf(['Ann', 'Ben']),
    conversation: `c${serial % 50}`,
    at: '2026-02-03T04:05:06Z',
    ...PADDING
  }
}

/** Returns all attacks, or those whose names match `--only` as a regular expression. */
function chosen(attacks) {
  return Object.entries(attacks).filter(([name]) => new RegExp(only ?? '').test(name))
}

function oneOf(list) {
  return list[Math.floor(random() * list.length)]
}

function attacksOnCache() {
  const sqlite = () =>
    join(
      index,
      readdirSync(index).find((name) => name.endsWith('.sqlite'))
    )
  const stamp = () => sqlite().replace('.sqlite', '.stamp')
  return {
    'index deleted': () => rmSync(sqlite()),
    'stamp deleted': () => rmSync(stamp()),
    'cache deleted': () => rmSync(cache, { recursive: true }),
    'index empty': () => writeFileSync(sqlite(), ''),
    'index truncated': () => truncateSync(sqlite(), Math.floor(statSync(sqlite()).size / 2)),
    'index of zeros': () => writeFileSync(sqlite(), Buffer.alloc(statSync(sqlite()).size)),
    'index some other file': () => writeFileSync(sqlite(), 'not a database at all'),
    'index a folder': () => replace(sqlite(), (path) => mkdirSync(path)),
    'index a link to the snapshot': () => replace(sqlite(), (path) => symlinkSync(file, path)),
    'index of another snapshot': () => copyFileSync(indexOfAnother(), sqlite()),
    'index half written': () => rewrite(sqlite(), (bytes) => bytes.fill(0, bytes.length / 2)),
    'index short of a byte': () => truncateSync(sqlite(), statSync(sqlite()).size - 1),
    'index of an older version': () => rewrite(sqlite(), (bytes) => resealed(bytes, -1)),
    'index of a later version': () => rewrite(sqlite(), (bytes) => resealed(bytes, 1)),
    'index of foreign tables': () => rewrite(sqlite(), foreignDatabase),
    'index doubled': () => rewrite(sqlite(), (bytes) => Buffer.concat([bytes, bytes])),
    'stamp of rubbish': () => writeFileSync(stamp(), 'x'.repeat(120)),
    'stamp a folder': () => replace(stamp(), (path) => mkdirSync(path)),
    'leftover new index': () => writeFileSync(`${sqlite()}.new`, 'half'),
    'leftover lock': () => replace(`${sqlite()}.lock`, (path) => symlinkSync('elsewhere:b:1:2:3:4', path)),
    'cache folder is a file': () => replace(cache, (path) => writeFileSync(path, '')),
    'index folder is a file': () => replace(index, (path) => writeFileSync(path, '')),
    'cache folder not writable': () => chmodSync(index, 0o500),
    'index not readable': () => chmodSync(sqlite(), 0)
  }
}

function rewrite(path, change) {
  writeFileSync(path, change(readFileSync(path)))
}

function replace(path, make) {
  rmSync(path, { recursive: true, force: true })
  make(path)
}

function indexOfAnother() {
  const other = join(home.work, 'other.mem.jsonl')
  const elsewhere = { ...home, env: { ...home.env, MEMCTL_CACHE_DIR: join(home.folder, 'elsewhere') } }
  if (run(home, ['device', 'init', other]).code === 0)
    must(home, ['device', 'store', 'silver bridge', '--snapshot', other])
  must(elsewhere, ['device', 'search', 'silver', '--snapshot', other])
  const folder = join(home.folder, 'elsewhere', 'index')
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.sqlite'))
  )
}

function damageAtRandom() {
  const path = join(
    index,
    readdirSync(index).find((name) => name.endsWith('.sqlite'))
  )
  const bytes = readFileSync(path)
  for (let n = 0; n < 1 + random() * 20; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  writeFileSync(path, bytes)
}

/**
 * Returns ways in which others change the file: editors, git, copies, with tricks that defeat checks of size or time.
 */
function attacksOnFile() {
  return {
    'appended by us': () => must(home, ['device', 'store', memory().raw_text, ...snapshot]),
    forgotten: () => must(home, ['device', 'forget', oneOf(ids()), '--yes', ...snapshot]),
    compacted: () => must(home, ['device', 'compact', ...snapshot]),
    'lines swapped in place': () => edit(swapLines, { inPlace: true }),
    'lines swapped, same size and time': () => edit(swapLines, { inPlace: true, sameTime: true }),
    'replaced by rename, same size and time': () => edit(swapLines, { sameTime: true }),
    'an old copy put back': () => edit(() => old, {}),
    'an old copy put back, with its time': () => edit(() => old, { inPlace: true, sameTime: true }),
    'a line doubled': () => edit((lines) => [...lines, lines[2]], {}),
    'damaged in place': () => edit(damageLine, { inPlace: true, sameTime: true })
  }
}

function ids() {
  return readFileSync(file, 'utf8').match(/(?<="id":")mem_[0-9a-f]{32}/g)
}

function edit(change, { inPlace, sameTime }) {
  const { atime, mtime } = statSync(file)
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const next = change(lines).length === 0 ? lines : change(lines)
  if (old.length === 0) old = lines
  const target = inPlace ? file : `${file}.edited`
  writeFileSync(target, `${next.join('\n')}\n`)
  if (sameTime) utimesSync(target, atime, mtime)
  if (!inPlace) renameSync(target, file)
}

/** Swaps two lines of the same length, so that only the content changes. */
function swapLines(lines) {
  const at = 1 + Math.floor(random() * (lines.length - 2))
  const with_ = lines.findIndex((line, n) => n > at && line.length === lines[at].length)
  const swapped = [...lines]
  if (with_ > 0) [swapped[at], swapped[with_]] = [lines[with_], lines[at]]
  return swapped
}

function damageLine(lines) {
  const at = 1 + Math.floor(random() * (lines.length - 1))
  return lines.with(at, lines[at].replace(/note/, 'nope'))
}

/** Checks that an attack on the cache affects no answer or exit code. */
function onCache(name, attack) {
  must(home, ['device', 'search', 'river', ...snapshot])
  attack()
  report.case(`cache: ${name}`, differsFromFresh([0], { told: TOLD.test(name) }))
  const again = differsFromFresh([0])
  if (again !== undefined) report.case(`cache: ${name}`, `the second time: ${again}`)
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache)
}

/**
 * Checks that the answer after a change of the file equals that without a cache; a damaged file is reported both times.
 */
async function onFile(name, attack) {
  run(home, ['device', 'search', 'river', ...snapshot])
  const before = new Set(ids())
  // Drops these without a report: `compact --drop-forgets` removes them on purpose.
  const { forgotten } = witness(file)
  attack()
  const after = new Set(ids())
  const gone = [...before].filter((id) => !after.has(id) && !forgotten.has(id))
  const problem = differsFromFresh([0, 10], { gone: name === 'compacted' ? [] : gone })
  report.case(`file: ${name}`, problem)
  if (name === 'damaged in place' || run(home, ['device', 'verify', ...snapshot]).code !== 0) await makeFile()
}

function differsFromFresh(codes, { gone = [], told = false } = {}) {
  const query = `${oneOf(WORDS)} ${oneOf(WORDS)} note ${1 + Math.floor(random() * serial)}`
  const args = ['device', 'search', query, '--limit', '50', '--json', ...snapshot]
  const cached = run(home, told ? [...args, '-v'] : args)
  rmSync(join(home.folder, 'fresh'), { recursive: true, force: true })
  const truth = run(fresh, args)
  if (!codes.includes(cached.code)) return `exit ${cached.code}: ${cached.stderr}`
  if (cached.code !== truth.code) return `exit ${cached.code}, without cache ${truth.code}: ${truth.stderr}`
  if (cached.stdout !== truth.stdout) return `"${query}" is answered otherwise than without a cache`
  if (/a bug|\n\s+at /.test(cached.stderr)) return cached.stderr
  if (told && !/the index was (?:rebuilt|repaired): \S/.test(cached.stderr))
    return `the index was not reported as rebuilt: ${cached.stderr}`
  const unnamed = gone.length > 0 && !/mem_|no longer|gone|missing/.test(cached.stderr)
  return unnamed ? `${gone.length} lines are gone without a report: ${cached.stderr}` : undefined
}

/** Runs many first searches at once, while others delete the cache and store. */
async function together() {
  for (let round = 0; round < Math.min(3, count + 1); round++) {
    rmSync(cache, { recursive: true, force: true })
    const searches = Array.from({ length: 4 }, () =>
      ended(start(home, ['device', 'search', 'river note', '--json', ...snapshot]))
    )
    const stores = ended(start(home, ['device', 'store', memory().raw_text, ...snapshot]))
    const deleting = ended(start(home, ['device', 'stats', '--json', ...snapshot])).then(() =>
      rmSync(cache, { recursive: true, force: true })
    )
    for (const { code, stderr } of await Promise.all(searches))
      report.case('several at once', code === 0 ? undefined : stderr)
    await Promise.all([stores, deleting])
    report.case('after several at once', differsFromFresh([0]))
  }
  report.note('several at once', '4 searches, a store, the cache deleted meanwhile')
}

/** Runs two first searches at once: both answer equally, and one valid cache remains, which the next search uses. */
async function twoAtOnce() {
  for (let round = 0; round < Math.min(10, count + 2); round++) {
    rmSync(cache, { recursive: true, force: true })
    const search = ['device', 'search', 'river note', '--json', ...snapshot]
    const [one, other] = await Promise.all([search, search].map((args) => ended(start(home, args))))
    const failed = [one, other].find(({ code }) => code !== 0)
    const problem = failed?.stderr ?? (one.stdout === other.stdout ? undefined : 'they answer otherwise')
    report.case('two building at once', problem ?? notOneCache())
    report.case('two building at once', differsFromFresh([0]))
  }
}

function notOneCache() {
  const kinds = readdirSync(index).map((name) => name.split('.').slice(1).join('.'))
  return kinds.sort().join(' ') === 'sqlite stamp' ? undefined : `there remain ${kinds.join(', ')}`
}

/** Checks that the leftovers of a search killed at any moment affect no later answer. */
async function killedWhileBuilding() {
  for (let round = 0; round < Math.min(20, count); round++) {
    rmSync(cache, { recursive: true, force: true })
    const child = start(home, ['device', 'search', 'river note', ...snapshot])
    const killing = setTimeout(() => child.kill('SIGKILL'), 50 + random() * 250)
    await ended(child)
    clearTimeout(killing)
    report.case('killed while building', differsFromFresh([0]))
    report.case('killed while building', notOneCache())
  }
}
