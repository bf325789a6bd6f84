import { expect, test } from 'vitest'
import { createClient } from '../../src/client/create-client.ts'
import { readChunks } from '../../src/client/read-text.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/endpoints.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { PlainReply, PlainRequest } from '../../src/ports.ts'
import { clientOf, json, KEY, ORIGIN, problem } from './fake-service.ts'

const GUID = '018f3a00-0000-7000-8000-000000000001'
const EMPTY = { semantics: [], procedures: [], episodes: [], sources: [] }
const question = { body: { query: 'x', collection_ids: [GUID] } }
const busy = problem(503, { code: 'unavailable', detail: 'stopping' }, { 'retry-after': '2' })

test('has a method for every endpoint', () => {
  const { client } = clientOf([])
  for (const name of Object.keys(ENDPOINTS)) expect(client).toHaveProperty(name, expect.any(Function))
})

test('returns the value of the reply', async () => {
  const { client, arrived } = clientOf([json(EMPTY)])
  expect(await client.searchMemories(question)).toEqual(EMPTY)
  expect(arrived).toMatchObject([{ method: 'POST', path: '/v1/memories/search', body: JSON.stringify(question.body) }])
})

test('returns an unread reply for a stream, and rejects if it failed', async () => {
  const { client, arrived } = clientOf([new Response('a\nb\n'), problem(403, { code: 'forbidden', detail: 'no' })])
  const asked = { body: { collection_id: GUID } }
  const response = await client.stream('exportSnapshot', asked, { accept: 'application/jsonl' })
  expect(await response.text()).toBe('a\nb\n')
  expect(arrived[0]?.headers.get('accept')).toBe('application/jsonl')
  await expect(client.stream('exportSnapshot', asked)).rejects.toMatchObject({ code: 'forbidden' })
})

test('uses plain values where possible, and platform responses only for raw replies', async () => {
  const asked: unknown[] = []
  const exchange = async (request: PlainRequest): Promise<PlainReply> => {
    asked.push({ ...request, body: String(Buffer.from(request.body as Uint8Array)) })
    return json(EMPTY)
  }
  const { client, arrived } = clientOf([new Response('a\n')], { exchange })
  expect(await client.searchMemories(question)).toEqual(EMPTY)
  expect(arrived).toEqual([])
  expect(asked).toMatchObject([
    {
      url: `${ORIGIN}/v1/memories/search`,
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(question.body)
    }
  ])
  expect(await client.stream('exportSnapshot', { body: { collection_id: GUID } })).toBeInstanceOf(Response)
  expect(arrived).toHaveLength(1)
})

test('reports a body that breaks off as a broken transfer', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
      })
    )
  const { client } = clientOf([broken])
  await expect(client.listKeys()).rejects.toMatchObject({ code: 'broken_transfer' })
  const response = await client.stream('getMetrics', {})
  await expect(drained(readChunks(response))).rejects.toMatchObject({
    code: 'broken_transfer'
  })
})

test.each([
  ['an error of the system', refusal('ECONNREFUSED')],
  ['an error that the platform wraps', new TypeError('fetch failed', { cause: refusal('ENOTFOUND') })]
])('names the server in the fault if there is no answer: %s', async (_name, error) => {
  const { client } = clientOf([() => Promise.reject(error)])
  const fault = await client.listKeys().catch((one: unknown) => one)
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ code: 'unreachable', exitCode: 7, message: expect.stringContaining(ORIGIN) })
})

test('suggests starting the server if nothing listens on this machine', async () => {
  const fetch = () => Promise.reject(refusal('ECONNREFUSED'))
  const client = createClient({ fetch, origin: 'http://127.0.0.1:8787' })
  await expect(client.listKeys()).rejects.toMatchObject({ hint: 'memctl server start', next: ['memctl server start'] })
})

test('rethrows aborts and bugs unchanged', async () => {
  const abort = new DOMException('stop', 'AbortError')
  await expect(clientOf([() => Promise.reject(abort)]).client.listKeys()).rejects.toBe(abort)
  const bug = new TypeError('undefined is no function')
  await expect(clientOf([() => Promise.reject(bug)]).client.listKeys()).rejects.toBe(bug)
})

