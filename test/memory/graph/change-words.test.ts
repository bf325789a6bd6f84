import { expect, test } from 'vitest'
import { isCorrection } from '../../../src/memory/graph/fact-over-time.ts'
import { resolveFacts, selectCurrent } from '../../../src/memory/graph/resolve-facts.ts'

type Said = [subject: string, predicate: string, value: string, more?: { negated: true }]

function currentAfter(...said: readonly (Said & { length: 3 | 4 })[]): string[] {
  const stated = said.map(([subject, predicate, value, more], at) => ({
    fact: { subject, predicate, value, ...more, rule: 'test', span: [0, 9] as [number, number] },
    source: { id: `mem_${at}`, at: `2026-0${at + 1}-01T00:00:00.000Z` }
  }))
  return selectCurrent(resolveFacts(stated)).map(({ value }) => value)
}

test.each<[Said, Said]>([
  [
    ["Ann's dentist", 'is', 'Dr. Weber'],
    ["Ann's dentist", 'is', 'Dr. Novak now']
  ],
  [
    ["Ann's trainer", 'is', 'Leo'],
    ["Ann's trainer", 'is', 'Mia from now on']
  ],
  [
    ["Ann's doctor", 'is', 'Dr. Adams'],
    ["Ann's new doctor", 'is', 'Dr. Baker']
  ],
  [
    ["Ann's landlord", 'is', 'Mr. Fox'],
    ['Mr. Hale', 'is', "Ann's landlord now"]
  ],
  [
    ['Ann', 'drives', 'a Golf'],
    ['Ann', 'drives', 'a Tesla now']
  ],
  [
    ['The gate code', 'is', '7714'],
    ['the gate code', 'is', '4417, not 7714']
  ],
  [
    ['The wifi password', 'is', 'heron42'],
    ['The wifi password', 'is', 'now otter77']
  ],
  [
    ['The contact', 'is', 'Anna Weiss'],
    ['The contact', 'is not', 'Anna Weiss but Lena Weiss', { negated: true }]
  ],
  [
    ['The meeting', 'is on', 'Monday'],
    ['The meeting', 'was moved to', 'Tuesday']
  ],
  [
    ['The concert', 'is on', 'Saturday'],
    ['The concert', 'got', 'moved to Sunday']
  ],
  [
    ['The retro', 'is on', 'Monday'],
    ['They', 'moved', 'the retro to Wednesday']
  ],
  [
    ['The flight', 'leaves at', '7'],
    ['The flight', 'was delayed to', '9']
  ],
  [
    ['The workshop', 'is in', 'room 4'],
    ['The workshop', 'was moved to room', '9']
  ],
  [
    ['The demo', 'is on', 'Thursday'],
    ['The demo', 'is', 'now on Friday']
  ],
  [
    ["Ann's dentist", 'is', 'Dr. Weber'],
    ["Ann's dentist", 'is now', 'Dr. Novak']
  ],
  [
    ['Ann', 'drives', 'a Golf'],
    ['Ann', 'now drives', 'a Tesla']
  ],
  [
    ['Ann', 'lives in', 'Lisbon'],
    ['Ann', 'now lives in', 'Berlin']
  ],
  [
    ['The rent', 'is', '900 euros'],
    ['The rent', 'is now', '950 euros']
  ],
  [
    ['The demo', 'is on', 'Thursday'],
    ['The demo', 'is now', 'on Friday']
  ],
  [
    ['The spare key', 'is under', 'the pot'],
    ['The spare key', 'is in', 'the shed']
  ],
  [
    ['Ann', 'lives in', 'Lisbon'],
    ['Ann', 'is back in', 'Berlin']
  ],
  [
    ['Ann', 'lives in', 'Lisbon'],
    ['Ann', 'returned to', 'Berlin last week']
  ]
])('lets a statement of a change end the earlier value: %j, %j', (before, after) => {
  expect(currentAfter(before, after)).toEqual([after[2]])
})

test.each<[Said, Said]>([
  [
    ["Ann's brother", 'is', 'Tom'],
    ["Ann's brother", 'is', 'Max']
  ],
  [
    ["Ann's dentist", 'is', 'Dr. Weber'],
    ["Ann's dentist", 'is', 'friendly now']
  ],
  [
    ['The meeting', 'is in', 'room 4'],
    ['The meeting', 'was moved to', 'Tuesday']
  ],
  [
    ['The meeting', 'is on', 'Monday'],
    ['The meeting', 'is at', '9:30']
  ],
  [
    ['The classes', 'are on', 'Monday'],
    ['The classes', 'are on', 'Thursday']
  ],
  [
    ['Ann', 'likes', 'tea'],
    ['Ann', 'likes', 'coffee now']
  ],
  [
    ['Ann', 'lives in', 'Lisbon'],
    ['Ann', 'returned to', 'Berlin for a week']
  ],
  [
    ['Ann', 'lives in', 'Lisbon'],
    ['Ann', 'returned to', 'school']
  ],
  [
    ['Ann', 'is in', 'the choir'],
    ['Ann', 'is in', 'the office']
  ]
])('keeps values that hold side by side: %j, %j', (before, after) => {
  expect(currentAfter(before, after).sort()).toEqual([before[2], after[2]].sort())
})

test.each([
  ['Correction: the code is 4417.', true],
  ['Sorry, the room is C3.', true],
  ['Actually, it is on Friday.', true],
  ['No, the port is 9090.', true],
  ['No, thanks.', false],
  ['The correction of the test is due.', false],
  ['Sorry about yesterday.', false]
])('recognises a correction by its beginning: %s', (text, expected) => {
  expect(isCorrection(text)).toBe(expected)
})
