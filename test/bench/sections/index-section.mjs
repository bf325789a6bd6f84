import { flexSearch } from '../engines/flex-search.mjs'
import { memctl } from '../engines/memctl.mjs'
import { miniSearch } from '../engines/mini-search.mjs'
import { orama } from '../engines/orama.mjs'
import { loadSearch } from '../load-search.mjs'
import { table } from '../results-file.mjs'
import { sized } from '../sized.mjs'
import { placeOf, syntheticMemories, syntheticQueries } from '../synthetic-memories.mjs'

const MEMORIES = sized(100_000, 1000)
const QUERIES = sized(1000, 20)
/** Queries before measuring starts, so that the engines' code is compiled. */
const WARM_QUERIES = sized(500, 20)
/** Fewer for engines that need up to a third of a second per query, or over one second. */
const SLOW = sized({ warm: 100, measured: 300 }, { warm: 20, measured: 20 })
const SLOWEST = sized({ warm: 10, measured: 50 }, { warm: 20, measured: 20 })
const LIMIT = 10

/**
 * Measures the index and the alternative libraries on the same memories and queries in one run. Each library runs with
 * our terms (our analyzer instead of its own) and unchanged. Our index also uses speaker, date and neighbors.
 */
export const indexSection = {
  title: `Index of ${MEMORIES.toLocaleString('en')} memories`,
  async run() {
    const documents = syntheticMemories(MEMORIES).map((memory, line) => ({ ...memory, ...placeOf(line) }))
    const search = await loadSearch()
    await search.createIndex(search.assets)
    const ours = await measure(documents, memctl(search))
    const rows = [row(ours, ours)]
    for (const [engine, counts] of peers(search.analyse)) rows.push(row(await measure(documents, engine, counts), ours))
    return [
      ...table([HEAD, ...rows]),
      '',
      `Top ${LIMIT} results, after a warm-up. Ratios compare with memctl over the same queries.`,
      'Slower engines answer only the first of the queries.'
    ]
  }
}

const HEAD = [
  ...['engine', 'build, ms', 'bytes', 'open, ms', 'queries', 'query p50, ms', 'query p99, ms'],
  ...['build ratio', 'p50 ratio', 'p99 ratio']
]

function peers(analyse) {
  return [
    [named(miniSearch(analyse), 'our analyser'), SLOW],
    [named(miniSearch(), 'defaults'), SLOW],
    [named(flexSearch(analyse), 'our analyser')],
    [named(flexSearch(), 'defaults')],
    [named(orama(analyse), 'our analyser'), SLOWEST],
    [named(orama(), 'English stemmer'), SLOWEST]
  ]
}

function named(engine, how) {
  return { ...engine, name: `${engine.name}, ${how}` }
}

/** Measures times in ms: building, opening, and each query in order. */
async function measure(documents, engine, { warm, measured } = { warm: WARM_QUERIES, measured: QUERIES }) {
  const building = performance.now()
  const built = await engine.build(documents)
  const buildMs = performance.now() - building
  const bytes = engine.bytes(built)
  const opening = performance.now()
  const index = await engine.open(bytes)
  const openMs = performance.now() - opening
  const queries = syntheticQueries(QUERIES + WARM_QUERIES)
  const warming = queries
    .slice(QUERIES, QUERIES + warm)
    .map((query) => engine.search(index, query, { limit: LIMIT }).length)
  if (!warming.some((hits) => hits === LIMIT)) throw new Error(`${engine.name} finds nothing after it was opened`)
  const times = queries.slice(0, measured).map((query) => {
    const start = performance.now()
    engine.search(index, query, { limit: LIMIT })
    return performance.now() - start
  })
  return { name: engine.name, buildMs, bytes: bytes.length, openMs, times }
}

function part(times, share) {
  const sorted = times.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function row({ name, buildMs, bytes, openMs, times }, ours) {
  const same = ours.times.slice(0, times.length)
  const ratio = (value, own) => `${(value / own).toFixed(1)}x`
  const [p50, p99] = [part(times, 0.5), part(times, 0.99)]
  return [
    ...[name, buildMs.toFixed(0), bytes.toLocaleString('en'), openMs.toFixed(0)],
    ...[times.length, p50.toFixed(2), p99.toFixed(2)],
    ...[ratio(buildMs, ours.buildMs), ratio(p50, part(same, 0.5)), ratio(p99, part(same, 0.99))]
  ]
}
