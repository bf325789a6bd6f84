import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ended, ensureBuilt, PROGRAM, start } from '../cli/built-program.ts'
import { bench } from '../device/device-kit.ts'
import { startListening } from '../server/end-to-end/listening-server.ts'
import { callTool } from './mcp-kit.ts'

/** `memctl mcp` as a process, with clients of others. */
beforeAll(ensureBuilt)

const SERVING = ['mcp', '--allow-write', '--allow-forget', '--snapshot']

function parameters(path: string, home: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  return { command: process.execPath, args: [PROGRAM, ...SERVING, path], env, stderr: 'ignore' as const }
}

const MODES: readonly VersionNegotiationMode[] = ['legacy', 'auto', { pin: '2026-07-28' }]

test.each(MODES)('serves the second client of the protocol in mode %j', async (mode) => {
  const { path, folder } = await bench()
  const client = new Client({ name: 'second', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport(parameters(path, folder)))
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.length).toBe(5)
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memctl://overview'])
  expect((await client.listResourceTemplates()).resourceTemplates.length).toBe(1)
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['brief'])
  await callTool(client, 'memory_store', { text: 'Anna lives in Lisbon.' })
  const { text } = await callTool(client, 'memory_search', { query: 'where does Anna live' })
  expect(text).toContain('origin "mcp:second"\n| Anna lives in Lisbon.')
})

/** A collection is served by the same code in every mode. */
const COLLECTION_MODES: readonly VersionNegotiationMode[] = process.env.SLOW ? MODES : ['auto']

test.each(COLLECTION_MODES)('serves a collection of a server in mode %j, within its flags', async (mode) => {
  const { folder } = await bench()
  const { facts, madeKey = '' } = await startListening({ folder })
  const { origin } = facts
  const listed = await fetch(`${origin}/v1/collections`, { headers: { 'x-api-key': madeKey } })
  const [collection] = (await listed.json()) as { id: string }[]
  const connectWith = async (flags: string[], key = madeKey): Promise<Client> => {
    const args = [PROGRAM, 'mcp', '--server', origin, '-c', collection?.id ?? '', ...flags]
    const env = { PATH: process.env.PATH ?? '', HOME: folder, MEMCTL_API_KEY: key }
    const client = new Client({ name: 'second', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
    onTestFinished(() => client.close())
    return client
  }
  const client = await connectWith(['--allow-write', '--allow-forget', '--exclude-origin', 'mailbox'])
  expect((await client.listTools()).tools.length).toBe(5)
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['brief'])
  await callTool(client, 'memory_store', { text: 'Anna lives in Lisbon.' })
  const { text } = await callTool(client, 'memory_search', { query: 'where does Anna live' })
  expect(text).toContain('origin "mcp:second"\n| Anna lives in Lisbon.')
  expect(JSON.stringify(await client.readResource({ uri: 'memctl://overview' }))).toContain('1 memory from')
  await expect(client.readResource({ uri: 'memctl://odd' })).rejects.toThrow(/not found/)
  expect((await (await connectWith([])).listTools()).tools.length).toBe(3)
  const refused = await connectWith([], `mk_${'x'.repeat(43)}`)
  const { isError, text: why } = await callTool(refused, 'memory_list', {})
  expect([isError, why]).toEqual([true, expect.stringContaining('API key is unknown')])
})

test('serves the first client of the protocol', async () => {
  const { path, folder } = await bench()
  const client = new FirstClient({ name: 'first', version: '1' })
  await client.connect(new FirstTransport(parameters(path, folder)))
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.length).toBe(5)
  await client.callTool({ name: 'memory_store', arguments: { text: 'Anna lives in Lisbon.' } })
  const found = await client.callTool({ name: 'memory_search', arguments: { query: 'Anna' } })
  expect(JSON.stringify(found)).toContain('mcp:first')
})

const SERVERS = process.env.SLOW === '1' ? 8 : 3
const STORES = process.env.SLOW === '1' ? 50 : 6

