import { createWriteStream, readFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { flexSearch } from './engines/flex-search.mjs'
import { memctl } from './engines/memctl.mjs'
import { miniSearch } from './engines/mini-search.mjs'
import { loadSearch } from './load-search.mjs'
import { sized } from './sized.mjs'
import { eachSyntheticMemory, placeOf, syntheticQueries } from './synthetic-memories.mjs'

/**
 * `node million-engine.mjs build|search ENGINE MEMORIES FILE`: runs one engine in a separate process, to measure its
 * memory. `build` writes the index into the file, `search` opens the file and searches. Prints the measurements as
 * JSON.
 */
const ENGINES = {
  memctl: async () => memctl(await loadSearch()),
  FlexSearch: async () => flexSearch(),
  MiniSearch: async () => miniSearch()
}

const LIMIT = 10
const WARM = sized({ queries: 300, ms: 4000 }, { queries: 20, ms: 600_000 })
const MEASURED = sized({ queries: 1000, ms: 8000 }, { queries: 20, ms: 600_000 })

const [step, name, memories, file] = process.argv.slice(2)
const engine = await ENGINES[name]()
const figures = step === 'build' ? await build() : await search()
console.log(JSON.stringify({ ...figures, mb: process.resourceUsage().maxRSS / 1024 }))

async function build() {
  const start = performance.now()
  const index = await engine.build(documents(Number(memories)))
  const ms = performance.now() - start
  const bytes = engine.bytes(index)
  const out = createWriteStream(file)
  out.end(bytes)
  await finished(out)
  return { ms, bytes: bytes.length }
}

/** Measures a cold search: from reading the file to the first answer. */
async function search() {
  const queries = syntheticQueries(1 + WARM.queries + MEASURED.queries)
  const start = performance.now()
  const index = await engine.open(readFileSync(file))
  engine.search(index, queries[0], { limit: LIMIT })
  const coldMs = performance.now() - start
  ask(index, queries.slice(1, 1 + WARM.queries), WARM.ms)
  const times = ask(index, queries.slice(1 + WARM.queries), MEASURED.ms).sort((left, right) => left - right)
  const part = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { coldMs, p50: part(0.5), p99: part(0.99), queries: times.length }
}

/** Runs as many queries as fit into the time. Returns the duration of each, in ms. */
function ask(index, queries, ms) {
  const end = performance.now() + ms
  const times = []
  for (const query of queries) {
    const start = performance.now()
    if (start > end) break
    engine.search(index, query, { limit: LIMIT })
    times.push(performance.now() - start)
  }
  return times
}

/** Creates an iterable of memories that are generated on demand. */
function documents(count) {
  function* entries() {
    let line = 0
    for (const memory of eachSyntheticMemory(count)) {
      yield [line, { ...memory, ...placeOf(line) }]
      line++
    }
  }
  function* values() {
    for (const [, document] of entries()) yield document
  }
  return { entries, [Symbol.iterator]: values }
}
