import { expect, test } from 'vitest'
import type { EventRecord, FactRecord } from '../../../src/contract/snapshot.ts'
import type { IndexDocument } from '../../../src/search/index/index-writer.ts'
import { RANKING } from '../../../src/search/rank/ranking-constants.ts'
import type { SearchIndex } from '../../../src/search/search-index.ts'
import { found, indexOf, memory, textsIndex } from '../make-memories.ts'

function turn(offset: number, text: string, more: Partial<IndexDocument> = {}): IndexDocument {
  return memory(`turn ${offset}`, { text, offset, conversation: 'c', position: offset, ...more })
}

function aboutSomebody(subject: string): FactRecord {
  return { subject, predicate: 'likes', value: 'tea', rule: 'clause.verb', span: [0, 1] } as FactRecord
}

/** Returns the part of the score that words can give. */
function wordsShare(evidence: readonly { weight: number }[]): number {
  return evidence.reduce((left, { weight }) => left - Math.max(0, weight), 1)
}

/** Returns the values of one kind of evidence by offset, for all hits of a query. */
function valuesOf(index: SearchIndex, query: string, name: string): Record<number, number> {
  const hits = index.search(query, { limit: 100, explain: true })
  return Object.fromEntries(
    hits.flatMap(({ offset, explanation }) =>
      (explanation?.evidence ?? []).flatMap((part) => (part.name === name ? [[offset, part.value] as const] : []))
    )
  )
}

test('rates a turn with more of the terms higher than one that repeats a term', async () => {
  const index = await indexOf([
    turn(1, 'the boat race'),
    turn(2, 'yes'),
    turn(3, 'no'),
    turn(4, 'well'),
    turn(5, 'boat boat boat boat'),
    ...[10, 11, 12, 13].map((at) => turn(at, `word${at}`, { conversation: `d${at}` }))
  ])
  const values = valuesOf(index, 'boat race', 'covered_words')
  expect(values[1]).toBeGreaterThan(values[5] ?? 1)
})

test('rates a single memory by its words and meaning only', async () => {
  const index = await textsIndex('green tea', 'tea')
  for (const { explanation } of index.search('green tea', { limit: 10, explain: true })) {
    const { cues = [], evidence = [] } = explanation ?? {}
    const ofWords = cues.reduce((sum, { part }) => sum + part, 0) / wordsShare(evidence)
    const likeIt = 1 - (1 - ofWords) ** 2
    for (const { name, value } of evidence.filter((one) => !OTHER_EVIDENCE.has(one.name))) {
      expect([name, value]).toEqual([name, expect.closeTo(name === 'nearby_turns' ? likeIt : ofWords, 9)])
    }
  }
})

test('counts words of the query that nearby turns contain together', async () => {
  const index = await indexOf([
    turn(1, 'the volcano smoked'),
    turn(2, 'there was lava'),
    memory('alone', { text: 'a volcano somewhere', offset: 50 }),
    ...[10, 11, 12, 13].map((at) => turn(at, `word${at}`, { conversation: `d${at}` }))
  ])
  const values = valuesOf(index, 'volcano lava', 'covered_nearby')
  expect(values[1]).toBe(1)
  expect(values[50]).toBeLessThan(1)
})

test('raises what a person named in the query says, rather than what others say to them', async () => {
  const index = await indexOf([
    turn(1, 'tea for me', { speaker: 'Ada' }),
    turn(2, 'more tea, Ada?', { speaker: 'Ben' })
  ])
  expect(valuesOf(index, 'does Ada like tea', 'said_by_named')).toEqual({ 1: 1, 2: 0 })
  expect(valuesOf(index, 'do Ada and Ben like tea', 'said_by_named')).toEqual({ 1: 0.5, 2: 0.5 })
  expect(valuesOf(index, 'tea', 'said_by_named')).toEqual({})
})

/** Evidence that a single memory has from its words or meaning alone, but not in proportion to its score. */
const OTHER_EVIDENCE = new Set(['similar_meaning', 'covered_nearby'])

test('raises turns among good ones, and a single memory by itself only', async () => {
  const index = await indexOf([
    turn(1, 'volcano trip'),
    turn(2, 'the volcano smoked'),
    turn(3, 'and lava everywhere'),
    memory('alone', { text: 'a volcano somewhere', offset: 50 })
  ])
  const values = valuesOf(index, 'volcano', 'nearby_turns')
  expect(values[2]).toBeGreaterThan(values[50] ?? 1)
})

