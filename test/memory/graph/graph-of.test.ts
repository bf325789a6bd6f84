import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { buildGraph } from '../../../src/memory/graph/graph.ts'
import { cpuMs } from '../../setup/cpu-time.ts'
import { memory } from './graph-kit.ts'

test('collects the facts of all aliases under one entity', () => {
  const { facts } = buildGraph([
    memory(1, [['Ann Dahl', 'lives in', 'Oslo']]),
    memory(2, [['Ann', 'moved to', 'Vik']]),
    memory(3, [['Dr. Dahl', 'is married to', 'Ole']])
  ])
  expect(facts.map(({ keys, value, valid_to }) => [keys.subject, value, valid_to])).toEqual([
    ['ann dahl', 'Oslo', '2026-01-02T00:00:00.000Z'],
    ['ann dahl', 'Vik', null],
    ['ann dahl', 'Ole', null]
  ])
})

test('ends an earlier value that a memory states under a short form of the name', () => {
  const moved = (...speakers: string[]) =>
    buildGraph([
      memory(1, [['Bob', 'lives in', 'Oslo']]),
      memory(2, [['Robert Smith', 'moved to', 'Vik']]),
      ...speakers.map((speaker, i) => memory(3 + i, [], { speaker }))
    ]).facts.map(({ value, valid_to }) => [value, valid_to?.slice(0, 10) ?? 'now'])
  expect(moved()).toEqual([
    ['Oslo', '2026-01-02'],
    ['Vik', 'now']
  ])
  expect(moved('Bob Jones')).toEqual([
    ['Oslo', 'now'],
    ['Vik', 'now']
  ])
})

test('lists predicates, relations between entities, and contradictions', () => {
  const graph = buildGraph([
    memory(1, [
      ['Mia', 'lives in', 'Oslo'],
      ['Mia', 'likes', 'strong tea'],
      ['Mia', 'age', '41']
    ]),
    memory(2, [
      ['Ole', 'likes', 'Mia'],
      ['Ole', 'age', '9']
    ]),
    memory(3, [['Ole', 'age', '10']], { at: memory(2, []).at })
  ])
  expect(graph.predicates).toEqual([
    { key: 'age', facts: 3, isSingle: true },
    { key: 'like', facts: 2, isSingle: false },
    { key: 'lives_in', facts: 1, isSingle: true }
  ])
  expect(graph.relations.map(({ subject, value }) => [subject, value])).toEqual([
    ['Mia', 'Oslo'],
    ['Ole', 'Mia']
  ])
  expect(graph.contradictions.map(({ value }) => value)).toEqual(['10', '9'])
})

test('skips malformed entries and memories without facts', () => {
  const odd = memory(1, [], { facts: [7, null, { subject: 'Mia' }, []] })
  const { facts: _facts, ...bare } = memory(2, [])
  expect(buildGraph([odd, bare])).toEqual({
    entities: [],
    facts: [],
    relations: [],
    predicates: [],
    contradictions: []
  })
})

/** Processor time; about a second on an idle machine. */
const CPU_MS_MAX = 20_000

test('takes time linear in the number of facts, even if all are about one thing at one time', async () => {
  const many = Array.from({ length: 20_000 }, (_, n): MemoryRecord => {
    const at = '2026-01-01T00:00:00.000Z'
    return memory(
      n + 1,
      [
        ['Mia', 'lives in', `Town ${n}`],
        ['Mia', 'no longer lives in', `Village ${n}`]
      ],
      { at }
    )
  })
  const ms = await cpuMs(() => expect(buildGraph(many).facts).toHaveLength(40_000))
  expect(ms).toBeLessThan(CPU_MS_MAX)
})
