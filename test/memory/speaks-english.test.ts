import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEnglish } from '../../src/memory/language/is-english.ts'

test.each([
  'The ferry to the island leaves at noon.',
  "I don't know.",
  'Pizza!',
  'lol ok',
  'Zoë visited Łódź and São Paulo in May.',
  'We ate crème brûlée at a café in Liège.',
  'Die Hard is my favourite film.',
  'Meeting notes, Tuesday',
  'We met Eva yesterday.',
  'Ole met Ben.',
  'Ada met Mia.',
  'Yesterday Ole met Dan.',
  'Joan del Rey de la Vega lives in San Juan de los Lagos.',
  'Pieter van der Meer painted Rotterdam.',
  'Eva reads Le Figaro.',
  'We watched Das Boot.',
  'Eva lost hat.',
  'Las Palmas glows.',
  'Eva bought a van.',
  'Eva drank mint tea.',
  "Ann's son rows."
])('recognises English: %s', (text) => {
  expect(isEnglish(text)).toBe(true)
})

test.each([
  'Marta wohnt seit zehn Jahren in der Stadt.',
  'Nous avons une maison dans le sud.',
  'Mi hermana trabaja en un banco.',
  'Mio fratello non è qui, lavora con il padre.',
  'Ik heb een hond en hij is heel groot.',
  'Jag bor i ett litet hus på landet.',
  'Mój brat nie jest w domu.',
  'Wir essen Pizza.',
  'Die Katze hat Hunger.',
  'Die Kinder spielen.',
  'Eva hat Hunger.',
  'Eva war krank.',
  'Ole liebt die Stadt.',
  'Das Wetter war schlecht.',
  'Jan werkt met Piet.',
  'Jan houdt van Marie.',
  'Ik ga met Eva naar huis.',
  'Pieter van der Meer woont bij zijn moeder.',
  'Le chat dort.',
  'Marie aime son chien.',
  'Marie travaille pour Renault.',
  'Marie est de Paris.',
  'La France est belle.',
  'Juan de la Vega vive con Ana.',
  'No hay problema, pero estoy cansado.',
  'Ana tem um carro.',
  'Mia madre lavora con Paolo.',
  'Han har en hund.',
  'Anna kom till Oslo.',
  'DER HUND IST GROSS.',
  '田中さんは東京に住んでいます。',
  'Мой брат работает инженером в Москве.',
  'أخي يعمل مهندسا',
  '🎉🎉🎉',
  '1234 5678',
  ''
])('recognises another language: %s', (text) => {
  expect(isEnglish(text)).toBe(false)
})

test('returns a result for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => typeof isEnglish(text) === 'boolean'))
})
