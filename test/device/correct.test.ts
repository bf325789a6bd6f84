import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bench, faultOf, found, stillClock } from './device-kit.ts'

const NOON = Date.UTC(2026, 2, 3, 12)
const OLD = { text: 'The gate code is 7714.', at: '2026-01-01', speaker: 'Ada', conversation: 'house' }

test('stores a correction with the speaker and conversation of the memory, and returns it instead', async () => {
  const { device } = await bench({ clock: stillClock(NOON) })
  const { id } = await device.store(OLD)
  const { record } = await device.correct(id.slice(0, 12), 'The gate code is 4417.')
  expect(record).toMatchObject({
    text: 'The gate code is 4417.',
    at: '2026-03-03T12:00:00.000Z',
    speaker: 'Ada',
    conversation: 'house',
    supersedes: [id]
  })
  expect(found(await device.search('gate code'))).toEqual(['The gate code is 4417.'])
  expect(found(await device.search('gate code', { as_of: '2026-02-01T00:00:00.000Z' }))).toEqual([OLD.text])
})

test('prefers the time, speaker, conversation and metadata of the options', async () => {
  const { device } = await bench()
  const { id } = await device.store(OLD)
  const details = { at: '2026-02-01T00:00:00.000Z', speaker: 'Bob', conversation: 'other', metadata: { n: 1 } }
  expect((await device.correct(id, 'The gate code is 4417.', details)).record).toMatchObject(details)
})

test('lets the newest correction hold, of the memory or of its correction', async () => {
  const { device, another } = await bench({ clock: stillClock(NOON) })
  const first = await device.store(OLD)
  const second = await device.correct(first.id, 'The gate code is 4417.')
  const third = await another({ clock: stillClock(NOON + 1) }).correct(second.id, 'The gate code is 5518.')
  expect(third.record.supersedes).toEqual([second.id])
  expect(found(await device.search('gate code'))).toEqual(['The gate code is 5518.'])
  const again = await another({ clock: stillClock(NOON + 2) }).correct(first.id, 'The gate code is 6619.')
  expect(again.record.supersedes).toEqual([first.id, second.id, third.id])
  expect(found(await device.search('gate code'))).toEqual(['The gate code is 6619.'])
})

test('stores nothing in a dry run, and returns the record that it would store', async () => {
  const { device, lines } = await bench({ clock: stillClock(NOON) })
  const { id } = await device.store(OLD)
  const before = lines()
  const { record } = await device.correct(id, 'The gate code is 4417.', { dryRun: true })
  expect(lines()).toEqual(before)
  expect((await device.correct(id, 'The gate code is 4417.')).record).toEqual(record)
})

test('refuses an empty text, an equal memory, and a memory that is unknown or forgotten', async () => {
  const { device, lines } = await bench({ clock: stillClock(NOON) })
  const { id } = await device.store(OLD)
  expect(await faultOf(() => device.correct(id, ''))).toMatchObject({ code: 'invalid_input' })
  expect(await faultOf(() => device.correct(id, OLD.text, { at: OLD.at }))).toMatchObject({ code: 'invalid_input' })
  expect(await faultOf(() => device.correct('mem_000000', 'x'))).toMatchObject({ code: 'not_found' })
  expect(await faultOf(() => device.correct('mem_0', 'x'))).toMatchObject({ code: 'usage' })
  await device.forget([id])
  expect(await faultOf(() => device.correct(id, 'x'))).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('forgotten')
  })
  expect(lines()).toHaveLength(3)
})

test('names damage where the memory to correct may be a damaged line', async () => {
  const { device, path } = await bench()
  appendFileSync(path, '{"type":"memory"}\n')
  expect(await faultOf(() => device.correct('mem_123456', 'x'))).toMatchObject({
    code: 'not_found',
    hint: 'it may be the damaged line of the file; to list damage: memctl device verify'
  })
})
