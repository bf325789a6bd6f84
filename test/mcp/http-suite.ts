import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { ORIGIN, type TestServer } from '../server/end-to-end/server-kit.ts'
import { type Start, serverTest } from '../server/end-to-end/server-test.ts'
import { callTool } from './mcp-kit.ts'

/** Tests the endpoint for assistants, on any storage that `start` gives a server. */
export function mcpSuite(start: Start): void {
  clientTests(start)
  accessTests(start)
  messageTests(start)
}

const MODES: readonly VersionNegotiationMode[] = ['legacy', 'auto', { pin: '2026-07-28' }]

function clientTests(start: Start): void {
  for (const mode of MODES)
    serverTest(start, `serves the second client of the protocol in mode ${JSON.stringify(mode)}`, async (server) => {
      const client = await connect(server, { mode, search: '?forget=true' })
      expect((await client.listTools()).tools.length).toBe(5)
      expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memctl://overview'])
      const given = { text: 'Anna lives in Lisbon.', speaker: 'Ben', at: '2026-01-12', conversation: 'talk' }
      const id = /mem_[0-9a-f]{32}/.exec((await callTool(client, 'memory_store', given)).text)?.[0] ?? ''
      const source = `${id} 2026-01-12 speaker "Ben" origin "mcp:second"`
      const found = await callTool(client, 'memory_search', { query: 'where does Anna live' })
      expect(found.text).toContain(`${source}\n| Anna lives in Lisbon.`)
      const heading = `${source} conversation "talk"\n| Anna lives in Lisbon.`
      expect((await callTool(client, 'memory_read', { ids: [id.slice(0, 12)], around: 1 })).text).toContain(heading)
      expect((await callTool(client, 'memory_list', { speaker: 'Ben' })).text).toContain(heading)
      const memory = await client.readResource({ uri: `memctl://memory/${id}` })
      expect(JSON.stringify(memory)).toContain('| Anna lives in Lisbon.')
      expect((await callTool(client, 'memory_forget', { ids: [id] })).text).toBe(`Forgot 1: ${id}`)
      expect((await callTool(client, 'memory_search', { query: 'Anna' })).text).toMatch(/^No memory matches\./)
    })

  serverTest(start, 'serves the first client of the protocol', async (server) => {
    const client = new FirstClient({ name: 'first', version: '1' })
    await client.connect(new FirstTransport(addressOf(server.collectionId), { fetch: fetchOf(server) }))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.length).toBe(4)
    await client.callTool({ name: 'memory_store', arguments: { text: 'Anna lives in Lisbon.' } })
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'Anna' } })
    expect(JSON.stringify(found)).toContain('Anna lives in Lisbon.')
  })

  serverTest(start, 'lists pages of a collection with cursors', async (server) => {
    const client = await connect(server)
    for (let n = 0; n < 7; n++) await callTool(client, 'memory_store', { text: `Report ${n} on the harbour.` })
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const { text } = await callTool(client, 'memory_list', { limit: 3, ...(cursor && { cursor }) })
      for (const [id] of text.matchAll(/mem_[0-9a-f]{32}/g)) seen.add(id)
      cursor = /cursor "([^"]+)"$/.exec(text)?.[1]
    } while (cursor !== undefined)
    expect(seen.size).toBe(7)
    expect((await callTool(client, 'memory_list', { cursor: 'x' })).text).toMatch(/^Invalid `cursor`/)
    expect((await callTool(client, 'memory_store', { text: 'x', at: 'soon' })).text).toMatch(/^Invalid at:/)
  })
}

