import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { LingerLimits } from '../../../bin/node/http/linger-on-close.ts'
import { listen } from '../../../bin/node/http/listen.ts'
import type { HttpSettings } from '../../../server/http/request/http-settings.ts'
import { COLLECTION, KEYS, OTHER_COLLECTION, testApp, UNKNOWN_KEY } from './app-kit.ts'

/** Exceeds the buffers of both sides of a connection. */
const BODY = new Uint8Array(32 * 1024 * 1024).fill(0x20)
const LINES = 'application/jsonl'

type Refused = { path: string; method?: string; key?: string; type?: string; headers?: string; status: number }

/** Requests that are refused before the body is read. */
const REFUSALS: readonly Refused[] = [
  { path: records(COLLECTION), status: 401 },
  { path: records(COLLECTION), key: UNKNOWN_KEY, status: 401 },
  { path: records(COLLECTION), key: KEYS.read, status: 403 },
  { path: records(OTHER_COLLECTION), key: KEYS.edit, status: 403 },
  { path: records('99999999-9999-7999-8999-999999999999'), key: KEYS.edit, status: 404 },
  { path: '/v1/nowhere', key: KEYS.edit, status: 404 },
  { path: records(COLLECTION), key: KEYS.edit, method: 'PATCH', status: 405 },
  { path: records(COLLECTION), key: KEYS.admin, status: 413 },
  { path: records(COLLECTION), key: KEYS.edit, type: 'text/plain', status: 415 },
  { path: records('no-id'), key: KEYS.edit, status: 422 },
  { path: records(COLLECTION), key: KEYS.edit, headers: 'Host: evil.example\r\n', status: 403 },
  { path: records(COLLECTION), key: KEYS.edit, headers: 'Origin: http://evil.example\r\n', status: 403 },
  { path: records(COLLECTION), key: KEYS.edit, headers: `X: ${'y'.repeat(17_000)}\r\n`, status: 413 },
  { path: '/healthz', method: 'GET', status: 200 }
]

test.each(REFUSALS)(
  '$method $path: sends $status to a client that reads nothing before all is sent',
  async (refused) => {
    const { origin, app } = await listening()
    const reply = await writeThenRead(origin, [headOf(refused), BODY])
    expect(reply.error).toBeUndefined()
    expect(reply.text).toMatch(new RegExp(`^HTTP/1\\.1 ${refused.status} `))
    expect(reply.text).toMatch(/connection: close/i)
    expect(reply.text).toMatch(/\}$/)
    expect(app.calls).toEqual([])
  }
)