test('raises a long text by its other passages', async () => {
  const filling = 'Minutes of the gardening club, read and filed. '.repeat(60)
  const lava = 'The lava of the volcano came down. '
  const index = await textsIndex(
    `${filling}${lava}${filling}${filling}`,
    `${filling}${lava}${filling}${lava}${filling}`,
    'gardening'
  )
  const values = valuesOf(index, 'volcano lava', 'nearby_turns')
  expect(values[1]).toBeGreaterThan(values[0] ?? 1)
  expect(found(index, 'volcano lava')).toEqual([1, 0])
})

test('raises the turn after a matching question, if the query is a question', async () => {
  const index = await indexOf([
    turn(1, 'Where did the parcel go?', { speaker: 'Ann' }),
    turn(2, 'To the neighbours', { speaker: 'Ben' }),
    turn(3, 'Nice')
  ])
  const values = valuesOf(index, 'Where did the parcel go?', 'answered_question')
  expect(values[2]).toBeGreaterThan(0)
  expect(values[3]).toBe(0)
  expect(valuesOf(index, 'parcel', 'answered_question')).toEqual({})
})

test('lowers a turn if the next one asks what the query asks', async () => {
  const index = await indexOf([
    turn(1, 'The picnic of the choir was fun', { speaker: 'Ann' }),
    turn(2, 'Which games did you play?', { speaker: 'Ben' }),
    turn(3, 'Some games with cards', { speaker: 'Ann' }),
    turn(4, 'Shall we leave?', { speaker: 'Ben' })
  ])
  const values = valuesOf(index, 'Which games did the choir play at the picnic?', 'asked_next')
  expect(values[1]).toBeGreaterThan(0)
  expect(values[3]).toBe(0)
  expect(valuesOf(index, 'picnic games', 'asked_next')).toEqual({})
})

test('raises the first two turns of a conversation, except for requests to an assistant', async () => {
  const long = `Of course. ${'Boats need paint and varnish every spring. '.repeat(60)}`
  const index = await indexOf([
    turn(1, 'I bought a boat'),
    turn(2, 'A boat, how nice'),
    turn(3, 'The boat is blue'),
    turn(4, 'How do I paint a boat?', { conversation: 'd', position: 1 }),
    turn(5, long, { conversation: 'd', position: 2 })
  ])
  const values = valuesOf(index, 'Which boat was bought?', 'opens_conversation')
  expect(values).toMatchObject({ 1: 1, 2: 1, 3: 0, 4: 0 })
  expect(valuesOf(index, 'boat', 'opens_conversation')).toEqual({})
})

test('does not prefer the person in the query if only another speaker says the words', async () => {
  const index = await indexOf([
    turn(1, 'The necklace came from my grandmother in Sweden', { speaker: 'Ada' }),
    memory('later', { text: 'I slept well', offset: 2, conversation: 'd', position: 1, speaker: 'Ben' })
  ])
  expect(valuesOf(index, 'Where did the necklace of grandmother come from, Ben?', 'said_by_named')).toEqual({})
})

test('checks texts for a time, name or number that the question asks for', async () => {
  const index = await textsIndex('moved house in 2019', 'moved house', 'moved house with Tom')
  expect(valuesOf(index, 'When was the house moved?', 'asked_traits')).toEqual({ 0: 1, 1: 0, 2: 0 })
  expect(valuesOf(index, 'Who moved house?', 'asked_traits')).toEqual({ 0: 0, 1: 0, 2: 1 })
  expect(valuesOf(index, 'house', 'asked_traits')).toEqual({})
})

test('raises memories with facts about a named subject, in any wording', async () => {
  const index = await indexOf([
    turn(1, 'I like tea', { speaker: 'Ada', facts: [aboutSomebody('Ada')] }),
    turn(2, 'you like tea', { speaker: 'Ada' }),
    turn(3, 'tea again', { speaker: 'Ben', facts: [aboutSomebody('Ben'), aboutSomebody('the tea')] })
  ])
  expect(valuesOf(index, 'does Ada like tea', 'about_names')).toEqual({ 1: 1, 2: 0, 3: 0 })
  expect(valuesOf(index, 'do Ada and Ben like tea', 'about_names')).toEqual({ 1: 0.5, 2: 0, 3: 0.5 })
  expect(valuesOf(index, 'tea', 'about_names')).toEqual({})
})

