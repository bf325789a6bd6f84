import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test('splits a clause into subject, verb, and object with the adverbials after it', () => {
  expect(factsIn('The gardener planted roses behind the shed.')).toEqual([
    'The gardener | planted | roses behind the shed'
  ])
})

test('adds the preposition after a verb without object to the predicate', () => {
  expect(factsIn('Oskar lives in Ghent.')).toEqual(['Oskar | lives in | Ghent'])
  expect(factsIn('The family grew up in Ghent.')).toEqual(['The family | grew up in | Ghent'])
})

test('keeps the auxiliary and the agent of a passive', () => {
  expect(factsIn('The bridge was built by the army in 1912.')).toEqual(['The bridge | was built by | the army in 1912'])
})

test('includes an opening adverbial in the value', () => {
  expect(factsIn('In 1998, Clara founded a brewery.')).toEqual(['Clara | founded | a brewery in 1998'])
})

test('gives one fact per verb that shares a subject', () => {
  expect(factsIn('Mira plays the cello, paints boats and bakes bread.')).toEqual([
    'Mira | plays | the cello',
    'Mira | paints | boats',
    'Mira | bakes | bread'
  ])
})

test('gives two clauses joined by and their own subjects', () => {
  expect(factsIn('The mayor opened the pool, and the band played a march.')).toEqual([
    'The mayor | opened | the pool',
    'the band | played | a march'
  ])
})

test('keeps a coordinated subject whole', () => {
  expect(factsIn('Ida and Jonas sold the farm.')).toEqual(['Ida and Jonas | sold | the farm'])
})

test('gives one fact per listed object, but not for a list that shares its head noun', () => {
  expect(factsIn('Tilda bought apples, pears and a melon.')).toEqual([
    'Tilda | bought | apples',
    'Tilda | bought | pears',
    'Tilda | bought | a melon'
  ])
  expect(factsIn('The shop offers leisure and health services.')).toEqual([
    'The shop | offers | leisure and health services'
  ])
})

test('relates a relative clause to the noun before it', () => {
  expect(factsIn('The woman who runs the bakery speaks Dutch.')).toEqual([
    'The woman | runs | the bakery',
    'The woman | speaks | Dutch'
  ])
})

test('restores the object of a relative clause with its own subject', () => {
  expect(factsIn('The bridge that the army built crosses the river.')).toEqual([
    'the army | built | the bridge',
    'The bridge | crosses | the river'
  ])
})

test('reads a fact from a reduced participle and continues the sentence', () => {
  expect(factsIn('The club, founded in 1950, owns a hall.')).toEqual([
    'The club | is founded in | 1950',
    'The club | owns | a hall'
  ])
})

test('relates a participle at the start to the subject that follows', () => {
  expect(factsIn('Waving a flag, the guard stopped the train.')).toEqual([
    'the guard | waving | a flag',
    'the guard | stopped | the train'
  ])
})

test('accepts a verb in -ing with its object as the subject', () => {
  expect(factsIn('Painting the fence takes a day.')).toEqual(['Painting the fence | takes | a day'])
})

test('reads a chain of catenative verbs as one predicate', () => {
  expect(factsIn('Nina tries to learn Welsh.')).toEqual(['Nina | tries to learn | Welsh'])
  expect(factsIn('Nina started writing poems.')).toEqual(['Nina | started writing | poems'])
  expect(factsIn('Nina used to own a ferry.')).toEqual(['Nina | used to own | a ferry'])
})

test('keeps an infinitive of purpose in the value, without a claim of its own', () => {
  expect(factsIn('The judge ordered Karl to pay the fine.')).toEqual(['The judge | ordered | Karl to pay the fine'])
})

test('reads there is as a fact about a place', () => {
  expect(factsIn('There are three swans on the pond.')).toEqual(['three swans | are | on the pond'])
})

