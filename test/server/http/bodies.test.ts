import { expect, test } from 'vitest'
import { until } from '../../setup/until.ts'
import { ask, COLLECTION, KEYS, testApp } from './app-kit.ts'

const PATH = `/v1/collections/${COLLECTION}/records`
const LINES = { 'content-type': 'application/jsonl' }

/** Creates a body whose chunks the test sends. */
function slowBody(): { body: ReadableStream; to: ReadableStreamDefaultController; cancelled: () => boolean } {
  const given: { to?: ReadableStreamDefaultController; cancelled: boolean } = { cancelled: false }
  const body = new ReadableStream({
    start(to) {
      given.to = to
    },
    cancel() {
      given.cancelled = true
    }
  })
  if (!given.to) throw new Error('a stream starts at once')
  return { body, to: given.to, cancelled: () => given.cancelled }
}

test('passes lines to their handler in one buffer, in whatever chunks they arrived', async () => {
  const app = testApp()
  const { body, to } = slowBody()
  const reply = app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body }))
  const pieces = Array.from({ length: 200 }, (_, at) => new Uint8Array(1000).fill(at))
  for (const piece of pieces) to.enqueue(piece)
  to.close()
  expect((await reply).status).toBe(200)
  const snapshot = app.calls[0]?.call.snapshot
  expect(snapshot).toMatchObject({ from: 0, to: 200_000, form: 'jsonl' })
  expect(Buffer.from(snapshot?.bytes ?? []).equals(Buffer.concat(pieces))).toBe(true)
})

test('accepts NDJSON as another name of lines', async () => {
  const app = testApp()
  for (const type of ['application/x-ndjson', 'application/jsonl; charset=UTF-8']) {
    const reply = await app.fetch(ask(PATH, { key: KEYS.edit, headers: { 'content-type': type }, body: '{}\n' }))
    expect(reply.status).toBe(200)
  }
})

test('refuses a body that breaks off, and changes nothing', async () => {
  const app = testApp()
  const { body, to } = slowBody()
  const reply = app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body }))
  to.enqueue(new Uint8Array(10))
  to.error(new Error('socket hang up'))
  expect([(await reply).status, app.calls]).toEqual([400, []])
})

test('refuses a body that is shorter than declared', async () => {
  const app = testApp()
  const headers = { ...LINES, 'content-length': '50' }
  const reply = await app.fetch(ask(PATH, { key: KEYS.edit, headers, body: 'short' }))
  expect([reply.status, app.calls]).toEqual([400, []])
})

test('refuses a client whose body pauses for too long', async () => {
  const app = testApp({ settings: { bodyIdleMs: 1000 } })
  const { body, to, cancelled } = slowBody()
  const reply = app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body }))
  await until(() => app.clock.waiting() === 1)
  await app.clock.pass(900)
  to.enqueue(new Uint8Array(10))
  await settle()
  await app.clock.pass(900)
  expect(cancelled()).toBe(false)
  await until(() => app.clock.waiting() === 1)
  await app.clock.pass(250)
  const told = await reply
  expect([told.status, told.headers.get('connection'), cancelled()]).toEqual([408, 'close', true])
})

test('gives bodies in flight one shared budget, and returns their share', async () => {
  const app = testApp({ settings: { bodiesBytesMax: 50_000 } })
  const first = slowBody()
  const holding = app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body: first.body }))
  first.to.enqueue(new Uint8Array(40_000))
  await until(async () => (await metric(app, 'memctl_http_body_bytes_in_flight')) > 0)
  const refused = await app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body: 'x'.repeat(20_000) }))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  first.to.close()
  expect((await holding).status).toBe(200)
  const later = await app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body: 'x'.repeat(20_000) }))
  expect([later.status, await metric(app, 'memctl_http_body_bytes_in_flight')]).toEqual([200, 0])
})

test('sends large JSON and JSON with a snapshot to the engine, and parses small JSON at once', async () => {
  const app = testApp()
  const header = {
    ...{ format: 'memctl.snapshot', version: 1, id: `snp_${'a'.repeat(32)}`, created_at: '2026-01-02T03:04:05.000Z' },
    ...{ collection_id: null, count: 0, ids_hash: 'a'.repeat(64), records: [] }
  }
  const big = { collection_ids: [COLLECTION], query: 'x'.repeat(400_000) }
  expect((await app.fetch(ask('/v1/memories/search', { key: KEYS.read, json: big }))).status).toBe(200)
  const json = { snapshot: header, query: 'anything' }
  expect((await app.fetch(ask('/v1/memories/search', { key: KEYS.plain, json }))).status).toBe(200)
  expect(app.calls[1]?.call.snapshot).toMatchObject({ from: 0, form: 'json' })
  const escaped = JSON.stringify(json).replace('"snapshot"', '"\\u0073napshot"')
  const reply = await app.fetch(
    ask('/v1/memories/search', { key: KEYS.plain, headers: { 'content-type': 'application/json' }, body: escaped })
  )
  expect([reply.status, app.calls[2]?.call.snapshot?.form]).toEqual([200, 'json'])
})

test('reports a snapshot with another version or an invalid header by its path', async () => {
  const app = testApp()
  const header = { format: 'memctl.snapshot', version: 2, id: `snp_${'a'.repeat(32)}`, created_at: 'x', records: [] }
  const reply = await app.fetch(ask('/v1/memories/search', { key: KEYS.plain, json: { snapshot: header, query: 'q' } }))
  const version = (await reply.json()) as { errors: { path: string }[] }
  expect(version).toMatchObject({ status: 422, code: 'invalid_snapshot' })
  expect(version.errors.map(({ path }) => path)).toContain('snapshot.version')
  const odd = { ...header, version: 1 }
  const other = await app.fetch(ask('/v1/memories/search', { key: KEYS.plain, json: { snapshot: odd, query: 'q' } }))
  const problem = (await other.json()) as { errors: { path: string }[] }
  expect(problem).toMatchObject({ code: 'invalid_snapshot' })
  expect(problem.errors.map(({ path }) => path)).toContain('snapshot.created_at')
})

async function metric(app: ReturnType<typeof testApp>, name: string): Promise<number> {
  const text = await (await app.fetch(ask('/metrics'))).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

/** Yields to the event loop, so that pending work can proceed. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
