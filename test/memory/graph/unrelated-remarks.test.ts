import { expect, test } from 'vitest'
import { resolveFacts, selectCurrent } from '../../../src/memory/graph/resolve-facts.ts'
import { stated } from './graph-kit.ts'

type Words = [string, string, string]

/** Returns what still holds of the first statement after the second. */
function holdsAfter(first: Words, second: Words): boolean {
  const facts = resolveFacts([stated('2026-01-01', first), stated('2026-02-01', second)])
  return selectCurrent(facts).some(({ predicate, value }) => predicate === first[1] && value === first[2])
}

const BOSS: Words = ["Mia's boss", 'is', 'Ole']
const EMAIL: Words = ["Mia's email", 'is', 'mia@post.example']
const PHONE: Words = ["Mia's phone", 'is', '+47 5550 1234']
const JOB: Words = ["Mia's job", 'is', 'carpenter']
const PRICE: Words = ['The price of the boat', 'is', '900 euros']
const DEADLINE: Words = ['The deadline of the survey', 'is', '3 May']
const SONG: Words = ["Mia's favourite song", 'is', 'an old ballad']

test.each<[Words, string]>([
  [BOSS, 'annoying'],
  [BOSS, 'on the phone'],
  [EMAIL, 'broken'],
  [PHONE, 'an old Nokia'],
  [JOB, 'stressful'],
  [JOB, 'too loud for her'],
  [PRICE, 'negotiable'],
  [DEADLINE, 'tight'],
  [SONG, 'hard to sing'],
  [["Mia's name", 'is', 'Mia Berg'], 'unusual'],
  [["Mia's address", 'is', '3 Mill Lane'], 'wrong on the bill'],
  [["Mia's website", 'is', 'mia.example'], 'slow']
])('keeps %j after a remark about its value: %s', (first, remark) => {
  expect(holdsAfter(first, [first[0], 'is', remark])).toBe(true)
})

test.each<[Words, string]>([
  [BOSS, 'Eva'],
  [EMAIL, 'berg@post.example'],
  [PHONE, 'now 5550 9999'],
  [JOB, 'nursing'],
  [JOB, 'a careful pilot'],
  [PRICE, 'eight hundred'],
  [DEADLINE, 'next Friday'],
  [SONG, 'beautiful noise'],
  [['The status of the pump', 'is', 'fine'], 'broken']
])('ends %j by another value: %s', (first, value) => {
  expect(holdsAfter(first, [first[0], 'is', value])).toBe(false)
})

const LIVES: Words = ['Mia', 'lives in', 'Oslo']
const WORKS: Words = ['Mia', 'works at', 'Northwind']
const MARRIED: Words = ['Mia', 'is married to', 'Ole']

test.each<[Words, string, string]>([
  [WORKS, 'left', 'Northwind at six'],
  [WORKS, 'left', 'Northwind early today'],
  [WORKS, 'left', "Northwind's office at five"],
  [LIVES, 'left', 'Oslo for the weekend'],
  [LIVES, 'left', 'Oslo for Easter'],
  [MARRIED, 'left', 'Ole at the airport'],
  [LIVES, 'moved to', 'Ubuntu 24.04'],
  [LIVES, 'moved to', 'Tuesday'],
  [LIVES, 'moved to', 'Vik as a child'],
  [WORKS, 'joined', 'Southwind in her youth'],
  [WORKS, 'joined', 'Eva for lunch'],
  [WORKS, 'joined', 'Eva at the bar'],
  [WORKS, 'joined', 'Southwind yesterday to watch a film']
])('keeps %j after %s %s', (first, predicate, value) => {
  expect(holdsAfter(first, ['Mia', predicate, value])).toBe(true)
})

test.each<[Words, string, string]>([
  [WORKS, 'left', 'Northwind'],
  [WORKS, 'left', 'Northwind last week'],
  [WORKS, 'left', 'Northwind on 20 January 2026'],
  [WORKS, 'left', 'Northwind after ten years'],
  [WORKS, 'left', 'Northwind for Southwind'],
  [WORKS, 'left', 'the Northwind'],
  [WORKS, 'has left', 'her job at Northwind'],
  [LIVES, 'left', 'Oslo for good'],
  [MARRIED, 'left', 'Ole on Friday'],
  [LIVES, 'moved to', 'Vik for a new job'],
  [LIVES, 'moved to', '12 Mill Lane'],
  [LIVES, 'moved to', 'Vik 2 weeks ago'],
  [WORKS, 'joined', 'Southwind'],
  [WORKS, 'joined', 'the Bank of Norway as a clerk'],
  [WORKS, 'joined', 'Southwind on Monday']
])('ends %j by %s %s', (first, predicate, value) => {
  expect(holdsAfter(first, ['Mia', predicate, value])).toBe(false)
})

test('does not read joining a person with a home as employment, but accepts an employer who works for another', () => {
  const joined = (other: Words[]): string[] => {
    const told = [WORKS, ...other].map((words) => stated('2026-01-01', words))
    const facts = resolveFacts([...told, stated('2026-02-01', ['Mia', 'joined', 'Eva'])])
    return selectCurrent(facts).flatMap(({ keys, value }) => (keys.subject === 'mia' ? [value] : []))
  }
  expect(joined([['Eva', 'lives in', 'Vik']])).toEqual(['Eva', 'Northwind'])
  expect(joined([])).toEqual(['Eva'])
  const works: Words[] = [
    ['Eva', 'works for', 'the harbour'],
    ['Ole', 'works at', 'Eva']
  ]
  expect(joined(works)).toEqual(['Eva'])
})
