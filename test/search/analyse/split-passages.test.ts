import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PASSAGE, splitPassages } from '../../../src/search/analyse/split-passages.ts'
import { cpuMs } from '../../setup/cpu-time.ts'

const SENTENCE = 'The kiln was lit before dawn and cooled until the next evening. '

const partsOf = (text: string): string[] => splitPassages(text).map(({ start, end }) => text.slice(start, end))

test('keeps a text of up to two passages whole, and an empty one too', () => {
  for (const text of ['', 'a note', 'x'.repeat(2 * PASSAGE.SIZE)]) {
    expect(splitPassages(text)).toEqual([{ start: 0, end: text.length }])
  }
})

test('splits a text into passages without gaps, none of them empty, whose number depends on the length', () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constant(SENTENCE), fc.constant('\n\n')),
    {
      minLength: 20,
      maxLength: 200
    }
  )
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = pieces.join(' ')
      const parts = partsOf(text)
      expect(parts.join('')).toBe(text)
      if (text !== '') expect(parts.every((part) => part !== '')).toBe(true)
      expect(parts.length).toBeLessThanOrEqual(1 + (PASSAGE.DENSE_SIZE * text.length) / PASSAGE.SIZE)
    })
  )
})

test('splits a text into passages of equal size, except for moved cuts', () => {
  const lengths = splitPassages(SENTENCE.repeat(400)).map(({ start, end }) => end - start)
  expect(lengths.length).toBe(Math.round((SENTENCE.length * 400) / PASSAGE.SIZE))
  for (const length of lengths) {
    expect(Math.abs(length - PASSAGE.SIZE)).toBeLessThanOrEqual(2 * PASSAGE.SLACK * PASSAGE.SIZE + 2)
  }
})

test('cuts at nearby ends of paragraphs, otherwise of lines, sentences or words', () => {
  const words = 'clay and glaze and fire '
  const cutAfter = (pause: string): string => {
    const half = words.repeat(50)
    return partsOf(`${half}end${pause}${half}end. ${words.repeat(40)}`)[0] ?? ''
  }
  for (const pause of ['.\n\n', '\n', '. ']) expect(cutAfter(pause).endsWith(`end${pause}`)).toBe(true)
  for (const part of partsOf(words.repeat(200)).slice(0, -1)) expect(part.endsWith(' ')).toBe(true)
})

test('cuts a text without pauses, but never within a grapheme', () => {
  expect(partsOf('x'.repeat(5000)).map(({ length }) => length)).toEqual([1000, 1000, 1000, 1000, 1000])
  const family = '👩‍👩‍👧'
  for (const part of partsOf(family.repeat(700))) expect(part.replaceAll(family, '')).toBe('')
  for (const start of ['', 'x', 'xx']) {
    for (const part of partsOf(`${start}${'𠀀y'.repeat(1500)}`)) expect(part.isWellFormed()).toBe(true)
  }
})

test('makes passages of scripts without spaces shorter, because their letters are nearly words', () => {
  const sentence = '山里的窑在天亮以前点火，到第二天傍晚才冷下来。'
  const parts = partsOf(sentence.repeat(100))
  for (const part of parts.slice(0, -1)) expect(part.endsWith('。')).toBe(true)
  const letters = PASSAGE.SIZE / PASSAGE.DENSE_SIZE
  for (const { length } of parts) expect(length).toBeLessThan(1.6 * letters)
})

test('splits a million letters in linear time', async () => {
  for (const text of [SENTENCE.repeat(16_000), 'é'.repeat(1_000_000), ' '.repeat(1_000_000)]) {
    let passages = 0
    const ms = await cpuMs(() => {
      passages = splitPassages(text).length
    })
    expect(passages).toBeGreaterThan(900)
    expect(ms).toBeLessThan(10_000)
  }
})
