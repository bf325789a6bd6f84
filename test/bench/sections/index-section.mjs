import { createHash } from 'node:crypto'
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { loadSearch } from '../load-search.mjs'
import { table } from '../results-file.mjs'
import { syntheticMemories, syntheticQueries } from '../synthetic-memories.mjs'

const MEMORIES = 100_000
const QUERIES = 1000
/** Searched before measuring starts, so that the engines' code is compiled. */
const WARM_QUERIES = 500
const LIMIT = 10

/**
 * The index beside the two libraries that people would take otherwise, on the same memories and queries. Ours also
 * stems, drops function words, knows speaker, date and neighbours; the others index the text with their defaults.
 */
export const indexSection = {
  title: `Index of ${MEMORIES.toLocaleString('en')} memories`,
  async run() {
    const memories = syntheticMemories(MEMORIES)
    const queries = syntheticQueries(WARM_QUERIES + QUERIES)
    const ours = await measure(queries, await ourEngine(memories))
    const peers = [await measure(queries, miniSearch(memories)), await measure(queries, flexSearch(memories))]
    return table([
      ['engine', 'built, ms', 'bytes', 'opened, ms', 'query p50, ms', 'query p99, ms', 'build', 'p50', 'p99'],
      ...[ours, ...peers].map((result) => row(result, ours))
    ])
  }
}

/** An engine: `build` gives a way to search and to make bytes; `open` searches bytes, where the engine can. */
async function ourEngine(memories) {
  const { createIndex, openIndex, assets } = await loadSearch()
  const documents = memories.map((memory, line) => ({ ...memory, ...placeOf(line) }))
  await createIndex(assets)
  return {
    name: 'memctl',
    async build() {
      const index = await createIndex(assets)
      for (const document of documents) index.add(document)
      index.commit()
      return index
    },
    search: (index, query) => index.search(query, { limit: LIMIT }),
    bytes: (index) => index.toBytes(),
    open: (bytes) => openIndex(assets, bytes)
  }
}

/** Where a memory of about 100 characters would stand in a snapshot, and what identifies it. */
function placeOf(line) {
  const id = createHash('sha256').update(`id ${line}`).digest()
  return {
    id: id.subarray(0, 16),
    check: id,
    offset: line * 410 + (line % 97),
    length: 380 + (line % 60),
    extractor: 1
  }
}

function miniSearch(memories) {
  const options = { fields: ['text'], idField: 'id' }
  return {
    name: 'MiniSearch',
    async build() {
      const index = new MiniSearch(options)
      for (const [id, { text }] of memories.entries()) index.add({ id, text })
      return index
    },
    search: (index, query) => index.search(query).slice(0, LIMIT),
    bytes: (index) => Buffer.from(JSON.stringify(index)),
    open: async (bytes) => MiniSearch.loadJSON(bytes.toString(), options)
  }
}

function flexSearch(memories) {
  return {
    name: 'FlexSearch',
    async build() {
      const index = new Index({ tokenize: 'strict' })
      for (const [id, { text }] of memories.entries()) index.add(id, text)
      return index
    },
    search: (index, query) => index.search(query, { limit: LIMIT, suggest: true }),
    bytes(index) {
      const parts = []
      index.export((key, data) => parts.push(`${key}\n${data ?? ''}\n`))
      return Buffer.from(parts.join(''))
    },
    async open(bytes) {
      const index = new Index({ tokenize: 'strict' })
      const parts = bytes.toString().split('\n')
      for (let at = 0; at + 1 < parts.length; at += 2) index.import(parts[at], parts[at + 1])
      return index
    }
  }
}

async function measure(queries, engine) {
  const building = performance.now()
  const built = await engine.build()
  const buildMs = performance.now() - building
  const bytes = engine.bytes(built)
  const opening = performance.now()
  const index = await engine.open(bytes)
  const openMs = performance.now() - opening
  const warming = queries.slice(0, WARM_QUERIES).map((query) => engine.search(index, query).length)
  if (!warming.some((hits) => hits === LIMIT)) throw new Error(`${engine.name} finds nothing after it was opened`)
  const times = queries.slice(WARM_QUERIES).map((query) => {
    const start = performance.now()
    engine.search(index, query)
    return performance.now() - start
  })
  times.sort((left, right) => left - right)
  return { name: engine.name, buildMs, bytes: bytes.length, openMs, p50: part(times, 0.5), p99: part(times, 0.99) }
}

function part(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function row({ name, buildMs, bytes, openMs, p50, p99 }, ours) {
  const times = (value, own) => `${(value / own).toFixed(1)}x`
  return [
    ...[name, buildMs.toFixed(0), bytes.toLocaleString('en'), openMs.toFixed(0), p50.toFixed(2), p99.toFixed(2)],
    ...[times(buildMs, ours.buildMs), times(p50, ours.p50), times(p99, ours.p99)]
  ]
}
