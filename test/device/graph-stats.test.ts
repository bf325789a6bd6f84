import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import { createGraphCount } from '../../src/device/read-stats.ts'

function memory(n: number, facts: [string, string, string][], more: Partial<MemoryRecord> = {}): MemoryRecord {
  const at = new Date(Date.UTC(2026, 0, n)).toISOString()
  const spanned = facts.map(([subject, predicate, value]) => ({
    ...{ subject, predicate, value, rule: 'test.fact', span: [0, 4], confidence: 0.8 }
  }))
  return {
    type: 'memory',
    id: `mem_${String(n).padStart(32, '0')}`,
    at,
    text: 'text',
    extractor: 1,
    facts: spanned,
    ...more
  }
}

function statsOf(records: readonly MemoryRecord[], keptMax?: number) {
  const count = createGraphCount(keptMax)
  for (const record of records) count.add(record)
  return count.stats()
}

test('counts current, ended and contradicted facts', () => {
  const records = [
    memory(1, [['Mia', 'lives in', 'Oslo']]),
    memory(2, [['Mia', 'moved to', 'Bergen']], { speaker: 'Mia' }),
    memory(3, [['the pump', 'status', 'broken']], { conversation: 'a' }),
    memory(3, [['the pump', 'status', 'running']], { id: `mem_${'f'.repeat(32)}`, conversation: 'b' })
  ]
  expect(statsOf(records)).toEqual({
    ...{ facts: 4, facts_current: 3, facts_superseded: 1, facts_contradicted: 2, facts_left_out: 0 },
    ...{ entities: 4, procedures: 0, events: 0 },
    top_entities: [
      { name: 'Mia', mentions: 3 },
      { name: 'pump', mentions: 2 },
      { name: 'Bergen', mentions: 1 },
      { name: 'Oslo', mentions: 1 }
    ],
    top_predicates: [
      { key: 'lives_in', facts: 2 },
      { key: 'status', facts: 2 }
    ]
  })
})

test('counts facts of a superseded memory as superseded, unless its correction repeats them', () => {
  const said: [string, string, string][] = [
    ['Mia', 'likes', 'tea'],
    ['Mia', 'plays', 'chess']
  ]
  const records = [
    memory(1, said),
    memory(2, [['Mia', 'plays', 'chess']], { supersedes: [`mem_${'1'.padStart(32, '0')}`] })
  ]
  expect(statsOf(records)).toMatchObject({ facts: 3, facts_current: 1, facts_superseded: 1 })
})

test('counts procedures and events with a statement', () => {
  const procedure = { kind: 'rule', statement: 'Always lock the shed', rule: 'test.rule', span: [0, 4] }
  const event = { statement: 'The fair opened', rule: 'test.event', span: [0, 4] }
  const record = memory(1, [], { procedures: [procedure, 7], events: [event, null, { statement: 3 }] })
  expect(statsOf([record])).toMatchObject({ facts: 0, procedures: 1, events: 1, top_predicates: [] })
})

test('merges the newest of very many facts, and counts all', () => {
  const records = [1, 2, 3, 4, 5].map((n) => memory(n, [['Mia', 'visited', `Town ${n}`]]))
  expect(statsOf(records, 4)).toMatchObject({ facts: 5, facts_current: 2, facts_left_out: 3 })
  expect(statsOf(records, 1)).toMatchObject({ facts: 5, facts_current: 0, facts_left_out: 5, entities: 0 })
})
