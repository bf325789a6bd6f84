import { expect, test } from 'vitest'
import { found, indexOf, memory } from '../make-memories.ts'

const LONG = Array.from({ length: 150 }, (_, at) => `word${at}`).join(' ')

function chat(texts: readonly string[]) {
  return texts.map((text, offset) => memory(`${offset}`, { text, offset, conversation: 'c', position: offset }))
}

test('ranks a short statement above a long turn that repeats its words', async () => {
  const index = await indexOf(
    chat(['I moved the boat', `The boat, boat, boat and boat again: ${LONG}`, 'thanks', 'bye'])
  )
  expect(found(index, 'boat').slice(0, 2)).toEqual([0, 1])
})

test('finds no turn by the words of a long turn beside it', async () => {
  const index = await indexOf(chat(['hello there', `volcano ${LONG}`, 'good night', 'see you', 'so long']))
  expect(found(index, 'volcano')).toEqual([1])
})

test('ignores a long turn that lies between two short ones of different segments', async () => {
  const [first, long, ...others] = chat(['volcano', LONG, 'good night', 'see you', 'so long', 'bye'])
  if (first === undefined || long === undefined) throw new Error('the chat is empty')
  const index = await indexOf([first, ...others])
  expect(found(index, 'volcano')).toContain(2)
  index.add(long)
  expect(found(index, 'volcano')).toEqual([0])
})

test('a long text without a conversation loses nothing', async () => {
  const index = await indexOf([
    memory('page', { text: `boat boat boat ${LONG}`, offset: 0 }),
    memory('other', { text: `boat ${LONG}`, offset: 1 })
  ])
  const [best] = index.search('boat', { limit: 1, explain: true })
  expect(best?.explanation?.evidence.map(({ name }) => name)).not.toContain('long_turn')
})

test('names what a long turn lost in its explanation, which still adds up to the score', async () => {
  const index = await indexOf(chat(['hello there', `boat ${LONG}`]))
  const [best] = index.search('boat', { limit: 1, explain: true })
  const parts = [...(best?.explanation?.cues ?? []), ...(best?.explanation?.evidence ?? [])]
  expect(parts.map(({ name }) => name)).toContain('long_turn')
  expect(parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(best?.score ?? 0, 9)
})