function accessTests(start: Start): void {
  serverTest(start, 'offers the tools that the key and the address allow', async (server) => {
    const listWith = async (permission: string, search = ''): Promise<string[]> => {
      const key = await makeKey(server, server.collectionId, permission)
      return (await (await connect(server, { key, search })).listTools()).tools.map(({ name }) => name)
    }
    const reading = ['memory_search', 'memory_read', 'memory_list']
    expect(await listWith('read')).toEqual(reading)
    expect(await listWith('read', '?forget=true')).toEqual(reading)
    expect(await listWith('edit')).toEqual([...reading, 'memory_store'])
    expect(await listWith('edit', '?forget=true')).toEqual([...reading, 'memory_store', 'memory_forget'])
    expect(await listWith('edit', '?write=false')).toEqual(reading)
    const key = await makeKey(server, server.collectionId, 'read')
    const refused = callTool(await connect(server, { key }), 'memory_store', { text: 'x' })
    await expect(refused).rejects.toThrow('Unknown tool: memory_store')
  })

  serverTest(start, 'keeps collections apart', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    const own = await connect(server, { search: '?forget=true' })
    const foreign = await connect(server, { collectionId: other, search: '?forget=true' })
    const { text } = await callTool(foreign, 'memory_store', { text: 'The password of Anna is tulip.' })
    const id = /mem_[0-9a-f]{32}/.exec(text)?.[0] ?? ''
    for (const answer of [
      await callTool(own, 'memory_search', { query: 'password of Anna tulip' }),
      await callTool(own, 'memory_list', {}),
      await callTool(own, 'memory_read', { ids: [id] }),
      await callTool(own, 'memory_forget', { ids: [id] }),
      { text: JSON.stringify(await own.readResource({ uri: 'memctl://overview' })) }
    ])
      expect(answer.text).not.toContain('tulip')
    await expect(own.readResource({ uri: `memctl://memory/${id}` })).rejects.toThrow(/not found/i)
    expect((await callTool(foreign, 'memory_read', { ids: [id] })).text).toContain('tulip')
    const key = await makeKey(server, server.collectionId, 'edit')
    await expect(connect(server, { key, collectionId: other })).rejects.toThrow()
  })

  serverTest(start, 'keeps excluded origins out of every answer', async (server) => {
    const metadata = { source: 'mailbox' }
    const body = { collection_id: server.collectionId, raw_text: 'Anna moved to Porto.', metadata }
    const { memory_id: id } = (await server.call('POST', '/v1/memories', { body })).json
    const client = await connect(server, { search: '?exclude_origin=mailbox,drive' })
    for (const { text } of [
      await callTool(client, 'memory_search', { query: 'where does Anna live' }),
      await callTool(client, 'memory_list', {}),
      await callTool(client, 'memory_read', { ids: [id] })
    ])
      expect(text).not.toContain('Porto')
    const only = await connect(server, { search: '?only_origin=mailbox' })
    expect((await callTool(only, 'memory_list', {})).text).toContain('Porto')
  })

  serverTest(start, 'refuses web pages of other origins and bodies over 1 MiB', async (server) => {
    const path = `/mcp/${server.collectionId}`
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
    for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }])
      expect((await server.send('POST', path, { body, headers })).status).toBe(403)
    const large = { ...body, params: { text: 'x'.repeat(1 << 20) } }
    expect(await server.call('POST', path, { body: large })).toMatchObject({ status: 413, json: { code: 'too_large' } })
    expect(await server.call('POST', path, { body })).toMatchObject({ status: 200, json: { id: 1, result: {} } })
    for (const method of ['GET', 'DELETE']) expect((await server.send(method, path)).status).toBe(405)
  })
}

function messageTests(start: Start): void {
  serverTest(start, 'keeps nothing between messages, and answers notifications without content', async (server) => {
    const path = `/mcp/${server.collectionId}`
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const reply = await server.send('POST', path, { body: notification })
    expect([reply.status, await reply.text()]).toEqual([202, ''])
    const store = { name: 'memory_store', arguments: { text: 'Anna lives in Lisbon.' } }
    const nameless = { jsonrpc: '2.0', id: 6, method: 'tools/call', params: store }
    expect((await server.call('POST', path, { body: nameless })).status).toBe(200)
    expect((await callTool(await connect(server), 'memory_list', {})).text).toContain('origin "mcp:admin"')
    const response = await server.call('POST', path, { body: { jsonrpc: '2.0', id: 'x', result: {} } })
    expect(response).toMatchObject({ status: 400, json: { id: null, error: { code: -32600 } } })
    const unknown = { jsonrpc: '2.0', id: 7, method: 'odd/method' }
    expect((await server.call('POST', path, { body: unknown })).json).toMatchObject({ id: 7, error: { code: -32601 } })
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {}
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
    const listen = { jsonrpc: '2.0', id: 8, method: 'subscriptions/listen', params: { _meta: meta, notifications: {} } }
    const refused = await server.call('POST', path, { body: listen, headers })
    expect(refused).toMatchObject({ status: 404, json: { id: 8, error: { code: -32601 } } })
    const mismatch = { ...listen, method: 'tools/list', params: { _meta: meta } }
    expect((await server.call('POST', path, { body: mismatch, headers })).status).toBe(400)
  })

  serverTest(start, 'answers any message without an internal error', async (server) => {
    const path = `/mcp/${server.collectionId}?forget=true`
    await fc.assert(
      fc.asyncProperty(anyMessage, anyHeaders, async (body, headers) => {
        const reply = await server.send('POST', path, { body, headers })
        expect([200, 202, 400, 404, 422]).toContain(reply.status)
        const text = await reply.text()
        if (reply.status !== 202) expect(JSON.parse(text)).toBeTypeOf('object')
      }),
      { numRuns: process.env.SLOW ? 5000 : 50 }
    )
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  })
}

