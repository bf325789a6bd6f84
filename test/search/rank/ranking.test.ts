import { expect, test } from 'vitest'
import { found, hashOf, indexOf, memory, textsIndex } from '../make-memories.ts'

const DAY_MS = 86_400_000

test('gives a rare word more weight than a common one', async () => {
  const index = await textsIndex('tea with milk', 'tea with sugar', 'tea alone', 'milk and honey')
  expect(found(index, 'tea honey')[0]).toBe(3)
})

test('ranks the shorter of texts with equal mentions first', async () => {
  const index = await textsIndex(`kiwi ${'grain seed corn '.repeat(20)}`, 'kiwi fruit')
  expect(found(index, 'kiwi')).toEqual([1, 0])
})

test('ranks the newer of equal memories first, then the smaller id', async () => {
  const names = ['p', 'q', 'r', 's']
  const twins = names.map((name, offset) =>
    memory(name, { text: 'equal words', offset, at: offset === 2 ? DAY_MS : 0 })
  )
  const older = [0, 1, 3].sort((left, right) => Buffer.compare(idOf(names[left]), idOf(names[right])))
  expect(found(await indexOf(twins), 'equal')).toEqual([2, ...older])
})

test('returns the same first results with a limit as without', async () => {
  const texts = Array.from({ length: 200 }, (_, at) => `plum ${'pear '.repeat(at % 7)}${'leaf '.repeat(at % 5)}`)
  const index = await textsIndex(...texts)
  const all = found(index, 'plum pear', 1000)
  for (const limit of [1, 2, 10, 199]) expect(found(index, 'plum pear', limit)).toEqual(all.slice(0, limit))
  expect(found(index, 'plum', 0)).toEqual([])
})

test('ranks neighbours of a matching turn after it, nearer ones first', async () => {
  const turns = ['aaa bbb', 'ccc ddd', 'volcano eee', 'fff ggg', 'hhh iii', 'jjj kkk']
  const index = await indexOf(
    turns.map((text, offset) => memory(text, { text, offset, conversation: 'c', position: offset }))
  )
  const ranked = found(index, 'volcano')
  expect(ranked[0]).toBe(2)
  expect(new Set(ranked.slice(1, 3))).toEqual(new Set([1, 3]))
  expect(new Set(ranked.slice(3))).toEqual(new Set([0, 4]))
})

test('orders neighbours by time, then position, within their conversation', async () => {
  const at = (text: string, conversation: string | undefined, order: { at: number; position?: number }) =>
    memory(text, { text, conversation, offset: Number(text.at(-1)), ...order })
  const index = await indexOf([
    at('late 3', 'c', { at: 2 * DAY_MS }),
    at('other 5', 'd', { at: DAY_MS, position: 2 }),
    at('volcano 2', 'c', { at: DAY_MS, position: 2 }),
    at('alone 6', undefined, { at: DAY_MS, position: 2 }),
    at('early 1', 'c', { at: DAY_MS, position: 1 }),
    at('unplaced 0', 'c', { at: DAY_MS })
  ])
  expect(new Set(found(index, 'volcano'))).toEqual(new Set([0, 1, 2, 3]))
})

test('inserts a later addition between its neighbours', async () => {
  const turn = (offset: number, text: string) => memory(text, { text, offset, conversation: 'c', position: offset })
  const index = await indexOf([turn(1, 'volcano'), turn(5, 'five'), turn(6, 'six'), turn(7, 'seven'), ...fill(20)])
  expect(new Set(found(index, 'volcano'))).toEqual(new Set([1, 5, 6]))
  index.add(turn(3, 'three'))
  index.commit()
  expect(new Set(found(index, 'volcano'))).toEqual(new Set([1, 3, 5]))
})

test('counts the name of the speaker as a mention', async () => {
  const texts = ['I went to the lake', 'I went to the lake']
  const index = await indexOf(
    texts.map((text, offset) => memory(`${offset}`, { text, offset, speaker: ['Bruno', 'Anna Lindqvist'][offset] }))
  )
  expect(found(index, 'When was Anna at the lake?')[0]).toBe(1)
  expect(found(index, 'lindqvist')).toEqual([1])
})

test('searches the title', async () => {
  const index = await indexOf([memory('plain', { text: 'minutes of the meeting', title: 'Budget 2024', offset: 4 })])
  expect(found(index, 'budget')).toEqual([4])
})

test('raises memories from the date in a query, if their source gave the time', async () => {
  const said = (name: string, date: string, undated = false) =>
    memory(name, { text: 'we met', at: Date.parse(date), offset: Number(name), undated })
  const index = await indexOf([
    said('0', '2023-05-07T23:59:59.999Z'),
    said('1', '2023-05-08T00:00:00.000Z'),
    said('2', '2022-05-08T12:00:00.000Z'),
    said('3', '2023-05-08T12:00:00.000Z', true)
  ])
  expect(found(index, 'Whom did we meet on 8 May 2023?')[0]).toBe(1)
  expect(found(index, 'met', 10)).toHaveLength(4)
  expect(found(index, 'on 2022-05-08')[0]).toBe(2)
})

test('ranks a statement before another question of the conversation', async () => {
  const turn = (offset: number, text: string) => memory(text, { text, offset, conversation: 'c', position: offset })
  const filler = Array.from({ length: 6 }, (_, at) => turn(10 + at, `word${at}`))
  const index = await indexOf([turn(1, 'Did you paint the boat?'), ...filler, turn(30, 'I did paint the boat.')])
  const order = found(index, 'Who did paint the boat?')
  expect(order.indexOf(30)).toBeLessThan(order.indexOf(1))
})

test('explains a score by its cues and all other evidence, which add up to it', async () => {
  const index = await textsIndex('green tea in May', 'green leaves', 'black tea')
  const [best] = index.search('green tea in May 2024', { limit: 1, explain: true })
  const { cues = [], evidence = [] } = best?.explanation ?? {}
  expect(cues.map(({ name }) => name)).toEqual(['green', 'tea', 'may', 'year:2024'])
  expect(evidence.map(({ name }) => name)).toEqual([
    'covered_words',
    'covered_nearby',
    'nearby_turns',
    'dated_then',
    'tells_of_then',
    'similar_meaning'
  ])
  expect([...cues, ...evidence].reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(best?.score ?? 0, 12)
})

test('limits the work for a whole book as a query', async () => {
  const index = await textsIndex('needle in the hay')
  const book = Array.from({ length: 300_000 }, (_, at) => `w${at}`).join(' ')
  expect(found(index, `needle ${book}`)).toEqual([0])
})

function idOf(name: string | undefined): Uint8Array {
  return hashOf(`id ${name}`).subarray(0, 16)
}

function fill(count: number) {
  return Array.from({ length: count }, (_, at) => memory(`filler ${at}`, { offset: 1000 + at }))
}
