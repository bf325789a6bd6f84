import { Server } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeIds } from '../../bin/node/node-ids.ts'
import type { RpcMessage } from '../../src/contract/endpoints/mcp.ts'
import { answerHttp } from '../../src/mcp/http/answer-http.ts'
import type { HttpAnswer } from '../../src/mcp/http/http-answer.ts'
import { createOpenRequests } from '../../src/mcp/http/open-requests.ts'
import { createConformanceServer } from './create-conformance-server.ts'
import { importWithExample } from './import-with-example.ts'

/** Replies that are streams, and requests of the server in them, with a server that sends messages during calls. */

const EVENTS = 'application/json, text/event-stream'

test.for(['2025-11-25', '2026-07-28'])('streams what revision %s sends before the result', async (revision) => {
  const { send } = openEndpoint()
  const events = readEvents(await send(callOf(revision, 'test_tool_with_progress')))
  const messages = await collect(events)
  expect(messages.map(({ params }) => params?.progress)).toEqual([0, 50, 100, undefined])
  expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'The work is done.' }] } })
})

test.for(['2025-11-25', '2026-07-28'])(
  'answers revision %s with one body if no stream is accepted',
  async (revision) => {
    const { send } = openEndpoint()
    const call = callOf(revision, 'test_tool_with_progress')
    const answer = await send({ ...call, headers: { ...call.headers, accept: 'application/json' } })
    expect(readJson(answer)).toMatchObject({ id: 1, result: { content: [{ text: 'The work is done.' }] } })
    const plain = await send(callOf(revision, 'test_simple_text'))
    expect(readJson(plain)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } })
  }
)

test('does not ask a client that accepts no stream', async () => {
  const { send, openRequests } = openEndpoint()
  const answer = await send({ ...(await openSession(send)), ...ASKING, headers: { accept: 'application/json' } })
  expect(readJson(answer)).toMatchObject({ id: 1, error: { message: expect.stringContaining('accepts no stream') } })
  expect(openRequests.count()).toBe(0)
})

test('gives each response of two clients to the call that asked, and to no other', async () => {
  const { send, openRequests } = openEndpoint()
  const { headers } = await openSession(send)
  const calls = await Promise.all(
    ['first', 'second'].map(async (caller) => {
      const events = readEvents(await send({ ...ASKING, headers, caller }))
      const asked = (await events.next()).value
      expect(asked).toMatchObject({ method: 'sampling/createMessage', id: expect.stringMatching(/^[0-9a-f]{32}$/) })
      return { caller, events, id: asked?.id }
    })
  )
  for (const { caller, id, events } of calls.reverse()) {
    const response = { body: respond(id, `the answer of ${caller}`), caller }
    const foreign = await send({ ...response, caller: 'third' })
    expect(foreign).toMatchObject({ status: 400 })
    expect(readJson(foreign)).toMatchObject({ id: null, error: { message: expect.stringContaining('has ended') } })
    expect(await send(response)).toMatchObject({ status: 202 })
    expect(await send(response)).toMatchObject({ status: 400 })
    const rest = await collect(events)
    expect(JSON.stringify(rest)).toContain(`the answer of ${caller}`)
  }
  expect(openRequests.count()).toBe(0)
})

test.for(['2025-11-25', '2026-07-28'])('cancels a call of revision %s whose client leaves', async (revision) => {
  for (const leave of ['cancel', 'abort'] as const) {
    const { server, cancelled } = createWaitingServer()
    const { send, openRequests } = openEndpoint(() => server)
    const gone = new AbortController()
    const answer = await send({ ...callOf(revision, 'any'), signal: gone.signal })
    if (!('stream' in answer)) throw new Error('expected a stream')
    if (leave === 'cancel') await answer.stream.cancel()
    else gone.abort()
    await cancelled
    expect(openRequests.count()).toBe(0)
  }
})

test('closes the requests of a call whose client leaves', async () => {
  const { send, openRequests } = openEndpoint()
  const { headers } = await openSession(send)
  const answer = await send({ ...ASKING, headers })
  const events = readEvents(answer)
  const asked = (await events.next()).value
  expect(openRequests.count()).toBe(1)
  await events.return(undefined)
  expect(await send({ body: respond(asked?.id, 'late') })).toMatchObject({ status: 400 })
  expect(openRequests.count()).toBe(0)
})

test('lets a call wait until its client has read', async () => {
  let sent = 0
  const server = new Server({ name: 'eager', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/call', async (_request, { mcpReq }) => {
    const params = { progressToken: 1, progress: 1 }
    for (; sent < 100; sent++) await mcpReq.notify({ method: 'notifications/progress', params })
    return { content: [] }
  })
  const { send } = openEndpoint(() => server)
  const events = readEvents(await send(callOf('2025-11-25', 'any')))
  for (let read = 1; read <= 20; read++) {
    await events.next()
    expect(sent).toBeLessThanOrEqual(read + 1)
  }
  expect((await collect(events)).length).toBe(81)
})

