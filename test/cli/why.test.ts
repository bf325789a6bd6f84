import { expect, test } from 'vitest'
import type { Why } from '../../src/device/device.ts'
import { memory } from './fake-device.ts'
import { runDevice } from './run-cli.ts'

const RECORD = memory(1, 'Ada lives in Lisbon.', { speaker: 'Ben', extractor: 3 })
const OTHER = { value: 'Oslo', valid_from: null, valid_to: null, source_ids: [memory(2, '').id] }
const WHY: Why = {
  ...{ record: RECORD, line: 7, offset: 0, bytes: 10, forgotten: false, damaged: [], vanished: [], notes: [] },
  report: {
    id: RECORD.id,
    superseded_by: { id: memory(3, '').id, at: '2026-04-02T08:00:00.000Z' },
    supersedes: [],
    procedures: [],
    events: [],
    facts: [
      {
        ...{ subject: 'Ada', predicate: 'lives in', value: 'Lisbon', rule: 'verb.1', span: [0, 19], confidence: 0.8 },
        ...{ valid_from: '2026-04-01T08:00:00.000Z', valid_to: null },
        corroborated_by: [4, 5, 6, 7].map((n) => memory(n, '').id),
        contradicted_by: [memory(8, '').id],
        supersedes: [OTHER],
        superseded_by: []
      }
    ]
  }
}
const device = { why: async () => WHY }

test('shows the place of a memory, what supersedes it, and below each fact its rule and the other memories', async () => {
  const { stdout } = await runDevice(['why', RECORD.id], { device, terminals: ['output'] })
  expect(stdout).toContain('line 7 of /project/a.mem.jsonl')
  expect(stdout).toMatch(/no longer holds +corrected by mem_0{31}3, since\s+2026-04-02/)
  expect(stdout.slice(stdout.indexOf('facts'))).toBe(
    [
      'facts',
      '  Ada · lives in · Lisbon',
      '    “Ada lives in Lisbon”  verb.1  0.80',
      '    holds since 2026-04-01',
      '    also stated by mem_00000000, mem_00000000, mem_00000000 and 1 other',
      '    contradicted by mem_00000000',
      '    before: Oslo (mem_00000000)',
      ''
    ].join('\n')
  )
})

test('prints the record with the explanation in JSON', async () => {
  const { stdout } = await runDevice(['why', RECORD.id, '--json'], { device })
  const { id: _id, ...report } = WHY.report
  expect(JSON.parse(stdout)).toMatchObject({ id: RECORD.id, text: RECORD.text, line: 7, forgotten: false, ...report })
})
