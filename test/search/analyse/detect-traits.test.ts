import { expect, test } from 'vitest'
import { detectTraits, TRAITS } from '../../../src/search/analyse/detect-traits.ts'

const { TIME, DURATION, NUMBER, NAME } = TRAITS

test('detects the traits of a text', () => {
  const traits: [string, number][] = [
    ['We met yesterday.', TIME],
    ['We met in May.', TIME | NAME],
    ['It may rain.', 0],
    ['I lived there for ages and a decade.', DURATION],
    ['She has three cats.', NUMBER],
    ['It costs 40 euros', NUMBER],
    ['Bought it on the 3rd', TIME | NUMBER],
    ['He works with Tom Baker', NAME],
    ['He read "the long way" twice', NAME | NUMBER],
    ['And so I left.', 0],
    ['Thanks a lot!', 0],
    ['Мы были в Москве', NAME],
    ['', 0]
  ]
  expect(traits.map(([text]) => detectTraits(text))).toEqual(traits.map(([, wanted]) => wanted))
})

test('examines only the beginning of a long text', () => {
  expect(detectTraits(`${'word '.repeat(2000)}yesterday`)).toBe(0)
})