test('refuses a chunked body over the limit with a readable reply', async () => {
  const { origin } = await listening()
  const head = headOf({ path: records(COLLECTION), key: KEYS.edit, status: 413 }, 'Transfer-Encoding: chunked')
  const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`
  const reply = await writeThenRead(origin, [head, ...Array<string>(32).fill(chunk), '0\r\n\r\n'])
  expect([reply.error, reply.text.slice(0, 12)]).toEqual([undefined, 'HTTP/1.1 413'])
})

test('tells a rate-limited client why, however large its body is', async () => {
  const { origin } = await listening({ keyRequestsPerMinute: 1 })
  const refused = { path: records(COLLECTION), key: KEYS.edit, status: 429 }
  await fetch(`${origin}/v1/collections`, { headers: { authorization: `Bearer ${KEYS.edit}` } })
  const reply = await writeThenRead(origin, [headOf(refused), BODY])
  expect([reply.error, reply.text.slice(0, 12)]).toEqual([undefined, 'HTTP/1.1 429'])
})

test('lets clients of Node read an early reply to a large body', async () => {
  const { origin } = await listening()
  const headers = { authorization: `Bearer ${UNKNOWN_KEY}`, 'content-type': LINES }
  const fetched = await fetch(`${origin}${records(COLLECTION)}`, { method: 'POST', headers, body: BODY })
  expect([fetched.status, await fetched.json()]).toMatchObject([401, { code: 'unauthenticated' }])
  const sending = request(`${origin}${records(COLLECTION)}`, { method: 'POST', headers, agent: false })
  sending.on('error', () => undefined)
  sending.end(BODY)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  expect([response.statusCode, JSON.parse(await text(response))]).toMatchObject([401, { code: 'unauthenticated' }])
})

test('keeps the connection after a small unread body', async () => {
  const { origin } = await listening()
  const refused = headOf({ path: records(COLLECTION), status: 401 }, 'Content-Length: 3')
  const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const reply = await writeThenRead(origin, [`${refused}{}\n${last}`])
  expect([...reply.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['401', '200'])
})

test('serves no request on a connection whose end was announced', async () => {
  const { origin, app } = await listening()
  const refused = headOf({ path: records(COLLECTION), status: 401 })
  const list = `GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEYS.admin}\r\n\r\n`
  const reply = await writeThenRead(origin, [refused, BODY, list])
  expect([...reply.text.matchAll(/HTTP\/1\.1 (\d{3})/g)]).toHaveLength(1)
  expect(app.calls).toEqual([])
})

test.each([
  ['bytes', { totalMs: 600_000, bytesMax: 1024 * 1024 }],
  ['time', { totalMs: 250, bytesMax: Number.POSITIVE_INFINITY }]
])('cuts a client off that never stops sending, by the limit of %s', async (_, linger) => {
  const { origin } = await listening({}, linger)
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.resume()
  socket.write(headOf({ path: records(COLLECTION), status: 401 }, 'Content-Length: 999999999999'))
  const send = (): void => {
    if (!socket.destroyed) socket.write(new Uint8Array(256 * 1024), () => setImmediate(send))
  }
  send()
  await closed
})

test('closes the connection of a client that stops sending and does not leave', async () => {
  const { origin } = await listening({}, { totalMs: 250, bytesMax: 1024 })
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const closed = once(socket, 'end')
  socket.resume()
  socket.write(`${headOf({ path: records(COLLECTION), status: 401 })}{`)
  await closed
  // Writing shows that the other side has closed, and not only ended.
  const failed = once(socket, 'error')
  const probe = (): void => {
    if (!socket.destroyed) socket.write(' ', () => setImmediate(probe))
  }
  socket.once('error', () => undefined)
  probe()
  await failed
})

test('does not wait for answered clients that still send when it stops', async () => {
  const { origin, close } = await listening({}, { totalMs: 600_000, bytesMax: 1024 })
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const answered = once(socket, 'end')
  socket.on('error', () => undefined).resume()
  socket.write(`${headOf({ path: records(COLLECTION), status: 401 })}{`)
  await answered
  await close(600_000)
  socket.destroy()
})

function records(id: string): string {
  return `/v1/collections/${id}/records`
}

function headOf({ path, method = 'POST', key, type = LINES, headers = '' }: Refused, length?: string): string {
  const host = headers.startsWith('Host') ? '' : 'Host: localhost\r\n'
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  const size = length ?? `Content-Length: ${BODY.length}`
  return `${method} ${path} HTTP/1.1\r\n${host}${authorization}${headers}Content-Type: ${type}\r\n${size}\r\n\r\n`
}

async function listening(settings: Partial<HttpSettings> = {}, linger?: LingerLimits) {
  const app = testApp({ settings: { bodyBytesMax: 1024 * 1024, ...settings } })
  const answers = { answer: app.fetch, refuse: app.refuse }
  const listener = await listen({ host: '127.0.0.1', port: 0, ...answers, ...(linger && { linger }) })
  onTestFinished(() => listener.close(0))
  return { origin: listener.origin, close: listener.close, app }
}

/** Reads nothing before everything was written, like many clients. */
async function writeThenRead(origin: string, parts: readonly (string | Uint8Array)[]) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let error: Error | undefined
  let received = ''
  socket.pause()
  socket.on('error', (thrown) => {
    error = thrown
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const part of parts) if (!socket.destroyed) await new Promise((resolve) => socket.write(part, resolve))
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  socket.once('end', () => socket.end())
  socket.resume()
  await closed
  return { text: received, error }
}
