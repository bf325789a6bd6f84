import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import { findTermSpans } from '../../../src/search/analyse/find-term-spans.ts'
import { STOP_WORDS } from '../../../src/search/analyse/stop-words.ts'

/** Returns the parts of `text` that contain the terms of `query`. */
function found(text: string, query: string): string[] {
  return findTermSpans(text, new Set(analyse(query))).map(({ start, end }) => text.slice(start, end))
}

test.each([
  ['stems', 'She painted; painting paints.', 'paint', ['painted', 'painting', 'paints']],
  ['capitals', 'PARIS Paris pArIs', 'paris', ['PARIS', 'Paris', 'pArIs']],
  ['possessives, without their ending', "Anna’s and Anna's", 'anna', ['Anna', 'Anna']],
  ['words joined by an apostrophe', "l'homme y'all can't", 'homme', ['homme']],
  ['accents', 'Le café, le CAFÉ et le cafe\u0301', 'cafe', ['café', 'CAFÉ', 'cafe\u0301']],
  ['letters that fold to two', 'die Straße', 'strasse', ['Straße']],
  ['full width', '＜ｗｉｄｅ＞', 'wide', ['ｗｉｄｅ']],
  ['ligatures', 'the oﬃce', 'office', ['oﬃce']],
  ['a capital that lowers to two units', 'İstanbul', 'istanbul', ['İstanbul']],
  ['Chinese', '我们的记忆系统。', '记忆', ['记忆']],
  ['half-width katakana', 'x ｶﾞｷﾞ', 'ガギ', ['ｶﾞｷﾞ']],
  ['Thai', 'สวัสดีชาวโลก', 'โลก', ['โลก']],
  ['Hindi', 'हिन्दी में खोज', 'खोज', ['खोज']],
  ['Korean', '한국어 검색', '검색', ['검색']],
  ['Arabic with vowel signs', 'العَرَبِيَّة', 'العربية', ['العَرَبِيَّة']],
  ['an emoji with its skin tone', 'so 👍🏽!', '👍', ['👍🏽']],
  ['an emoji joined from several, as a whole', 'us 👩‍👩‍👧 there', '👧', ['👩‍👩‍👧']],
  ['flags', 'x🇩🇪🇫🇷', '🇫🇷', ['🇫🇷']],
  ['stop words if there are no other words', 'Who are you?', 'who are you', ['Who', 'are', 'you?']],
  ['punctuation beside words', 'well :-)', ':-)', []],
  ['punctuation alone', ':-) ;-)', ';-)', [';-)']]
])('finds the spans of %s', (...[, text, query, places]) => {
  expect(found(text, query)).toEqual(places)
})

test('returns no spans if the text has no term of the query', () => {
  expect(found('black tea', 'coffee')).toEqual([])
  expect(found('', 'coffee')).toEqual([])
  expect(found('black tea', '')).toEqual([])
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      ...["'", '’', ' ', 'a', 'B', 's', 't', 'é', '\u0301', '日', '本', 'ｶ', 'ﾞ', '👍', '🏽', '\u200d', '，', 'ß']
    ),
    maxLength: 40
  })
)
const runs = { numRuns: process.env.SLOW === undefined ? 300 : 50_000 }

test('returns the terms with spans in the order of the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = analyse(text)
      fc.pre(terms.some((term) => !STOP_WORDS.has(term) && /[\p{L}\p{N}]/u.test(term)))
      expect(findTermSpans(text, new Set(terms)).map(({ term }) => term)).toEqual(terms)
    }),
    runs
  )
})

test('returns ordered spans within the text that cut no grapheme', () => {
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  fc.assert(
    fc.property(anyText, (text) => {
      const edges = new Set([text.length, ...[...letters.segment(text)].map(({ index }) => index)])
      let before = 0
      for (const { start, end } of findTermSpans(text, new Set(analyse(text)))) {
        expect(start).toBeLessThan(end)
        expect(start).toBeGreaterThanOrEqual(before)
        expect([edges.has(start), edges.has(end)]).toEqual([true, true])
        before = start
      }
    }),
    runs
  )
})

test('returns at most the requested number of spans', () => {
  expect(findTermSpans('tea '.repeat(100), new Set(['tea']), { spansMax: 7 })).toHaveLength(7)
})

test('searches a text of megabytes to its end', () => {
  const text = `${'lorem ipsum dolor '.repeat(300_000)} the answer`
  expect(found(text, 'answer')).toEqual(['answer'])
})
