import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayBeAlike, sketchText } from '../../../src/search/answer/fold-near-duplicates.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'é', '日'), minLength: 1, maxLength: 4 })
const words = fc.array(word, { minLength: 200, maxLength: 300 })
const gap = fc.constantFrom(' ', ', ', '\n', ' – ', '。', '. ')

test('ignores case, spaces and punctuation', () => {
  fc.assert(
    fc.property(words, gap, (all, between) => {
      const plain = sketchText(all.join(' '))
      expect(sketchText(`${all.join(between).toUpperCase()}!`)).toEqual(plain)
    })
  )
})

test('may treat texts as similar that differ in one word of a hundred', () => {
  fc.assert(
    fc.property(words, fc.nat(199), (all, place) => {
      const changed = all.with(place, 'otherwise')
      expect(mayBeAlike(sketchText(all.join(' ')), sketchText(changed.join(' ')))).toBe(true)
    })
  )
})

test('distinguishes different texts of the same length', () => {
  const text = (from: number) => Array.from({ length: 200 }, (_, at) => `word${from + at}`).join(' ')
  expect(mayBeAlike(sketchText(text(0)), sketchText(text(1000)))).toBe(false)
  expect(mayBeAlike(sketchText(text(0)), sketchText(`${text(0)} ${text(0)}`))).toBe(false)
})
