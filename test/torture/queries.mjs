// Every query gets an answer or an empty one, never an error; over 100,000 memories never in more than a second. Each
// query is a line of `--queries`, and, if a command line supports it, also an argument.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { syntheticMemories } from '../bench/synthetic-memories.mjs'
import { ensureBuilt, LIBRARY, makeHome, run, start } from './kit/program.mjs'
import { naughtyStrings, queryKinds } from './kit/query-kinds.mjs'
import { createReport, options } from './kit/report.mjs'

const MEMORIES = 100_000
/** Applies only to a full run. The faster of two tries counts, because other programs run as well. */
const SEARCH_MS_MAX = 1000
/** Maximum length of an argument on Linux, in bytes. */
const WORD_BYTES_MAX = 131_071
/** The share of queries that is asked except in a full run: plainly, and in other ways. */
const PARTS = { plain: 3, others: 8 }
const GROUPS = ['semantics', 'procedures', 'episodes', 'sources']

const { count, seed, only, random } = options(MEMORIES)
const isWhole = count >= MEMORIES

const report = createReport(`queries of all kinds over ${count} memories (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const file = join(home.work, 'a.mem.jsonl')
await makeSnapshot()
const kinds = Object.entries(queryKinds(random, { isWhole })).filter(([name]) => name.includes(only ?? ''))
await throughBatch([], some(kinds, PARTS.plain))
await throughBatch(['--explain'], some(kinds, PARTS.others))
await throughBatch(['--limit', '1000'], some(kinds, PARTS.others))
throughWords()
report.finish()

/** Creates texts of running words and naughty ones, so that unusual queries find something too. */
async function makeSnapshot() {
  const { createSnapshot, openDevice } = await import(LIBRARY)
  const batch = join(home.folder, 'batch.jsonl')
  const plain = syntheticMemories(count).map(({ text, at, ...fields }) => ({
    raw_text: text,
    at: isoTime(at),
    ...fields
  }))
  const naughty = naughtyStrings().filter((text) => text.trim() !== '' && text.isWellFormed())
  const lines = [...plain, ...naughty.map((text) => ({ raw_text: text }))].map((line) => `${JSON.stringify(line)}\n`)
  writeFileSync(batch, lines.join(''))
  const options = { extract: false, cacheFolder: join(home.folder, 'cache') }
  await createSnapshot(file, options)
  await openDevice(file, options).storeBatch({ file: batch })
}

function isoTime(ms) {
  return new Date(ms).toISOString()
}

/** Returns the first query of each kind and every nth, except in a full run. */
function some(all, part) {
  return isWhole ? all : all.map(([name, queries]) => [name, queries.filter((_, at) => at % part === 0)])
}

/** Answers all queries in one process with one open index. The first one opens the index and is not measured. */
async function throughBatch(more, asked) {
  const child = start(home, ['device', 'search', '--queries', '-', '--snapshot', file, ...more], {
    stdio: ['pipe', 'pipe', 'pipe']
  })
  const said = []
  child.stderr.setEncoding('utf8').on('data', (text) => said.push(text))
  const closed = new Promise((resolve) => child.once('close', resolve))
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (query) => {
    const asked = performance.now()
    child.stdin.write(`${JSON.stringify({ id: 1, query })}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error(`no answer: ${said.join('').slice(0, 300)}`)
    const { response } = JSON.parse(value)
    return { ms: performance.now() - asked, problem: unlikeAnswer(response), sources: response?.sources }
  }
  child.stdin.on('error', () => undefined)
  try {
    const [{ text }] = syntheticMemories(1)
    report.case('what is there is found', (await ask(text)).sources?.[0]?.text === text ? undefined : text)
    for (const [name, queries] of asked) await askAll(`${['a line', ...more].join(' ')}: ${name}`, queries, ask)
  } catch (error) {
    report.case('answered to the end', error.message)
  }
  child.stdin.end()
  const code = await closed
  report.case('ended well', code === 0 ? undefined : `exit ${code}: ${said.join('').slice(0, 300)}`)
}

async function askAll(row, queries, ask) {
  let slowest = 0
  for (const query of queries) {
    const first = await ask(query)
    const ms = first.ms > SEARCH_MS_MAX ? Math.min(first.ms, (await ask(query)).ms) : first.ms
    slowest = Math.max(slowest, ms)
    const slow = isWhole && ms > SEARCH_MS_MAX ? `${ms.toFixed(0)} ms` : undefined
    const problem = first.problem ?? slow
    report.case(row, problem === undefined ? undefined : `${shown(query)}: ${problem}`)
  }
  report.note(row, `slowest ${slowest.toFixed(0)} ms`)
}

/**
 * Runs a process for the last query of each kind that a command line supports, and in a full run also for the first.
 */
function throughWords() {
  for (const [name, queries] of kinds) {
    const fitting = queries.filter(fitsWord)
    for (const query of new Set([fitting.at(-1), isWhole ? fitting[0] : undefined])) {
      if (query === undefined) continue
      const { code, stdout, stderr } = run(home, ['device', 'search', '--json', '--snapshot', file, '--', query])
      const problem = code === 0 ? unlikeAnswer(JSON.parse(stdout)) : `exit ${code}: ${stderr.slice(0, 300)}`
      report.case('a word', problem === undefined ? undefined : `${name}: ${shown(query)}: ${problem}`)
    }
  }
}

function fitsWord(query) {
  return query.isWellFormed() && !query.includes('\0') && Buffer.byteLength(query) <= WORD_BYTES_MAX
}

function unlikeAnswer(response) {
  return GROUPS.every((group) => Array.isArray(response?.[group])) ? undefined : `is no answer: ${shown(response)}`
}

function shown(value) {
  return JSON.stringify(value).slice(0, 80)
}
