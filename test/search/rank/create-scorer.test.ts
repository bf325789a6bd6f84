import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexReader } from '../../../src/search/index/index-reader.ts'
import { createNeighbours } from '../../../src/search/index/neighbours.ts'
import { createScorer, type Demand } from '../../../src/search/rank/create-scorer.ts'
import { computeNeighbourShares } from '../../../src/search/rank/folded-mentions.ts'
import { type MatchList, MENTION, type WeighedCue } from '../../../src/search/rank/match-list.ts'
import { RANKING } from '../../../src/search/rank/ranking-constants.ts'

const RUNS = process.env.SLOW ? 3000 : 100
const DOCUMENTS = 120

/** Lists of many and of few documents. */
const someCounts = fc.oneof(
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)), { maxLength: DOCUMENTS }),
  fc
    .array(fc.tuple(fc.nat(DOCUMENTS - 1), fc.integer({ min: 1, max: 4 })), { maxLength: 4 })
    .map((counted) => Array.from({ length: DOCUMENTS }, (_, at) => counted.find(([one]) => one === at)?.[1] ?? 0))
)

const someList = fc
  .record({
    counts: someCounts,
    worth: fc.constantFrom(MENTION, 35, 200),
    folds: fc.boolean()
  })
  .map(({ counts, worth, folds }): MatchList => {
    const documents = counts.flatMap((count, document) => (count > 0 ? [document] : []))
    const some = Uint8Array.from(documents, (document) => counts[document] ?? 0)
    const once = documents.length % 2 === 1
    return {
      ...{ documents: Uint32Array.from(documents), worth, folds },
      counts: once ? undefined : some,
      most: once ? 1 : Math.max(0, ...some)
    }
  })

const someCues = fc.array(
  fc.record({
    weight: fc.oneof(
      fc.double({ min: 0.01, max: 9, noNaN: true }),
      fc.constant(2),
      fc.double({ min: 2, max: 2.5, noNaN: true })
    ),
    lists: fc.array(someList, { maxLength: 3 })
  }),
  { minLength: 1, maxLength: 6 }
)

/** Conversations with consecutive numbers, and turns with neighbours elsewhere. */
const someIndex = fc
  .record({
    runs: fc.array(fc.record({ conversation: fc.nat(6), turns: fc.integer({ min: 1, max: 9 }) }), { maxLength: 20 }),
    terms: fc.array(fc.nat(30), { minLength: DOCUMENTS, maxLength: DOCUMENTS }),
    times: fc.array(fc.nat(3), { minLength: DOCUMENTS, maxLength: DOCUMENTS }),
    linked: fc.array(fc.tuple(fc.nat(DOCUMENTS - 1), fc.nat(DOCUMENTS - 1)), { maxLength: 6 })
  })
  .map(({ runs, terms, times, linked }) => {
    const conversation = new Uint32Array(DOCUMENTS)
    let at = 0
    for (const run of runs) {
      conversation.fill(run.conversation, at, at + run.turns)
      at += run.turns
    }
    return indexWith({ conversation, terms, times, links: someLinks(linked) })
  })

/** Creates links as segments write them: each turn has at most one successor elsewhere. */
function someLinks(linked: readonly [number, number][]): Map<number, number> {
  const links = new Map<number, number>()
  for (const [document, next] of linked) {
    if (document === next || links.has(document) || [...links.values()].includes(next)) continue
    links.set(document, next)
  }
  for (const next of [...links.values()]) if (next > 0 && !links.has(next - 1)) links.set(next - 1, -1)
  return links
}

type Made = { conversation: Uint32Array; terms: number[]; times: number[]; links: Map<number, number> }

function indexWith({ conversation, terms, times, links }: Made): IndexReader {
  const unasked = (): never => {
    throw new Error('ranking does not ask for that')
  }
  return {
    ...{
      count: DOCUMENTS,
      postings: unasked,
      dated: unasked,
      asks: unasked,
      traits: unasked,
      earlier: unasked,
      offsetOf: unasked,
      lengthOf: unasked,
      meaningOf: unasked
    },
    conversations: () => conversation,
    passages: () => undefined,
    firstOf: (document) => document,
    neighbours: () => createNeighbours(conversation, links),
    terms: () => Uint32Array.from(terms),
    times: () => Float64Array.from(times),
    idHeads: unasked,
    timeOf: (document) => times[document] ?? 0,
    idOf: (document) => Uint8Array.of((document * 73) % 256, document)
  }
}

