import { expect, test } from 'vitest'
import { Fault } from '../../../src/contract/faults.ts'
import { ask, COLLECTION, KEYS, type TestAnswer, testApp } from './app-kit.ts'

const LIST = '/v1/collections'

/** Creates a handler whose reply the test releases. */
function heldAnswer(): { held: Promise<TestAnswer>; release: (answer: TestAnswer) => void } {
  let release: (answer: TestAnswer) => void = () => undefined
  const held = new Promise<TestAnswer>((resolve) => {
    release = resolve
  })
  return { held, release }
}

test('finishes requests in flight when it stops, and accepts no new ones', async () => {
  const { held, release } = heldAnswer()
  const app = testApp({ does: () => held })
  const inFlight = app.fetch(ask(LIST, { key: KEYS.read }))
  const drained = app.drain(10_000)
  const late = await app.fetch(ask(LIST, { key: KEYS.read }))
  expect([late.status, late.headers.get('connection'), late.headers.has('retry-after')]).toEqual([503, 'close', true])
  expect([(await app.fetch(ask('/readyz'))).status, (await app.fetch(ask('/healthz'))).status]).toEqual([503, 200])
  release({ status: 200, json: [] })
  expect((await inFlight).status).toBe(200)
  await drained
})

test('aborts requests that take too long to end', async () => {
  const app = testApp({
    does: (call) =>
      new Promise((_, reject) =>
        call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true })
      )
  })
  const inFlight = app.fetch(ask(LIST, { key: KEYS.read }))
  while (app.calls.length === 0) await Promise.resolve()
  const drained = app.drain(10_000)
  await app.clock.pass(10_000)
  expect((await inFlight).status).toBe(503)
  await drained
})

test('counts a stream as in flight until its last byte', async () => {
  const chunks = ['a\n', 'b\n']
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(to) {
        const next = chunks.shift()
        if (next === undefined) to.close()
        else to.enqueue(Buffer.from(next))
      }
    },
    { highWaterMark: 0 }
  )
  const app = testApp({ does: async () => ({ status: 200, stream, type: 'application/jsonl' }) })
  const call = ask('/v1/device-memory/snapshot/export', { key: KEYS.read, json: { collection_id: COLLECTION } })
  const reply = await app.fetch(call)
  let over = false
  const drained = app.drain(10_000).then(() => {
    over = true
  })
  expect(app.lines.some(({ message }) => message === 'request')).toBe(false)
  expect([over, await reply.text()]).toEqual([false, 'a\nb\n'])
  await drained
  expect(app.lines.at(-1)?.fields).toMatchObject({ status: 200, bytesOut: 4 })
})

test('aborts the call when the client goes away', async () => {
  const gone = new AbortController()
  const seen: AbortSignal[] = []
  const app = testApp({
    does: async ({ signal }) => {
      seen.push(signal)
      gone.abort(new Error('gone'))
      return { status: 200, json: [] }
    }
  })
  await app.fetch(ask(LIST, { key: KEYS.read, signal: gone.signal }))
  expect(seen[0]?.aborted).toBe(true)
})

test('stops the source of a stream when its reader leaves', async () => {
  let cancelled: unknown
  const stream = new ReadableStream<Uint8Array>({
    pull: (to) => to.enqueue(new Uint8Array(10)),
    cancel(reason) {
      cancelled = reason
    }
  })
  const app = testApp({ does: async () => ({ status: 200, stream, type: 'application/jsonl' }) })
  const call = ask('/v1/device-memory/snapshot/export', { key: KEYS.read, json: { collection_id: COLLECTION } })
  const reader = (await app.fetch(call)).body?.getReader()
  await reader?.read()
  await reader?.cancel('enough')
  expect(cancelled).toBe('enough')
  expect(app.lines.at(-1)?.fields).toMatchObject({ brokenOff: true, bytesOut: 10 })
  await app.drain(1)
})

test('tells clients to retry when too many requests are in flight', async () => {
  const { held, release } = heldAnswer()
  const app = testApp({ settings: { requestsMax: 2 }, does: () => held })
  const taken = [app.fetch(ask(LIST, { key: KEYS.read })), app.fetch(ask(LIST, { key: KEYS.read }))]
  const refused = await app.fetch(ask(LIST, { key: KEYS.read }))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await app.fetch(ask('/healthz'))).status).toBe(200)
  release({ status: 200, json: [] })
  for (const reply of taken) expect((await reply).status).toBe(200)
  expect((await app.fetch(ask(LIST, { key: KEYS.read }))).status).toBe(200)
})

test('does not let slow bodies block other requests', async () => {
  const app = testApp({ settings: { requestsMax: 1 }, does: async () => ({ status: 200, json: [] }) })
  let finish = (): void => undefined
  const body = new ReadableStream<Uint8Array>({
    start(to) {
      to.enqueue(Buffer.from('{"name":'))
      finish = () => {
        to.enqueue(Buffer.from('"slow"}'))
        to.close()
      }
    }
  })
  const headers = { 'content-type': 'application/json' }
  const call = { key: KEYS.admin, method: 'POST', headers, body, duplex: 'half' } as const
  const slow = app.fetch(ask('/v1/collections', call))
  expect((await app.fetch(ask(LIST, { key: KEYS.read }))).status).toBe(200)
  finish()
  expect((await slow).status).toBe(200)
})

test('logs a stream that fails after its status was sent', async () => {
  const failing = (thrown: Error): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>({
      pull() {
        throw thrown
      }
    })
  const call = () => ask('/v1/device-memory/snapshot/export', { key: KEYS.read, json: { collection_id: COLLECTION } })
  const failures = [new Fault('unavailable', 'the storage is gone'), new TypeError('a bug')]
  for (const thrown of failures) {
    const app = testApp({ does: async () => ({ status: 200, stream: failing(thrown), type: 'application/jsonl' }) })
    const reply = await app.fetch(call())
    await expect(reply.text()).rejects.toThrow(thrown.message)
    expect(app.lines.map(({ level }) => level)).toEqual(['error', 'info'])
    expect(app.lines[1]?.fields).toMatchObject({ brokenOff: true })
    await app.drain(1)
  }
})

test('waits for nothing once it was drained', async () => {
  const app = testApp({ does: async () => ({ status: 201, json: {} }) })
  const made = await app.fetch(ask('/v1/collections', { key: KEYS.admin, json: { name: 'a' } }))
  expect(made.status).toBe(201)
  await app.drain(1000)
  expect(app.clock.waiting()).toBe(0)
})
