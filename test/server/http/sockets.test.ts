import { afterEach, expect, test } from 'vitest'
import { type Listener, listen } from '../../../bin/node/http/listen.ts'
import { until } from '../../setup/until.ts'
import { COLLECTION, KEYS, type TestApp, testApp } from './app-kit.ts'
import { type RawSocket, rawSocket } from './raw-socket.ts'

const listeners: Listener[] = []

afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

/** Starts an app on its own port, and returns a function that connects to it. */
async function listening(app: TestApp, more: { stalledMs?: number } = {}): Promise<() => RawSocket> {
  const listener = await listen({ host: '127.0.0.1', port: 0, answer: app.fetch, refuse: app.refuse, ...more })
  listeners.push(listener)
  return () => rawSocket(listener.origin)
}

const HEAD = `POST /v1/collections/${COLLECTION}/records HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEYS.edit}\r\nContent-Type: application/jsonl\r\n`

test('refuses a body that declares an excessive size before it is sent, and ends the connection', async () => {
  const app = testApp()
  const socket = (await listening(app))()
  socket.write(`${HEAD}Content-Length: 99999999999\r\n\r\n`)
  const reply = await socket.end()
  expect(reply).toMatch(/^HTTP\/1\.1 413 /)
  expect(reply).toContain('application/problem+json')
})

test('refuses a chunked body as soon as it exceeds the limit', async () => {
  const app = testApp({ settings: { bodyBytesMax: 100_000 } })
  const socket = (await listening(app))()
  socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
  for (let nth = 0; nth < 8; nth++) socket.write(chunk)
  expect(await socket.end()).toMatch(/^HTTP\/1\.1 413 /)
  expect(app.calls).toEqual([])
})

test('changes nothing when a client leaves during its body, and frees its place', async () => {
  const app = testApp()
  const open = await listening(app)
  const socket = open()
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{"half":`)
  const watcher = open()
  await until(async () => (await metric(watcher, 'memctl_http_body_bytes_in_flight')) > 0)
  socket.reset()
  await until(async () => (await metric(watcher, 'memctl_http_requests_in_flight')) === 1)
  expect(await metric(watcher, 'memctl_http_body_bytes_in_flight')).toBe(0)
  expect(app.calls).toEqual([])
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('keeps the connection usable after a refusal before the body', async () => {
  const app = testApp()
  const socket = (await listening(app))()
  const body = '{"name":"x"}'
  const refused = `POST /v1/keys HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  socket.write(`${refused}${refused}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const statuses = [...(await socket.end()).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
  expect(statuses).toEqual(['401', '401', '200'])
})

test('refuses ambiguous and invalid heads before any handler', async () => {
  const app = testApp()
  const open = await listening(app)
  const heads = [
    `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
    `${HEAD}Content-Length: -1\r\n\r\n`,
    'GET /v1/collections HTTP/1.1\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    'NONSENSE\r\n\r\n',
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`
  ]
  for (const head of heads) {
    const socket = open()
    socket.write(head)
    const reply = await socket.until(/HTTP\/1\.1 \d{3}/)
    expect([head.slice(-60), /^HTTP\/1\.1 4\d\d /.test(reply)]).toEqual([head.slice(-60), true])
    expect((await socket.until(/"instance":"[^"]*"\}/)).toLowerCase()).toContain('application/problem+json')
    socket.reset()
  }
  expect(app.calls).toEqual([])
})

test('refuses a request line that names another host, whatever the header says', async () => {
  const socket = (await listening(testApp()))()
  socket.write('GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(await socket.end()).toMatch(/^HTTP\/1\.1 403 /)
})

test('ends the connection after the reply to an unexpected body, which it does not read', async () => {
  const socket = (await listening(testApp()))()
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
  expect(await socket.end()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
})

test('ignores unknown expectations', async () => {
  const socket = (await listening(testApp()))()
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n')
  expect(await socket.end()).toMatch(/^HTTP\/1\.1 200 /)
})

test('abandons a client that stops reading, and its reply', async () => {
  const bytes = new Uint8Array(1 << 20)
  const endless = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ pull: (controller) => controller.enqueue(bytes) }, { highWaterMark: 0 })
  const does = async () => ({ status: 200, stream: endless(), type: 'application/jsonl' }) as const
  const open = await listening(testApp({ does }), { stalledMs: 200 })
  const socket = open()
  const body = JSON.stringify({ collection_id: COLLECTION })
  const head = HEAD.replace(/\S+\/records/, '/v1/device-memory/snapshot/export').replace('jsonl', 'json')
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  await socket.until(/^HTTP\/1\.1 200 /)
  socket.pause()
  const watcher = open()
  await until(async () => (await metric(watcher, 'memctl_http_requests_in_flight')) === 1)
})

test('answers a path with malformed parts without failing', async () => {
  const app = testApp()
  const open = await listening(app)
  for (const path of [
    '//',
    '/%',
    '/%00',
    '/../../etc/passwd',
    '/v1/collections/%E0%A4%A',
    '/v1//collections',
    '/docs/',
    '/DOCS',
    '*'
  ]) {
    const socket = open()
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEYS.read}\r\nConnection: close\r\n\r\n`
    )
    const reply = await socket.end()
    expect([path, /^HTTP\/1\.1 (400|404|422) /.test(reply)]).toEqual([path, true])
  }
})

async function metric(socket: RawSocket, name: string): Promise<number> {
  const mark = `mark-${Math.trunc(Math.random() * 1e9)}`
  socket.write(`GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${mark}\r\n\r\n`)
  const text = await socket.until(new RegExp(`x-request-id: ${mark}[^]*engine_index_bytes \\d+\\n`, 'i'))
  const own = text.slice(text.search(new RegExp(`x-request-id: ${mark}`, 'i')))
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(own)?.[1])
}
