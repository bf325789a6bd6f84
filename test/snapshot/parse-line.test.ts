import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ForgetRecord, MemoryRecord, SnapshotHeader } from '../../src/contract/snapshot.ts'
import type { Json, JsonObject } from '../../src/snapshot/json/json.ts'
import { checkRecordShape } from '../../src/snapshot/record/check-record-shape.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { parseHeader } from '../../src/snapshot/record/create-header.ts'
import { parseLine } from '../../src/snapshot/record/parse-line.ts'
import { viewRecord } from '../../src/snapshot/record/record-view.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { json, runs } from './arbitraries.ts'
import { checked, damageOf, file, forgetLine, header, memory, memoryLine, sourceOf, united } from './builders.ts'

const FULL = memory({
  text: 'text',
  speaker: 'Ada',
  conversation: 'c',
  copy: 2,
  position: 3,
  undated: true,
  metadata: { a: 1 },
  facts: [],
  procedures: [],
  events: []
})
const FORGET = JSON.parse(forgetLine({ text: 'text' }, { reason: 'r' })) as JsonObject
const HEADER = JSON.parse(header()) as JsonObject

const ODD: Json[] = [null, true, false, 0, -0, 1, 2, -1, 1.5, 2 ** 53, 1e300, '', 'x', '1', [], {}, [1], { a: 1 }]
const LIKELY: Json[] = [
  ...['2026-01-02T03:04:05.000Z', '2026-13-02T03:04:05.000Z', '2026-00-02T03:04:05.000Z', '2026-12-32T03:04:05.000Z'],
  ...['2026-12-31T24:04:05.000Z', '2026-12-31T23:60:05.000Z', '2026-12-31T23:59:60.000Z', '2026-12-31 23:59:59.000Z'],
  ...['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.0000Z', '0000-01-01T00:00:00.000Z', '2026-02-31T00:00:00.000z'],
  ...['mem_', 'fgt_', 'snp_', 'xyz_'].flatMap((prefix) => [`${prefix}${'0'.repeat(32)}`, `${prefix}${'F'.repeat(32)}`]),
  ...[
    `mem_${'0'.repeat(31)}`,
    `mem_${'0'.repeat(33)}`,
    'a'.repeat(64),
    'A'.repeat(64),
    'a'.repeat(63),
    'how_to',
    'memory'
  ]
]

const value = fc.oneof(fc.constantFrom(...ODD, ...LIKELY), json)

/** Generates a record with one or two fields removed or changed. */
function mutated(record: JsonObject): fc.Arbitrary<JsonObject> {
  const names = Object.keys(record).filter((name) => name !== 'check')
  const change = fc.tuple(fc.constantFrom(...names), fc.option(value, { nil: undefined }))
  return fc.array(change, { minLength: 0, maxLength: 2 }).map((changes) => {
    const copy: JsonObject = { ...record, ...Object.fromEntries(changes) }
    return Object.fromEntries(Object.entries(copy).filter(([name, field]) => field !== undefined && name !== 'check'))
  })
}

test.each([
  ['memory', FULL, MemoryRecord],
  ['forget', FORGET, ForgetRecord]
] as const)('accepts the same shapes of a %s record as its schema', (type, record, schema) => {
  fc.assert(
    fc.property(mutated(record), (spoiled) => {
      fc.pre(spoiled.type === type)
      const line = Buffer.from(serializeRecord(spoiled))
      const view = viewRecord(line, 0, line.length)
      const kind = typeof view === 'string' ? view : checkRecordShape(view)
      expect(kind === type, kind).toBe(schema.safeParse(JSON.parse(line.toString())).success)
    }),
    runs(3000)
  )
})

test('accepts the same shapes of a header as its schema', () => {
  fc.assert(
    fc.property(mutated(HEADER), (spoiled) => {
      fc.pre(typeof spoiled.version !== 'number' || spoiled.version === 1)
      const record = JSON.parse(serializeRecord(spoiled))
      expect(typeof parseHeader(record, 'a test') !== 'string').toBe(SnapshotHeader.safeParse(record).success)
    }),
    runs(2000)
  )
})

test('validates a line in any spelling like its canonical line', () => {
  fc.assert(
    fc.property(fc.oneof(mutated(FULL), mutated(FORGET)), fc.constantFrom('', ' '), (record, space) => {
      const line = serializeRecord(record)
      const loose = loosely(JSON.parse(line), space)
      expect(verdict(loose)).toEqual(verdict(line))
    }),
    runs(1000)
  )
})

