import fc from 'fast-check'
import { chunkText } from '../../../src/documents/chunking/chunk-text.ts'

/** Returns the texts of a text's chunks, without their headings. */
export function textsOf(text: string): string[] {
  return [...chunkText(text)].map((chunk) => chunk.text)
}

/** Removes the whitespace of a text. */
export function saidIn(text: string): string {
  return text.replace(/[\s\u0085]+/g, '')
}

const WORDS =
  'quay library facade larch zinc roof terrazzo light pump storm hearing drawing budget opening kitchen'.split(' ')

/** Sentences of some words and a number, so that few are equal. */
export const sentence: fc.Arbitrary<string> = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 4, maxLength: 20 }), fc.nat(9999))
  .map(([words, number]) => `The ${words.join(' ')} ${number}.`)

/** Paragraphs of one to seven sentences. */
export const paragraph: fc.Arbitrary<string> = fc
  .array(sentence, { minLength: 1, maxLength: 7 })
  .map((sentences) => sentences.join(' '))

/** Texts with many kinds of lines, mostly too long for one chunk. */
export const document: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { arbitrary: paragraph, weight: 3 },
      fc.tuple(fc.integer({ min: 1, max: 6 }), sentence).map(([level, words]) => `${'#'.repeat(level)} ${words}`),
      fc.array(sentence, { minLength: 1, maxLength: 9 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
      fc.array(paragraph, { minLength: 8, maxLength: 20 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 3000 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('\n\n\n\n', '   ', '***', 'Title\n=====', '```', '> quoted', '漢字の文章。'.repeat(200)),
      fc.array(sentence, { minLength: 2, maxLength: 40 }).map((lines) => lines.join('\n'))
    ),
    { maxLength: 12 }
  )
  .chain((blocks) => fc.constantFrom('\n\n', '\n', '\r\n\r\n').map((gap) => blocks.join(gap)))
