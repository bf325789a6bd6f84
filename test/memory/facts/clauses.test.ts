import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test('a clause gives its subject, its verb, and the object with the adverbials after it', () => {
  expect(factsIn('The gardener planted roses behind the shed.')).toEqual([
    'The gardener | planted | roses behind the shed'
  ])
})

test('the preposition after a verb without object belongs to the predicate', () => {
  expect(factsIn('Oskar lives in Ghent.')).toEqual(['Oskar | lives in | Ghent'])
  expect(factsIn('The family grew up in Ghent.')).toEqual(['The family | grew up in | Ghent'])
})

test('a passive keeps its auxiliary and says by whom', () => {
  expect(factsIn('The bridge was built by the army in 1912.')).toEqual(['The bridge | was built by | the army in 1912'])
})

test('an opening adverbial is part of the value', () => {
  expect(factsIn('In 1998, Clara founded a brewery.')).toEqual(['Clara | founded | a brewery in 1998'])
})

test('verbs that share a subject give a fact each', () => {
  expect(factsIn('Mira plays the cello, paints boats and bakes bread.')).toEqual([
    'Mira | plays | the cello',
    'Mira | paints | boats',
    'Mira | bakes | bread'
  ])
})

test('two clauses joined by and have their own subjects', () => {
  expect(factsIn('The mayor opened the pool, and the band played a march.')).toEqual([
    'The mayor | opened | the pool',
    'the band | played | a march'
  ])
})

test('a subject of two is kept whole', () => {
  expect(factsIn('Ida and Jonas sold the farm.')).toEqual(['Ida and Jonas | sold | the farm'])
})

test('listed objects give a fact each; a list that shares its head noun does not', () => {
  expect(factsIn('Tilda bought apples, pears and a melon.')).toEqual([
    'Tilda | bought | apples',
    'Tilda | bought | pears',
    'Tilda | bought | a melon'
  ])
  expect(factsIn('The shop offers leisure and health services.')).toEqual([
    'The shop | offers | leisure and health services'
  ])
})

test('a relative clause is about the noun before it', () => {
  expect(factsIn('The woman who runs the bakery speaks Dutch.')).toEqual([
    'The woman | runs | the bakery',
    'The woman | speaks | Dutch'
  ])
})

test('a relative clause with its own subject gets back its object', () => {
  expect(factsIn('The bridge that the army built crosses the river.')).toEqual([
    'the army | built | the bridge',
    'The bridge | crosses | the river'
  ])
})

test('a reduced participle says something of its noun, and the sentence goes on', () => {
  expect(factsIn('The club, founded in 1950, owns a hall.')).toEqual([
    'The club | is founded in | 1950',
    'The club | owns | a hall'
  ])
})

test('a participle at the start is about the subject that follows', () => {
  expect(factsIn('Waving a flag, the guard stopped the train.')).toEqual([
    'the guard | waving | a flag',
    'the guard | stopped | the train'
  ])
})

test('a verb in -ing with its object can be the subject', () => {
  expect(factsIn('Painting the fence takes a day.')).toEqual(['Painting the fence | takes | a day'])
})

test('verbs that lead on to another are one predicate with it', () => {
  expect(factsIn('Nina tries to learn Welsh.')).toEqual(['Nina | tries to learn | Welsh'])
  expect(factsIn('Nina started writing poems.')).toEqual(['Nina | started writing | poems'])
  expect(factsIn('Nina used to own a ferry.')).toEqual(['Nina | used to own | a ferry'])
})

test('an infinitive of purpose stays in the value, and claims nothing by itself', () => {
  expect(factsIn('The judge ordered Karl to pay the fine.')).toEqual(['The judge | ordered | Karl to pay the fine'])
})

test('there is says where something is', () => {
  expect(factsIn('There are three swans on the pond.')).toEqual(['three swans | are | on the pond'])
})

test('copulas have rules of their own', () => {
  const rules = recordsIn('Oskar is a pilot. The soup tastes salty.').map((fact) => fact.rule)
  expect(rules).toEqual(['copula.is', 'copula.seems'])
})

test('where nothing follows an auxiliary and a verb, the verb is the value', () => {
  expect(factsIn('The baby can swim.')).toEqual(['The baby | can | swim'])
})

test('what somebody was then stays with what was done, with or without a comma', () => {
  expect(factsIn('As a child she moved to Oslo.')).toEqual(['she | moved to | Oslo as a child'])
  expect(factsIn('As a child, she moved to Oslo.')).toEqual(['she | moved to | Oslo as a child'])
  expect(factsIn('As the child slept, she read a letter.')).toContain('she | read | a letter')
  expect(factsIn('As a boy he swam to Crete.')).toEqual(['he | swam to | Crete as a boy'])
})
