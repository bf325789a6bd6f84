import { expect, test } from 'vitest'
import { callOf, ROWS } from '../../contract/row-calls.ts'
import { until } from '../../setup/until.ts'
import { ask, COLLECTION, type Does, KEYS, type TestAnswer, type TestApp, testApp } from './app-kit.ts'

const LIST = '/v1/collections'
const PATH = `/v1/collections/${COLLECTION}/records`
const LINES = { 'content-type': 'application/jsonl' }

/** Creates handlers whose replies the test releases. */
function heldAnswers(): { does: Does; release(): void } {
  let release = (): void => undefined
  const held = new Promise<TestAnswer>((resolve) => {
    release = () => resolve({ status: 200, json: [] })
  })
  return { does: () => held, release }
}

test('gives one key its share of the places, and serves other keys', async () => {
  const { does, release } = heldAnswers()
  const app = testApp({ settings: { requestsMax: 8, requestsPerCallerMax: 2 }, does })
  const taken = [app.fetch(ask(LIST, { key: KEYS.read })), app.fetch(ask(LIST, { key: KEYS.read }))]
  const over = await app.fetch(ask(LIST, { key: KEYS.read }))
  expect([over.status, over.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await over.json()).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringContaining('`read` has reached its limit of 2')
  })
  const other = app.fetch(ask(LIST, { key: KEYS.edit }))
  release()
  for (const reply of [...taken, other]) expect((await reply).status).toBe(200)
  expect((await app.fetch(ask(LIST, { key: KEYS.read }))).status).toBe(200)
})

test.each(ROWS.filter(({ row }) => row.acts))(
  'counts $name by network address, because it has no key',
  async (tested) => {
    const { does, release } = heldAnswers()
    const app = testApp({ settings: { requestsMax: 8, requestsPerCallerMax: 1 }, does })
    const from = (address: string): Promise<Response> => app.fetch(callOf(tested), { address })
    const taken = from('203.0.113.9')
    expect((await from('203.0.113.9')).status).toBe(429)
    const other = from('203.0.113.10')
    release()
    for (const reply of [taken, other]) expect((await reply).status).toBe(200)
  }
)

test('gives the bodies of one key their share of the bytes, and leaves room for other keys', async () => {
  const app = testApp({ settings: { bodiesBytesMax: 100_000, bodiesBytesPerCallerMax: 40_000 } })
  let close = (): void => undefined
  const slow = new ReadableStream({
    start(to) {
      to.enqueue(new Uint8Array(30_000))
      close = () => to.close()
    }
  })
  const holding = app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body: slow }))
  await until(async () => (await metric(app, 'memctl_http_body_bytes_in_flight')) > 0)
  const body = 'x'.repeat(20_000)
  const over = await app.fetch(ask(PATH, { key: KEYS.edit, headers: LINES, body }))
  expect([over.status, over.headers.get('retry-after')]).toEqual([429, '2'])
  expect((await app.fetch(ask(PATH, { key: KEYS.admin, headers: LINES, body }))).status).toBe(200)
  close()
  expect((await holding).status).toBe(200)
  expect(await metric(app, 'memctl_http_body_bytes_in_flight')).toBe(0)
})

test('reports a server whose places stay taken as alive but not ready', async () => {
  const { does, release } = heldAnswers()
  const app = testApp({ settings: { requestsMax: 4 }, does })
  const ready = async (): Promise<number> => (await app.fetch(ask('/readyz'))).status
  const taken = Array.from({ length: 4 }, () => app.fetch(ask(LIST, { key: KEYS.read })))
  await until(async () => (await metric(app, 'memctl_http_requests_working')) === 4)
  await app.clock.pass(4999)
  expect(await ready()).toBe(200)
  await app.clock.pass(1)
  const unready = await app.fetch(ask('/readyz'))
  expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await unready.json()).toMatchObject({ detail: expect.stringContaining('in progress has been reached for 5') })
  expect((await app.fetch(ask('/healthz'))).status).toBe(200)
  release()
  await Promise.all(taken)
  expect(await ready()).toBe(200)
})

test('stays not ready when a place is free only for a moment', async () => {
  const held: (() => void)[] = []
  const does: Does = () => new Promise((resolve) => held.push(() => resolve({ status: 200, json: [] })))
  const app = testApp({ settings: { requestsMax: 4 }, does })
  const taken: Promise<Response>[] = []
  const begin = async (): Promise<void> => {
    const before = held.length
    taken.push(app.fetch(ask(LIST, { key: KEYS.read })))
    await until(() => held.length > before)
  }
  for (let nth = 0; nth < 4; nth++) await begin()
  await app.clock.pass(3000)
  held.shift()?.()
  await taken[0]
  await begin()
  await app.clock.pass(3000)
  expect((await app.fetch(ask('/readyz'))).status).toBe(503)
  for (const release of held.splice(0, 2)) release()
  await Promise.all(taken.slice(1, 3))
  expect((await app.fetch(ask('/readyz'))).status).toBe(200)
  for (const release of held) release()
  await Promise.all(taken)
})

test('counts a reply in memory as in flight until it was sent', async () => {
  const app = testApp({ does: async () => ({ status: 200, json: [] }) })
  let tell = (_whole: boolean): void => undefined
  const sent = new Promise<boolean>((resolve) => {
    tell = resolve
  })
  expect((await app.fetch(ask(LIST, { key: KEYS.read }), { address: '127.0.0.1', sent })).status).toBe(200)
  expect(await metric(app, 'memctl_http_requests_working')).toBe(1)
  tell(false)
  await sent
  expect(await metric(app, 'memctl_http_requests_working')).toBe(0)
  const lines = app.lines.filter(({ fields }) => fields.route === LIST)
  expect(lines).toMatchObject([{ level: 'info', fields: { status: 200, brokenOff: true } }])
})

test('abandons a reply that its reader does not take when the server is stopping', async () => {
  const app = testApp({ does: async () => ({ status: 200, json: [] }) })
  const sent = new Promise<boolean>(() => undefined)
  await app.fetch(ask(LIST, { key: KEYS.read }), { address: '127.0.0.1', sent })
  const drained = app.drain(10_000)
  await app.clock.pass(10_000)
  await drained
})

test('leaves no stream open for HEAD', async () => {
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>({
    cancel() {
      cancelled = true
    }
  })
  const app = testApp({ does: async () => ({ status: 200, stream, type: 'application/jsonl' }) })
  expect((await app.fetch(ask(LIST, { key: KEYS.read, method: 'HEAD' }))).status).toBe(200)
  expect([cancelled, await metric(app, 'memctl_http_requests_working')]).toEqual([true, 0])
})

async function metric(app: TestApp, name: string): Promise<number> {
  const text = await (await app.fetch(ask('/metrics'))).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}
