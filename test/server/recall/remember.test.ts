import { expect, test } from 'vitest'
import { createRememberer } from '../../../server/recall/memories/create-rememberer.ts'
import type { EnginePool } from '../../../server/recall/pool/engine-pool.ts'
import { OUTCOMES } from '../../../server/storage/port/record-batch.ts'
import { parseLine } from '../../../src/snapshot/record/parse-line.ts'
import { memory } from '../../snapshot/builders.ts'
import { collection, parsed, question, recallBench } from './recall-kit.ts'

const A = '00000000-0000-7000-8000-00000000000a'
const NOW = Date.parse('2026-03-04T05:06:07.089Z')

const input = (text: string, metadata?: Record<string, string | number | null>, copy = 1) => ({
  text,
  metadata,
  nowMs: NOW,
  copy
})

test('builds a line that every reader accepts, with the extracted fields', async () => {
  const { engine } = await recallBench()
  const { memoryId, batch } = await engine.remember(input('I moved to Lisbon.', { speaker: 'Ada', title: 'Mail' }))
  const line = Buffer.from(batch.lines)
  const record = JSON.parse(line.toString())
  expect(parseLine(line, 0, line.length)).toMatchObject({ kind: 'memory', id: memoryId })
  expect(record).toMatchObject({ speaker: 'Ada', metadata: { speaker: 'Ada', title: 'Mail' }, undated: true })
  expect(record.facts[0]).toMatchObject({ subject: 'Ada' })
  expect(batch).toMatchObject({ count: 1, kinds: Uint8Array.of(0), ends: Uint32Array.of(line.length) })
  expect(Buffer.from(batch.keys.subarray(0, 16)).toString('hex')).toBe(memoryId.slice(4))
  expect(Buffer.from(batch.checks).toString('hex')).toBe(record.check)
  expect(batch.times[0]).toBe(NOW)
})

test('gives a text without a time the same id at any time, and one with a time an id for that time', async () => {
  const { engine } = await recallBench()
  const ids = await Promise.all([
    engine.remember(input('a')),
    engine.remember({ ...input('a'), nowMs: NOW + 5 }),
    engine.remember(input('a', { at: '2026-05-01T10:00:00+02:00' })),
    engine.remember(input('a', undefined, 2))
  ])
  const undated = memory({ text: 'a', undated: true }).id
  const dated = memory({ text: 'a', at: '2026-05-01T08:00:00.000Z' }).id
  const copy = memory({ text: 'a', undated: true, copy: 2 }).id
  expect(ids.map(({ memoryId }) => memoryId)).toEqual([undated, undated, dated, copy])
})

test('keeps metadata of an unexpected type without interpreting it', async () => {
  const { engine } = await recallBench()
  const metadata = { at: 'soon', speaker: 7, conversation: null, position: 'first' }
  const { batch } = await engine.remember(input('a', metadata))
  expect(parsed<object>(batch.lines)).toMatchObject({ metadata, undated: true })
  expect(parsed<object>(batch.lines)).not.toHaveProperty('speaker')
})

test('refuses only a text that is too large for a line', async () => {
  const { engine } = await recallBench()
  const [large, small] = await Promise.allSettled([
    engine.remember(input('a', { note: 'b'.repeat(17_000_000) })),
    engine.remember(input('c'))
  ])
  expect(large).toMatchObject({ status: 'rejected', reason: { code: 'too_large' } })
  expect(small.status).toBe('fulfilled')
})

test('finds stored memories in the next search', async () => {
  const { engine, storage } = await recallBench()
  await collection(storage, A)
  const { memoryId, batch } = await engine.remember(input('Ada moved to Lisbon.'))
  expect((await storage.append(A, batch)).outcomes[0]).toBe(OUTCOMES.stored)
  expect(parsed(await engine.searchCollections([A], question('Lisbon'))).sources[0]?.id).toBe(memoryId)
})

test('sends waiting texts together, and long ones separately', async () => {
  const sizes: number[] = []
  const run = async ({ send }: { send: () => { argument: unknown[] } }) => {
    await Promise.resolve()
    const { argument } = send()
    sizes.push(argument.length)
    return argument.map((_, i) => ({ memoryId: `mem_${i}`, batch: {} }))
  }
  const remember = createRememberer({ run } as unknown as EnginePool)
  const texts = [...Array.from({ length: 40 }, () => 'a'), 'b'.repeat(5000)]
  await Promise.all(texts.map((text) => remember(input(text))))
  expect(sizes.sort((a, b) => a - b)).toEqual([1, 8, 32])
})

test('rejects a waiting text immediately when aborted', async () => {
  const remember = createRememberer({ run: () => new Promise(() => undefined) } as unknown as EnginePool)
  const caller = new AbortController()
  const waiting = remember(input('a'), caller.signal)
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
})
