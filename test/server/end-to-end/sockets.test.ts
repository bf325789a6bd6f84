import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'
import { until } from '../../setup/until.ts'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { startListening } from './listening-server.ts'
import { sqliteStorage } from './server-kit.ts'
import { ADMIN_KEY, callTo, sendSlowly } from './server-process.ts'

/** Starts a server with a fixed admin key. `stop` resolves when it has ended. */
async function listening(folder = temporaryFolder(), flags: Record<string, string> = {}, told: string[] = []) {
  const environment = { MEMCTL_RATE_LIMIT: 'off', MEMCTL_ADMIN_KEY: ADMIN_KEY }
  const { facts, stop } = await startListening({ folder, environment, flags, told })
  const { origin } = facts
  const call = callTo(origin)
  const collectionId: string = JSON.parse((await call('GET', '/v1/collections')).text)[0].id
  return { origin, call, collectionId, stop }
}

test('changes nothing when a body is cut off, and keeps serving', async () => {
  const { origin, call, collectionId } = await listening()
  const body = file(memoryLine({ text: 'a' }), memoryLine({ text: 'b' }))
  const path = `/v1/collections/${collectionId}/records`
  const sending = sendSlowly(origin, { path, type: 'application/jsonl', body })
  await until(async () => (await inFlight(call)) === 2)
  sending.breakOff()
  await until(async () => (await inFlight(call)) === 1)
  expect(JSON.parse((await call('GET', `/v1/collections/${collectionId}`)).text).memories).toBe(0)
})

test('releases the reader of an export that goes away', async () => {
  const { origin, call, collectionId } = await listening()
  const lines = Array.from({ length: 40 }, (_, n) => memoryLine({ text: `${n}${'x'.repeat(500_000)}` }))
  expect((await call('POST', `/v1/collections/${collectionId}/records`, file(...lines).toString())).status).toBe(200)
  const gone = new AbortController()
  const response = await fetch(`${origin}/v1/device-memory/snapshot/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json', accept: 'application/jsonl' },
    body: JSON.stringify({ collection_id: collectionId }),
    signal: gone.signal
  })
  await response.body?.getReader().read()
  expect(await inFlight(call)).toBe(2)
  gone.abort()
  await until(async () => (await inFlight(call)) === 1)
})

test('serves several requests on one connection', async () => {
  const { origin } = await listening()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const request = `GET /healthz HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`
  let said = ''
  for (const answers of [1, 2, 3]) {
    socket.write(request)
    while (said.split('HTTP/1.1 200').length <= answers || !said.endsWith('}')) said += await nextPart(socket)
  }
  expect(said.split('"ok"')).toHaveLength(4)
})

test.each([
  ['NONSENSE\r\n\r\n', 400],
  [`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 413],
  ['GET /healthz HTTP/1.1\r\n\r\n', 400],
  ['GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n', 403]
])('refuses an invalid request', async (bytes, status) => {
  const { origin, call } = await listening()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  expect(await nextPart(socket)).toContain(`HTTP/1.1 ${status}`)
  expect((await call('GET', '/healthz')).status).toBe(200)
})

test('releases port and data folder when a server has stopped', async () => {
  const folder = temporaryFolder()
  const first = await listening(folder)
  await first.call('POST', '/v1/memories', { collection_id: first.collectionId, raw_text: 'kept' })
  await first.stop()
  const again = await faultOf(() => first.call('GET', '/healthz'))
  expect(again).toBeInstanceOf(TypeError)
  const second = await listening(folder, { port: new URL(first.origin).port })
  const { text } = await second.call('GET', '/v1/collections')
  expect(JSON.parse(text)).toMatchObject([{ memories: 1 }])
})

test('keeps the first key available after a first start that failed', async () => {
  const first = await listening()
  const folder = temporaryFolder()
  const told: string[] = []
  const taken = await faultOf(() => listening(folder, { port: new URL(first.origin).port }, told))
  expect(taken).toMatchObject({ code: 'address_in_use', exitCode: 6 })
  expect(told).toEqual([])
  const storage = await sqliteStorage(folder)
  expect(await storage.listKeys()).toEqual([])
  await storage.close()
})

test('refuses the address of another machine as a usage fault, and leaves nothing open', async () => {
  const folder = temporaryFolder()
  expect(await faultOf(() => listening(folder, { host: '203.0.113.1' }))).toMatchObject({ code: 'usage' })
  expect((await (await listening(folder)).call('GET', '/readyz')).status).toBe(200)
})

/** Returns the requests in flight, including this one. */
async function inFlight(call: ReturnType<typeof callTo>): Promise<number> {
  const { text } = await call('GET', '/metrics')
  return Number(/^memctl_http_requests_in_flight (\d+)/m.exec(text)?.[1])
}

async function nextPart(socket: NodeJS.ReadableStream): Promise<string> {
  const [part] = await once(socket, 'data')
  return String(part)
}