test.each([
  ['while none is killed', 0],
  ['while at least 15 % of them are killed', Math.ceil(SERVERS * 0.15)]
])('keeps every acknowledged memory of parallel servers once %s', async (_when, killed) => {
  const { path, folder, lines } = await bench()
  const acknowledged: string[] = []
  const serve = async (server: number): Promise<void> => {
    const transport = new StdioClientTransport(parameters(path, folder))
    const client = new Client({ name: 'writer', version: '1' })
    await client.connect(transport)
    const stores = Array.from({ length: STORES }, (_, n) => `Server ${server} stored number ${n}.`)
    for (const [n, text] of stores.entries()) {
      const stored = callTool(client, 'memory_store', { text }).catch(() => undefined)
      if (server < killed && n === STORES / 2) process.kill(transport.pid ?? 0, 'SIGKILL')
      const answer = await stored
      if (answer?.isError === false) acknowledged.push(text)
      else break
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: SERVERS }, (_, server) => serve(server)))
  expect(acknowledged.length).toBeGreaterThanOrEqual((SERVERS - killed) * STORES)
  const stored = lines().flatMap((line) => (line.includes('"type":"memory"') ? [JSON.parse(line).text] : []))
  for (const text of acknowledged) expect(stored.filter((one) => one === text).length).toBe(1)
})

test('ends with its input, and when its output is closed', async () => {
  const { path, folder } = await bench()
  const quiet = start([...SERVING, path], folder)
  const end = ended(quiet)
  quiet.stdin?.end()
  expect(await end).toMatchObject({ code: 0, stdout: '' })
  const deaf = start([...SERVING, path], folder)
  deaf.stdout?.destroy()
  const exit = once(deaf, 'exit')
  const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`
  deaf.stdin?.on('error', () => undefined)
  deaf.stdin?.write(ping.repeat(3))
  await exit
})

test('ends when its parent has vanished but the pipes stay open', async () => {
  const { path, folder } = await bench()
  const code = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([PROGRAM, ...SERVING, path])},
    { stdio: [0, 1, 'ignore'] })`
  const parent = spawn(process.execPath, ['-e', code], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: 'pipe'
  })
  parent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  // The server has the same pipes as its parent, so its answer shows that it runs.
  await once(parent.stdout, 'data')
  parent.kill('SIGKILL')
  // The stream ends when the last process that holds it has ended; stdin of this test stays open until then.
  await once(parent.stdout, 'close')
  parent.stdin.destroy()
})

const MESSAGES = process.env.SLOW === '1' ? 100_000 : 1000

test('survives mutated messages, and writes nothing but messages', async () => {
  const { path, folder } = await bench()
  const server = start([...SERVING, path], folder)
  const end = ended(server)
  const call = (name: string, given: unknown) => ({ method: 'tools/call', params: { name, arguments: given } })
  const whole = [
    {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'f', version: '1' } }
    },
    { method: 'tools/list' },
    { method: 'resources/read', params: { uri: 'memctl://overview' } },
    { method: 'prompts/get', params: { name: 'brief', arguments: { topic: 'Anna' } } },
    call('memory_search', { query: 'Anna', limit: 3, cursor: null }),
    call('memory_read', { ids: ['mem_0'], around: 2 }),
    call('memory_list', { since: '2026-01-01', limit: 5 }),
    call('memory_forget', { ids: [`mem_${'0'.repeat(32)}`] })
  ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }))
  const mutated = fc.sample(
    fc.tuple(
      fc.constantFrom(...whole),
      fc.nat(400),
      fc.nat(20),
      fc.oneof(fc.string(), fc.json(), fc.constantFrom('', '"', '{', '\\u0000', '9e999', 'null'))
    ),
    { numRuns: MESSAGES, seed: 25 }
  )
  const lines = mutated.map(([text, at, length, put]) =>
    `${text.slice(0, at)}${put}${text.slice(at + length)}`.replaceAll('\n', ' ')
  )
  server.stdin?.write(`${whole[0]}\n`)
  server.stdin?.end(`${lines.join('\n')}\n`)
  const { code, stdout } = await end
  expect(code).toBe(0)
  const answers = stdout.split('\n').slice(0, -1)
  expect(answers.length).toBeGreaterThan(0)
  for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ jsonrpc: '2.0' })
})
