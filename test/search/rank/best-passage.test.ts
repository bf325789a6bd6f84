import { expect, test } from 'vitest'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import { textPassages } from '../../../src/search/analyse/text-passages.ts'
import { bestPassage } from '../../../src/search/rank/best-passage.ts'

const FILLING = 'Notes of the gardening club about hedges and bulbs and rain. '
const cues = analyse('copper kettle auction').map((name) => ({ name, weight: 2 }))
const factorOf = (terms: number): number => 1.2 * (0.25 + (0.75 * terms) / 100)

const best = (text: string) => bestPassage(text, { cues, length: analyse(text).length, factorOf })

test('words that stand together win over the same words scattered over a long text', () => {
  const gap = FILLING.repeat(60)
  const scattered = best(`${gap}A copper wire. ${gap}The kettle sings. ${gap}An auction of bulbs. ${gap}`)
  const together = best(`${gap}${gap}They sold the copper kettle at an auction. ${gap}${gap}`)
  expect(together.score).toBeGreaterThan(2 * scattered.score)
})

test('the passage is one of those that the text is cut into, and has the words', () => {
  const text = `${FILLING.repeat(100)}They sold the copper kettle at an auction. ${FILLING.repeat(30)}`
  const { start, end } = best(text)
  expect(textPassages(text)).toContainEqual({ start, end })
  expect(text.slice(start, end)).toContain('copper kettle')
})

test('a long text is worth as much as its best passage alone', () => {
  const text = `${FILLING.repeat(100)}They sold the copper kettle at an auction. ${FILLING.repeat(30)}`
  const { start, end, score } = best(text)
  expect(best(text.slice(start, end)).score).toBeCloseTo(score, 1)
})

test('a short text is one passage, with the score of BM25', () => {
  const text = 'The copper kettle, copper all over'
  const length = analyse(text).length
  const factor = factorOf(length)
  expect(best(text)).toEqual({ start: 0, end: text.length, score: (2 * 2) / (2 + factor) + (2 * 1) / (1 + factor) })
})

test('a text without anything that is looked for gives its beginning and no score', () => {
  const text = FILLING.repeat(100)
  expect(best(text)).toEqual({ start: 0, end: textPassages(text)[0]?.end, score: 0 })
  expect(best('')).toEqual({ start: 0, end: 0, score: 0 })
})
