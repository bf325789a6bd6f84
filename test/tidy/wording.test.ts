import { expect, test } from 'vitest'
import { useIdiomaticEnglish, wrapDocuments } from './wording.ts'

const found = (text: string, path = 'src/cli/a.ts') => useIdiomaticEnglish([{ path, text }])

test.each([
  ['a comment', '/** Stops where\n * none runs. */\nexport const a = 1', 'where none'],
  ['a message', "throw new Error(`'5x' is no duration`)", 'is no '],
  ['a trailing comment', 'const a = 1 // once more, anew', 'anew'],
  ['a string', "const hint = 'start it anew'", 'anew']
])('finds a phrase in %s', (_place, text, phrase) => {
  expect(found(text)).toEqual([expect.stringContaining(`src/cli/a.ts:1: "${phrase}" in "`)])
})

test('finds a phrase in the title of a test, and not in its input', () => {
  const text = "const input = 'say it anew'\ntest.each([1])('reads it anew', () => input)"
  expect(found(text, 'test/a.test.ts')).toEqual(['test/a.test.ts:2: "anew" in "reads it anew"'])
})

test('finds a phrase in a document, and not in a word list of grammar', () => {
  expect(found('# Title\n\nIt goes on.\n', 'a.md')).toHaveLength(1)
  expect(found("export const WORDS = ['anew']", 'src/memory/words.ts')).toEqual([])
})

test('accepts a phrase of the list in its idiomatic use', () => {
  expect(found('// There is no need to wait, and it is no longer there.\nexport const a = 1')).toEqual([])
})

test('finds a long line in a document, and accepts tables, code and addresses', () => {
  const long = 'word '.repeat(21).trim()
  const text = [long, `| ${long} |`, '```', long, '```', `    ${long}`, `${long} https://example.org`].join('\n')
  expect(wrapDocuments([{ path: 'a.md', text }])).toEqual(['a.md:1: 104 columns, at most 100'])
})
