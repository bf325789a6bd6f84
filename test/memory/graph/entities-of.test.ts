import { expect, test } from 'vitest'
import { type Entity, findEntities } from '../../../src/memory/graph/entities.ts'
import { toRemembered } from '../../../src/memory/graph/graph.ts'
import { memory } from './graph-kit.ts'

type Said = { speaker?: string; facts?: [string, string, string][] }

function entities(...said: Said[]) {
  return findEntities(
    said.map(({ speaker, facts = [] }, n) =>
      toRemembered(memory(n + 1, facts, speaker === undefined ? {} : { speaker }))
    )
  )
}

function named(list: readonly Entity[], name: string): Entity | undefined {
  return list.find((entity) => entity.name === name)
}

test('accepts speakers and words written as names as entities', () => {
  const { list } = entities({
    speaker: 'kari',
    facts: [
      ['Ole', 'lives in', 'Vik'],
      ['people', 'like', 'Mia Moe']
    ]
  })
  expect(list.map(({ name }) => name).sort()).toEqual(['Mia Moe', 'Ole', 'Vik', 'kari'])
})

test('accepts a thing with the article once a second memory names it', () => {
  const ferry: Said = { facts: [['The ferry', 'is', 'late']] }
  expect(entities(ferry).list).toEqual([])
  expect(entities(ferry, { facts: [['the ferry', 'is', 'full']] }).list).toMatchObject([{ name: 'ferry', sources: 2 }])
})

test('does not accept a common word at the start of a sentence', () => {
  expect(entities({ facts: [['Rain', 'is', 'wet']] }, { facts: [['rain', 'is', 'cold']] }).list).toEqual([])
})

test('records the evidence of an entity and the number of its mentions and memories', () => {
  const { list } = entities(
    {
      speaker: 'Mia',
      facts: [
        ['Mia', 'likes', 'tea'],
        ["Mia's", 'is', 'red']
      ]
    },
    { facts: [['the ferry', 'belongs to', 'Mia']] }
  )
  expect(named(list, 'Mia')).toEqual({
    ...{ key: 'mia', name: 'Mia', aliases: [], evidence: ['speaker', 'subject', 'value'] },
    ...{ mentions: 4, sources: 2 }
  })
})

test.each(['he', 'It', 'someone', 'I', 'Status', 'Phone number', 'Your kind words'])(
  'does not accept %s as a name',
  (word) => {
    expect(entities({ facts: [[word, 'likes', 'tea']] }).list).toEqual([])
  }
)

test('does not accept a long phrase as a name', () => {
  const phrase = 'the man whom we met at the harbour on Sunday'
  expect(entities({ facts: [[phrase, 'likes', 'tea']] }).list).toEqual([])
})

test('records a short form inside a name as an alias', () => {
  const { list, keyOf } = entities({
    facts: [
      ['Robert (Bob) Dahl', 'lives in', 'Vik'],
      ['Bob Dahl', 'likes', 'tea']
    ]
  })
  expect(named(list, 'Bob Dahl')).toMatchObject({ aliases: ['Robert Dahl'] })
  expect(keyOf('Robert Dahl')).toBe(keyOf('bob dahl'))
})

test('joins a first name with the only longer name that contains it', () => {
  const { keyOf } = entities(
    { speaker: 'Ann Dahl' },
    {
      facts: [
        ['Ann', 'likes', 'tea'],
        ['Liz', 'rows', 'a boat']
      ]
    },
    { speaker: 'Elizabeth Moe' }
  )
  expect(keyOf('Ann')).toBe(keyOf('Ann Dahl'))
  expect(keyOf('Liz')).toBe(keyOf('Elizabeth Moe'))
})

test('joins a short form with the only full first name that it can mean', () => {
  const { keyOf } = entities({ speaker: 'Samuel' }, { facts: [['Sam', 'likes', 'tea']] })
  expect(keyOf('Sam')).toBe(keyOf('Samuel'))
  const two = entities({ speaker: 'Samuel' }, { speaker: 'Samantha' }, { facts: [['Sam', 'likes', 'tea']] })
  expect(new Set(['Sam', 'Samuel', 'Samantha'].map(two.keyOf)).size).toBe(3)
})

test('does not join a first name that two people share', () => {
  const { keyOf } = entities({ speaker: 'Bob Dahl' }, { speaker: 'Robert Moe' }, { speaker: 'Bob' })
  expect(new Set(['Bob', 'Bob Dahl', 'Robert Moe'].map(keyOf)).size).toBe(3)
})

test('does not join a short form with two full forms of the same last name', () => {
  const { keyOf } = entities({ speaker: 'Al Dahl' }, { speaker: 'Albert Dahl' }, { speaker: 'Alan Dahl' })
  expect(new Set(['Al Dahl', 'Albert Dahl', 'Alan Dahl'].map(keyOf)).size).toBe(3)
})

test('does not join the first word of a company name with the company', () => {
  const { keyOf } = entities({
    facts: [
      ['Northwind', 'sells', 'sails'],
      ['Northwind Rescue', 'is', 'a charity']
    ]
  })
  expect(keyOf('Northwind')).not.toBe(keyOf('Northwind Rescue'))
})

test('joins a title and last name with the only person of that name', () => {
  const { keyOf } = entities(
    { speaker: 'Ann Dahl' },
    {
      facts: [
        ['Dr. Dahl', 'signed', 'the letter'],
        ['Moe', 'waved', 'it']
      ]
    }
  )
  expect(keyOf('Dr. Dahl')).toBe('ann dahl')
})

test.each<[string, [string, string, string]]>([
  ['a mail name', ['Mia Moe <mm7@post.example>', 'wrote', 'a letter']],
  ['an address fact', ['Mia Moe', 'email', 'mm7@post.example']],
  ['a possessive', ["Mia Moe's e-mail", 'is', 'mm7@post.example']],
  ['another name', ['Mia Moe', 'is also known as', 'Mm7@post.example']]
])('joins an e-mail address with its stated owner, by %s', (_how, words) => {
  const { keyOf, list } = entities({ facts: [words] })
  expect(keyOf('MM7@post.example')).toBe('mia moe')
  expect(named(list, 'Mia Moe')?.evidence).toContain('email')
})

test('joins the local part of an address with the name of a known person', () => {
  const { keyOf } = entities(
    { speaker: 'Mia Moe' },
    {
      facts: [
        ['mia.moe@post.example', 'sent', 'it'],
        ['info@post.example', 'is', 'old']
      ]
    }
  )
  expect(keyOf('mia.moe@post.example')).toBe('mia moe')
  expect(keyOf('info@post.example')).toBe('info@post.example')
})

test.each<[string, string, string]>([
  ['Bjorn', 'is also known as', 'Bear'],
  ['Bjorn', 'goes by', 'Bear'],
  ['Bjorn', 'nickname', 'Bear'],
  ["Bjorn's nickname", 'is', 'Bear']
])('joins %s %s %s', (...words) => {
  const { keyOf } = entities({ facts: [words] })
  expect(keyOf('Bear')).toBe(keyOf('Bjorn'))
})

test('names an entity by its most frequent name, then the longest', () => {
  const { list } = entities(
    { speaker: 'Ann' },
    { speaker: 'Ann' },
    { speaker: 'Ann Dahl' },
    { facts: [['Dr. Ann Dahl', 'sings', 'alto']] }
  )
  expect(list[0]).toMatchObject({ name: 'Ann', aliases: ['Dr. Ann Dahl', 'Ann Dahl'], mentions: 4, sources: 4 })
})
