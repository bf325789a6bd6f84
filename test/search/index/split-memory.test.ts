import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse } from '../../../src/search/analyse/analyse.ts'
import { splitMemory } from '../../../src/search/index/split-memory.ts'

test('keeps a short text as one part with all facts', () => {
  const facts = [factAt(0), factAt(90)]
  expect(splitMemory({ text: 'a note', facts })).toEqual([{ passage: 0, text: 'a note', facts, events: [] }])
})

test('assigns each fact to the passage in which it begins, and facts beyond the text to the last', () => {
  const text = 'The kiln was lit before dawn and cooled until evening. '.repeat(80)
  const facts = [factAt(0), factAt(1500), factAt(text.length - 1), factAt(text.length + 1000)]
  const parts = splitMemory({ text, facts })
  expect(parts.flatMap(({ facts: some }) => some)).toEqual(facts)
  expect(parts[0]?.facts).toEqual([facts[0]])
  expect(parts.at(-1)?.facts).toEqual(facts.slice(2))
})

test('keeps every term of the whole text in its parts, including those across a cut', () => {
  const pieces = fc.constantFrom('kiln ', 'ash-glaze', '窑在天亮', '𠀀𠀁', 'é', 'copperkettle', '. ', '\n', "potter's ")
  const mixed = fc.array(pieces, { minLength: 300, maxLength: 900 }).map((some) => some.join(''))
  const numbers = fc.array(fc.nat(0x4fff), { minLength: 700, maxLength: 1500 })
  const han = numbers.map((some) => String.fromCodePoint(...some.map((at) => 0x4e00 + at)))
  const joined = numbers.map((some) => some.map((at) => `kiln${at}`).join('-'))
  fc.assert(
    fc.property(fc.oneof(mixed, han, joined), (text) => {
      const found = new Set(splitMemory({ text }).flatMap((part) => analyse(part.text)))
      expect(analyse(text).filter((term) => !found.has(term))).toEqual([])
    }),
    { numRuns: process.env.SLOW ? 500 : 20 }
  )
})

function factAt(start: number) {
  const span: [number, number] = [start, start + 10]
  return { subject: 'Ada', predicate: 'likes', value: `${start}`, rule: 'clause.plain', span }
}
