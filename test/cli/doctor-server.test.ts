import { expect, test } from 'vitest'
import { VERSION } from '../../src/cli/command/version.ts'
import type { Fetch } from '../../src/ports.ts'
import { examine, WELL, WITH_KEY } from './doctor-kit.ts'
import { memoryFiles } from './memory-files.ts'
import { COLLECTION_ID, problem, scriptedService } from './scripted-service.ts'

const FAR = { ...WITH_KEY, MEMCTL_SERVER: 'https://memory.example' }

const serving = (script: Readonly<Record<string, unknown>> = {}) => scriptedService({ ...WELL, ...script }).fetch
const failing = (code: string): Fetch => {
  return async () => {
    throw Object.assign(new Error(code), { code, syscall: 'connect' })
  }
}
const neverAnswers = () => new Promise<never>(() => undefined)

test('accepts a healthy server, and does not print the key', async () => {
  const { code, wrong, findings, stdout, stderr } = await examine({ fetch: serving(), environment: FAR })
  expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
  expect(findings.at(-1)).toMatchObject({ check: 'connections', message: 'none' })
  expect(stdout + stderr).not.toContain(FAR.MEMCTL_API_KEY)
})

test.each([
  ['ECONNREFUSED', 'http://127.0.0.1:9000', 'memctl server start --port 9000'],
  ['ENOTFOUND', 'https://memory.example', 'check the address'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'https://127.0.0.1:8787', 'http://'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'https://memory.example', 'NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', 'https://memory.example', 'renew the certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'https://memory.example', 'the host name in the certificate']
])('reports a failed connection because of %s with a fix', async (code, MEMCTL_SERVER, hint) => {
  const { wrong } = await examine({ fetch: failing(code), environment: { ...FAR, MEMCTL_SERVER } })
  expect(wrong).toMatchObject([{ check: 'reachable', state: 'problem', hint: expect.stringContaining(hint) }])
})

test.each([
  [
    'redirects to another site',
    Response.redirect('https://other.example/login?token=hush', 302),
    '--server https://other.example'
  ],
  ['is a proxy without a server', new Response('bad gateway', { status: 502 }), 'start the server behind the proxy'],
  ['serves another site', new Response('<html>', { status: 200 }), 'check the host, port and path'],
  ['does not have the path', new Response('no', { status: 404 }), 'check the host, port and path']
])('reports an address that %s, and sends no key there', async (_what, answer, hint) => {
  const asked: Request[] = []
  const fetch: Fetch = async (request) => {
    asked.push(request)
    return answer.clone()
  }
  const { wrong, stdout } = await examine({ fetch, environment: FAR })
  expect(wrong).toMatchObject([{ check: 'reachable', state: 'problem', hint: expect.stringContaining(hint) }])
  expect(stdout).not.toContain('hush')
  for (const request of asked) expect(request.headers.has('authorization')).toBe(false)
})

test.each(['/healthz', '/openapi.json', '/metrics', '/v1/collections', '/v1/connectors'])(
  'stops waiting for a server that does not respond to %s',
  async (path) => {
    const well = serving()
    const fetch: Fetch = (request) => (new URL(request.url).pathname === path ? neverAnswers() : well(request))
    const { code, wrong, world } = await examine({ fetch, environment: FAR, quickTime: true })
    expect(code).toBe(1)
    expect(wrong).toMatchObject([{ state: 'problem', message: expect.stringContaining('the request timed out') }])
    expect(world.clock.ticks()).toBeLessThanOrEqual(30_000)
  }
)

test('warns about a server that is not ready, or has another version or time', async () => {
  const notReady = serving({ 'GET /readyz': problem(503, 'unavailable', 'stopping') })
  expect((await examine({ fetch: notReady, environment: FAR })).wrong).toMatchObject([
    { check: 'reachable', state: 'problem', hint: 'memctl server logs' }
  ])
  const info = (version: string) => ({ 'GET /openapi.json': { openapi: '3.1.0', info: { title: 'memctl', version } } })
  expect((await examine({ fetch: serving(info(VERSION)), environment: FAR })).wrong).toEqual([])
  expect((await examine({ fetch: serving(info('9.0.0')), environment: FAR })).wrong).toMatchObject([
    { check: 'version', state: 'warning', message: `the server has version 9.0.0, this program ${VERSION}` }
  ])
  const late = () => Response.json({ status: 'ok' }, { headers: { date: 'Fri, 01 May 2026 12:05:00 GMT' } })
  expect((await examine({ fetch: serving({ 'GET /healthz': late() }), environment: FAR })).wrong).toMatchObject([
    { check: 'clock', state: 'warning', message: 'this machine is 299 s behind the server' }
  ])
})

test.each([
  ['memctl_scrub_damage 0', 1777636800, { state: 'ok', message: 'no damage at the last check on 2026-05-01' }],
  ['memctl_scrub_damage 0', 0, { state: 'ok', message: expect.stringContaining('not complete yet') }],
  ['memctl_other 3', 1777636800, { state: 'ok', message: expect.stringContaining('does not report') }],
  [
    'memctl_scrub_damage 2',
    0,
    {
      state: 'warning',
      message: 'the server database is damaged: 2 problems',
      hint: expect.stringMatching(/^on the machine of https:\/\/memory.example: memctl server check .*--repair/)
    }
  ]
])("reports the result of the server's background check: %s, %d", async (damage, endedAt, expected) => {
  const text = `# TYPE memctl_scrub_damage gauge\n${damage}\nmemctl_scrub_last_pass_timestamp_seconds ${endedAt}\n`
  const { findings, wrong } = await examine({
    fetch: serving({ 'GET /metrics': new Response(text) }),
    environment: FAR
  })
  expect(findings.find(({ check }) => check === 'storage')).toMatchObject({ about: 'server', ...expected })
  // The other checks go on.
  expect([wrong.length <= 1, findings.at(-1)?.check]).toEqual([true, 'connections'])
})

test('lists the servers with a stored key if this one has none', async () => {
  const files = memoryFiles()
  files.put(
    '/home/ada/config/credentials.json',
    JSON.stringify({ 'https://other.example': { key: 'mk_hush', saved_at: '' } })
  )
  const { find } = files
  files.find = (path) => {
    const found = find(path)
    return found && { ...found, mode: 0o600 }
  }
  const environment = { MEMCTL_SERVER: FAR.MEMCTL_SERVER }
  const { wrong, stdout } = await examine({ files, fetch: serving(), environment })
  expect(wrong).toMatchObject([
    {
      check: 'key',
      message: 'there is no key for https://memory.example; there are saved keys for https://other.example',
      hint: 'memctl auth login'
    }
  ])
  expect(stdout).not.toContain('mk_hush')
})

test('sends no key to a server that only a project names, and explains how to allow it', async () => {
  const files = memoryFiles()
  files.put('/project/memctl.json', JSON.stringify({ server: 'https://memory.example' }))
  const { code, wrong } = await examine({ files, fetch: serving(), environment: WITH_KEY })
  expect(code).toBe(1)
  expect(wrong).toMatchObject([
    { check: 'address', state: 'warning', hint: expect.stringContaining('memctl auth login --server') },
    { check: 'key', state: 'problem', message: expect.stringContaining('MEMCTL_API_KEY is not sent to') }
  ])
})

test('names the variable of a rejected key, and the command that lists collections for a missing one', async () => {
  const refused = serving({ 'GET /v1/collections': problem(401, 'unauthenticated', 'the key is unknown') })
  expect((await examine({ fetch: refused, environment: FAR })).wrong).toMatchObject([
    {
      check: 'key',
      state: 'problem',
      hint: 'correct the key in MEMCTL_API_KEY, or unset MEMCTL_API_KEY and run memctl auth login'
    }
  ])
  const gone = serving({ [`GET /v1/collections/${COLLECTION_ID}`]: problem(404, 'not_found', 'no such collection') })
  const environment = { ...FAR, MEMCTL_COLLECTION: COLLECTION_ID }
  expect((await examine({ fetch: gone, environment })).wrong).toMatchObject([
    { check: 'collection', state: 'problem', hint: 'to list the collections of your key: memctl collections list' }
  ])
})

test.each([
  ['none', [], 'memctl collections create'],
  ['several without a default', ['a', 'b'], 'add --collection NAME']
])('reports %s as the default collection', async (_what, names, hint) => {
  const collections = names.map((name, at) => ({
    id: `0190aaaa-0000-7000-8000-00000000000${at}`,
    name,
    created_at: '2026-05-01T11:00:00.000Z',
    expires_at: null,
    memories: 0
  }))
  const { wrong } = await examine({ fetch: serving({ 'GET /v1/collections': collections }), environment: FAR })
  expect(wrong).toMatchObject([{ check: 'collection', state: 'problem', hint: expect.stringContaining(hint) }])
})
