import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutSnippet, type SnippetMatch } from '../../src/cli/views/cut-snippet.ts'

/** Returns the positions of words in a text, as terms of weight 1 or of the given weight. */
function found(text: string, ...words: (string | [string, number])[]): SnippetMatch[] {
  return words
    .flatMap((word) => {
      const [term, weight] = typeof word === 'string' ? [word, 1] : word
      return [...text.matchAll(new RegExp(term, 'g'))].map(({ index }) => {
        return { term, weight, start: index, end: index + term.length }
      })
    })
    .sort((left, right) => left.start - right.start)
}

/** Returns the marked parts of a snippet. */
function marked(text: string, places: readonly SnippetMatch[], units: number): string[] {
  const snippet = cutSnippet(text, places, units)
  return snippet.marks.map(({ start, end }) => snippet.text.slice(start, end))
}

const FILLER = 'Nothing of note was said here. '

test('starts at the beginning of the text for an early match', () => {
  const text = `The boiler is old. ${FILLER.repeat(20)}`
  expect(cutSnippet(text, found(text, 'boiler'), 100).text).toBe(text)
  expect(cutSnippet(text, [], 100)).toEqual({ text, marks: [] })
})

test('starts at the sentence of a late match', () => {
  const text = `${FILLER.repeat(20)}At noon the boiler failed. ${FILLER.repeat(20)}`
  const snippet = cutSnippet(text, found(text, 'boiler'), 100)
  expect(snippet.text.startsWith('…At noon the boiler failed. Nothing')).toBe(true)
  expect(marked(text, found(text, 'boiler'), 100)).toEqual(['boiler'])
})

test('starts at a word shortly before a match in a long sentence', () => {
  const text = `${'and so on '.repeat(50)}until the boiler failed ${'and so on '.repeat(50)}`
  const { text: shown } = cutSnippet(text, found(text, 'boiler'), 100)
  expect(shown).toMatch(/^…(?:and|so|on) /)
  expect(shown.indexOf('boiler')).toBeLessThanOrEqual(31)
})

test('prefers the snippet with the most query terms to the first one and to one repeated term', () => {
  const text = [
    'A boiler is here. ',
    FILLER.repeat(20),
    'boiler boiler boiler boiler boiler. ',
    FILLER.repeat(20),
    'The boiler lost pressure. ',
    FILLER.repeat(20)
  ].join('')
  const { text: shown } = cutSnippet(text, found(text, 'boiler', 'pressure'), 100)
  expect(shown.startsWith('…The boiler lost pressure.')).toBe(true)
})

test('prefers terms with a higher weight', () => {
  const text = `${FILLER.repeat(9)}Alpha. ${FILLER.repeat(9)}Beta. ${FILLER.repeat(9)}`
  const { text: shown } = cutSnippet(text, found(text, ['Alpha', 0.2], ['Beta', 0.8]), 100)
  expect(shown.startsWith('…Beta.')).toBe(true)
})

test('fills the space with earlier text near the end', () => {
  const text = `${FILLER.repeat(20)}Last came the boiler.`
  const { text: shown } = cutSnippet(text, found(text, 'boiler'), 100)
  expect(shown).toBe(`…${FILLER.repeat(2)}Last came the boiler.`)
})

test('starts at the label of a line, however short the lines before it are', () => {
  const text = `---\ntags: [it]\n---\n${'- a: b\n'.repeat(9)}- Employer: Boiler & Co\n- Pet: cat\n${'- c: d\n'.repeat(9)}`
  expect(cutSnippet(text, found(text, 'Boiler'), 24).text.startsWith('…- Employer: Boiler')).toBe(true)
})

test('cuts a script without spaces after a full stop', () => {
  const text = `${'何もありません。'.repeat(20)}昨日は鍋が壊れました。${'何もありません。'.repeat(20)}`
  expect(cutSnippet(text, found(text, '鍋'), 40).text.startsWith('…昨日は鍋が壊れました。')).toBe(true)
})

test('keeps marks on their words after a cut', () => {
  const word = fc.constantFrom('boiler', 'pressure', 'a', 'longer-word', 'stop. ', '\n', '日本')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 1, max: 120 }), (words, units) => {
      const text = words.join(' ')
      for (const mark of marked(text, found(text, 'boiler', 'pressure'), units)) {
        expect(['boiler', 'pressure']).toContain(mark)
      }
      expect(text.endsWith(cutSnippet(text, found(text, 'boiler'), units).text.replace(/^…/, ''))).toBe(true)
    })
  )
})

test('handles many thousands of matches quickly', () => {
  const text = 'boiler pressure '.repeat(20_000)
  expect(cutSnippet(text, found(text, 'boiler', 'pressure'), 400).text).toBe(text)
})
