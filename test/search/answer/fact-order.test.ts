import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { findMiddleName } from '../../../src/search/answer/joined-facts.ts'
import { asking, fact, record, statement } from './answer-kit.ts'

async function valuesOf(records: readonly MemoryRecord[], query: string): Promise<string[]> {
  return (await asking(records)).ask(query).semantics.map(({ value }) => value)
}

test('ranks a fact with several independent sources before a fact with one', async () => {
  const both = record('both', {
    text: 'Ada plays chess and the flute',
    facts: ['flute', 'chess'].map((what) => playing(what))
  })
  const again = record('again', { text: 'We heard Ada on the flute', speaker: 'Ben', facts: [playing('flute')] })
  const { semantics } = (await asking([both, again])).ask('What does Ada play?')
  expect(semantics.map(({ value }) => value)).toEqual(['flute', 'chess'])
  expect(semantics[0]?.confidence).toBeGreaterThan(semantics[1]?.confidence ?? 1)
})

test('ranks a second fact of one memory after an equally good fact of another', async () => {
  const many = record('many', {
    text: 'Ada plays the flute, chess and golf',
    facts: ['flute', 'chess', 'golf'].map((what) => playing(what))
  })
  const other = record('other', { text: 'Ada plays the harp, too, and well', facts: [playing('harp')] })
  const values = await valuesOf([many, other], 'What does Ada play?')
  expect(values).toHaveLength(4)
  expect(values.slice(0, 2)).toContain('harp')
})

test('prefers facts with a time for `when`, and with a name for `who`', async () => {
  const met = record('met', {
    text: 'Ada met the baker in June at the fair and met Mo Lin too',
    facts: [fact(['Ada', 'met', 'Mo Lin too']), fact(['Ada', 'met', 'the baker in June'])]
  })
  expect((await valuesOf([met], 'When did Ada meet somebody?'))[0]).toBe('the baker in June')
  expect((await valuesOf([met], 'Who did Ada meet?'))[0]).toBe('Mo Lin too')
})

test('counts another form of a query term as that term', async () => {
  const went = record('went', {
    text: 'Ada went to Graz and Ada knows Turin',
    facts: [fact(['Ada', 'knows', 'Turin']), fact(['Ada', 'went to', 'Graz'])]
  })
  expect((await valuesOf([went], 'Where did Ada go?'))[0]).toBe('Graz')
})

test('ranks a fact that only repeats the query after one that adds something', async () => {
  const likes = record('likes', {
    text: 'Ada likes it that Ada likes tea',
    facts: [fact(['Ada', 'likes', 'that Ada likes']), fact(['Ada', 'likes', 'tea'])]
  })
  expect((await valuesOf([likes], 'What does Ada like?'))[0]).toBe('tea')
})

test('recognises an attribute by any of its names', async () => {
  const records = [statement(2020, ['Tom', 'married', 'Nina']), statement(2021, ['Tom', 'met', 'Lena'])]
  expect((await valuesOf(records, 'Who is the wife of Tom?'))[0]).toBe('Nina')
})

test('finds names at the ends of facts, and rejects words that are not names', () => {
  const found = [
    'Northwind',
    'Ada’s sister Eva',
    'her sister Eva',
    'Porto last spring',
    'Northwind in May',
    'Bank of Graz'
  ]
  expect(found.map(findMiddleName)).toEqual(['Northwind', 'Eva', 'Eva', 'Porto', 'Northwind', 'Bank of Graz'])
  const none = ['She', 'a cake', 'Ada’s friends', 'I', '', '2024', 'in May', `A${'a'.repeat(100)}`]
  expect(none.map(findMiddleName)).toEqual(none.map(() => undefined))
})

function playing(what: string) {
  return fact(['Ada', 'plays', what])
}
