import { expect, test } from 'vitest'
import { factsIn } from './facts-in.ts'

test.each([
  ['what a statement leads to', 'Ida was praised by her neighbours, which made her glad.', 'neighbours | made'],
  ['what something leads to for a person', 'Ida was praised by her coach, making her glad.', 'Ida | making'],
  ['things of which some are meant', 'We buy lamps that run on oil.', 'lamps | run'],
  ['the part of something restricted', 'We study puzzles whose answers are short.', 'answers | are'],
  ['a circumstance', 'Olga praised the ease with which the boat can be steered.', 'the boat | can be steered'],
  ['a participle before its noun', 'Olga ate soup at the newly opened noodle bar.', 'newly | is opened'],
  ['rows of numbers', 'The list was 12 5 88 12 5 88 on the page.', 'The list'],
  ['a noun read as a verb', 'Rex got a silver pocket watch from his aunt.', 'Rex | watch'],
  ['the name of a rule', "The sum is found by Simpson's rule.", 'Simpson | has'],
  ['what begins in the middle', 'Olga was looking forward to was cancelled.', 'to was cancelled'],
  ['a report without a subject', 'The wall is old. It was found that the wall leaks.', 'was found | that']
])('omits from a text without a speaker %s', (_what, text, fact) => {
  expect(factsIn(text).join('\n')).not.toContain(fact)
})

test.each([
  [
    'before a contrast',
    'Rex got a toy that looked nice at his party, but upon opening it, he found the paint to be poor.',
    'looked | nice at his party'
  ],
  [
    'before a remark',
    'Olga has raised a small hen at home and finds it very calm, which makes her glad.',
    'finds | it very calm'
  ],
  ['before a relative pronoun', 'The tour was a part of a plan in which tea is sold.', 'was | a part of a plan']
])('ends a value of a text without a speaker %s', (_where, text, fact) => {
  expect(factsIn(text).filter((line) => line.endsWith(fact))).toHaveLength(1)
})

test.each([
  ['a named thing', 'Rex, which has a red hull, is a boat.', 'Rex | has | a red hull'],
  ['a certain thing', 'Olga has a clock that runs on water.', 'a clock | runs on | water'],
  ['a club in the plural', 'Dale RFC play in Lund.', 'Dale RFC | play in | Lund'],
  ['an object of naming', 'Olga has a cat named Bo.', 'a cat | is named | Bo']
])('keeps in a text without a speaker facts about %s', (_what, text, fact) => {
  expect(factsIn(text)).toContain(fact)
})
