import fc from 'fast-check'
import { expect, test } from 'vitest'
import { speaksEnglish } from '../../src/memory/speaks-english.ts'

test.each([
  'The ferry to the island leaves at noon.',
  "I don't know.",
  'Pizza!',
  'lol ok',
  'Zoë visited Łódź and São Paulo in May.',
  'We ate crème brûlée at a café in Liège.',
  'Die Hard is my favourite film.',
  'Meeting notes, Tuesday'
])('English: %s', (text) => {
  expect(speaksEnglish(text)).toBe(true)
})

test.each([
  'Marta wohnt seit zehn Jahren in der Stadt.',
  'Nous avons une maison dans le sud.',
  'Mi hermana trabaja en un banco.',
  'Mio fratello non è qui, lavora con il padre.',
  'Ik heb een hond en hij is heel groot.',
  'Jag bor i ett litet hus på landet.',
  'Mój brat nie jest w domu.',
  '田中さんは東京に住んでいます。',
  'Мой брат работает инженером в Москве.',
  'أخي يعمل مهندسا',
  '🎉🎉🎉',
  '1234 5678',
  ''
])('not English: %s', (text) => {
  expect(speaksEnglish(text)).toBe(false)
})

test('any text gets an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => typeof speaksEnglish(text) === 'boolean')
  )
})