test('ends a call on either signal', async () => {
  const [all, own] = [new AbortController(), new AbortController()]
  const signals: AbortSignal[] = []
  const fetch = async (request: Request) => {
    signals.push(request.signal)
    return json([])
  }
  const client = createClient({ fetch, origin: ORIGIN, signal: all.signal })
  await client.listKeys({}, { signal: own.signal })
  await client.listKeys()
  own.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  all.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

test.each([
  'http://memory.example',
  'ftp://memory.example',
  'https://me:pass@memory.example',
  'nowhere',
  `${ORIGIN}?x=1`
])('refuses to create a client for %s', (origin) => {
  expect(() => createClient({ fetch: async () => json([]), origin, key: KEY })).toThrow(
    expect.objectContaining({ code: 'usage' })
  )
})

test('retries when the service allows it, and reports the wait', async () => {
  const told: string[] = []
  const { client, arrived } = clientOf([busy, busy, json(EMPTY)], { patience: patience({ told }) })
  expect(await client.searchMemories(question)).toEqual(EMPTY)
  expect(arrived).toHaveLength(3)
  expect(told).toEqual(['stopping 2000', 'stopping 2000'])
})

test('rejects with the fault and the time of a retry when the patience ends', async () => {
  const { client, arrived } = clientOf([busy], { patience: patience({ totalMs: 5000 }) })
  await expect(client.searchMemories(question)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  expect(arrived).toHaveLength(3)
})

test('does not repeat creations, or replies without a time to retry', async () => {
  const making = clientOf([busy], { patience: patience({}) })
  await expect(making.client.createCollection({ body: { name: 'x' } })).rejects.toMatchObject({ code: 'unavailable' })
  expect(making.arrived).toHaveLength(1)
  const silent = clientOf([problem(503, { code: 'unavailable' })], { patience: patience({}) })
  await expect(silent.client.listKeys()).rejects.toMatchObject({ code: 'unavailable' })
  expect(silent.arrived).toHaveLength(1)
})

test('does not resend a stream of lines that was read, but resends lines in one piece', async () => {
  const restored = { records: 1, stored: 1, known: 0, forgotten: 0 }
  const params = { collection_id: GUID }
  const once = clientOf([busy, json(restored)], { patience: patience({}) })
  await expect(once.client.restoreRecords({ params, lines: oneLine() })).rejects.toMatchObject({ code: 'unavailable' })
  const again = clientOf([busy, json(restored)], { patience: patience({}) })
  expect(await again.client.restoreRecords({ params, lines: Buffer.from('{}\n') })).toEqual(restored)
  expect(again.arrived.map(({ body }) => body)).toEqual(['{}\n', '{}\n'])
})

test('never includes the key in a fault', async () => {
  const { client } = clientOf([
    problem(401, { code: 'unauthenticated', detail: 'unknown key' }),
    new Response('<html>')
  ])
  for (const attempt of [client.listKeys(), client.listKeys()]) {
    const fault = await attempt.catch((error: unknown) => error)
    expect(JSON.stringify([fault, String((fault as Error).message), (fault as Error).stack])).not.toContain(KEY)
  }
})

test('repeats reads and disconnects, but not connects and selections', async () => {
  const ended = clientOf([busy, json({ message: 'm', warnings: [] })], { patience: patience({}) })
  await ended.client.disconnect({ params: { connection_id: GUID }, query: {} })
  expect(ended.arrived.length).toBe(2)
  const chosen = clientOf([busy], { patience: patience({}) })
  const input = { params: { connection_id: GUID }, body: { config: { folder_ids: ['a'] } } }
  await expect(chosen.client.updateConfig(input)).rejects.toMatchObject({ code: 'unavailable' })
  const begun = clientOf([busy], { patience: patience({}) })
  const asked = { params: { provider: 'notes' }, body: { collection_id: GUID } }
  await expect(begun.client.connectProvider(asked)).rejects.toMatchObject({ code: 'unavailable' })
  expect([chosen.arrived.length, begun.arrived.length]).toEqual([1, 1])
})

/** Creates a clock that advances by waiting. */
function patience({ told = [], totalMs = 30_000 }: { told?: string[]; totalMs?: number }) {
  let now = 0
  const wait = async (ms: number) => {
    now += ms
  }
  const onWait = async (fault: Fault, ms: number) => void told.push(`${fault.message} ${ms}`)
  return { clock: { ticks: () => now, wait }, totalMs, onWait }
}

function refusal(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' })
}

async function* oneLine(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{}\n')
}

async function drained(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

test('removes whitespace around a key, such as the line end of its file', async () => {
  const { client, arrived } = clientOf([json([])], { key: `${KEY}\n` })
  await client.listCollections()
  expect(arrived[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`)
})

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

/** The client as an untyped program sees it. */
type Untyped = Record<string, (...given: unknown[]) => unknown>

test.each<[what: string, code: string, call: (client: Untyped) => unknown]>([
  ['a body with a cycle', 'malformed_json', (client) => client.storeMemory?.({ body: cyclic })],
  [
    'a body with a value that JSON cannot represent',
    'malformed_json',
    (client) => client.storeMemory?.({ body: { at: 1n } })
  ],
  ['a body that is a function', 'malformed_json', (client) => client.storeMemory?.({ body: () => 1 })],
  ['an input that is null', 'usage', (client) => client.storeMemory?.(null)],
  ['an input that is a text', 'usage', (client) => client.storeMemory?.('Ada')],
  [
    'lines that are a text',
    'usage',
    (client) => client.restoreRecords?.({ params: { collection_id: GUID }, lines: 'a' })
  ],
  ['options that are null', 'usage', (client) => client.listKeys?.({}, null)],
  ['an invalid signal', 'usage', (client) => client.listKeys?.({}, { signal: 'stop' })],
  ['an unknown endpoint', 'usage', (client) => client.stream?.('exportRecords', {})],
  ['an invalid request', 'usage', (client) => client.send?.({})],
  ['an invalid method', 'usage', (client) => client.send?.({ method: 'G E T', path: '/v1/keys' })]
])('%s: rejects with a fault, and sends nothing', async (_what, code, call) => {
  const { client, arrived } = clientOf([json([])])
  await expect(call(client as unknown as Untyped)).rejects.toMatchObject({ name: 'Fault', code })
  expect(arrived).toEqual([])
})
