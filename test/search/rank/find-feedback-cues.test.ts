import { expect, test } from 'vitest'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import type { IndexReader } from '../../../src/search/index/index-reader.ts'
import { createNeighbours } from '../../../src/search/index/neighbours.ts'
import { createScorer } from '../../../src/search/rank/create-scorer.ts'
import { findFeedbackCues } from '../../../src/search/rank/find-feedback-cues.ts'
import { weighCue } from '../../../src/search/rank/weigh-cue.ts'

const POTTERY =
  'A kiln is an oven in which clay is baked and glaze turns into glass. The potter stacks bowls and tiles on shelves, ' +
  'closes the door with bricks, and raises the heat by degrees until cones of clay bend before the peephole. Ash of ' +
  'pine settles on the shoulders of jars and runs down as a green glaze. The fire is fed by day and by night.'
const GLAZING =
  'Glaze is ground glass and clay in water. The potter dips bowls and jars in it, wipes their feet, and lets them dry on ' +
  'shelves before they are fired. Ash makes it green, iron brown, copper red where the fire has little air. A cone that ' +
  'bends tells that the heat was enough to melt it evenly over shoulders and rims of all that was stacked.'
const OTHERS = Array.from(
  { length: 12 },
  (_, at) => `Minutes of meeting ${at}: the board spoke about taxes, roof and heating, and went home at ${at + 5}.`
)

/** Indexes separate texts. */
function indexOf(texts: readonly string[]): IndexReader {
  const terms = texts.map((text) => analyse(text))
  const unasked = (): never => {
    throw new Error('nobody asks for that')
  }
  return {
    ...{
      dated: unasked,
      asks: unasked,
      traits: unasked,
      earlier: unasked,
      offsetOf: unasked,
      lengthOf: unasked,
      meaningOf: unasked
    },
    count: texts.length,
    postings(name) {
      const counts = terms.map((all) => all.filter((term) => term === name).length)
      const documents = counts.flatMap((count, document) => (count > 0 ? [document] : []))
      return {
        documents: Uint32Array.from(documents),
        counts: Uint8Array.from(documents, (document) => counts[document] ?? 0),
        most: Math.max(0, ...counts)
      }
    },
    terms: () => Uint32Array.from(terms, ({ length }) => length),
    times: () => new Float64Array(texts.length),
    conversations: () => new Uint32Array(texts.length),
    passages: () => undefined,
    firstOf: (document) => document,
    neighbours: () => createNeighbours(new Uint32Array(texts.length), new Map()),
    idHeads: unasked,
    timeOf: () => 0,
    idOf: (document) => Uint8Array.of(document)
  }
}

/** Searches once, and returns the cues of the second search and the texts that were read. */
function searchAgain(texts: readonly string[], query: string) {
  const index = indexOf(texts)
  const scorer = createScorer(index)
  const cues = analyse(query).map((name) => weighCue(index, { kind: 'term', name, weight: 1 }))
  const limit = texts.length
  const read: number[] = []
  const textOf = (document: number): string | undefined => {
    read.push(document)
    return texts[document]
  }
  const again = findFeedbackCues(index, { cues, best: scorer.findBest({ cues }, limit), textOf })
  return { cues: again, read, found: scorer.findBest({ cues: again ?? cues }, limit).documents }
}

test('finds a text without any query term by the terms of the best text', () => {
  const { cues, found } = searchAgain([...OTHERS, POTTERY, GLAZING], 'kiln')
  expect(cues?.[0]?.cue.name).toBe('kiln')
  expect(cues?.map(({ cue }) => cue.name)).toEqual(expect.arrayContaining(['glaze', 'clay', 'potter']))
  expect(found.slice(0, 2)).toEqual([OTHERS.length, OTHERS.length + 1])
})

test('reads nothing if all results are short or there are none', () => {
  for (const query of ['taxes and roof', 'submarine']) {
    const { cues, read } = searchAgain([...OTHERS, POTTERY], query)
    expect(cues).toBeUndefined()
    expect(read).toEqual([])
  }
})

test('ignores texts that can no longer be read', () => {
  const index = indexOf([POTTERY, GLAZING])
  const cues = [weighCue(index, { kind: 'term', name: 'kiln', weight: 1 })]
  const best = createScorer(index).findBest({ cues }, 10)
  expect(findFeedbackCues(index, { cues, best, textOf: () => undefined })).toBeUndefined()
})
