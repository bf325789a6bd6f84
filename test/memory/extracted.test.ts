import { expect, test } from 'vitest'
import { FactRecord, type MemoryRecord, ProcedureRecord } from '../../src/contract/snapshot.ts'
import { readFacts, readProcedures } from '../../src/memory/extracted.ts'

const FACT = { subject: 'a', predicate: 'b', value: 'c', rule: 'r', span: [0, 1] }
const PROCEDURE = { kind: 'how_to', statement: 's', rule: 'r', span: [0, 1] }

const ODD = [
  undefined,
  null,
  1,
  -1,
  1.5,
  0.5,
  '',
  'x',
  true,
  [],
  [0],
  [0, 1],
  [0, -1],
  [0, 1, 2],
  [0, 0.5],
  ['0', 1],
  ['x'],
  {}
]

/** Replaces each field in turn by every odd value and adds an unknown field. */
function variants(entry: Record<string, unknown>, more: readonly string[]): Record<string, unknown>[] {
  const names = [...Object.keys(entry), ...more, 'confidence', 'unknown']
  const all = names.flatMap((name) => ODD.map((value) => ({ ...entry, [name]: value })))
  return all.map((variant) => JSON.parse(JSON.stringify(variant)))
}

function memoryWith(extracted: Record<string, unknown>): MemoryRecord {
  return extracted as unknown as MemoryRecord
}

test('returns unchanged the facts that match the schema', () => {
  const entries = variants(FACT, [])
  const sound = entries.filter((entry) => FactRecord.safeParse(entry).success)
  expect(readFacts(memoryWith({ facts: [...entries, null, 'text', [FACT], 1] }))).toEqual(sound)
  expect(sound.length).toBeGreaterThan(20)
})

test('returns unchanged the procedures that match the schema', () => {
  const entries = variants(PROCEDURE, ['steps'])
  const sound = entries.filter((entry) => ProcedureRecord.safeParse(entry).success)
  expect(readProcedures(memoryWith({ procedures: [...entries, null, [PROCEDURE]] }))).toEqual(sound)
})

test('returns no entries for a memory without extracted entries', () => {
  expect([readFacts(memoryWith({})), readProcedures(memoryWith({}))]).toEqual([[], []])
})