test('does not raise memories with nothing but opinions of a named subject', async () => {
  const opinion = { ...aboutSomebody('Ada'), rule: 'opinion.finds' }
  const belief = { ...aboutSomebody('Ada'), rule: 'belief.holds' }
  const index = await indexOf([
    turn(1, 'your tea is lovely', { speaker: 'Ada', facts: [opinion, belief] }),
    turn(2, 'I poured the tea', { speaker: 'Ada', facts: [opinion, aboutSomebody('Ada')] })
  ])
  expect(valuesOf(index, 'does Ada like tea', 'about_names')).toEqual({ 1: 0, 2: 1 })
})

test('treats subjects of facts as names in the absence of speakers', async () => {
  const index = await indexOf([
    memory('0', { text: 'Ada likes tea', offset: 0, facts: [aboutSomebody('Ada')] }),
    memory('1', { text: 'Ada asked for tea', offset: 1 })
  ])
  expect(valuesOf(index, 'ada tea', 'about_names')).toEqual({ 0: 1, 1: 0 })
})

test('matches parts of a date with the time of a memory and with the dates of its events', async () => {
  const yesterday = { statement: 'x', rule: 'time.past', span: [0, 1], precision: 'day' } as EventRecord
  const index = await indexOf([
    memory('0', { text: 'dinner', offset: 0, at: Date.UTC(2024, 4, 7) }),
    memory('1', {
      text: 'dinner yesterday',
      offset: 1,
      at: Date.UTC(2024, 4, 8),
      events: [{ ...yesterday, started_at: '2024-05-07T00:00:00.000Z' }]
    }),
    memory('2', { text: 'dinner', offset: 2, at: Date.UTC(2023, 6, 1) }),
    memory('3', { text: 'dinner', offset: 3, at: Date.UTC(2024, 4, 7), undated: true })
  ])
  const query = 'dinner on 7 May 2024'
  expect(valuesOf(index, query, 'dated_then')[0]).toBeCloseTo(1, 12)
  expect(valuesOf(index, query, 'dated_then')[1]).toBeCloseTo(2 / 3, 12)
  expect(valuesOf(index, query, 'dated_then')[3]).toBe(0)
  expect(valuesOf(index, query, 'tells_of_then')).toEqual({ 0: 0, 1: 1, 2: 0, 3: 0 })
})

test('finds another form and a related word, after the word itself', async () => {
  const fillers = Array.from({ length: 150 }, (_, at) => `filler${at} something`)
  const index = await textsIndex('the doctor came', 'the physician came', 'she went home', 'they go home', ...fillers)
  expect(found(index, 'doctor')).toEqual([0, 1])
  expect(found(index, 'go').sort()).toEqual([2, 3])
})

test('orders documents outside the pool by words, with scores that never increase', async () => {
  const count = RANKING.POOL + 100
  const index = await textsIndex(...Array.from({ length: count }, (_, at) => `plum ${'leaf '.repeat(at % 9)}`))
  const scores = index.search('plum', { limit: 1000 }).map(({ score }) => score)
  expect(scores).toHaveLength(count)
  expect(scores).toEqual([...scores].sort((left, right) => right - left))
  expect(found(index, 'plum', RANKING.POOL + 1).slice(0, 50)).toEqual(found(index, 'plum', 50))
})

test('rates the meaning of a turn with its neighbours, and of a long text as a whole', async () => {
  const index = await indexOf([
    turn(1, 'the sailing boat left the harbour'),
    turn(2, 'a boat of paper'),
    turn(3, 'a tax on every boat of the company', { conversation: 'd' }),
    memory('long', { offset: 4, text: `${'The boat sank. '.repeat(100)}\n\n${'Money and law. '.repeat(100)}` })
  ])
  const values = valuesOf(index, 'boat trip at sea', 'similar_meaning')
  expect(Object.keys(values)).toHaveLength(4)
  expect(values[1]).toBeGreaterThan(values[3] ?? 1)
  expect(values[2]).toBeGreaterThan(values[3] ?? 1)
  expect(valuesOf(index, 'xqzzy', 'similar_meaning')).toEqual({})
})
