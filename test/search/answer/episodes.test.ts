import { expect, test } from 'vitest'
import { MemoryResponse } from '../../../src/contract/memory-response.ts'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { asking, idOf, record } from './answer-kit.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2024, 4, 1, 8)

/** Creates the turns of one conversation, one minute apart, starting at `hour`. */
function talk(conversation: string, hour: number, texts: readonly string[]): MemoryRecord[] {
  return texts.map((text, at) =>
    record(`${conversation} ${hour} ${at}`, {
      text,
      conversation,
      speaker: at % 2 === 0 ? 'Ada' : 'Bo',
      at: new Date(START + hour * HOUR_MS + at * 60_000).toISOString(),
      position: at + 1
    })
  )
}

const HARBOUR = talk('c', 0, [
  'The harbour is closed for the storm.',
  'Then we sail on Monday.',
  'I will tell the crew.'
])
const BREAD = talk('c', 12, ['I baked bread this evening.', 'With rye?', 'With rye and seeds.'])
const OTHER = talk('d', 0, ['The museum opens at ten.', 'Good.', 'Let us meet there.'])

test('returns an episode with its turns, participants, times and a summary quoted from the text', async () => {
  const response = (await asking([...HARBOUR, ...BREAD, ...OTHER])).ask('harbour storm')
  expect(MemoryResponse.parse(response)).toEqual(response)
  expect(response.episodes).toHaveLength(1)
  expect(response.episodes[0]).toMatchObject({
    id: expect.stringMatching(/^epi_[0-9a-f]{32}$/),
    source_ids: [0, 1, 2].map((at) => idOf(`c 0 ${at}`)),
    started_at: '2024-05-01T08:00:00.000Z',
    ended_at: '2024-05-01T08:02:00.000Z',
    participants: ['Ada', 'Bo'],
    summary: expect.stringContaining('harbour')
  })
})

test('separates episodes of one conversation at a long pause, and returns the better match first', async () => {
  const { ask } = await asking([...BREAD, ...HARBOUR])
  const ids = ask('Who sails from the harbour with bread for the storm?').episodes.map(
    ({ source_ids }) => source_ids[0]
  )
  expect(ids).toEqual([idOf('c 0 0'), idOf('c 12 0')])
})

test('returns the same episode for any query and any order of its turns', async () => {
  const { ask } = await asking([...HARBOUR, ...BREAD])
  const turned = await asking([...BREAD, ...HARBOUR].reverse())
  const [first] = ask('harbour').episodes
  expect(ask('Monday').episodes[0]?.id).toBe(first?.id)
  expect(turned.ask('harbour').episodes).toEqual([first])
})

test('builds no episode from a memory without a conversation or alone in one', async () => {
  const alone = record('alone', { text: 'the harbour', conversation: 'e' })
  const { ask } = await asking([alone, record('bare', { text: 'the harbour again' })])
  expect(ask('harbour')).toMatchObject({ episodes: [], sources: [{}, {}] })
})

test('gives episodes of undated turns no times, and excludes turns later than as_of', async () => {
  const undated = HARBOUR.map((turn) => ({ ...turn, undated: true as const }))
  expect((await asking(undated)).ask('harbour').episodes).toMatchObject([{ started_at: null, ended_at: null }])
  const { ask } = await asking(HARBOUR)
  const asOf = '2024-05-01T08:01:00.000Z'
  expect(ask('harbour', { asOf }).episodes).toMatchObject([{ source_ids: [idOf('c 0 0'), idOf('c 0 1')] }])
})

test('reads a bounded part of a conversation without pauses, the same for each of its turns', async () => {
  const long = talk(
    'c',
    0,
    Array.from({ length: 1000 }, (_, at) => `word${at} and harbour${at % 250}`)
  )
  const { ask, reads } = await asking(long)
  const ids = (query: string) =>
    ask(query, { groups: ['episodes'] }).episodes.map(({ id, source_ids }) => [id, source_ids.length])
  const near = ids('word130')
  expect(reads()).toBeLessThanOrEqual(80)
  expect(near).toHaveLength(1)
  expect(ids('word131')).toEqual(near)
  const found = ask('harbour200', { groups: ['episodes'] }).episodes
  expect(reads()).toBeLessThanOrEqual(120)
  for (const { source_ids } of found) expect(source_ids.length).toBeLessThanOrEqual(36)
})
