import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ensureBuilt, PROGRAM } from '../cli/built-program.ts'
import { bench, temporaryFolder } from '../device/device-kit.ts'
import { startListening } from '../server/end-to-end/listening-server.ts'
import { findNodeWithPackage } from '../setup/other-nodes.ts'

/** Programs of the protocol's authors, which need Node 22. */
beforeAll(ensureBuilt)

const run = promisify(execFile)

const INSPECTOR = '@modelcontextprotocol/inspector'

test('the command line of the Inspector lists, stores, searches, reads and forgets', async ({ skip }) => {
  const found = findNodeWithPackage(22, INSPECTOR)
  if ('reason' in found) return skip(found.reason)
  const { path, folder } = await bench()
  const launcher = join(found.folder, 'clients/launcher/build/index.js')
  const server = [process.execPath, PROGRAM, 'mcp', '--snapshot', path, '--allow-write', '--allow-forget']
  const inspect = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, HOME: folder }
    return (await run(found.node, [launcher, '--cli', ...server, ...args], { cwd: folder, env })).stdout
  }
  const call = (name: string, ...pairs: string[]): Promise<string> =>
    inspect('--method', 'tools/call', '--tool-name', name, '--tool-arg', ...pairs)
  const tools: { name: string }[] = JSON.parse(await inspect('--method', 'tools/list')).tools
  expect(tools.map(({ name }) => name)).toEqual([
    ...['memory_search', 'memory_read', 'memory_list'],
    ...['memory_store', 'memory_forget']
  ])
  const stored = await call('memory_store', 'text=Anna lives in Lisbon.', 'speaker=Ben')
  const id = /mem_[0-9a-f]{32}/.exec(stored)?.[0] ?? ''
  expect(await call('memory_search', 'query=where does Anna live')).toContain('| Anna lives in Lisbon.')
  const read = await inspect('--method', 'resources/read', '--uri', 'memctl://overview')
  expect(read).toContain('1 memories')
  expect(await call('memory_forget', `ids=["${id}"]`)).toContain('Forgot 1')
  expect(await call('memory_search', 'query=where does Anna live')).toContain('No memory matches')
})

/**
 * The scenarios that need no tool, resource or prompt of the suite's own example server. `server-stateless` does, and
 * also a subscription, which the endpoint does not offer.
 */
const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection'
  ],
  '2026-07-28': [
    ...['tools-list', 'resources-list', 'prompts-list', 'sep-2164-resource-not-found', 'caching'],
    ...['server-sse-multiple-streams', 'dns-rebinding-protection', 'http-header-validation']
  ]
} as const

test.for(['2025-11-25', '2026-07-28'] as const)(
  'the conformance suite finds no violation of revision %s by the endpoint of a server',
  async (revision, { skip }) => {
    const found = findNodeWithPackage(22, '@modelcontextprotocol/conformance')
    if ('reason' in found) return skip(found.reason)
    const folder = temporaryFolder()
    const url = await serveWithoutKey(folder)
    const words = ['server', '--url', url, '--requirements', revision, '--timeout', '10000']
    const output = await run(found.node, [join(found.folder, 'dist/index.js'), ...words], { cwd: folder }).then(
      ({ stdout }) => stdout,
      // The suite exits with 1, because the other scenarios fail.
      ({ stdout }: { stdout: string }) => stdout
    )
    const passed = [...output.matchAll(/^✓ (\S+): \d+ passed, 0 failed/gm)].map(([, name]) => name)
    expect(passed).toEqual(expect.arrayContaining([...SCENARIOS[revision]]))
  }
)

/** Starts a server and a proxy that adds the key, because the suite cannot send one. Returns the proxy's address. */
async function serveWithoutKey(folder: string): Promise<string> {
  const environment = { MEMCTL_RATE_LIMIT: 'off' }
  const { facts, madeKey = '' } = await startListening({ folder, environment })
  const key = { 'x-api-key': madeKey }
  const listed = await fetch(`${facts.origin}/v1/collections`, { headers: key })
  const [collection] = (await listed.json()) as { id: string }[]
  const proxy = createServer((incoming, outgoing) => {
    const target = new URL(`/mcp/${collection?.id}`, facts.origin)
    const headers = { ...incoming.headers, ...key }
    const forwarded = request(target, { method: incoming.method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
}
