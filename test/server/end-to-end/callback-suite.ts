import { expect } from 'vitest'
import { manualClock } from '../http/manual-clock.ts'
import { attemptOf, begin, choose, connect, visit } from './consent-kit.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest, serverTestWith } from './server-test.ts'

/** Tests invalid callbacks: each shows a page that says what to do, and makes no connection. */
export function callbackSuite(start: Start): void {
  stateTests(start)
  issuerTests(start)
  onceTests(start)
  meanwhileTests(start)
  secretTests(start)
}

const MINUTE_MS = 60_000

async function noneMade(server: TestServer): Promise<void> {
  const { json } = await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)
  expect(json).toEqual([])
}

function stateTests(start: Start): void {
  serverTest(start, 'rejects a state that is unknown, changed or of another provider', async (server) => {
    const { auth_url, state } = await begin(server, 'mailbox')
    const callback = await choose(server, auth_url)
    const [id = '', mac = ''] = state.split('.')
    const changed = [
      'made.up',
      '',
      `${id}.`,
      `.${mac}`,
      `${id}.${mac.slice(0, -1)}`,
      `${id}.${mac}x`,
      `${id}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`,
      `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}.${mac}`,
      state.toUpperCase(),
      'x'.repeat(4000),
      '\u202e\u0000'
    ]
    for (const wrong of changed) {
      const url = new URL(callback)
      url.searchParams.set('state', wrong)
      const page = await visit(server, String(url))
      expect([wrong, page.status, page.html]).toEqual([wrong, 400, expect.stringContaining('Invalid link')])
    }
    const foreign = await visit(server, callback.replace('/callback/mailbox', '/callback/team_chat'))
    expect([foreign.status, foreign.html]).toEqual([400, expect.stringContaining('Invalid link')])
    const unknown = await visit(server, callback.replace('/callback/mailbox', '/callback/dropbox'))
    expect([unknown.status, unknown.html]).toEqual([404, expect.stringContaining('Unknown provider')])
    await noneMade(server)
    // No request has used up the attempt.
    expect((await visit(server, callback)).status).toBe(200)
  })

  serverTest(start, 'shows a page for a callback without parameters or with repeated ones', async (server) => {
    const { auth_url, state } = await begin(server, 'mailbox')
    const callback = await choose(server, auth_url)
    const bare = callback.split('?')[0] ?? ''
    for (const query of ['', '?', '?code=x', `?state=${state}&state=${state}&code=x`, `?${'a=b&'.repeat(500)}`]) {
      const page = await visit(server, `${bare}${query}`)
      expect([query.slice(0, 20), page.status]).toEqual([
        query.slice(0, 20),
        expect.toSatisfy((one: number) => one >= 400 && one < 500)
      ])
      expect(page.html).toContain('<h1>')
    }
    await noneMade(server)
  })

  serverTest(start, 'fails the attempt readably if the code is invalid', async (server) => {
    const { auth_url, state } = await begin(server, 'mailbox')
    const url = new URL(await choose(server, auth_url))
    url.searchParams.set('code', 'no-code')
    const page = await visit(server, String(url))
    expect([page.status, page.html]).toEqual([502, expect.stringContaining('memctl connect mailbox -c')])
    const attempt = await attemptOf(server, state)
    expect(attempt).toMatchObject({ status: 'failed', connection_id: null, detail: expect.stringMatching(/\w{3}/) })
    expect(attempt.detail).not.toContain('no-code')
    await noneMade(server)
  })
}

function issuerTests(start: Start): void {
  serverTest(start, 'answers a callback with a forged iss with 400, and links nothing', async (server) => {
    for (const iss of ['https://evil.example', 'accounts.google.com']) {
      const { auth_url, state } = await begin(server, 'cloud_drive')
      const url = new URL(await choose(server, auth_url))
      expect(url.searchParams.get('iss')).toEqual(expect.any(String))
      url.searchParams.set('iss', iss)
      const page = await visit(server, String(url))
      expect([iss, page.status, page.html]).toEqual([iss, 400, expect.stringContaining('invalid response')])
      expect(await attemptOf(server, state)).toMatchObject({ status: 'failed', connection_id: null })
    }
    await noneMade(server)
  })
}

