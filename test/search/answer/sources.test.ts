import { expect, test } from 'vitest'
import { MemoryResponse } from '../../../src/contract/memory-response.ts'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { ANSWER } from '../../../src/search/answer/answer-constants.ts'
import { asking, fact, idOf, record } from './answer-kit.ts'

test('returns a plain memory as a source with null for absent fields', async () => {
  const plain = record('a', { text: 'black tea' })
  const response = (await asking([plain])).ask('tea')
  expect(MemoryResponse.parse(response)).toEqual(response)
  expect(response).toEqual({
    semantics: [],
    procedures: [],
    episodes: [],
    sources: [
      {
        id: plain.id,
        score: expect.any(Number),
        source_ids: [plain.id],
        text: 'black tea',
        speaker: null,
        timestamp: '2024-05-08T10:00:00.000Z',
        title: null,
        url: null,
        metadata: {}
      }
    ]
  })
})

test('returns metadata unchanged, and reads title and url from it if they are strings', async () => {
  const metadata = { title: 'Notes', url: 7, deep: { list: [1, null, 'x'] } }
  const { ask } = await asking([record('a', { text: 'black tea', metadata, speaker: 'Anna' })])
  expect(ask('tea').sources).toMatchObject([{ metadata, title: 'Notes', url: null, speaker: 'Anna' }])
})

test('returns no timestamp for a memory whose source gave no time', async () => {
  const { ask } = await asking([record('a', { text: 'black tea', undated: true })])
  expect(ask('tea').sources).toMatchObject([{ timestamp: null }])
})

test('fills only the requested groups, up to the limit, and reads little more than they need', async () => {
  const colours = ['green', 'black', 'white', ...Array.from({ length: 30 }, (_, shade) => `shade${shade}`)]
  const memories = colours.map((colour) =>
    record(colour, { text: `${colour} tea`, facts: [fact(['Anna', 'likes', `${colour} tea`])] })
  )
  const { ask, reads } = await asking(memories)
  expect(ask('tea', { limit: 2 }).sources).toHaveLength(2)
  const only = ask('tea', { limit: 2, groups: ['semantics'] })
  expect([only.sources.length, only.semantics.length]).toEqual([0, 2])
  ask('tea', { limit: 2, groups: ['sources'] })
  expect(reads()).toBe(2 + ANSWER.FOLD_AHEAD)
})

/** A conversation of two people about a choir; the last turn is also a source, because it has a word of the query. */
function talk(more: Partial<MemoryRecord> = {}): MemoryRecord[] {
  const turns: [speaker: string, text: string][] = [
    ['Ada', 'I joined a choir.'],
    ['Bo', 'Where do you rehearse?'],
    ['Ada', 'The choir meets in the mill.'],
    ['Bo', 'I went climbing.']
  ]
  return turns.map(([speaker, text], at) =>
    record(`turn ${at}`, { text, speaker, conversation: 'talk', position: at + 1, ...(at === 2 ? more : {}) })
  )
}

/** Returns the exchange of a turn of `talk`, as the explanation of a search has it. */
async function findExchange(place: number, more: Partial<MemoryRecord> = {}, explain = true): Promise<unknown> {
  const { ask } = await asking(talk(more))
  const { sources } = ask('choir', { explain, groups: ['sources'] })
  return sources.find(({ id }) => id === idOf(`turn ${place}`))?.explanation?.exchange
}

test('explains that a statement, the question about it and the answer are one exchange', async () => {
  const turns = [{ speaker: 'Ada' }, { speaker: 'Bo', text: 'Where do you rehearse?' }, { speaker: 'Ada' }]
  expect(await findExchange(0)).toMatchObject(turns)
  expect(await findExchange(2)).toMatchObject(turns)
  expect(await findExchange(0, {}, false)).toBeUndefined()
})

test('explains that a question and the answer of another person are one exchange', async () => {
  expect(await findExchange(1)).toMatchObject([{ speaker: 'Bo' }, { speaker: 'Ada' }])
  expect(await findExchange(1, { speaker: 'Bo' })).toBeUndefined()
})

test.each([
  ['after a pause of a day', { at: '2024-05-09T12:00:00.000Z' }],
  ['of a third person', { speaker: 'Cleo' }],
  ['of another conversation', { conversation: 'other' }]
])('does not explain a later turn %s as the answer to a question about a statement', async (_, more) => {
  expect(await findExchange(0, more)).toBeUndefined()
})

test('explains entries of every group on request', async () => {
  const procedures = [{ kind: 'rule', statement: 'Never boil green tea', rule: 'rule.never', span: [0, 5] }]
  const { ask } = await asking([
    record('a', { text: 'Anna likes tea', facts: [fact(['Anna', 'likes', 'tea'])], procedures })
  ])
  const plain = ask('tea')
  const { semantics, sources, ...rest } = ask('tea', { explain: true })
  expect(sources[0]?.explanation).toMatchObject({
    cues: [{ name: 'tea', kind: 'term' }],
    spans: [{ term: 'tea', span: [11, 14] }]
  })
  expect(semantics[0]?.explanation).toMatchObject({ words: 1, subject: 0, confidence: 0.9 })
  expect(rest.procedures[0]?.explanation).toMatchObject({ words: 1, kind: 1 })
  expect(
    Object.values(plain)
      .flat()
      .some((entry) => 'explanation' in entry)
  ).toBe(false)
})

test('excludes memories later than as_of', async () => {
  const days = ['01', '02', '03'].map((day) =>
    record(day, { text: `tea on day ${day}`, at: `2024-05-${day}T00:00:00.000Z` })
  )
  const { ask } = await asking(days)
  const found = (asOf: string) =>
    ask('tea', { asOf })
      .sources.map(({ text }) => text.slice(-2))
      .sort()
  expect(found('2024-04-30T23:59:59.999Z')).toEqual([])
  expect(found('2024-05-02T00:00:00.000Z')).toEqual(['01', '02'])
  expect(found('2024-06-01T00:00:00.000Z')).toEqual(['01', '02', '03'])
})

test('names the passage of a long text that matched best', async () => {
  const filling = 'Notes of the gardening club about hedges and bulbs and rain. '.repeat(40)
  const text = `${filling}They sold a copper kettle. ${filling}`
  const { ask } = await asking([record('long', { text }), record('short', { text: 'a kettle of tin' })])
  const [long, short] = ask('copper kettle', { explain: true }).sources.map(({ explanation }) => explanation)
  expect(short).not.toHaveProperty('passage')
  const [start, end] = (long as { passage: [number, number] }).passage
  expect(text.slice(start, end)).toContain('copper kettle')
  expect(end - start).toBeLessThan(1500)
})
