import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const RESULTS = [
  {
    id: 'm1',
    memory: 'Lives in a house by the lighthouse',
    user_id: 'ann',
    hash: 'h',
    created_at: '2025-01-02T03:04:05-07:00',
    updated_at: null,
    categories: ['home']
  },
  { id: 'm1', memory: 'Lives in a house by the lighthouse', user_id: 'ann' },
  { id: 'm2', memory: ' ', user_id: 'ann' }
]
const REPLY = {
  results: RESULTS,
  relations: [{ source: 'ann', relationship: 'owns', target: 'blue_boat' }, { source: 'x' }]
}

testFormat('mem0', {
  files: { 'mem0.json': JSON.stringify(REPLY) },
  phrases: ['Lives in a house by the lighthouse', 'ann owns blue_boat']
})

test('gives a memory its user as speaker and the time of its last change, and relations as given facts', async () => {
  const { items, report } = await convertTree(findFormat('mem0'), treeOf({ 'a.json': JSON.stringify(REPLY) }))
  expect(linesOf(items)).toMatchObject([
    {
      raw_text: 'Lives in a house by the lighthouse',
      speaker: 'ann',
      at: '2025-01-02T10:04:05.000Z',
      conversation: 'mem0:m1',
      metadata: { tags: ['home'] }
    },
    { raw_text: 'ann owns blue_boat.', given: [{ subject: 'ann', predicate: 'owns', value: 'blue_boat' }] }
  ])
  expect(report).toMatchObject({ seen: 5, taken: 2, merged: 1, left_out: 2 })
})