function onceTests(start: Start): void {
  serverTest(start, 'makes one connection for twenty simultaneous callbacks', async (server) => {
    const { auth_url } = await begin(server, 'mailbox')
    const callback = await choose(server, auth_url)
    const pages = await Promise.all(Array.from({ length: 20 }, () => visit(server, callback)))
    const statuses = pages.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBe(1)
    expect(statuses.filter((status) => status === 410).length).toBe(19)
    const { json } = await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)
    expect(json).toHaveLength(1)
    const { requests } = (await server.call('GET', '/sandbox/control/requests')).json
    const exchanges = requests.filter(({ operation }: { operation: string }) => operation === 'oauth.token')
    expect(exchanges.length).toBe(1)
  })

  serverTest(start, 'makes one connection for twenty simultaneous consents of one account', async (server) => {
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin(server, 'mailbox')))
    const callbacks = await Promise.all(begun.map(({ auth_url }) => choose(server, auth_url)))
    const pages = await Promise.all(callbacks.map((callback) => visit(server, callback)))
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200))
    const attempts = await Promise.all(begun.map(({ state }) => attemptOf(server, state)))
    expect(new Set(attempts.map(({ connection_id }) => connection_id)).size).toBe(1)
    expect((await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json).toHaveLength(1)
  })

  serverTestWith(start, 'expires a consent after ten minutes', {
    options: { clock: manualClock() },
    body: async (server) => {
      const clock = server.clock as ReturnType<typeof manualClock>
      const [early, late] = [await begin(server, 'mailbox'), await begin(server, 'team_chat')]
      await clock.pass(9 * MINUTE_MS)
      expect((await visit(server, await choose(server, early.auth_url))).status).toBe(200)
      const callback = await choose(server, late.auth_url)
      await clock.pass(MINUTE_MS)
      const page = await visit(server, callback)
      expect([page.status, page.html]).toEqual([410, expect.stringContaining('expired')])
      expect(await attemptOf(server, late.state)).toMatchObject({ status: 'expired', connection_id: null })
    }
  })
}

function meanwhileTests(start: Start): void {
  serverTest(start, 'links nothing for a key that was revoked meanwhile', async (server) => {
    const grants = [{ collection_id: server.collectionId, permission: 'edit' }]
    const made = (await server.call('POST', '/v1/keys', { body: { name: 'leaver', grants } })).json
    const { auth_url, state } = await begin(server, 'mailbox', { key: made.key })
    const callback = await choose(server, auth_url)
    await server.call('DELETE', `/v1/keys/${made.id}`)
    const page = await visit(server, callback)
    expect([page.status, page.html]).toEqual([502, expect.stringContaining('was not connected')])
    expect((await attemptOf(server, state)).status).toBe('failed')
    await noneMade(server)
    await grantIsBack(server)
  })

  serverTest(start, 'links nothing to a collection that was deleted meanwhile', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    const { auth_url } = await begin(server, 'mailbox', { collectionId: other })
    const callback = await choose(server, auth_url)
    await server.call('DELETE', `/v1/collections/${other}`)
    const page = await visit(server, callback)
    expect([page.status >= 400, page.html]).toEqual([true, expect.stringMatching(/was not connected|Invalid link/)])
    await noneMade(server)
  })

  serverTest(start, 'keeps a connection when the consent is denied afterwards', async (server) => {
    const id = await connect(server, 'mailbox')
    const { auth_url } = await begin(server, 'mailbox')
    const page = await visit(server, await choose(server, auth_url, { decision: 'deny' }))
    expect(page.status).toBe(403)
    expect((await server.call('GET', `/v1/connectors/${id}`)).json).toMatchObject({ status: 'active', health: 'ok' })
  })
}

/** Checks that the unused grant was revoked. */
async function grantIsBack(server: TestServer): Promise<void> {
  const { requests } = (await server.call('GET', '/sandbox/control/requests')).json
  const revoked = requests.filter(({ operation }: { operation: string }) => operation === 'oauth.revoke')
  expect(revoked.length).toBe(1)
}

function secretTests(start: Start): void {
  serverTest(start, 'shows no code, state or token in any page, log or reply', async (server) => {
    const { auth_url, state } = await begin(server, 'mailbox')
    const callback = await choose(server, auth_url)
    const code = new URL(callback).searchParams.get('code') ?? ''
    const pages = [await visit(server, callback), await visit(server, callback)]
    const denied = await begin(server, 'team_chat')
    pages.push(await visit(server, await choose(server, denied.auth_url, { decision: 'deny' })))
    const { connection_id } = await attemptOf(server, state)
    const told = [
      ...pages.map(({ html }) => html),
      JSON.stringify(server.log),
      JSON.stringify((await server.call('GET', `/v1/connectors/${connection_id}`)).json),
      JSON.stringify(await attemptOf(server, state))
    ].join('\n')
    expect(code.length).toBeGreaterThan(20)
    const { clientSecret } = server.connectors.sandbox?.provider('mailbox') ?? { clientSecret: '' }
    for (const secret of [code, state, denied.state, clientSecret, server.adminKey]) {
      expect([secret.length > 8, told.includes(secret)]).toEqual([true, false])
    }
  })
}
