import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FACTS_MAX } from '../../../src/memory/facts/find-facts.ts'
import { cpuMs } from '../../setup/cpu-time.ts'
import { recordsIn } from './facts-in.ts'

const RUNS = process.env.SLOW === '1' ? 3000 : 72

const WORDS =
  'the a Ida Karl dog dogs house who that which if because and or but , . - ? " “ ” ( ) is was has been not never will to of in by I we my he it they said thinks built named running quickly old 1990 😀 \u0000 \ud83d'.split(
    ' '
  )

const texts = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 200 })
)

test('returns spans inside the text and confidences between 0 and 1 for any text', () => {
  fc.assert(
    fc.property(texts, fc.option(fc.constant('Ida'), { nil: undefined }), (text, speaker) => {
      for (const { span, confidence, subject, predicate, value } of recordsIn(text, speaker)) {
        expect(span[0]).toBeGreaterThanOrEqual(0)
        expect(span[1]).toBeGreaterThan(span[0])
        expect(span[1]).toBeLessThanOrEqual(text.length)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
        for (const part of [subject, predicate, value]) expect(part).not.toBe('')
      }
    }),
    { numRuns: RUNS }
  )
})

test('returns the same facts for the same text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(recordsIn(text, 'Ida')).toEqual(recordsIn(text, 'Ida'))
    }),
    { numRuns: RUNS / 4 }
  )
})

test('limits the number of facts of a text of any length', () => {
  expect(recordsIn('Ida bought a boat. '.repeat(2000))).toHaveLength(FACTS_MAX)
})

test.each([
  ['a sentence without an end', 'the dog that saw the cat and ran to '],
  ['nested brackets', '((('],
  ['quotation marks', '" “ \' '],
  ['emoji', '😀👍🏽'],
  ['control characters', '\u0000\u0007\u001b'],
  ['commas', 'Ida, Karl, '],
  ['relative clauses', 'who said that he '],
  ['verbs in a row', 'tries to start to '],
  ['one word', 'a']
])('takes time linear in the length of the text: %s', async (_, piece) => {
  const text = piece.repeat(Math.ceil(320_000 / piece.length))
  expect(await cpuMs(() => recordsIn(text, 'Ida'))).toBeLessThan(20_000)
})
