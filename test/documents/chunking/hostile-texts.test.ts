import { expect, test } from 'vitest'
import { CHUNK_MAX } from '../../../src/documents/chunking/chunk-text.ts'
import { saidIn, textsOf } from './chunk-kit.ts'

/** Each would take minutes if the time were not linear in the length. */
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['a line of 10 MB without a border', 'a'.repeat(10_000_000)],
  ['a line of 2 MB of words', 'word '.repeat(400_000)],
  ['sentences of nothing', '. '.repeat(500_000)],
  ['points and commas', '.,'.repeat(500_000)],
  ['points alone', '.'.repeat(1_000_000)],
  ['a million empty lines', `a${'\n'.repeat(1_000_000)}b`],
  ['a million spaces', `a${' '.repeat(1_000_000)}b`],
  ['lines of one letter', 'x\n'.repeat(200_000)],
  ['combining marks alone', '\u0301'.repeat(500_000)],
  ['overrides of direction', '\u202eabc '.repeat(100_000)],
  ['NUL', '\0'.repeat(500_000)],
  ['lone surrogates', '\udc00\ud800'.repeat(100_000)],
  ['100,000 headings', '# h\n\n'.repeat(100_000)],
  [
    'headings of all levels',
    Array.from({ length: 50_000 }, (_, i) => `${'#'.repeat(1 + (i % 6))} h${i}\nx\n`).join('')
  ],
  ['lines that may be titles', 'Title Here\n\n'.repeat(50_000)],
  ['lines that lead to nothing', 'a:\n\n\n\n'.repeat(50_000)],
  ['items', '- a\n'.repeat(100_000)],
  ['bars', '|'.repeat(1_000_000)],
  ['rows of one bar', '|a|\n'.repeat(50_000)],
  ['fences that never close', '```\n~~~\n'.repeat(50_000)],
  ['cells by commas', 'a,b,c\n'.repeat(50_000)],
  ['a head of 5,000 columns', `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n`.repeat(20)]
]

test.each(TEXTS)('%s: splits into chunks of bounded size without loss', (_, text) => {
  const sound = text.toWellFormed()
  const chunks = textsOf(sound)
  for (const chunk of chunks) if (chunk.length > CHUNK_MAX || !chunk.isWellFormed()) expect.fail('a chunk is no chunk')
  const said = chunks.map(saidIn).join('')
  // Headers and fences may be repeated.
  if (/[`|]/.test(text)) expect(said.length).toBeGreaterThanOrEqual(saidIn(sound).length)
  else expect(said === saidIn(sound)).toBe(true)
})

test.each(['', ' ', '\n\n\t\n', '\u3000\ufeff'.repeat(5000)])('returns no chunks of a blank text', (text) => {
  expect(textsOf(text)).toEqual([])
})
