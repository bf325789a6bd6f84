import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../cli/built-program.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { until } from '../../setup/until.ts'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { type RawSocket, rawSocket } from '../http/raw-socket.ts'
import { EXPORT } from './exported.ts'
import { ADMIN_KEY, runToEnd, type ServerProcess, sendSlowly, startProcess } from './server-process.ts'

beforeAll(ensureBuilt)

const ROUNDS = process.env.SLOW ? 20 : 2
const WRITERS = 8
/** Stores that are acknowledged before the server is killed. */
const STORES = 40

test('keeps everything acknowledged when the server is killed during stores', async () => {
  const home = temporaryFolder()
  const acknowledged = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startProcess(home)
    const collection_id = await defaultCollection(server)
    await storeUntilKilled(server, collection_id, { acknowledged, label: `round ${round}` })
  }
  const server = await startProcess(home)
  const { text } = await server.call('POST', EXPORT, { collection_id: await defaultCollection(server) })
  const there = new Set(JSON.parse(text).snapshot.records.map(({ id }: { id: string }) => id))
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * STORES)
  expect([...acknowledged].filter((id) => !there.has(id))).toEqual([])
})

test('exits with 6 and names the owner when another server is using the data folder', async () => {
  const home = temporaryFolder()
  const first = await startProcess(home)
  const second = await runToEnd(home)
  expect([second.code, second.stdout]).toEqual([6, ''])
  const { error } = JSON.parse(second.stderr.trim().split('\n').at(-1) ?? '')
  expect(error).toMatchObject({
    code: 'locked',
    exit_code: 6,
    message: expect.stringContaining(String(first.child.pid))
  })
  expect((await first.call('GET', '/healthz')).status).toBe(200)
})

test('reports a port that is in use, and leaves nothing behind', async () => {
  const first = await startProcess(temporaryFolder())
  const home = temporaryFolder()
  const second = await runToEnd(home, ['--port', new URL(first.origin).port])
  expect(second.code).toBe(6)
  expect(second.stderr).toContain('address_in_use')
  const again = await startProcess(home)
  expect((await again.call('GET', '/readyz')).status).toBe(200)
})

test('finishes requests in flight when told to stop, then exits with 0 and removes its facts', async () => {
  const home = temporaryFolder()
  const server = await startProcess(home)
  const collection_id = await defaultCollection(server)
  const lines = file(...Array.from({ length: 100 }, (_, n) => memoryLine({ text: `memory ${n}` })))
  const path = `/v1/collections/${collection_id}/records`
  const restoring = sendSlowly(server.origin, { path, type: 'application/jsonl', body: lines })
  await until(async () => (await inFlight(server)) === 2)
  server.child.kill('SIGTERM')
  await until(async () => (await server.call('GET', '/v1/collections')).status === 503)
  restoring.finish()
  expect(JSON.parse((await restoring.answer).text)).toMatchObject({ stored: 100 })
  expect((await server.ended).code).toBe(0)
  expect(existsSync(join(home, '.local', 'share', 'memctl', 'server.running.json'))).toBe(false)
  expect(existsSync(join(home, '.local', 'share', 'memctl', 'server.db.lock'))).toBe(false)
})

test('ends exports that clients leave early, with one log line each, and does not wait for them when stopping', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, '.config', 'memctl'), { recursive: true })
  // A server that waited for one of them would exceed the time limit of the test.
  writeFileSync(join(home, '.config', 'memctl', 'server.json'), '{"drain_timeout":"1h"}', { mode: 0o600 })
  const server = await startProcess(home)
  const collection_id = await defaultCollection(server)
  const lines = Array.from({ length: 4 }, (_, n) => memoryLine({ text: `${n}${'x'.repeat(500_000)}` }))
  const restored = await server.call('POST', `/v1/collections/${collection_id}/records`, file(...lines).toString())
  expect(restored.status).toBe(200)
  await Promise.all(Array.from({ length: EXPORTS }, (_, nth) => leaveExport(server, collection_id, nth)))
  await until(async () => (await inFlight(server)) === 1)
  await Promise.all(Array.from({ length: EXPORTS }, (_, nth) => leaveExport(server, collection_id, nth)))
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.ended
  expect(code).toBe(0)
  // The first start reports the new key on the same stream.
  const log = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('created an admin'))
  const told = log.map((line) => JSON.parse(line) as { level: string; route?: string; brokenOff?: boolean })
  expect(told.filter(({ level }) => level === 'error')).toEqual([])
  expect(told.filter(({ route, brokenOff }) => route === EXPORT && brokenOff).length).toBeGreaterThan(EXPORTS / 2)
})

/** Each of the thirty ways to leave. */
const EXPORTS = process.env.SLOW ? 200 : 30

/** Begins an export and leaves: immediately, after its head, or in the middle, in turn. */
async function leaveExport({ origin }: ServerProcess, collection_id: string, nth: number): Promise<void> {
  const socket: RawSocket = rawSocket(origin)
  const body = JSON.stringify({ collection_id })
  const accept = nth % 2 === 0 ? 'application/json' : 'application/jsonl'
  const head = `POST ${EXPORT} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nAccept: ${accept}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  if (nth % 3 === 1) await socket.until(/^HTTP/)
  if (nth % 3 === 2) await socket.until(/x{1000}/)
  for (let turn = 0; turn < nth % 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  socket.reset()
}

async function storeUntilKilled(
  server: ServerProcess,
  collection_id: string,
  { acknowledged, label }: { acknowledged: Set<string>; label: string }
): Promise<void> {
  const before = acknowledged.size
  let number = 0
  const writer = async (): Promise<void> => {
    for (;;) {
      const raw_text = `${label}, memory ${number++}`
      const { status, text } = await server.call('POST', '/v1/memories', { collection_id, raw_text })
      expect(status).toBe(201)
      acknowledged.add(JSON.parse(text).memory_id)
      if (acknowledged.size === before + STORES) server.child.kill('SIGKILL')
    }
  }
  // Each writer ends with its connection.
  const writers = Array.from({ length: WRITERS }, () => writer().catch((error) => error))
  expect((await server.ended).signal).toBe('SIGKILL')
  for (const error of await Promise.all(writers)) expect(error).toBeInstanceOf(TypeError)
}

async function defaultCollection({ call }: ServerProcess): Promise<string> {
  return JSON.parse((await call('GET', '/v1/collections')).text)[0].id
}

/** Returns the requests in flight, including this one. */
async function inFlight({ call }: ServerProcess): Promise<number> {
  const { text } = await call('GET', '/metrics')
  return Number(/^memctl_http_requests_in_flight (\d+)/m.exec(text)?.[1])
}
