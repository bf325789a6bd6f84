import { expect, test } from 'vitest'
import * as z from 'zod'
import { ask } from '../../../../server/providers/http/ask.ts'
import { parseValue } from '../../../../server/providers/http/parse-value.ts'
import { readRetryAfter } from '../../../../server/providers/http/read-retry-after.ts'
import type { ProviderCall } from '../../../../server/providers/port/provider.ts'
import { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { type ManualClock, manualClock, START } from '../../http/manual-clock.ts'

const API = 'https://api.example.com/base'

function callWith(fetch: Fetch, more: Partial<ProviderCall> = {}): ProviderCall & { clock: ManualClock } {
  const nothing = () => undefined
  const log = { error: nothing, info: nothing, debug: nothing }
  return { fetch, apiUrl: API, log, signal: new AbortController().signal, ...more, clock: manualClock() }
}

/** Creates an endless body, and tells whether its reader has left. */
function endless(): { body: ReadableStream<Uint8Array>; wasLeft(): boolean } {
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: () => {
      isLeft = true
    }
  })
  return { body, wasLeft: () => isLeft }
}

test('sends the given path, parameters and body, and follows no redirects', async () => {
  const sent: Request[] = []
  const call = callWith(async (request) => {
    sent.push(request)
    return new Response('moved', { status: 302, headers: { location: 'http://169.254.169.254/' } })
  })
  const query = { q: "'a b' & ü", none: undefined, n: 5, yes: true }
  const replied = await ask(call, { service: 'Example', method: 'GET', path: '/v1/x%2Fy', query })
  await ask(call, { service: 'Example', method: 'POST', path: '/v1', json: { a: 1 } })
  await ask(call, { service: 'Example', method: 'POST', path: '/v1', form: { a: 'b c' } })
  expect(sent[0]?.url).toBe(`${API}/v1/x%2Fy?q=%27a+b%27+%26+%C3%BC&n=5&yes=true`)
  expect(sent.every(({ redirect }) => redirect === 'manual')).toBe(true)
  expect([await sent[1]?.json(), await sent[2]?.text()]).toEqual([{ a: 1 }, 'a=b+c'])
  expect([replied.status, replied.receivedAt]).toEqual([302, START])
})

test('abandons a body over the limit, whether it declares its length or not', async () => {
  const { body, wasLeft } = endless()
  const failure = await ask(
    callWith(async () => new Response(body)),
    { service: 'Example', method: 'GET', path: '/', bytesMax: 2 ** 20 }
  ).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'item_permanent', message: 'it is larger than 1 MiB' })
  expect(wasLeft()).toBe(true)
  const said = new Response('x', { headers: { 'content-length': '99999999' } })
  await expect(
    ask(
      callWith(async () => said),
      { service: 'Example', method: 'GET', path: '/list' }
    )
  ).rejects.toMatchObject({
    kind: 'contract_broken',
    message: 'Example (api.example.com) sent more than 16 MiB in one response'
  })
})

test('gives up on a late reply, and leaves no pending wait', async () => {
  const call = callWith(
    (request) =>
      new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
  )
  const asked = ask(call, { service: 'Example', method: 'GET', path: '/slow?token=a', waitMs: 5000 })
  asked.catch(() => undefined)
  await call.clock.pass(5000)
  await expect(asked).rejects.toMatchObject({
    kind: 'transient',
    message: 'Example (api.example.com) gave no complete response within 5 seconds'
  })
  expect(call.clock.waiting()).toBe(0)
})

test("rejects with the caller's reason, and sends nothing if already aborted", async () => {
  const reason = new Error('off')
  let asked = 0
  const call = callWith(
    async () => {
      asked += 1
      return new Response()
    },
    { signal: AbortSignal.abort(reason) }
  )
  await expect(ask(call, { service: 'Example', method: 'GET', path: '/' })).rejects.toBe(reason)
  expect(asked).toBe(0)
})

test.for([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'its name was not found'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the network is unreachable'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
  ['UND_ERR_SOCKET', 'the connection broke']
])('names the service and the problem if a connection fails with %s: %s', async ([code, words]) => {
  const call = callWith(async () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code } })))
  const message = `Example (api.example.com) gave no response: ${words} (${code})`
  await expect(ask(call, { service: 'Example', method: 'GET', path: '/' })).rejects.toMatchObject({
    kind: 'transient',
    message
  })
  expect(call.clock.waiting()).toBe(0)
})

