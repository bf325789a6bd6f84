import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../device/device-kit.ts'
import { startListening } from '../server/end-to-end/listening-server.ts'
import { findNodeWithPackage } from '../setup/other-nodes.ts'
import { importWithExample } from './import-with-example.ts'

/** The conformance suite of the protocol's authors against the endpoint of a server. It needs Node 22. */

const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** Scenarios that need more than an endpoint for memories, by the reason. The example server passes them. */
const BEYOND_MEMORIES = {
  'names a tool, resource or prompt of the example server': [
    ...[
      'tools-call-with-logging',
      'tools-call-with-progress',
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource'
    ],
    ...['tools-call-mixed-content', 'tools-call-error', 'server-stateless', 'prompts-get-simple'],
    ...['prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image', 'resources-read-text'],
    ...['resources-read-binary', 'resources-templates-read']
  ],
  'asks the user or the model of the client, which no tool of memctl does': [
    ...['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    ...['input-required-result-basic-elicitation', 'input-required-result-basic-sampling'],
    ...['input-required-result-basic-list-roots', 'input-required-result-request-state'],
    ...['input-required-result-multiple-input-requests', 'input-required-result-multi-round'],
    ...['input-required-result-non-tool-request', 'input-required-result-result-type'],
    ...['input-required-result-tampered-state', 'input-required-result-capability-check']
  ],
  'needs an optional method that memories have no use for': [
    ...['completion-complete', 'logging-set-level', 'resources-subscribe', 'resources-unsubscribe']
  ]
}

/** Scenarios that are not required, by the reason. The example server does not implement them. */
const NOT_REQUIRED = {
  'is not required, because the server of the suite does not pass it yet': [
    ...['json-schema-2020-12', 'http-custom-header-server-validation']
  ],
  'is about an extension': [
    ...['tasks-lifecycle', 'tasks-capability-negotiation', 'tasks-wire-fields', 'tasks-request-state-removal'],
    ...['tasks-mrtr-input', 'tasks-request-headers', 'tasks-dispatch-and-envelope', 'tasks-required-task-error'],
    'tasks-mrtr-composition'
  ]
}

test.for(REVISIONS)(
  'the endpoint passes every scenario of revision %s that applies to memories',
  async (revision, { skip }) => {
    const beyond = [BEYOND_MEMORIES, NOT_REQUIRED].flatMap((reasons) => Object.values(reasons).flat())
    const { ran, failed } = await runSuite(revision, skip)
    expect(failed).toEqual(ran.filter((name) => beyond.includes(name)))
  }
)

test.for(REVISIONS)(
  'the endpoint lets the example server pass every required scenario of revision %s',
  async (revision, { skip }) => {
    const { ran, failed } = await runSuite(
      revision,
      skip,
      (await importWithExample(() => import('../server/end-to-end/listening-server.ts'))).startListening
    )
    expect(failed).toEqual(ran.filter((name) => Object.values(NOT_REQUIRED).flat().includes(name)))
  }
)

const run = promisify(execFile)

/** Runs all scenarios that the suite has for a revision. Returns their names, and which failed. */
async function runSuite(
  revision: string,
  skip: (reason: string) => never,
  start = startListening
): Promise<{ ran: string[]; failed: string[] }> {
  const found = findNodeWithPackage(22, '@modelcontextprotocol/conformance')
  if ('reason' in found) return skip(found.reason)
  const folder = temporaryFolder()
  const url = await serveWithoutKey(folder, start)
  const words = ['server', '--url', url, '--requirements', revision, '--timeout', '10000']
  const output = await run(found.node, [join(found.folder, 'dist/index.js'), ...words], { cwd: folder }).then(
    ({ stdout }) => stdout,
    // The suite exits with 1, because some scenarios fail.
    ({ stdout }: { stdout: string }) => stdout
  )
  const results = [...output.matchAll(/^[✓✗] (\S+): \d+ passed, (\d+) failed/gm)]
  expect(results.length).toBeGreaterThan(30)
  return {
    ran: results.map(([, name = '']) => name),
    failed: results.flatMap(([, name = '', count]) => (count === '0' ? [] : name))
  }
}

/** Starts a server and a proxy that adds the key, because the suite cannot send one. Returns the proxy's address. */
async function serveWithoutKey(folder: string, start: typeof startListening): Promise<string> {
  const environment = { MEMCTL_RATE_LIMIT: 'off' }
  const { facts, madeKey = '' } = await start({ folder, environment })
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
