import { expect } from 'vitest'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { attemptOf, begin, choose, connect, consent, visit } from './consent-kit.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests linking an account, on any storage that `start` gives a server. */
export function connectSuite(start: Start): void {
  beginTests(start)
  statusTests(start)
  renewalTests(start)
}

/** The initial status of connections (interface, section 3). */
const BEGINS: readonly [ProviderId, unknown, 'pending' | 'active'][] = [
  ['cloud_drive', undefined, 'pending'],
  ['cloud_drive', { folder_ids: ['abc'] }, 'active'],
  ['team_chat', undefined, 'pending'],
  ['team_chat', { channel_ids: ['C0123'] }, 'active'],
  ['mailbox', undefined, 'active'],
  ['notes', undefined, 'active']
]

function beginTests(start: Start): void {
  serverTest(start, 'lists the enabled providers for any key', async (server) => {
    const { key } = (await server.call('POST', '/v1/keys', { body: { name: 'any' } })).json
    const { status, json } = await server.call('GET', '/v1/connectors/providers', { key })
    expect([status, json]).toEqual([200, ['cloud_drive', 'team_chat', 'mailbox', 'notes']])
  })

  serverTest(start, 'returns a consent URL and a state on connect, and waits', async (server) => {
    const { auth_url, state, ...more } = await begin(server, 'mailbox')
    expect([new URL(auth_url).searchParams.get('state'), more]).toEqual([state, {}])
    expect(new URL(auth_url).searchParams.get('redirect_uri')).toMatch(/\/v1\/oauth\/callback\/mailbox$/)
    expect(await attemptOf(server, state)).toEqual({ status: 'waiting', connection_id: null, detail: null })
    const { status } = await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)
    expect(status).toBe(200)
  })

  serverTest(start, 'makes no connection when the user declines', async (server) => {
    const { page, state } = await consent(server, 'mailbox', { decision: 'deny' })
    expect([page.status, page.html]).toEqual([403, expect.stringContaining('Account not connected')])
    expect(await attemptOf(server, state)).toMatchObject({ status: 'denied', connection_id: null })
    expect((await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json).toEqual([])
  })

  serverTest(start, 'refuses a selection over the limits before the consent', async (server) => {
    const body = { collection_id: server.collectionId, config: { folder_ids: ['fine', 'not-fine', 'x'.repeat(65)] } }
    const { status, json } = await server.call('POST', '/v1/connectors/cloud_drive/connect', { body })
    expect([status, json.code]).toEqual([422, 'invalid_input'])
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual([
      'config.folder_ids[1]',
      'config.folder_ids[2]'
    ])
    for (const provider of ['mailbox', 'notes']) {
      const refused = await server.call('POST', `/v1/connectors/${provider}/connect`, { body })
      expect([refused.status, refused.json.detail]).toEqual([400, expect.stringContaining(provider)])
    }
  })
}

function statusTests(start: Start): void {
  for (const [provider, config, status] of BEGINS) {
    const how = config === undefined ? '' : ' with what was selected beforehand'
    serverTest(start, `begins a connection of ${provider}${how} as ${status}`, async (server) => {
      const { page, state } = await consent(server, provider, config === undefined ? {} : { config })
      expect([page.status, page.html]).toEqual([200, expect.stringContaining('(sandbox)</bdi> is connected')])
      const { connection_id, ...attempt } = await attemptOf(server, state)
      expect(attempt).toEqual({ status: 'completed', detail: null })
      const { json } = await server.call('GET', `/v1/connectors/${connection_id}`)
      expect(json).toMatchObject({ provider, status, config: config ?? {}, collection_id: server.collectionId })
      expect(json.health).toBe(status === 'active' ? 'ok' : null)
      expect(json.next_sync_at).toBe(status === 'active' ? json.created_at : null)
      expect(page.html).toContain(`memctl connections disconnect ${connection_id}`)
    })
  }
}

function renewalTests(start: Start): void {
  serverTest(
    start,
    'renews the connection at a second consent, and keeps its id, status and config',
    async (server) => {
      const id = await connect(server, 'cloud_drive', { config: { folder_ids: ['abc'] } })
      const before = (await server.call('GET', `/v1/connectors/${id}`)).json
      await server.storage.noteError(id, 'the grant is over')
      const { page, state } = await consent(server, 'cloud_drive')
      expect(page.html).toContain('is reconnected')
      expect((await attemptOf(server, state)).connection_id).toBe(id)
      const after = (await server.call('GET', `/v1/connectors/${id}`)).json
      expect(after).toEqual(before)
      expect((await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json).toEqual([after])
    }
  )

  serverTest(start, 'makes another connection for another account or collection', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    const ids = [
      await connect(server, 'mailbox'),
      await connect(server, 'mailbox', { account: 1 }),
      await connect(server, 'mailbox', { collectionId: other })
    ]
    expect(new Set(ids).size).toBe(3)
    const listed = (await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
  })

  serverTest(start, 'makes a new connection for the same account after a disconnect', async (server) => {
    const first = await connect(server, 'mailbox')
    await server.call('DELETE', `/v1/connectors/${first}`)
    const second = await connect(server, 'mailbox')
    expect(second).not.toBe(first)
    expect((await server.call('GET', `/v1/connectors/${first}`)).json.status).toBe('revoked')
  })

  serverTest(start, 'reports on a reload that the consent is complete, and changes nothing', async (server) => {
    const { auth_url, state } = await begin(server, 'mailbox')
    const callback = await choose(server, auth_url)
    expect((await visit(server, callback)).status).toBe(200)
    const again = await visit(server, callback)
    expect([again.status, again.html]).toEqual([410, expect.stringContaining('Account already connected')])
    expect((await attemptOf(server, state)).status).toBe('completed')
    expect((await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json).toHaveLength(1)
  })
}
