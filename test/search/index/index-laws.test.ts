import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexDocument } from '../../../src/search/index/index-writer.ts'
import { createIndex, openIndex, type SearchIndex } from '../../../src/search/search-index.ts'
import { assets, hashOf, indexOf, memory } from '../make-memories.ts'

const RUNS = process.env.SLOW ? 500 : 15
const WORDS = ['apple', 'river', 'garden', 'music', 'winter', 'letter', 'May', 'you', 'what?']

/** About one passage of text without any of the words. */
const FILLING = 'The board met, heard the report and went home before dark. '.repeat(17)

const someWords = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))

/** Texts, one in three of which has several passages. */
const someText = fc.oneof(
  { weight: 2, arbitrary: someWords },
  { weight: 1, arbitrary: fc.array(someWords, { minLength: 3, maxLength: 5 }).map((parts) => parts.join(FILLING)) }
)

const someDocument = fc.record({
  text: someText,
  speaker: fc.option(fc.constantFrom('Anna', 'Bruno Apple'), { nil: undefined }),
  conversation: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  at: fc.integer({ min: -3, max: 3 }),
  undated: fc.boolean(),
  position: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined })
})

/** Documents with distinct ids, identified by their offset. */
const someDocuments = fc
  .array(someDocument, { minLength: 1, maxLength: 40 })
  .map((documents) =>
    documents.map(({ at, ...more }, offset) =>
      memory(`${offset}`, { ...more, at: at * 86_400_000 * 200, offset, length: offset + 1 })
    )
  )

const QUERIES = ['apple river', 'When did Anna write a letter?', 'music in May 1970', 'you what', 'Bruno']

/** Returns the complete ranking: exact scores, order and explanation. */
function answers(index: SearchIndex) {
  return QUERIES.map((query) => index.search(query, { limit: 100, explain: true }))
}

/** Returns the ranking and closes the index, because SQLite's memory cannot hold thousands of open ones. */
function lastAnswers(index: SearchIndex) {
  const last = answers(index)
  index.close()
  return last
}

test('gives the same ranking for any order and any number of steps in which documents are added', async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 40, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(someDocuments, fc.infiniteStream(fc.nat()), steps, async (documents, keys, commits) => {
      const shuffled = shuffle(documents, keys)
      const index = await createIndex(assets)
      for (const [at, document] of shuffled.entries()) {
        index.add(document)
        if (commits[at] === 0) index.commit()
      }
      expect(lastAnswers(index)).toEqual(lastAnswers(await indexOf(documents)))
    }),
    { numRuns: RUNS }
  )
})

test('gives the same ranking after removals as without the removed documents', async () => {
  await fc.assert(
    fc.asyncProperty(
      someDocuments,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (documents, kept) => {
        const index = await indexOf(documents)
        for (const [at, document] of documents.entries()) if (kept[at] !== true) index.remove(document.id)
        const rest = documents.filter((_, at) => kept[at] === true)
        expect(index.count).toBe(rest.length)
        expect(answers(index)).toEqual(lastAnswers(await indexOf(rest)))
        expect(index.count).toBe(rest.length)
        index.close()
      }
    ),
    { numRuns: RUNS }
  )
})

test('gives the same ranking after it is reopened from its bytes, and after further additions', async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, fc.nat(40), async (documents, cut) => {
      const first = await indexOf(documents.slice(0, cut))
      const opened = await openIndex(assets, first.toBytes())
      expect(answers(opened)).toEqual(lastAnswers(first))
      for (const document of documents.slice(cut)) opened.add(document)
      expect(lastAnswers(opened)).toEqual(lastAnswers(await indexOf(documents)))
    }),
    { numRuns: RUNS }
  )
})

test('replaces a document with the same id, wherever it is stored', async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, fc.array(fc.nat(39), { maxLength: 10 }), async (documents, again) => {
      const index = await indexOf(documents)
      const latest = [...documents]
      for (const place of again) {
        const old = latest[place]
        if (old === undefined) continue
        const better: IndexDocument = { ...old, text: `${old.text} winter`, extractor: old.extractor + 1 }
        latest[place] = better
        index.add(better)
      }
      expect(lastAnswers(index)).toEqual(lastAnswers(await indexOf(latest)))
    }),
    { numRuns: RUNS }
  )
})

test('returns the data of each document, committed or not', async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, fc.nat(40), async (documents, cut) => {
      const index = await indexOf(documents.slice(0, cut))
      for (const document of documents.slice(cut)) index.add(document)
      for (const { id, offset, length, extractor, at, check } of documents) {
        expect(index.find(id)).toEqual({ offset, length, extractor, at, check: check.slice(0, 8) })
      }
      expect(index.find(hashOf('nobody').subarray(0, 16))).toBeUndefined()
      const ids = [...index.ids()].map((id) => Buffer.from(id).toString('hex'))
      expect(ids.sort()).toEqual(documents.map(({ id }) => Buffer.from(id).toString('hex')).sort())
      index.close()
    }),
    { numRuns: RUNS }
  )
})

function shuffle<V>(values: readonly V[], keys: Iterator<number>): V[] {
  const keyed = values.map((value) => ({ value, key: Number(keys.next().value) }))
  return keyed.sort((left, right) => left.key - right.key).map(({ value }) => value)
}