test('applies separate rules to copulas', () => {
  const rules = recordsIn('Oskar is a pilot. The soup tastes salty.').map((fact) => fact.rule)
  expect(rules).toEqual(['copula.is', 'copula.seems'])
})

test('uses the verb as the value if nothing follows it', () => {
  expect(factsIn('The baby can swim.')).toEqual(['The baby | can | swim'])
})

test('keeps a role at the time with the action, with or without a comma', () => {
  expect(factsIn('As a child she moved to Oslo.')).toEqual(['she | moved to | Oslo as a child'])
  expect(factsIn('As a child, she moved to Oslo.')).toEqual(['she | moved to | Oslo as a child'])
  expect(factsIn('As the child slept, she read a letter.')).toContain('she | read | a letter')
  expect(factsIn('As a boy he swam to Crete.')).toEqual(['he | swam to | Crete as a boy'])
})

test('keeps names with dots and hyphens whole', () => {
  expect(factsIn('We use Chart.js v2.1 for the map.')).toEqual(['We | use | Chart.js v2.1 for the map'])
  expect(factsIn('We moved the rest from app.py to Render.com today.')).toEqual([
    'We | moved | the rest from app.py to Render.com today'
  ])
  expect(factsIn('The team wrote a thank-you.')).toEqual(['The team | wrote | a thank-you'])
})

test('keeps calls, formulas, paths, identifiers and inline code whole', () => {
  expect(factsIn('We studied P(A|B) for weeks.')).toEqual(['We | studied | P(A|B) for weeks'])
  expect(factsIn('We store it in notes(id, text) with a user_id column.')).toEqual([
    'We | store | it in notes(id, text) with a user_id column'
  ])
  expect(factsIn('We renamed /notes/{id} in `list all.ts` in May.')).toEqual([
    'We | renamed | /notes/{id} in `list all.ts` in May'
  ])
})

test('includes a particle before a gerund in the predicate', () => {
  expect(factsIn('We ended up sleeping in the barn.')).toEqual(['We | ended up | sleeping in the barn'])
  expect(factsIn('He took up sailing.')).toEqual(['He | took up | sailing'])
})

test('does not take a noun in a list for a verb', () => {
  expect(factsIn('He needs to write several texts, like essays, cover letters and grant applications.')).toEqual([
    'He | needs to write | several texts, like essays, cover letters and grant applications'
  ])
  expect(factsIn('She has travel anxiety.')).toEqual(['She | has | travel anxiety'])
  expect(factsIn('Train team members on the new rules.')).toEqual([])
})

test.each([
  [
    'a new statement behind a preposition and `and`',
    "I'm back from the bakery and I had a small problem at the till.",
    'Ida | had | a small problem at the till'
  ],
  [
    'a relative clause behind a name',
    "There's a song by Bea Holm that I really like.",
    'Ida | really likes | a song by Bea Holm'
  ],
  [
    'a statement before a verb of saying that quotes nothing',
    'I had some trouble finding the leak, but then it was easy after someone helped explain it.',
    'Ida | had | some trouble finding the leak'
  ],
  [
    'a gerund whose object is a list',
    'Watching the waves and the boat lights really helps me find peace.',
    'Ida | is helped by | watching the waves and the boat lights to find peace'
  ],
  [
    'a gerund behind `but`',
    'The job can be tough, but finding good tools helps me keep going.',
    'Ida | is helped by | finding good tools to keep going'
  ],
  [
    'a value that `but` and a gerund end',
    "I sometimes doubt if I'm any good, but knowing the steps keeps me calm.",
    'Ida | sometimes doubts | if Ida is any good'
  ],
  [
    'a circumstance without its contrast',
    "I used to play the harp when I was younger but haven't in a while.",
    'Ida | used to play | the harp when Ida was younger'
  ],
  [
    'a participle before a statement of its own',
    'Looking forward to the regatta, and I hope that the wind will hold.',
    'Ida | is looking forward to | the regatta'
  ]
])('reads %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})
