import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import type { GivenInput, StoreInput } from '../../src/device/device.ts'
import { mergeSnapshots } from '../../src/device/merge-snapshots.ts'
import { openDevice } from '../../src/device/open-device.ts'
import { batchOf, bench, faultOf, found, stillClock, streamOf, worldWith } from './device-kit.ts'

const NOON = Date.UTC(2026, 2, 3, 12)
const ID = `mem_${'0a'.repeat(16)}`
const FACT = { subject: 'gate', predicate: 'has code', value: '4417' }

test('stores given facts and superseded ids in the line, without a part in the id', async () => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const plain = await device.preview({ text: 'The code is new.' })
  const given = [{ ...FACT, valid_from: '2026-01-02', valid_to: '2026-02-01T10:00:00+01:00' }, FACT]
  const { id } = await device.store({ text: 'The code is new.', given, supersedes: [ID] })
  expect(id).toBe(plain.id)
  expect(device.show(id).record).toMatchObject({
    given: [{ ...FACT, valid_from: '2026-01-02T00:00:00.000Z', valid_to: '2026-02-01T09:00:00.000Z' }, FACT],
    supersedes: [ID]
  })
})

test.each<[string, Record<string, unknown>, string]>([
  ['a prefix of an id', { supersedes: ['mem_0a0a0a'] }, '`supersedes`'],
  ['one id instead of an array', { supersedes: ID }, '`supersedes`'],
  ['an id in capitals', { supersedes: [ID.toUpperCase()] }, '`supersedes`'],
  ['one fact instead of an array', { given: FACT }, '`given`'],
  ['a fact without a value', { given: [{ subject: 'gate', predicate: 'has code' }] }, '`given`'],
  ['a value that is a number', { given: [{ ...FACT, value: 4417 }] }, '`given`'],
  ['a time that does not exist', { given: [{ ...FACT, valid_to: '2026-02-30' }] }, '`given`'],
  ['a fact with an unknown field', { given: [{ ...FACT, until: '2026-02-03' }] }, '`given`']
])('refuses %s, in store and in a batch', async (_what, more, named) => {
  const { device, lines } = await bench()
  const refusal = { code: 'invalid_input', message: expect.stringContaining(named) }
  expect(await faultOf(() => device.store({ text: 'a', ...more } as StoreInput))).toMatchObject(refusal)
  expect(await faultOf(() => device.storeBatch(streamOf(batchOf({ raw_text: 'a', ...more }))))).toMatchObject(refusal)
  expect(lines()).toHaveLength(1)
})

test('refuses given facts that JSON cannot represent', async () => {
  const { device } = await bench()
  const odd = [{ ...FACT, value: Number.NaN }, { ...FACT, value: '\ud800' }, new Map()] as unknown as GivenInput[]
  for (const one of odd)
    expect(await faultOf(() => device.store({ text: 'a', given: [one] }))).toMatchObject({ code: 'malformed_json' })
})

test('stores the lines of a batch with given facts and superseded ids, and nothing the second time', async () => {
  const { device, lines } = await bench({ clock: stillClock(NOON) })
  const line = { raw_text: 'a', given: [{ ...FACT, valid_from: null }], supersedes: [ID] }
  expect(await device.storeBatch(streamOf(batchOf(line)))).toMatchObject({ stored: 1 })
  expect([...device.list().records]).toMatchObject([{ given: [FACT], supersedes: [ID] }])
  expect(await device.storeBatch(streamOf(batchOf(line)))).toMatchObject({ stored: 0, known: 1 })
  expect(lines()).toHaveLength(2)
})

test('reports a memory that exists with other given facts or superseded ids as different, and leaves it', async () => {
  const { device, lines } = await bench({ clock: stillClock(NOON) })
  await device.storeBatch(streamOf(batchOf({ raw_text: 'a' })))
  const more = batchOf({ raw_text: 'a', given: [FACT] })
  expect(await device.storeBatch(streamOf(more))).toMatchObject({ stored: 0, differed: 1 })
  const corrected = batchOf({ raw_text: 'a', supersedes: [ID] })
  expect(await device.storeBatch(streamOf(corrected))).toMatchObject({ stored: 0, differed: 1 })
  expect(lines()).toHaveLength(2)
})

test('returns given facts in the answer, with their period', async () => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const valid_from = '2020-05-01T00:00:00.000Z'
  await device.store({ text: 'See the note.', given: [{ ...FACT, valid_from }] })
  const { response } = await device.search('gate code', { explain: true })
  expect(response.semantics).toMatchObject([{ ...FACT, valid_from, explanation: { rule: 'given' } }])
})

test('leaves a superseded memory out of the answer until the later one is forgotten', async () => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const old = await device.store({ text: 'The gate code is 7714.', at: '2026-01-01' })
  const { id } = await device.store({ text: 'The gate code is 4417.', supersedes: [old.id] })
  expect(found(await device.search('gate code'))).toEqual(['The gate code is 4417.'])
  await device.forget([id])
  expect(found(await device.search('gate code'))).toEqual(['The gate code is 7714.'])
})

test('lets a memory that names itself hold', async () => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const { id } = await device.preview({ text: 'The gate code is 4417.' })
  await device.store({ text: 'The gate code is 4417.', supersedes: [id] })
  expect(found(await device.search('gate code'))).toEqual(['The gate code is 4417.'])
})

const aTime = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((t) => t.toISOString())
const aText = fc.string({ unit: 'grapheme', maxLength: 12 })
const anInput = fc.record(
  {
    text: aText,
    given: fc.array(
      fc.record(
        { subject: aText, predicate: aText, value: aText, valid_from: aTime, valid_to: aTime },
        { requiredKeys: ['subject', 'predicate', 'value'] }
      ),
      { maxLength: 3 }
    ),
    supersedes: fc.array(
      fc
        .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 })
        .map((hex) => `mem_${hex}`),
      { maxLength: 3 }
    )
  },
  { requiredKeys: ['text'] }
)

test('keeps any given facts and superseded ids through re-extraction and merge', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(anInput, { selector: ({ text }) => text, maxLength: 4 }), async (inputs) => {
      const { device, folder, cache, path } = await bench({ clock: stillClock(NOON), options: { extract: false } })
      for (const input of inputs) await device.store(input)
      await device.compact({ reExtract: true })
      const held = inputs.map(({ text, given, supersedes }) => ({ text, given, supersedes }))
      expect(pickHeld(device.list().records)).toEqual(pickHeld(held))
      const output = join(folder, 'merged.mem.jsonl')
      await mergeSnapshots(worldWith(cache), { inputs: [path, (await bench()).path], output })
      expect(pickHeld(openDevice(worldWith(cache), output).list().records)).toEqual(pickHeld(held))
    }),
    { numRuns: 20 }
  )
})

type Held = Pick<MemoryRecord, 'text' | 'given' | 'supersedes'>

function pickHeld(records: Iterable<Held>): unknown[] {
  return [...records]
    .map(({ text, given, supersedes }) => ({ text, given, supersedes }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
}