/** Computes every document's score one by one, and returns all in order. */
function rankAll(index: IndexReader, { cues, loss, excluded }: Demand): { document: number; score: number }[] {
  const terms = index.terms()
  const lengths = Array.from(terms, (_, document) =>
    inWindow(index, document, { shares: computeNeighbourShares(MENTION), of: (turn) => terms[turn] ?? 0 })
  )
  const prior = RANKING.LENGTH_PRIOR * MENTION
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length + prior
  const slope = (MENTION * RANKING.K1 * RANKING.B) / mean
  const base = MENTION * RANKING.K1 * (1 - RANKING.B) + slope * prior
  const order = cues.toSorted((left, right) => right.weight - left.weight)
  return lengths
    .map((length, document) => {
      let score = 0
      for (const cue of order) {
        const mentions = mentionsOf(index, document, cue)
        if (mentions > 0) score += (cue.weight * mentions) / (mentions + (base + slope * length))
      }
      return { document, score: score * (loss?.kept[loss.grades[document] ?? 0] ?? 1) }
    })
    .filter(({ document, score }) => score > 0 && excluded?.[document] !== 1)
    .sort(
      (left, right) =>
        right.score - left.score ||
        index.timeOf(right.document) - index.timeOf(left.document) ||
        Buffer.compare(index.idOf(left.document), index.idOf(right.document))
    )
}

function mentionsOf(index: IndexReader, document: number, { lists }: WeighedCue): number {
  return lists.reduce((sum, { documents, counts, worth, folds }) => {
    const of = (turn: number): number => {
      const at = documents.indexOf(turn)
      return at < 0 ? 0 : (counts?.[at] ?? 1)
    }
    return sum + inWindow(index, document, { shares: computeNeighbourShares(worth, folds), of })
  }, 0)
}

type Counted = { shares: Uint32Array; of: (turn: number) => number }

function inWindow(index: IndexReader, document: number, { shares, of }: Counted): number {
  const { before, after } = index.neighbours()
  const [left, right] = [before(document), after(document)]
  const window = [left < 0 ? -1 : before(left), left, document, right, right < 0 ? -1 : after(right)]
  return window.reduce((sum, turn, place) => sum + (turn < 0 ? 0 : (shares[place] ?? 0) * of(turn)), 0)
}

const someDemand = fc
  .record({
    cues: someCues,
    grades: fc.option(fc.array(fc.nat(2), { minLength: DOCUMENTS, maxLength: DOCUMENTS }), { nil: undefined }),
    excluded: fc.option(fc.uint8Array({ minLength: DOCUMENTS, maxLength: DOCUMENTS, max: 1 }), { nil: undefined })
  })
  .map(({ grades, ...demand }) => ({
    ...demand,
    loss: grades && { grades: Uint8Array.from(grades), kept: [1, 0.9, 0.8] }
  }))

test('returns exactly the best of all documents scored individually', () => {
  const someDemands = fc.array(someDemand, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(someIndex, someDemands, fc.constantFrom(1, 2, 5, 20, 200), (index, demands, limit) => {
      const scorer = createScorer(index)
      for (const demand of demands) {
        const { documents, scores } = scorer.findBest(demand, limit)
        const all = rankAll(index, demand).slice(0, limit)
        expect(documents.map((document, at) => ({ document, score: scores[at] }))).toEqual(all)
      }
    }),
    { numRuns: RUNS }
  )
})

test('gives cues contributions that add up to the score', () => {
  fc.assert(
    fc.property(someIndex, someCues, (index, cues) => {
      const scorer = createScorer(index)
      const { documents, scores } = scorer.findBest({ cues }, 3)
      documents.forEach((document, at) => {
        const parts = cues.map((cue) => scorer.part(cue, document))
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(scores[at] ?? 0, 9)
        expect(cues.map((cue) => Math.round(scorer.mentions(cue, document) * MENTION))).toEqual(
          cues.map((cue) => mentionsOf(index, document, cue))
        )
      })
    }),
    { numRuns: RUNS }
  )
})
