import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const ENTITIES = [
  { type: 'entity', name: 'Ann Lee', entityType: 'person', observations: ['Steers the ferry', 'Ann Lee likes tea'] },
  { type: 'entity', name: 'Harbour Light', entityType: 'company', observations: [] }
]
const RELATIONS = [
  { type: 'relation', from: 'Ann Lee', to: 'Harbour Light', relationType: 'works_at' },
  { type: 'relation', from: 'Ann Lee', to: 'Harbour Light', relationType: 'works_at' }
]
const LINES = [...ENTITIES, ...RELATIONS].map((line) => JSON.stringify(line)).join('\n')

testFormat('mcp_memory', {
  files: { 'memory.jsonl': `${LINES}\n{"type":"entity"}\n{"type":"relation","from"` },
  phrases: ['Steers the ferry', 'Ann Lee likes tea', 'Ann Lee works at Harbour Light']
})

const convert = async (text: string) => await convertTree(findFormat('mcp_memory'), treeOf({ 'memory.jsonl': text }))

test('converts relations to sentences with given facts, and observations to texts that name their entity', async () => {
  const { items, report } = await convert(LINES)
  expect(linesOf(items)).toMatchObject([
    { raw_text: 'Ann Lee: person', conversation: 'mcp_memory:Ann Lee', position: 0 },
    { raw_text: 'Ann Lee: Steers the ferry', position: 1 },
    { raw_text: 'Ann Lee likes tea', position: 2 },
    { raw_text: 'Harbour Light: company' },
    {
      raw_text: 'Ann Lee works at Harbour Light.',
      given: [{ subject: 'Ann Lee', predicate: 'works_at', value: 'Harbour Light' }]
    }
  ])
  expect(report.kinds.fact).toEqual({ seen: 2, taken: 1, merged: 1, left_out: 0 })
})

test('reads the older file, which is one object, with the same result', async () => {
  const lines = linesOf((await convert(LINES)).items)
  const whole = JSON.stringify({ entities: ENTITIES, relations: RELATIONS })
  expect(linesOf((await convert(whole)).items)).toEqual(lines)
})