test('refuses session ids that it did not make', async () => {
  const { send } = openEndpoint()
  const { headers } = await openSession(send)
  const own = headers['mcp-session-id'] ?? ''
  const use = (id: string) => send({ ...callOf('2025-11-25', 'test_simple_text'), headers: { 'mcp-session-id': id } })
  expect(await use(own)).toMatchObject({ status: 200 })
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const made = JSON.parse(Buffer.from(own, 'base64url').toString())
  const odd = [{}, null, [made], { ...made, more: 1 }, { ...made, clientInfo: { name: 'x'.repeat(61), version: '1' } }]
  for (const id of ['', 'odd', `${own}=`, own.slice(1), 'A'.repeat(1 << 20), ...odd.map(encode)]) {
    const refused = await use(id)
    expect(refused).toMatchObject({ status: 404 })
    expect(readJson(refused)).toMatchObject({
      error: { code: -32_001, message: expect.stringContaining('initialize') }
    })
  }
  const anyId = fc.oneof(fc.base64String(), fc.jsonValue().map(encode), fc.string({ unit: 'grapheme-ascii' }))
  const refusesAny = fc.asyncProperty(anyId, async (id) => {
    expect(await use(id)).toMatchObject({ status: 404 })
  })
  await fc.assert(refusesAny, { numRuns: process.env.SLOW ? 5000 : 35 })
})

test('makes short session ids for clients that say much about themselves', async () => {
  const { send } = openEndpoint()
  const long = '\u0000'.repeat(10_000)
  const { headers } = await openSession(send, { name: long, version: long, title: long })
  expect(headers['mcp-session-id']?.length).toBeLessThan(2000)
  const answer = await send({ ...callOf('2025-11-25', 'test_simple_text'), headers })
  expect(answer).toMatchObject({ status: 200 })
})

test('refuses a response with another key on a whole server, and delivers that of the caller', async () => {
  const { startTestServer } = await importWithExample(() => import('../server/end-to-end/server-kit.ts'))
  const server = await startTestServer()
  const grants = [{ collection_id: server.collectionId, permission: 'edit' }]
  const { key } = (await server.call('POST', '/v1/keys', { body: { name: 'other', grants } })).json
  const path = `/mcp/${server.collectionId}`
  const headers = { accept: EVENTS }
  const opened = await server.send('POST', path, { body: INITIALIZE, headers })
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const reply = await server.send('POST', path, { body: ASKING.body, headers: session })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  if (reply.body === null) throw new Error('expected a stream')
  const events = readEvents({ stream: reply.body })
  const response = respond((await events.next()).value?.id, 'blue')
  expect((await server.send('POST', path, { body: response, headers: session, key })).status).toBe(400)
  expect((await server.send('POST', path, { body: response, headers: session })).status).toBe(202)
  expect(JSON.stringify(await collect(events))).toContain('blue')
})

type Sent = { body: RpcMessage; headers?: Record<string, string>; caller?: string; signal?: AbortSignal }

type Send = (sent: Sent) => Promise<HttpAnswer>

function openEndpoint(create = createConformanceServer) {
  const openRequests = createOpenRequests(nodeIds)
  const send: Send = ({ body, headers = {}, caller = 'first', signal = new AbortController().signal }) =>
    answerHttp(create, { body, headers: new Headers({ accept: EVENTS, ...headers }), caller, signal, openRequests })
  return { send, openRequests }
}

/** A server whose tool sends a notification and then waits until it is cancelled. */
function createWaitingServer(): { server: Server; cancelled: Promise<void> } {
  const server = new Server({ name: 'waiting', version: '1' }, { capabilities: { tools: {} } })
  const cancelled = new Promise<void>((resolve) => {
    server.setRequestHandler('tools/call', async (_request, { mcpReq }) => {
      mcpReq.signal.addEventListener('abort', () => resolve())
      const params = { progressToken: 1, progress: 1 }
      await mcpReq.notify({ method: 'notifications/progress', params })
      return await new Promise<never>(() => undefined)
    })
  })
  return { server, cancelled }
}

function callOf(revision: string, name: string): Sent & { headers: Record<string, string> } {
  const isLegacy = revision === '2025-11-25'
  const _meta = {
    progressToken: 1,
    ...(!isLegacy && {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {}
    })
  }
  return {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } },
    headers: { 'mcp-protocol-version': revision, ...(!isLegacy && { 'mcp-method': 'tools/call', 'mcp-name': name }) }
  }
}

const ASKING = { body: callOf('2025-11-25', 'test_sampling').body }

const INITIALIZE = {
  jsonrpc: '2.0' as const,
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', clientInfo: { name: 'raw', version: '1' }, capabilities: { sampling: {} } }
}

/** Opens a session, and returns the header for later messages. */
async function openSession(send: Send, clientInfo = INITIALIZE.params.clientInfo as Record<string, string>) {
  const answer = await send({ body: { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } } })
  const { headers } = 'stream' in answer ? {} : answer
  return { headers: { ...headers } as Record<string, string> }
}

function respond(id: RpcMessage['id'], text: string): RpcMessage {
  const result = { role: 'assistant', model: 'none', content: { type: 'text', text } }
  return { jsonrpc: '2.0', id, result }
}

function readJson(answer: HttpAnswer): unknown {
  if ('stream' in answer) throw new Error('expected one body')
  return JSON.parse(new TextDecoder().decode(answer.bytes))
}

async function collect(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = []
  for await (const event of events) all.push(event)
  return all
}

type Event = RpcMessage & { params?: { progress?: unknown } }

async function* readEvents(answer: HttpAnswer | { stream: ReadableStream<Uint8Array> }): AsyncGenerator<Event> {
  if (!('stream' in answer)) throw new Error('expected a stream')
  // Each event is written whole.
  for await (const part of answer.stream) {
    const data = /^event: message\ndata: (.*)\n\n$/.exec(new TextDecoder().decode(part))?.[1]
    if (data === undefined) throw new Error('expected an event')
    yield JSON.parse(data)
  }
}
