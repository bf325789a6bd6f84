import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test('replaces I and we by the speaker and conjugates the verb', () => {
  expect(factsIn('I live in Oslo.', 'Ida')).toEqual(['Ida | lives in | Oslo'])
  expect(factsIn("I'm learning Welsh.", 'Ida')).toEqual(['Ida | is learning | Welsh'])
  expect(factsIn('We have two goats.', 'Ida')).toEqual(['Ida | has | two goats'])
  expect(factsIn("I don't eat fish.", 'Ida')).toEqual(["Ida | doesn't eat | fish"])
})

test('replaces my and me by the speaker', () => {
  expect(factsIn('My sister gave me a kayak.', 'Ida')).toEqual(["Ida's sister | gave | Ida a kayak"])
})

test('leaves the words unchanged without a speaker', () => {
  expect(factsIn('I live in Oslo.')).toEqual(['I | live in | Oslo'])
})

test('reads curly apostrophes like straight ones', () => {
  expect(factsIn('I’m learning Welsh and don’t like fish.', 'Ida')).toEqual([
    'Ida | is learning | Welsh',
    "Ida | doesn't like | fish"
  ])
})

test('adds the implied speaker', () => {
  expect(factsIn('Went to Rome last week.', 'Ida')).toEqual(['Ida | went to | Rome last week'])
  expect(factsIn('Been painting the shed.', 'Ida')).toEqual(['Ida | has been painting | the shed'])
  expect(factsIn("Can't wait to see the lake.", 'Ida')).toEqual(["Ida | can't wait to see | the lake"])
})

test('attributes a state of mind to the speaker', () => {
  expect(factsIn('So proud of the team!', 'Ida')).toEqual(['Ida | is | so proud of the team'])
})

test.each([
  ['thanks', 'Thanks for the lift, Karl!'],
  ['a greeting', "I'm doing well."],
  ['a wish for the person addressed', 'I hope your trip goes well.'],
  ['advice to the person addressed', 'A long walk would help you.'],
  ['an opinion about what was just said', "That's great to hear!"],
  ['a guess', 'I guess the shop is closed.'],
  ['a general statement', 'A picnic needs a blanket.'],
  ['a thing that is shown', 'This picture was taken by my brother.'],
  ['an unnamed person', 'He sold his flat.'],
  ['an unnamed thing', "I'm not used to it yet."],
  ['an open question', 'I was wondering if the shop is closed.'],
  ['a promise to the person addressed', "I'll make sure to call."]
])('finds no fact in %s', (_kind, text) => {
  expect(factsIn(text, 'Ida')).toEqual([])
})

test.each([
  ['Ive moved to Porto.', 'Ida | has moved to | Porto'],
  ['I dont eat fish.', "Ida | doesn't eat | fish"],
  ['Ill ask the landlord.', 'Ida | will ask | the landlord'],
  ['Karl said hi. Its a boat from Oslo.', undefined]
])('reads contractions without an apostrophe: %s', (text, fact) => {
  if (fact === undefined) expect(factsIn(text, 'Ida').join()).not.toContain('Its')
  else expect(factsIn(text, 'Ida')).toEqual([fact])
})

test('attributes a judgement to the speaker', () => {
  expect(factsIn('It was fun to see the lake.', 'Ida')).toEqual(['Ida | found | it fun to see the lake'])
  expect(factsIn('Baking bread is a great way to unwind.', 'Ida')).toEqual([])
})

test('describes a person instead of recording a judgement', () => {
  expect(factsIn('My brother is a great cook.', 'Ida')).toEqual(["Ida's brother | is | a great cook"])
})

test('ignores statements without meaning outside their context', () => {
  expect(factsIn("That's great! You're right. It was so fun.", 'Ida')).toEqual([])
})

test('resolves a pronoun to the only person that fits', () => {
  expect(factsIn('My brother owns a bakery. He sells rye bread.', 'Ida')).toContain("Ida's brother | sells | rye bread")
  expect(factsIn('In 2019, Clara moved to Rome. She works at the port.')).toContain('Clara | works at | the port')
})

test('leaves an ambiguous pronoun in a text without speaker as a word, at half the confidence', () => {
  const [met, was] = recordsIn('My brother met my uncle. He was tired of work.')
  expect(met).toMatchObject({ subject: 'My brother' })
  expect(was).toMatchObject({ subject: 'He', predicate: 'was tired of', value: 'work' })
  expect(was?.confidence).toBeLessThan(0.5)
})

test('does not take a vocative as the subject', () => {
  expect(factsIn('That is a kind offer to the club, Karl!', 'Ida').join()).not.toContain('Karl')
})
