import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test.each([
  ['one of several subjects', 'I rest when my work and school are crazy.'],
  ['the object of an activity', 'Absolutely, striking the right balance is crucial.'],
  ['a noun behind a quotation', 'The "Loud Blue" range is fantastic for keeping dark hair.'],
  ['what was just said', 'Sweet soup sounds weird.'],
  ['what another person said', 'Oat porridge is indeed a lovely breakfast for winter.'],
  ['a title', 'Another film I love is "The Good Barn" for its odd jokes.'],
  ['a definite thing', 'One standout race was the thrilling ten-lap final between Bo and Ann.'],
  ['a mixture', 'One of my drinks was a mix of fresh melon juice and mint.']
])('reads no opinion of %s', (_what, text) => {
  expect(recordsIn(text, 'Ida').filter(({ rule }) => rule === 'opinion.finds')).toEqual([])
})

test.each([
  ['its participle', 'The days spent in Lund were truly wonderful.', 'found | the days spent in Lund truly wonderful'],
  [
    'nothing of the next statement',
    'The lights in the hall were stunning, bringing the old walls to life.',
    'hall stunning'
  ],
  ['both of its activities', 'Rowing is such a great sport for stretching and training the arms.', 'training the arms'],
  ['the whole activity', 'Taking baths is a wonderful winter hobby.', 'finds | taking baths a wonderful winter hobby']
])('gives an opinion %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toMatch(new RegExp(`${words}$`, 'm'))
})