test('reads an escaped type or id by its meaning, before and after compacting', () => {
  const line = memoryLine({ text: 'a' }).replace('"memory"', '"mem\\u006fry"').replace('"mem_', '"\\u006dem_')
  const bytes = file(line, forgetLine({ text: 'b' }).replace('"target"', '"t\\u0061rget"'))
  const { table, rootHash } = verifySnapshot(sourceOf(bytes))
  expect(table.counts()).toEqual({ memories: 1, forgotten: 1, unknown: 0, surplus: 0 })
  expect(verifySnapshot(sourceOf(united([bytes]))).rootHash).toBe(rootHash)
})

test('rejects a field of the wrong type under an escaped name too', () => {
  const text = JSON.stringify(memory({ text: 'a', position: 'first' })).replace('"position"', '"p\\u006fsition"')
  expect(damageOf(file(checked(text)))).toEqual(['2 `position` must be a whole number'])
})

test('rejects a line whose canonical form would exceed the limit, because it could not be rewritten', () => {
  const text = `{"n":[${'1e20,'.repeat(800_000)}0],"type":"note"}`
  expect(damageOf(file(checked(text)))).toEqual([expect.stringContaining('in canonical form')])
})

test('counts equal unknown lines once, adjacent or not', () => {
  const [x, y] = [serializeRecord({ type: 'x' }), serializeRecord({ type: 'y' })]
  expect(verifySnapshot(sourceOf(file(x, x, y, x, y, y))).table.counts()).toMatchObject({ unknown: 2, surplus: 4 })
})

test('drops a line of another kind once a memory it is about is forgotten, in any order of lines', () => {
  const [a, b] = [memory({ text: 'a' }), memory({ text: 'b' })]
  const note = (target: Json): string => serializeRecord({ type: 'note', target })
  const idOf = ({ id }: JsonObject): string => String(id)
  const about = [note(idOf(a)), note([idOf(b), idOf(a)])]
  const kept = [note(idOf(b)), note([]), note([idOf(a), 'elsewhere']), note({ id: idOf(a) })]
  const canonical = united([file(...about, ...kept, forgetLine({ text: 'a' }), serializeRecord(b))])
  expect(united([file(forgetLine({ text: 'a' }), serializeRecord(b), ...kept, ...about)])).toEqual(canonical)
  for (const line of kept) expect(canonical.toString()).toContain(line)
  for (const line of about) expect(canonical.toString()).not.toContain(line)
  expect(verifySnapshot(sourceOf(file(...about, ...kept, serializeRecord(a)))).table.counts().unknown).toBe(6)
})

test('ignores invalid times, positions and ids of unknown lines in the order', () => {
  const wrong = serializeRecord({ type: 'x', at: '2026-13-45T99:99:99.999Z', position: '7', id: ['z'] })
  const bare = serializeRecord({ type: 'x' })
  const dated = serializeRecord({ type: 'x', at: '0000-01-01T00:00:00.000Z' })
  const named = serializeRecord({ type: 'x', id: 'a' })
  const [, ...order] = united([file(dated, named, wrong, bare)])
    .toString()
    .trimEnd()
    .split('\n')
  expect(order.slice(0, 2).sort()).toEqual([wrong, bare].sort())
  expect(order.slice(2)).toEqual([named, dated])
})

test('orders forget lines of one time by their own ids', () => {
  const ids = Array.from({ length: 30 }, (_, n) => memory({ text: `${n}` }).id as string)
  const [, ...lines] = united([file(...ids.map((id) => forgetLine(id)))])
    .toString()
    .trimEnd()
    .split('\n')
  const order = lines.map((line) => (JSON.parse(line) as { id: string }).id)
  expect(order).toEqual(order.toSorted())
})

function verdict(line: string): string {
  const bytes = Buffer.from(line)
  const judged = parseLine(bytes, 0, bytes.length)
  return typeof judged === 'string' ? judged : `${judged.kind} ${judged.check}`
}

/** Reverses the keys, and escapes every character of all strings. */
function loosely(value: Json, space: string): string {
  if (typeof value === 'string')
    return `"${value.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => loosely(item, space)).join(`${space},`)}]`
  const members = Object.entries(value)
    .reverse()
    .map(([key, member]) => `${loosely(key, space)}${space}:${loosely(member ?? null, space)}`)
  return `{${space}${members.join(`,${space}`)}}`
}
