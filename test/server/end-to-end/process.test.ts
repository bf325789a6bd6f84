import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../cli/built-program.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { EXPORT } from './exported.ts'
import { runToEnd, type ServerProcess, sendSlowly, startProcess } from './server-process.ts'

beforeAll(ensureBuilt, 120_000)

const ROUNDS = process.env.SLOW ? 20 : 2
const WRITERS = 8
/** As many are acknowledged before the server is killed. */
const STORES = 40

test('what was acknowledged is there after the server was killed while it stored', async () => {
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

test('a second server on the same data folder says who has it and ends with 6', async () => {
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

test('a port that is taken is a fault that says so, and nothing is left behind', async () => {
  const first = await startProcess(temporaryFolder())
  const home = temporaryFolder()
  const second = await runToEnd(home, ['--port', new URL(first.origin).port])
  expect(second.code).toBe(6)
  expect(second.stderr).toContain('address_in_use')
  const again = await startProcess(home)
  expect((await again.call('GET', '/readyz')).status).toBe(200)
})

test('told to stop, a server answers what it has begun, then ends with 0 and leaves no facts', async () => {
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
  // Each ends when its connection does.
  const writers = Array.from({ length: WRITERS }, () => writer().catch((error) => error))
  expect((await server.ended).signal).toBe('SIGKILL')
  for (const error of await Promise.all(writers)) expect(error).toBeInstanceOf(TypeError)
}

async function defaultCollection({ call }: ServerProcess): Promise<string> {
  return JSON.parse((await call('GET', '/v1/collections')).text)[0].id
}

/** The request that asks is one of them. */
async function inFlight({ call }: ServerProcess): Promise<number> {
  const { text } = await call('GET', '/metrics')
  return Number(/^memctl_http_requests_in_flight (\d+)/m.exec(text)?.[1])
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}
