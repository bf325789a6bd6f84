import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyAttribute, classifyPredicate } from '../../../src/memory/graph/predicate-class.ts'
import { PREDICATE_ROWS } from '../../../src/memory/graph/predicate-rows.ts'

const MEANINGS: Readonly<Record<string, string[]>> = {
  lives_in: [
    'lives in',
    'is living in',
    'resides in',
    'is currently residing in',
    'moved to',
    'has moved to',
    "'ve lived in"
  ],
  works_at: [
    'works at',
    'is working for',
    'joined',
    'has been working at',
    'was hired by',
    'Employer',
    'started working at'
  ],
  studies_at: ['studies at', 'is studying at', 'is a student at', 'enrolled at'],
  married_to: ['is married to', 'married', 'got married to', 'husband'],
  role: ['works as', 'job title', 'occupation'],
  located_in: ['is located in', 'is based in', 'headquarters'],
  birthday: ['was born on', 'date of birth', 'Birthday'],
  name: ['is called', 'is named', 'name'],
  email: ['e-mail', 'E-Mail address', 'email'],
  phone: ['phone number', 'tel.', 'mobile'],
  deadline: ['due', 'due date', 'dueDate', 'due_date', 'is due on', 'deadline:'],
  owner: ['owner', 'is owned by', 'belongs to'],
  price: ['costs', 'price', 'is priced at'],
  status: ['status', 'current status', 'is marked as'],
  favorite_color: ['favourite colour', 'favorite color']
}

test.each(Object.entries(MEANINGS))('recognises the wordings of the single-valued %s', (key, predicates) => {
  for (const predicate of predicates) expect([predicate, classifyPredicate(predicate).key]).toEqual([predicate, key])
  expect(predicates.every((predicate) => classifyPredicate(predicate).isSingle)).toBe(true)
})

test.each([
  ['is at', 'be_at'],
  ['is in', 'be_in'],
  ['works on', 'work_on'],
  ['worked at', 'worked_at'],
  ['lived in', 'lived_in'],
  ['used to live in', 'used_to_live_in'],
  ['likes', 'like'],
  ['is visiting', 'visit'],
  ['has visited', 'visited'],
  ['addresses', 'address_'],
  ['emails', 'email_'],
  ['is', 'be'],
  ['was', 'was']
])('reads %s as %s, with many values', (predicate, key) => {
  expect(classifyPredicate(predicate)).toMatchObject({ key, isSingle: false, isInverse: false })
})

test.each([
  'no longer works at',
  "doesn't work at",
  'does not work for',
  'never works for',
  'stopped working at',
  'longer works at'
])('reads %s as a denial of employment', (predicate) => {
  expect(classifyPredicate(predicate)).toMatchObject({ key: 'works_at', isNegated: true, isHedged: false })
})

test('marks conditional predicates as hedged', () => {
  expect(classifyPredicate('would live in')).toMatchObject({ key: 'lives_in', isHedged: true, isNegated: false })
  expect(classifyPredicate("won't work at")).toMatchObject({ key: 'works_at', isHedged: true, isNegated: true })
})

test.each(['owns', 'is the owner of', 'is the capital of', 'employs'])('reads %s as inverse', (predicate) => {
  expect(classifyPredicate(predicate).isInverse).toBe(true)
})

test('lists the classes that an ending predicate ends', () => {
  expect(classifyPredicate('moved away from').ends).toEqual(['lives_in'])
  expect(classifyPredicate('has resigned from').ends).toEqual(['works_at'])
  expect(classifyPredicate('left').ends).toEqual(['lives_in', 'works_at', 'studies_at', 'married_to'])
})

test('recognises attributes by noun, not by verb', () => {
  expect(classifyAttribute('phone number')).toBe('phone')
  expect(classifyAttribute('Favourite song')).toBe('favorite_song')
  expect(['brother', 'owners', 'works at', ''].map(classifyAttribute)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined
  ])
})

test('lists no phrase in two rows, and finds each row by its own phrases', () => {
  const phrases = PREDICATE_ROWS.flatMap(({ verbs = [], nouns = [], inverse = [] }) => [...verbs, ...nouns, ...inverse])
  expect(phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at)).toEqual([])
  for (const { key, isSingle, verbs = [], nouns = [], inverse = [] } of PREDICATE_ROWS) {
    for (const phrase of [key, ...verbs, ...nouns, ...inverse]) {
      expect([phrase, classifyPredicate(phrase)]).toMatchObject([phrase, { key, isSingle }])
    }
  }
})

test('gives any predicate a key and never throws', () => {
  const words = fc.array(
    fc.constantFrom('is', 'not', 'no', 'longer', 'has', 'been', 'ing', 'does', "n't", 'stopped', 'the', 'x')
  )
  const predicates = fc.oneof(
    fc.string({ unit: 'binary' }),
    words.map((list) => list.join(' '))
  )
  fc.assert(
    fc.property(predicates, (predicate) => typeof classifyPredicate(predicate).key === 'string'),
    { numRuns: 1000 }
  )
})
