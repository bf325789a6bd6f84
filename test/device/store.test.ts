import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { StoreInput } from '../../src/device/device.ts'
import { bench, faultOf, stillClock, texts } from './device-kit.ts'

const NOON = Date.UTC(2026, 2, 3, 12)
const MIB = 1024 * 1024

test('stores a memory with the current time before it acknowledges it, equal to the preview', async () => {
  const { device, another, lines } = await bench({ clock: stillClock(NOON) })
  const input = { text: ' Ada moved to Lisbon\n', speaker: 'Bob', metadata: { n: [1, { b: null }] } }
  const preview = await device.preview(input)
  const { id, at, record, notes } = await device.store(input)
  expect({ at, notes }).toEqual({ at: '2026-03-03T12:00:00.000Z', notes: [] })
  expect(record).toEqual(preview)
  expect(another().show(id)).toMatchObject({ record: { ...preview }, line: 2, forgotten: false })
  expect(lines()).toHaveLength(2)
})

test('stores a repeated text as a new memory later, and changes nothing at the same time', async () => {
  const { device, another } = await bench({ clock: stillClock(NOON) })
  const { id } = await device.store({ text: 'tea' })
  expect((await device.store({ text: 'tea' })).id).toBe(id)
  const later = await another({ clock: stillClock(NOON + 1) }).store({ text: 'tea' })
  expect(later.id).not.toBe(id)
  expect(texts(device)).toEqual(['tea', 'tea'])
  expect(await device.stats()).toMatchObject({ memories: 2, surplus: 1 })
})

test('reads fields of the right type from metadata, and prefers those given directly', async () => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const metadata = { speaker: 'Ada', conversation: 'c1', position: 4, at: '2026-01-02' }
  expect(await device.preview({ text: 't', metadata })).toMatchObject({
    speaker: 'Ada',
    conversation: 'c1',
    position: 4,
    at: '2026-01-02T00:00:00.000Z',
    metadata
  })
  const given = { speaker: 'Bob', conversation: 'c2', position: 5, at: '2026-01-03T00:00:00.000Z' }
  expect(await device.preview({ text: 't', metadata, ...given })).toMatchObject({ ...given, metadata })
  const odd = { speaker: 7, conversation: ['c'], position: 1.5, at: 'tomorrow' }
  const record = await device.preview({ text: 't', metadata: odd })
  expect(record).toMatchObject({ at: '2026-03-03T12:00:00.000Z', metadata: odd })
  expect([record.speaker, record.conversation, record.position]).toEqual([undefined, undefined, undefined])
})

test.each(['UTC', 'Australia/Lord_Howe', 'America/St_Johns'])('understands the same time in %s', async (zone) => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const before = process.env.TZ
  process.env.TZ = zone
  try {
    const at = async (text: string): Promise<string> => (await device.preview({ text: 't', at: text })).at
    expect(await at('2026-04-05')).toBe('2026-04-05T00:00:00.000Z')
    expect(await at('2026-04-05T02:30')).toBe('2026-04-05T02:30:00.000Z')
    expect(await at('2026-04-05T02:30:15.5+10:30')).toBe('2026-04-04T16:00:15.500Z')
    expect((await device.preview({ text: 't' })).at).toBe('2026-03-03T12:00:00.000Z')
  } finally {
    process.env.TZ = before
  }
})

test.each(['2026-02-30', '2025-02-29', '2026-13-01', '2026-01-01T24:00', 'yesterday', '', '10000-01-01'])(
  'refuses the time %j and stores nothing',
  async (at) => {
    const { device, path } = await bench()
    const before = readFileSync(path)
    expect(await faultOf(() => device.store({ text: 't', at }))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('`at`')
    })
    expect(readFileSync(path)).toEqual(before)
  }
)

test('preserves texts that are empty, unusual or large', async () => {
  const { device } = await bench()
  const said = ['', ' ', '\0', '\u2028', '\ufeff', '😀', 'e\u0301', '</script>', `${'日'.repeat(2 * MIB)}`]
  for (const text of said) await device.store({ text })
  expect(texts(device).sort()).toEqual(said.sort())
  expect(await device.verify()).toMatchObject({ sound: true, memories: said.length, notes: [] })
})

