import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { findEpisodes } from '../../../src/memory/episodes/find-episodes.ts'
import { hash, memory, talk } from './talk.ts'

const RUNS = process.env.SLOW ? 2_000 : 35

test('orders turns with equal times by position and keeps their conversation in one episode', () => {
  const turns = talk(['I bought a kiln.', 'What for?', 'For my pots: the kiln fires them.'])
  const [episode, ...others] = findEpisodes(turns.toReversed(), hash)
  expect(others).toEqual([])
  expect(episode).toMatchObject({
    startedAt: '2026-01-02T09:00:00.000Z',
    endedAt: '2026-01-02T09:00:00.000Z',
    participants: ['Ada', 'Bo'],
    sourceIds: turns.map(({ id }) => id)
  })
  expect(episode?.id).toMatch(/^epi_[0-9a-f]{32}$/)
})

test('ends an episode at a pause of more than six hours, not at a shorter one', () => {
  const at = (time: string) => memory(`at ${time}`, { at: `2026-01-02T${time}:00.000Z`, conversation: 'talk' })
  const episodes = findEpisodes([at('08:00'), at('14:00'), at('20:01')], hash)
  expect(episodes.map(({ sourceIds }) => sourceIds.length)).toEqual([2, 1])
})

test('separates conversations and groups memories without one', () => {
  const records = [
    ...['a', 'b'].map((conversation) => memory('The kiln is hot.', { conversation })),
    ...['Note one.', 'Note two.'].map((text) => memory(text))
  ]
  const episodes = findEpisodes(records, hash)
  expect(episodes.map(({ sourceIds }) => sourceIds.length).sort()).toEqual([1, 1, 2])
})

test('splits a long conversation where its topic changes', () => {
  const kiln = Array.from({ length: 24 }, (_, n) => `The kiln fires the clay pots and glaze, batch ${n}.`)
  const boat = Array.from({ length: 24 }, (_, n) => `Our boat sails past the harbour with new canvas, leg ${n}.`)
  const episodes = findEpisodes(talk([...kiln, ...boat]), hash)
  expect(episodes.map(({ sourceIds }) => sourceIds.length)).toEqual([24, 24])
})

test('splits thousands of turns about one topic into episodes of a few dozen', () => {
  const sizes = findEpisodes(talk(Array.from({ length: 3_000 }, () => 'The same again.')), hash).map(
    ({ sourceIds }) => sourceIds.length
  )
  expect(Math.max(...sizes)).toBeLessThanOrEqual(36)
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(8)
})

test('summarizes by the most representative sentences, in order and with their speakers', () => {
  const turns = talk([
    'Hey, how are you?',
    'Fine! My daughter won the chess final in Graz.',
    'Wow, the chess final! Was your daughter nervous?',
    'Not at all. She plays chess in Graz every week.',
    'That is nice.'
  ])
  expect(findEpisodes(turns, hash)[0]?.summary).toBe(
    'Bo: My daughter won the chess final in Graz. She plays chess in Graz every week.'
  )
})

test('lists each event of its memories once and skips malformed entries', () => {
  const event = { statement: 'Ada sold the kiln', rule: 'change.done', span: [0, 15] }
  const turns = talk(['I sold the kiln.', 'You did?'], { events: [event, { ...event }, 'odd', null, { span: 1 }] })
  expect(findEpisodes(turns, hash)[0]?.events).toEqual(['Ada sold the kiln'])
})

test('derives the id of an episode from its memories alone', () => {
  const turns = talk(['One thing.', 'Another thing.'])
  const [before, after] = [findEpisodes(turns, hash), findEpisodes([...turns, memory('elsewhere')], hash)]
  expect(after.map(({ id }) => id)).toContain(before[0]?.id)
  expect(findEpisodes(turns.slice(1), hash)[0]?.id).not.toBe(before[0]?.id)
})

const records: fc.Arbitrary<MemoryRecord[]> = fc.array(
  fc
    .record({
      text: fc.oneof(fc.lorem(), fc.string({ unit: 'binary', maxLength: 60 }), fc.constant('!?'), fc.constant('')),
      minute: fc.nat(3_000),
      speaker: fc.constantFrom('Ada', 'Bo', undefined),
      conversation: fc.constantFrom('a', 'b', undefined),
      position: fc.option(fc.nat(50), { nil: undefined })
    })
    .map(({ text, minute, speaker, conversation, position }) =>
      memory(text, {
        at: new Date(Date.parse('2026-01-01T00:00:00.000Z') + minute * 60_000).toISOString(),
        ...(speaker === undefined ? {} : { speaker }),
        ...(conversation === undefined ? {} : { conversation }),
        ...(position === undefined ? {} : { position })
      })
    ),
  { maxLength: 90 }
)

test('gives the same episodes for any order and repetition of the memories', () => {
  fc.assert(
    fc.property(records, fc.infiniteStream(fc.nat()), (all, order) => {
      const shuffled = all.map((record) => ({ record, key: order.next().value ?? 0 })).sort((a, b) => a.key - b.key)
      const twice = [...shuffled.map(({ record }) => record), ...all.slice(0, 3)]
      expect(findEpisodes(twice, hash)).toEqual(findEpisodes(all, hash))
    }),
    { numRuns: RUNS }
  )
})

test('puts every memory in exactly one episode and keeps summaries short', () => {
  fc.assert(
    fc.property(records, (all) => {
      const episodes = findEpisodes(all, hash)
      const ids = episodes.flatMap(({ sourceIds }) => sourceIds)
      expect(ids.toSorted()).toEqual([...new Set(all.map(({ id }) => id))].sort())
      for (const { summary, startedAt, endedAt } of episodes) {
        expect(summary.length).toBeLessThanOrEqual(340)
        expect(startedAt <= endedAt).toBe(true)
      }
    }),
    { numRuns: RUNS }
  )
})
