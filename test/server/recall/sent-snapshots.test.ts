import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/snapshot/json/json.ts'
import { checked, file, forgetLine, header, headerOver, memory, memoryLine } from '../../snapshot/builders.ts'
import { parsed, question, recallBench, sent } from './recall-kit.ts'

const ADA = { text: 'Ada moved to Lisbon.', speaker: 'Ada' }
const BEN = { text: 'Ben lives in Porto.', conversation: 'talk', position: 1 }
const UNKNOWN = checked('{"id":"x","type":"later","value":[1,{"a":null}]}')

/** Builds the object form of a header and lines, as in a body. */
function object(head: string, ...lines: string[]): string {
  return `${head.slice(0, -1)},"records":[${lines.join(',')}]}`
}

async function refusal(text: string, form: 'json' | 'jsonl' = 'json') {
  const { engine } = await recallBench()
  return engine.searchSnapshot(sent(text, form), question('a')).catch((error: unknown) => error)
}

test('names damaged records by their path in the sent value', async () => {
  const damaged = memoryLine(BEN).replace('Porto', 'Faro')
  expect(await refusal(object(header(), memoryLine(ADA), damaged, '{"type":1}'))).toMatchObject({
    code: 'invalid_snapshot',
    errors: [
      { path: 'snapshot.records[1]', message: '`check` does not match: the line was changed or damaged' },
      { path: 'snapshot.records[2]', message: '`type` must be a string' }
    ]
  })
})

test('names damaged lines by their number', async () => {
  const text = `${header()}\n${memoryLine(ADA)}\n{}\n`
  expect(await refusal(text, 'jsonl')).toMatchObject({
    code: 'invalid_snapshot',
    errors: [{ path: 'line 3', message: 'has neither `type` nor `format`' }]
  })
})

test('reports the first ten of a million invalid records, and reads no further', async () => {
  const text = object(header(), `${'{},'.repeat(1_000_000)}{}`)
  expect(((await refusal(text)) as { errors: unknown[] }).errors).toHaveLength(10)
})

test('reports a truncated line as damaged', async () => {
  const text = file(memoryLine(ADA), memoryLine(BEN)).toString().slice(0, -20)
  expect(await refusal(text, 'jsonl')).toMatchObject({ code: 'invalid_snapshot', errors: [{ path: 'line 3' }] })
})

test('refuses a line of 16 MiB', async () => {
  const text = object(header(), `{"text":"${'a'.repeat(16 * 1024 * 1024)}","type":"memory"}`)
  expect(await refusal(text)).toMatchObject({
    code: 'invalid_snapshot',
    errors: [{ path: 'snapshot.records[0]', message: 'is longer than 16777216 bytes' }]
  })
})

test('reports lines as missing that the header counts', async () => {
  const text = object(headerOver([memory(ADA).id, memory(BEN).id] as string[]), memoryLine(ADA))
  expect(await refusal(text)).toMatchObject({ code: 'invalid_snapshot', errors: [{ path: 'snapshot.count' }] })
})

test.each([
  ['another version', object(header()).replace('"version":1', '"version":2'), 'snapshot.version'],
  ['a wrong check', object(header()).replace(/"check":"./, '"check":"x'), 'snapshot'],
  ['another format', object(header()).replace('memctl.snapshot', 'other'), 'snapshot'],
  ['no header', '{"records":[]}', 'snapshot'],
  ['no records', header(), 'snapshot'],
  ['a list of numbers', object(header(), '1'), 'snapshot.records[0]'],
  ['records that are not a list', `${header().slice(0, -1)},"records":{}}`, 'snapshot']
])('refuses %s with its path', async (_what, text, path) => {
  expect(await refusal(text)).toMatchObject({ code: 'invalid_snapshot', errors: [{ path }] })
})

test('returns the snapshot with the stored memory and everything that was in it', async () => {
  const { engine } = await recallBench()
  const before = object(
    header({ note: 'kept' }),
    UNKNOWN,
    memoryLine({ ...ADA, extra: { kept: true } }),
    forgetLine(BEN)
  )
  const input = { text: 'Cleo plays chess.', metadata: { speaker: 'Cleo', at: '2026-05-01' }, nowMs: 0, copy: 1 }
  const bytes = await engine.storeIntoSnapshot(sent(before, 'json'), input)
  const { snapshot } = parsed<{ snapshot: { note: string; count: number; records: JsonObject[] } }>(bytes)
  expect(snapshot.note).toBe('kept')
  expect(snapshot.count).toBe(3)
  expect(snapshot.records).toContainEqual(JSON.parse(UNKNOWN))
  expect(snapshot.records).toContainEqual(expect.objectContaining({ text: ADA.text, extra: { kept: true } }))
  expect(snapshot.records).toContainEqual(
    expect.objectContaining({ text: 'Cleo plays chess.', speaker: 'Cleo', at: '2026-05-01T00:00:00.000Z' })
  )
})

test('changes no byte when the same text is stored into a snapshot again, at any time', async () => {
  const { engine } = await recallBench()
  const store = async (text: string, nowMs: number) => {
    const input = { text: 'Cleo plays chess.', metadata: undefined, nowMs, copy: 1 }
    const bytes = await engine.storeIntoSnapshot(sent(text, 'json'), input)
    return JSON.stringify(parsed<{ snapshot: unknown }>(bytes).snapshot)
  }
  const once = await store(object(header(), memoryLine(ADA)), 1)
  expect(await store(once, 2_000_000)).toBe(once)
})

test('stores a forgotten text of a snapshot as a further copy', async () => {
  const { engine } = await recallBench()
  const plan = { text: 'Cleo plays chess.', undated: true as const }
  const input = { text: plan.text, metadata: undefined, nowMs: 0, copy: 1 }
  const bytes = await engine.storeIntoSnapshot(sent(object(header(), forgetLine(plan)), 'json'), input)
  const { records } = parsed<{ snapshot: { records: JsonObject[] } }>(bytes).snapshot
  expect(records.map(({ type, copy }) => [type, copy])).toContainEqual(['memory', 2])
})

test('returns the lines of the canonical form for the storage', async () => {
  const { engine } = await recallBench()
  const better = memoryLine({ ...ADA, extractor: 4 })
  const text = file(memoryLine(ADA), UNKNOWN, better, memoryLine(BEN), forgetLine(BEN), UNKNOWN)
  const { records, batches } = await engine.readRecords(sent(text))
  const lines = batches.flatMap(({ ends, lines }) =>
    [...ends].map((end, i) => Buffer.from(lines.subarray(ends[i - 1] ?? 0, end)).toString())
  )
  expect(records).toBe(6)
  expect(lines.sort()).toEqual([better, UNKNOWN, forgetLine(BEN)].sort())
})

test('returns batches of a thousand lines, with times in milliseconds', async () => {
  const { engine } = await recallBench()
  const at = '1969-07-20T20:17:40.123Z'
  const lines = Array.from({ length: 1001 }, (_, i) => memoryLine({ text: `memory ${i}`, at }))
  const { batches } = await engine.readRecords(sent(file(...lines)))
  expect(batches.map(({ count }) => count)).toEqual([1000, 1])
  expect(batches[1]?.times[0]).toBe(Date.parse(at))
})