test.each([
  ['a text', { text: 'x'.repeat(16 * MIB - 100) }],
  ['a text of many bytes', { text: '日'.repeat(6 * MIB) }],
  ['a text of many escapes', { text: '\u0001'.repeat(3 * MIB) }],
  ['a speaker', { text: 't', speaker: 'x'.repeat(16 * MIB) }],
  ['metadata', { text: 't', metadata: { pad: 'x'.repeat(17 * MIB) } }],
  ['a text of half a gigabyte', { text: 'x'.repeat(500_000_000) }]
])('refuses %s whose line would exceed 16 MiB, and writes nothing', async (_what, input) => {
  const { device, path } = await bench({ options: { extract: false } })
  const before = readFileSync(path)
  expect(await faultOf(() => device.store(input))).toMatchObject({ code: 'too_large' })
  expect(await faultOf(() => device.preview(input))).toMatchObject({ code: 'too_large' })
  expect(readFileSync(path)).toEqual(before)
})

test('stores the longest possible line, and refuses one more byte', async () => {
  const { device } = await bench({ clock: stillClock(NOON), options: { extract: false } })
  const { bytes } = device.show((await device.store({ text: 'x' })).id)
  const room = 16 * MIB - bytes
  expect(await faultOf(() => device.store({ text: 'x'.repeat(room + 1) }))).toMatchObject({ code: 'too_large' })
  await device.store({ text: 'x'.repeat(room) })
  expect(await device.verify()).toMatchObject({ sound: true, memories: 2 })
})

test.each([
  ['no text', {}],
  ['a text of another type', { text: 7 }],
  ['a lone surrogate in the text', { text: 'a\ud800' }],
  ['a lone surrogate in the speaker', { text: 'a', speaker: '\udc00' }],
  ['a speaker of another type', { text: 'a', speaker: 7 }],
  ['a position that is not an integer', { text: 'a', position: 1.5 }],
  ['a position that a double cannot hold', { text: 'a', position: 2 ** 60 }],
  ['an unknown field', { text: 'a', speeker: 'Ada' }],
  ['a field named like a built-in property', { text: 'a', toString: 'x' }]
])('refuses %s and stores nothing', async (_what, input) => {
  const { device } = await bench()
  expect(await faultOf(() => device.store(input as StoreInput))).toMatchObject({ code: 'invalid_input' })
  expect(texts(device)).toEqual([])
})

test('explains why it cannot store into a missing file, a folder or a dangling link', async () => {
  const { device, path, folder, another } = await bench()

  nodeFiles.unlink(path)
  expect(await faultOf(() => device.store({ text: 't' }))).toMatchObject({ code: 'snapshot_missing' })
  nodeFiles.link(`${folder}/nowhere`, path)
  expect(await faultOf(() => another().store({ text: 't' }))).toMatchObject({ code: 'not_a_snapshot' })
  nodeFiles.unlink(path)
  nodeFiles.makeFolders(path)
  expect(await faultOf(() => another().store({ text: 't' }))).toMatchObject({ code: 'not_a_snapshot' })
})

test('stores with the earliest possible time if the clock is out of range', async () => {
  const { device } = await bench({ clock: stillClock(Number.MAX_VALUE) })
  expect((await device.store({ text: 't' })).at).toBe('1970-01-01T00:00:00.000Z')
})

test('stores all of many simultaneous memories from one device', async () => {
  const { device } = await bench()
  const said = Array.from({ length: 60 }, (_, i) => `memory ${i}`)
  await Promise.all(said.map((text) => device.store({ text })))
  expect(texts(device).sort()).toEqual(said.sort())
})

test('stores nothing if it is stopped while it waits for the lock', async () => {
  const { device, path } = await bench()

  nodeFiles.link('elsewhere:1:1:1:1:1', `${path}.lock`)
  const stopped = device.store({ text: 't' }, { signal: AbortSignal.abort() })
  expect(await faultOf(() => stopped)).toMatchObject({ code: 'cancelled' })
  expect(texts(device)).toEqual([])
})
