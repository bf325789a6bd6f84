import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Fetch } from '../../../src/ports.ts'
import { type Served, serveAt } from '../../pages/sandbox-browser.ts'
import { type SandboxKit, sandboxKit, withToken } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

let served: Served
let kit: SandboxKit
let token: string

beforeAll(async () => {
  served = await serveAt((origin) => {
    kit = sandboxKit([tinySandboxProvider()], { base: `${origin}/sandbox` })
    return kit.sandbox.fetch
  })
  token = (await kit.consent('notes')).accessToken
})

afterAll(() => served.close())

test('breaks the connection of a truncated body over a socket, with one log line', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'cut_body', bytes: 10 })
  const reply = await list()
  expect(reply.status).toBe(200)
  expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(10)
  await expect(reply.text()).rejects.toThrow()
  expect(said.mock.calls.map(([error]) => (error as Error).stack)).toEqual([undefined])
  said.mockRestore()
  expect((await list()).status).toBe(200)
})

test('ends a timeout over a socket when the client leaves, and records it', async () => {
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'timeout' })
  const leaving = new AbortController()
  const reply = list(leaving.signal)
  const lost = expect(reply).rejects.toThrow()
  await come(() => kit.control('GET', '/faults').then((open) => (open as unknown[]).length === 0))
  leaving.abort()
  await lost
  await come(async () => {
    const { requests } = (await kit.control('GET', '/requests')) as { requests: { status: number }[] }
    return requests.some(({ status }) => status === 0)
  })
})

test('sends a big reply completely over a socket', async () => {
  await kit.control('POST', '/faults', { provider: 'notes', kind: 'big', bytes: 5_000_000 })
  expect(await (await list()).json()).toMatchObject({ ok: true })
})

function list(signal?: AbortSignal): Promise<Response> {
  const send: Fetch = (request) => fetch(request)
  return withToken(
    send,
    token
  )(new Request(`${served.origin}/sandbox/notes/api/notes`, signal === undefined ? {} : { signal }))
}

/** Waits for a condition, up to the test's time limit. */
async function come(about: () => Promise<boolean>): Promise<void> {
  while (!(await about())) await new Promise((resolve) => setImmediate(resolve))
}
