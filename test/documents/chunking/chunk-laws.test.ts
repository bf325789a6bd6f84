import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHUNK_MAX } from '../../../src/documents/chunking/chunk-text.ts'
import { splitPassages } from '../../../src/search/analyse/split-passages.ts'
import { document, paragraph, saidIn, sentence, textsOf } from './chunk-kit.ts'

const numRuns = process.env.SLOW === undefined ? 80 : 5000

test('returns chunks that contain the whole text in order, nothing twice', () => {
  fc.assert(
    fc.property(document, (text) => {
      // Headers of tables and fences are repeated, so only texts without them are compared.
      fc.pre(!/[`~|]/.test(text))
      expect(textsOf(text).map(saidIn).join('')).toBe(saidIn(text))
    }),
    { numRuns }
  )
})

test('returns chunks that are valid passages without blank ends', () => {
  fc.assert(
    fc.property(document, (text) => {
      for (const chunk of textsOf(text.toWellFormed())) {
        expect(chunk.length).toBeLessThanOrEqual(CHUNK_MAX)
        expect(splitPassages(chunk)).toHaveLength(1)
        expect(chunk.isWellFormed()).toBe(true)
        expect(saidIn(chunk)).not.toBe('')
        expect(chunk).not.toMatch(/^\s*\n|\s$/)
      }
    }),
    { numRuns: numRuns / 4 }
  )
})

test('removes every kind of white space at the ends of chunks', () => {
  const long = Array.from({ length: 60 }, (_, at) => `Sentence ${at} fills the chunk up.`).join(' ')
  for (const space of WHITE_SPACE)
    for (const chunk of textsOf(`${long}\n\n${space}note${space}\n\n- ${long}`)) expect(chunk).not.toMatch(/\s$/)
})

/** Every code unit that JavaScript matches as `\s`, except line breaks. */
const WHITE_SPACE = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((unit) =>
  /[^\S\n\r\u2028\u2029]/.test(unit)
)

test('returns whole paragraphs of plain prose, in chunks that are not tiny', () => {
  fc.assert(
    fc.property(fc.uniqueArray(paragraph, { minLength: 30, maxLength: 60 }), (paragraphs) => {
      const chunks = textsOf(paragraphs.join('\n\n'))
      expect(chunks.flatMap((chunk) => chunk.split('\n\n'))).toEqual(paragraphs)
      for (const chunk of chunks) expect(chunk.length).toBeGreaterThan(500)
    }),
    { numRuns: numRuns / 4 }
  )
})

test('splits a long paragraph between its sentences', () => {
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 60, maxLength: 90 }), (sentences) => {
      for (const chunk of textsOf(sentences.join(' '))) expect(chunk).toMatch(/^The .*\.$/)
    }),
    { numRuns: numRuns / 4 }
  )
})

type Edit = { how: 'change' | 'insert' | 'delete'; at: number; words: string }

const edit: fc.Arbitrary<Edit> = fc.record({
  how: fc.constantFrom('change', 'insert', 'delete'),
  at: fc.nat(99),
  words: paragraph
})

function edited(paragraphs: readonly string[], { how, at, words }: Edit): string[] {
  return paragraphs.toSpliced(at, how === 'insert' ? 0 : 1, ...(how === 'delete' ? [] : [words]))
}

test('changes two chunks on average when one of a hundred paragraphs is edited', () => {
  const changed: number[] = []
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 100, maxLength: 100 }), edit, (paragraphs, one) => {
      const before = new Set(textsOf(paragraphs.join('\n\n')))
      const after = textsOf(edited(paragraphs, one).join('\n\n'))
      changed.push(after.filter((chunk) => !before.has(chunk)).length)
      expect(changed.at(-1)).toBeLessThanOrEqual(6)
    }),
    { numRuns: numRuns / 2 }
  )
  expect(changed.reduce((sum, count) => sum + count, 0) / changed.length).toBeLessThanOrEqual(2)
})

test('changes few chunks when a text without any border is edited', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 30_000, maxLength: 40_000 })
  const changed: number[] = []
  fc.assert(
    fc.property(letters, fc.nat(29_999), (text, at) => {
      const before = new Set(textsOf(text))
      const after = textsOf(`${text.slice(0, at)}xyz${text.slice(at)}`)
      changed.push(after.filter((chunk) => !before.has(chunk)).length)
    }),
    { numRuns: 30 }
  )
  expect(changed.reduce((sum, count) => sum + count, 0) / changed.length).toBeLessThanOrEqual(5)
})
