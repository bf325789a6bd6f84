import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexDocument } from '../../../src/search/index/index-writer.ts'
import { RANKING } from '../../../src/search/rank/ranking-constants.ts'
import type { SearchIndex } from '../../../src/search/search-index.ts'
import { hashOf, indexOf, memory, textsIndex } from '../make-memories.ts'

const RUNS = process.env.SLOW ? 300 : 10
const WORDS = ['apple', 'went', 'garden', 'journey', 'winter', 'May', 'you', 'what?', 'Anna']
const QUERY = 'When did Anna go on a trip in May 1970?'

const someDocument = fc.record({
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }),
  speaker: fc.option(fc.constantFrom('Anna', 'Bruno'), { nil: undefined }),
  conversation: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  at: fc.integer({ min: -3, max: 3 }),
  position: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined })
})

const someDocuments = fc
  .array(someDocument, { minLength: 1, maxLength: 40 })
  .map((documents) =>
    documents.map(({ words, at, ...more }, offset) =>
      memory(`${offset}`, { ...more, text: words.join(' '), at: at * 86_400_000 * 200, offset })
    )
  )

test('returns contributions that add up to the score, and matches that add up to the mentions', async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, async (documents) => {
      const index = await indexOf(documents)
      for (const { score, explanation } of index.search(QUERY, { limit: 100, explain: true })) {
        const { cues = [], evidence = [] } = explanation ?? {}
        expect(sum([...cues, ...evidence].map(({ part }) => part))).toBeCloseTo(score, 10)
        for (const { mentions, said } of cues) expect(sum(said.map((one) => one.mentions))).toBeCloseTo(mentions, 10)
      }
      index.close()
    }),
    { numRuns: RUNS }
  )
})

test('returns the rank of every memory in the complete ranking', async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, async (documents) => {
      const index = await indexOf(documents)
      const all = index.search(QUERY, { limit: 1000 })
      for (const { id, offset } of documents) {
        const place = all.findIndex((hit) => hit.offset === offset)
        expect(index.examine(QUERY, id, {})).toMatchObject({
          rank: place < 0 ? undefined : place + 1,
          found: all.length,
          score: all[place]?.score ?? 0,
          best: all[0] === undefined ? undefined : { offset: all[0].offset, score: all[0].score }
        })
      }
      index.close()
    }),
    { numRuns: RUNS }
  )
})

/** More memories with a word than the pool holds: the longer, the worse; the last one lacks the word. */
async function crowd(): Promise<{ index: SearchIndex; documents: IndexDocument[] }> {
  const documents = Array.from({ length: RANKING.POOL + 50 }, (_, offset) =>
    memory(`${offset}`, { text: `plum ${'leaf '.repeat(offset)}`, offset })
  )
  documents.push(memory('other', { text: 'nothing of it', offset: 9999 }))
  return { index: await indexOf(documents), documents }
}

test('returns the rank by words of a memory outside the pool, and what evidence would have given', async () => {
  const { index, documents } = await crowd()
  const far = index.examine('plum', documents[RANKING.POOL + 10]?.id ?? new Uint8Array(), {})
  expect(far).toMatchObject({ pool: RANKING.POOL, wordRank: RANKING.POOL + 11, rank: RANKING.POOL + 11 })
  expect(far?.found).toBe(RANKING.POOL + 50)
  const { cues = [], evidence = [] } = far?.explanation ?? {}
  expect(sum(cues.map(({ part }) => part))).toBeGreaterThanOrEqual((far?.score ?? 1) - 1e-9)
  expect(evidence.find(({ name }) => name === 'nearby_turns')?.part).toBeGreaterThan(0)
})

test('includes the reduction of scores outside the pool in the contributions', async () => {
  const { index } = await crowd()
  const hits = index.search('plum', { limit: RANKING.POOL + 50, explain: true })
  for (const { score, explanation } of hits.slice(RANKING.POOL - 2)) {
    const { cues = [], evidence = [] } = explanation ?? {}
    expect(sum([...cues, ...evidence].map(({ part }) => part))).toBeCloseTo(score, 10)
  }
})

test('returns neither rank nor score for a memory that is not found, and undefined for an unknown one', async () => {
  const { index, documents } = await crowd()
  const nothing = index.examine('plum', documents.at(-1)?.id ?? new Uint8Array(), {})
  expect(nothing).toMatchObject({ rank: undefined, wordRank: undefined, score: 0, offset: 9999 })
  expect(index.examine('plum', hashOf('nobody').subarray(0, 16), {})).toBeUndefined()
  expect(index.examine('', documents[0]?.id ?? new Uint8Array(), {})).toMatchObject({ found: 0, best: undefined })
})

test('reports that a memory is later than the requested time, and ignores it elsewhere', async () => {
  const early = memory('early', { text: 'plum', at: 1000, offset: 1 })
  const late = memory('late', { text: 'plum', at: 2000, offset: 2 })
  const index = await indexOf([early, late])
  expect(index.examine('plum', late.id, { filter: { knownAt: 1500 } })).toMatchObject({
    excluded: 'later',
    rank: undefined,
    found: 1
  })
  expect(index.examine('plum', early.id, { filter: { knownAt: 1500 } })).toMatchObject({ excluded: undefined, rank: 1 })
})

test('returns the rank of the best passage of a memory', async () => {
  const filler = (word: string) => `${word} `.repeat(400)
  const long = memory('long', { text: `${filler('leaf')} volcano eruption. ${filler('branch')}`, offset: 1 })
  const index = await indexOf([long, memory('short', { text: 'volcano', offset: 2 })])
  const examined = index.examine('volcano eruption', long.id, {})
  expect(examined).toMatchObject({ found: 2, offset: 1 })
  expect(examined?.rank).toBe(
    1 + index.search('volcano eruption', { limit: 9 }).findIndex(({ offset }) => offset === 1)
  )
  expect(examined?.explanation.cues.map(({ name }) => name)).toEqual(['volcano', 'erupt'])
})

test('explains how a memory matches: the word, another form, a related word, or its subject', async () => {
  const turn = (offset: number, text: string, speaker?: string) =>
    memory(text, { text, offset, speaker, conversation: 'c', position: offset })
  const index = await indexOf([
    turn(1, 'we went by boat', 'Anna'),
    turn(2, 'a long voyage'),
    ...Array.from({ length: 200 }, (_, at) => memory(`other ${at}`, { offset: 100 + at }))
  ])
  const [best] = index.search('Did Anna go by boat', { limit: 1, explain: true })
  const said = Object.fromEntries((best?.explanation?.cues ?? []).map((cue) => [cue.asked, cue.said]))
  expect(said.go).toEqual([{ as: 'form', word: 'went', turn: 0, mentions: expect.any(Number) }])
  expect(said.Anna).toMatchObject([{ as: 'speaker', word: 'anna', turn: 0, mentions: RANKING.SPEAKER_MENTIONS }])
  const [, other] = index.search('boat', { limit: 2, explain: true })
  expect(other?.explanation?.cues[0]?.said).toMatchObject([{ as: 'word', word: 'boat', turn: -1 }])
})

test('finds ids by their prefix', async () => {
  const index = await textsIndex('a', 'b', 'c')
  const id = Buffer.from(memory('1').id).toString('hex')
  expect(index.idsFrom(id.slice(0, 6))).toEqual([id])
  expect(index.idsFrom(id.slice(0, 7))).toEqual([id])
  expect(index.idsFrom(id)).toEqual([id])
  expect(index.idsFrom(`${id.slice(0, 31)}${id.endsWith('0') ? '1' : '0'}`)).toEqual([])
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
