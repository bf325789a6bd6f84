import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test.each([
  ['a noun further left', 'We find stables near our cottages that have ponies.'],
  ['one of two joined names', 'It is about two cats named Tom and Bo who end up fighting.'],
  ['what a work of art shows', 'Here is the statue of Olga who is Russian.'],
  ['a noun behind a quotation', 'I keep seeing the "Paper Jam" warning that I have been trying to clear by hand.'],
  ['a superlative', 'It was the easiest cake that I baked at school.'],
  ['a source', "Lund is a very good town I've heard."],
  ['what a verb in -ing lacks', "Here's the slide I'm thinking about going on today."],
  ['a time that is spent', 'I resent the time I spend walking my goats.'],
  ['something without a name', 'Weaving is something I look forward to as a way to rest.'],
  ['another thing', 'Another bakery I really like is called Crumb.']
])('omits a relative clause about %s', (_what, text) => {
  expect(recordsIn(text, 'Ida').filter(({ rule }) => rule === 'clause.relative')).toEqual([])
})

test.each([
  ['its nearest noun', 'I work with my old friend Rex, who is 60.', "Ida's old friend Rex | is | 60"],
  [
    'what its noun is part of',
    'I checked the accuracy of my scale, which shows 3 grams.',
    "Ida's scale | shows | 3 grams"
  ],
  [
    'its noun, without a goal',
    'I want to apply the tricks that I learned in Lund to my garden.',
    'learned | the tricks in Lund'
  ]
])('reads a relative clause as about %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida').join('\n')).toMatch(new RegExp(`${fact}$`, 'm'))
})