const tool = fc.constantFrom('memory_search', 'memory_read', 'memory_list', 'memory_store', 'memory_forget', 'odd')
const anyId = fc.constantFrom('mem_0', `mem_${'0'.repeat(32)}`, 'mem_x', '')
const given = fc.record(
  {
    query: fc.oneof(fc.string(), fc.jsonValue()),
    ids: fc.oneof(fc.array(anyId, { maxLength: 3 }), fc.jsonValue()),
    limit: fc.oneof(fc.integer(), fc.jsonValue()),
    since: fc.oneof(fc.constant('2026-01-01'), fc.jsonValue()),
    text: fc.oneof(fc.string(), fc.jsonValue()),
    cursor: fc.oneof(fc.string(), fc.jsonValue())
  },
  { requiredKeys: [] }
)
const envelope = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.constantFrom('2026-07-28', '2025-11-25', 'odd', 7),
    'io.modelcontextprotocol/clientInfo': fc.oneof(fc.constant({ name: 'f', version: '1' }), fc.jsonValue()),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), fc.jsonValue()),
    progressToken: fc.jsonValue()
  },
  { requiredKeys: [] }
)
const METHODS = ['initialize', 'server/discover', 'tools/list', 'tools/call', 'resources/read', 'prompts/get', 'ping']
const anyMessage = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), fc.string()),
    method: fc.oneof(fc.constantFrom(...METHODS, 'notifications/cancelled', 'subscriptions/listen'), fc.string()),
    result: fc.jsonValue(),
    error: fc.oneof(fc.constant({ code: 1, message: 'x' }), fc.jsonValue()),
    params: fc.oneof(
      fc.record({ name: tool, arguments: given, _meta: envelope }, { requiredKeys: ['name'] }),
      fc.record({ uri: fc.oneof(fc.constant('memctl://overview'), fc.string()), _meta: envelope }),
      fc.dictionary(fc.string(), fc.jsonValue())
    )
  },
  { requiredKeys: ['jsonrpc'] }
)
const anyHeaders = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-06-18', 'odd'),
    'mcp-method': fc.constantFrom(...METHODS),
    'mcp-name': tool,
    'mcp-session-id': fc.constant('odd'),
    accept: fc.constantFrom('*/*', 'application/json', 'text/event-stream')
  },
  { requiredKeys: [] }
) as fc.Arbitrary<Record<string, string>>

function addressOf(collectionId: string, search = ''): URL {
  return new URL(`${ORIGIN}/mcp/${collectionId}${search}`)
}

/** Sends the requests of a client to the server, with its key. */
function fetchOf({ service, adminKey }: TestServer, key = adminKey) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${key}`)
    return await service.fetch(new Request(url, { ...init, headers }), { address: '127.0.0.1' })
  }
}

type Connecting = { key?: string; collectionId?: string; search?: string; mode?: VersionNegotiationMode }

async function connect(
  server: TestServer,
  { key, collectionId = server.collectionId, search, mode = 'auto' }: Connecting = {}
): Promise<Client> {
  const client = new Client({ name: 'second', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(addressOf(collectionId, search), { fetch: fetchOf(server, key) })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function makeKey(server: TestServer, collection_id: string, permission: string): Promise<string> {
  const body = { name: 'assistant', grants: [{ collection_id, permission }] }
  return (await server.call('POST', '/v1/keys', { body })).json.key
}