test('rethrows its own bugs unchanged', async () => {
  const call = callWith(async () => Promise.reject(new ProviderFailure('grant_dead', 'over')))
  const expected = { kind: 'grant_dead', message: 'over' }
  await expect(ask(call, { service: 'Example', method: 'GET', path: '/' })).rejects.toMatchObject(expected)
  expect(call.clock.waiting()).toBe(0)
})

const FILES = z.looseObject({ files: z.array(z.looseObject({ id: z.string() })) })

function describing(body: string | Uint8Array) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return () => parseValue({ bytes }, FILES, { what: 'the list of files', service: 'Example' })
}

test('a failure names the URL that answered, without ids and query', async () => {
  const call = callWith(async () => new Response('{"files":5}'))
  const path = '/v1/files/1AbC2DeF3GhI4JkL/export'
  const replied = await ask(call, { service: 'Example', method: 'GET', path, query: { key: 'secret' } })
  const parsing = (schema: z.ZodType, bytes = replied.bytes) => {
    return () => parseValue({ ...replied, bytes }, schema, { what: 'the file', service: 'Example' })
  }
  const url = `GET ${API}/v1/files/…/export`
  expect(parsing(FILES)).toThrow(`(${url})`)
  expect(parsing(FILES, Uint8Array.of(0xff))).toThrow(`the file: the response of ${url} is not from Example`)
})

test('names the place where a reply does not match its schema', () => {
  const failing = describing('{"files":[{"id":5}]}')
  expect(failing).toThrow(/^the list of files does not match the documentation of Example at files\.0\.id: /)
  expect(failing).toThrow(expect.objectContaining({ kind: 'contract_broken' }))
})

test('treats a body that is not JSON as a temporary failure outside of the service', () => {
  for (const body of ['', 'x', '{"files":[', '<p>', Uint8Array.of(0xff)])
    expect(describing(body)).toThrow(
      expect.objectContaining({
        kind: 'transient',
        message: 'the list of files: the response is not from Example'
      })
    )
  for (const body of ['<!DOCTYPE html><h1>Welcome', '\n  <html lang="en">', '<head><title>Sign in'])
    expect(describing(body)).toThrow(
      expect.objectContaining({
        kind: 'transient',
        message: expect.stringContaining('a web page that is not from Example')
      })
    )
})

test('parses a wait in seconds or as a date, at most a day', () => {
  const after = (text: string) => readRetryAfter(new Headers({ 'retry-after': text }), START)
  expect(after('7')).toBe(7000)
  expect(after('0')).toBe(0)
  expect(after(new Date(START + 60_000).toUTCString())).toBe(60_000)
  expect(after(new Date(START - 60_000).toUTCString())).toBe(0)
  expect(after('999999999')).toBe(24 * 3600 * 1000)
  for (const text of ['', 'soon', '-5', '1e9']) expect(after(text), text).toBeUndefined()
  expect(readRetryAfter(new Headers(), START)).toBeUndefined()
})

test('does not wait for a reply that ignores its signal, and cancels it', async () => {
  const silent = new ReadableStream<Uint8Array>({
    cancel: () => {
      isLeft = true
    }
  })
  let isLeft = false
  const call = callWith(async () => new Response(silent))
  const asked = ask(call, { service: 'Example', method: 'GET', path: '/list', waitMs: 20_000 }).catch(
    (error: unknown) => error
  )
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  await call.clock.pass(20_000)
  expect(await asked).toMatchObject({ kind: 'transient', message: expect.stringContaining('within 20 seconds') })
  expect(isLeft).toBe(true)
})

test('does not wait for a fetch that never settles after an abort, and cancels its late reply', async () => {
  let settle = (_: Response): void => undefined
  const leaves = new AbortController()
  const call = callWith(() => new Promise((resolve) => (settle = resolve)), { signal: leaves.signal })
  const asked = ask(call, { service: 'Example', method: 'GET', path: '/list' })
  leaves.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
  const { body, wasLeft } = endless()
  settle(new Response(body))
  await new Promise((resolve) => setImmediate(resolve))
  expect(wasLeft()).toBe(true)
})
