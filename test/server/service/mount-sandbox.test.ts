import { expect, test } from 'vitest'
import { until } from '../../setup/until.ts'
import { connect } from '../end-to-end/consent-kit.ts'
import { ORIGIN, startTestServer, type TestServer } from '../end-to-end/server-kit.ts'

/** Calls the sandbox of a server, as through its socket. */
function ask(server: TestServer, path: string, { headers = {}, ...init }: RequestInit = {}): Promise<Response> {
  const request = new Request(`${ORIGIN}/sandbox/${path}`, { ...init, headers: { host: '127.0.0.1:8787', ...headers } })
  return server.service.fetch(request, { address: '127.0.0.1' })
}

type Counts = Record<string, Record<string, number> | number>

/** Returns the calls of the sandbox's operations. */
async function requestsOf(server: TestServer): Promise<{ provider: string; operation: string; status: number }[]> {
  const reply = await ask(server, 'control/requests', { headers: { 'x-api-key': server.adminKey } })
  return (
    (await reply.json()) as { requests: { provider: string; operation: string; status: number }[]; counts: Counts }
  ).requests
}

test('allows only callers with an admin key to control the sandbox', async () => {
  const server = await startTestServer()
  const { key } = (await server.call('POST', '/v1/keys', { body: { name: 'plain' } })).json
  const statuses = async (headers: Record<string, string>) =>
    (await ask(server, 'control/accounts', { headers })).status
  expect(await statuses({ authorization: `Bearer ${server.adminKey}` })).toBe(200)
  expect(await statuses({ 'x-api-key': server.adminKey })).toBe(200)
  const refused = [{}, { 'x-api-key': key }, { 'x-api-key': `mk_${'w'.repeat(43)}` }, { authorization: 'Bearer x' }]
  for (const headers of refused) expect(await statuses(headers as Record<string, string>)).toBe(403)
})

test.each([[{ host: 'evil.example' }], [{ origin: 'https://evil.example' }], [{ 'sec-fetch-site': 'cross-site' }]])(
  'refuses %j at the sandbox too, on a loopback server',
  async (headers) => {
    const server = await startTestServer()
    const reply = await ask(server, 'control/accounts', { headers: { 'x-api-key': server.adminKey, ...headers } })
    expect([reply.status, await reply.json()]).toMatchObject([403, { code: 'forbidden' }])
  }
)

test("serves nothing below the sandbox's path without the sandbox", async () => {
  const variables = { MEMCTL_NOTES_CLIENT_ID: 'app', MEMCTL_NOTES_CLIENT_SECRET: 'hush' }
  const server = await startTestServer({ variables })
  expect((await ask(server, 'notes/v1/users/me')).status).toBe(404)
  expect((await server.call('GET', '/v1/connectors/providers')).json).toEqual(['notes'])
})

test('refuses sandbox requests like all others when it stops', async () => {
  const server = await startTestServer()
  const drained = server.service.drain()
  expect((await ask(server, 'control/accounts')).status).toBe(503)
  await drained
})

test('revokes the grants of a deleted collection at their provider, except those in use elsewhere', async () => {
  const server = await startTestServer()
  const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
  await connect(server, 'mailbox', { account: 0 })
  await connect(server, 'mailbox', { account: 0, collectionId: other })
  await connect(server, 'mailbox', { account: 1 })
  const revocations = async () =>
    (await requestsOf(server)).filter(({ operation, status }) => /revo/i.test(operation) && status === 200).length
  await server.call('DELETE', `/v1/collections/${server.collectionId}`)
  await until(async () => (await revocations()) === 1)
  await server.call('DELETE', `/v1/collections/${other}`)
  await until(async () => (await revocations()) === 2)
  expect((await server.storage.listVaultKeys()).used).toEqual([])
})
