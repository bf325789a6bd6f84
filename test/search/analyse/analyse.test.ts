import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import { TERM_CODE_POINTS_MAX } from '../../../src/search/analyse/to-term.ts'

test.each([
  ['plain English', 'Caroline was running with her dogs', ['carolin', 'run', 'dog']],
  [
    'possessives and contractions',
    "Anna's dog doesn't bark, O'Brien says it's fine",
    ['anna', 'dog', 'bark', 'o', 'brien', 'say', 'fine']
  ],
  ['typographic apostrophes', 'Anna’s dog doesn’t bark', ['anna', 'dog', 'bark']],
  [
    'identifiers and addresses',
    'snake_case at https://example.org/a?b=2',
    ['snake', 'case', 'https', 'exampl', 'org', 'b', '2']
  ],
  ['German', 'Größe Straße Äpfel', ['gross', 'strass', 'apfel']],
  ['French', "l'été déjà naïf", ['l', 'ete', 'deja', 'naif']],
  ['Polish', 'Łódź żółw', ['lodz', 'zolw']],
  ['Turkish', 'İstanbul ışık', ['istanbul', 'isik']],
  ['Vietnamese', 'tiếng Việt', ['tieng', 'viet']],
  ['Icelandic', 'það þorp', ['thad', 'thorp']],
  ['Greek', 'ΣΊΣΥΦΟΣ Αθήνα', ['σισυφοσ', 'αθηνα']],
  ['Russian', 'Ёлка Йод', ['елка', 'иод']],
  ['Arabic', 'العَرَبِيَّة ١٢٣', ['العربية', '123']],
  ['Hebrew', 'שָׁלוֹם עולם', ['שלום', 'עולם']],
  ['Hindi', 'हिन्दी में खोज', ['हिन्दी', 'में', 'खोज']],
  ['Tamil', 'தமிழ் மொழி', ['தமிழ்', 'மொழி']],
  ['Georgian', 'ქართული ენა', ['ქართული', 'ენა']],
  ['Armenian', 'Հայերեն', ['հայերեն']],
  ['Amharic', 'አማርኛ ቋንቋ', ['አማርኛ', 'ቋንቋ']],
  ['Chinese', '记忆系统', ['记忆', '忆系', '系统']],
  ['a lone Chinese character', '东 x', ['东', 'x']],
  ['Japanese', '日本語テキスト', ['日本', '本語', '語テ', 'テキ', 'キス', 'スト']],
  ['half-width katakana', 'ｶﾞｷﾞ', ['ガギ']],
  ['Korean', '한국어 검색', ['한국', '국어', '검색']],
  ['Thai', 'สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
  ['Thai digits', '๒๕๖๗', ['2567']],
  ['Khmer digits', '២០២៣', ['2023']],
  ['full width', 'ｆｕｌｌ　ｗｉｄｔｈ', ['full', 'width']],
  ['emoji', 'so good 👍🏽👩‍👩‍👧 🇩🇪🇫🇷', ['good', '👍', '👩', '👩', '👧', '🇩🇪', '🇫🇷']],
  ['characters beyond 16 bits', '𠜎𠜱𠝹', ['𠜎𠜱', '𠜱𠝹']],
  ['stacked marks', 'z̸͎̈a̵l̷g̸o̶', ['zalgo']]
])('returns the terms of %s', (_, text, terms) => {
  expect(analyse(text)).toEqual(terms)
})

test('keeps function words if there is nothing else', () => {
  expect(analyse('to be or not to be')).toEqual(['to', 'be', 'or', 'not', 'to', 'be'])
})

test('splits a text without words at its spaces', () => {
  expect(analyse('!@#$%^&*() \t<>')).toEqual(['!@#$%^&*()', '<>'])
})

test('treats a text of control characters or spaces as terms', () => {
  expect(analyse('\u0001\u0002')).toEqual(['\u0001\u0002'])
  expect(analyse(' \u00a0')).toHaveLength(1)
  expect(analyse('')).toEqual([])
})

test('gives a text and its ASCII spelling the same terms', () => {
  const ascii = "Rock'n'roll: 24 cafes, don't!"
  expect(analyse(`${ascii.replaceAll("'", '’')} é`)).toEqual([...analyse(ascii), 'e'])
})

test('gives a word the same term in any encoding of its accents and any case', () => {
  const terms = ['Café', 'Cafe\u0301', 'CAFÉ', 'cafe', 'ｃａｆé'].flatMap((word) => analyse(word))
  expect(new Set(terms).size).toBe(1)
})

test('accepts any string, and returns no term that is empty or too long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const term of analyse(text)) {
        expect(term).not.toBe('')
        expect(Array.from(term).length).toBeLessThanOrEqual(TERM_CODE_POINTS_MAX)
      }
    })
  )
})

test('keeps combining marks without a base character', () => {
  expect(analyse('\ufc5e')).toEqual(['\u064c\u0651'])
})

test('finds a term in any text that is not empty', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => analyse(text).length > 0))
})

test('skips lone surrogates', () => {
  expect(analyse('one \ud800 two \udfff')).toEqual(['one', 'two'])
  expect(analyse('\ud800')).toEqual(['\ufffd'])
})

test.each([
  ['one word', 'a'.repeat(2_000_000), 1],
  ['one accented word', 'é'.repeat(2_000_000), 1],
  ['stacked marks', `a${'\u0301'.repeat(2_000_000)}`, 1],
  ['one line of Han', '记'.repeat(500_000), 499_999],
  ['signs', '!'.repeat(2_000_000), 1]
])('analyses a giant text of %s', (_, text, terms) => {
  expect(analyse(text)).toHaveLength(terms)
})
