import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  EventRecord,
  FactRecord,
  ForgetRecord,
  GivenFact,
  MemoryRecord,
  ProcedureRecord,
  SnapshotHeader
} from '../../src/contract/snapshot.ts'
import { HEADER_BYTES_MAX, LINE_BYTES_MAX, NESTING_MAX } from '../../src/snapshot/file/limits.ts'
import { type JsonObject, toCanonicalJson } from '../../src/snapshot/json/json.ts'
import { serializeRecord, sha256 } from '../../src/snapshot/record/compute-check.ts'
import { computeForgetId, computeMemoryId } from '../../src/snapshot/record/identity.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { sourceOf, united } from './builders.ts'

/** FORMAT.md is the specification: its examples are recomputed here. */

const DOCUMENT = readFileSync(new URL('../../src/snapshot/FORMAT.md', import.meta.url), 'utf8')

const example = `${block('text example')}\n`

test('has a valid, canonical example file with the documented root hash', () => {
  const { sound, notes, rootHash, table } = verifySnapshot(sourceOf(example))
  expect({ sound, notes, rootHash }).toEqual({ sound: true, notes: [], rootHash: block('text root_hash') })
  expect(table.counts()).toEqual({ memories: 3, forgotten: 1, unknown: 0, surplus: 0 })
  expect(united([example]).toString()).toBe(example)
})

test('shows the object form of the example as it is written', () => {
  expect(united([example], { form: 'json' }).toString()).toBe(`${block('text object')}\n`)
  expect(united([block('text object')]).toString()).toBe(example)
})

test('shows a line that follows from its record', () => {
  const bare = block('text bare')
  expect(toCanonicalJson(JSON.parse(bare))).toBe(bare)
  expect(sha256(bare)).toBe(block('text check'))
  expect(serializeRecord(JSON.parse(bare))).toBe(block('text line'))
})

test('shows ids that follow from the bytes shown', () => {
  const bytes = [...blocks('text identity'), block('text forget-identity')]
  const ids = bytes.map((text, i) => `${i < 2 ? 'mem' : 'fgt'}_${sha256(text).slice(0, 32)}`)
  expect(ids).toEqual(blocks('text id'))
  const parts = bytes.map((text) => JSON.parse(text) as [string, string, ...(string | null)[]])
  const made = parts.map(([kind, first, speaker, at, conversation]) =>
    kind === 'memctl.forget.1'
      ? computeForgetId(first)
      : computeMemoryId({
          text: first,
          at: at ?? null,
          speaker: speaker ?? undefined,
          conversation: conversation ?? undefined
        })
  )
  expect(made).toEqual(ids)
})

test('shows hashes that follow from the lists shown, which follow from the example', () => {
  const records = example
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)
  const [header, ...rest] = records
  const ids = rest.map(({ type, id, target }) => String(type === 'forget' ? target : id).slice(4))
  expect(ids.sort()).toEqual(block('text ids').split('\n'))
  expect(rest.map(({ check }) => check).sort()).toEqual(block('text checks').split('\n'))
  expect(sha256(Buffer.from(ids.join(''), 'hex'))).toBe(block('text ids_hash'))
  expect(header).toMatchObject({ count: ids.length, ids_hash: block('text ids_hash') })
  expect(DOCUMENT).toContain(sha256(''))
})

test('shows a valid entry of each extracted kind', () => {
  const { facts, procedures, events } = JSON.parse(example.split('\n')[1] ?? '') as MemoryRecord
  expect(FactRecord.array().length(1).safeParse(facts).error).toBeUndefined()
  expect(ProcedureRecord.array().length(1).safeParse(procedures).error).toBeUndefined()
  expect(EventRecord.array().length(1).safeParse(events).error).toBeUndefined()
})

test('describes every field of the schemas', () => {
  const schemas = [SnapshotHeader, MemoryRecord, ForgetRecord, FactRecord, ProcedureRecord, EventRecord, GivenFact]
  for (const field of schemas.flatMap((schema) => Object.keys(schema.shape))) expect(DOCUMENT).toContain(`\`${field}\``)
})

test('states the limits of the code', () => {
  for (const limit of [LINE_BYTES_MAX, HEADER_BYTES_MAX, NESTING_MAX]) {
    const unit = limit === NESTING_MAX ? '' : ' bytes'
    expect(DOCUMENT).toMatch(new RegExp(`\\| ${limit.toLocaleString('en-US')}${unit} +\\|`))
  }
})

/** Returns the contents of the fenced blocks with this name. */
function blocks(name: string): string[] {
  return Array.from(DOCUMENT.matchAll(new RegExp(`^\`\`\`${name}\n(.*?)\n\`\`\`$`, 'gms')), (match) => match[1] ?? '')
}

function block(name: string): string {
  const [text, ...more] = blocks(name)
  if (text === undefined || more.length > 0) throw new Error(`FORMAT.md must have one block \`${name}\``)
  return text
}
