import { expect } from 'vitest'
import { manualClock } from '../http/manual-clock.ts'
import { connect } from './consent-kit.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest, serverTestWith } from './server-test.ts'

/** Config updates and disconnects: the interface's config reference, limits, transitions and errors. */
export function configSuite(start: Start): void {
  transitionTests(start)
  limitTests(start)
  formTests(start)
  raceTests(start)
  disconnectTests(start)
  grantTests(start)
  paceTests(start)
}

const configure = (server: TestServer, id: string, body: unknown) =>
  server.call('PATCH', `/v1/connectors/${id}/config`, { body })

const grants = async (server: TestServer): Promise<number> => {
  const { requests } = (await server.call('GET', '/sandbox/control/requests')).json
  return requests.filter(({ operation }: { operation: string }) => operation === 'oauth.revoke').length
}

function transitionTests(start: Start): void {
  serverTest(start, 'activates a pending connection with a selection, and returns the connection', async (server) => {
    for (const [provider, config] of [
      ['cloud_drive', { folder_ids: ['abc', 'DEF'] }],
      ['team_chat', { channel_ids: ['C01', 'G02'] }]
    ] as const) {
      const id = await connect(server, provider)
      const { status, json } = await configure(server, id, { config })
      expect([status, json]).toEqual([200, (await server.call('GET', `/v1/connectors/${id}`)).json])
      expect(json).toMatchObject({ id, status: 'active', config, health: 'ok', next_sync_at: json.created_at })
    }
  })

  serverTest(start, 'resets the cursor with every later selection, even an equal one', async (server) => {
    const id = await connect(server, 'cloud_drive', { config: { folder_ids: ['abc'] } })
    const generation = async () => (await server.storage.findConnection(id))?.cursorGeneration ?? 0
    const first = await generation()
    await configure(server, id, { config: { folder_ids: ['abc'] }, apply: 'full_resync' })
    const { json } = await configure(server, id, { config: { folder_ids: ['other'] } })
    expect([json.status, json.config, await generation()]).toEqual(['active', { folder_ids: ['other'] }, first + 2])
  })

  serverTest(start, 'rejects a config for a revoked connection', async (server) => {
    const id = await connect(server, 'cloud_drive')
    await server.call('DELETE', `/v1/connectors/${id}`)
    const { status, json } = await configure(server, id, { config: { folder_ids: ['abc'] } })
    expect([status, json.code, json.detail]).toEqual([409, 'conflict', expect.stringContaining('revoked')])
    for (const what of ['folders', 'channels'])
      expect((await server.call('GET', `/v1/connectors/${id}/${what}`)).status).toBe(409)
  })
}

const numbered = (count: number, letter: string) => Array.from({ length: count }, (_, at) => `${letter}${at}`)

/** Configs that break the limits of section 8, with the reported paths. */
const BREAKS: readonly ['cloud_drive' | 'team_chat', unknown, readonly string[]][] = [
  ['cloud_drive', { folder_ids: numbered(11, 'f') }, ['config.folder_ids']],
  ['cloud_drive', { folder_ids: ['ok', 'a'.repeat(65), 'a-b'] }, ['config.folder_ids[1]', 'config.folder_ids[2]']],
  ['cloud_drive', { folder_ids: [] }, ['config.folder_ids']],
  ['cloud_drive', {}, ['config.folder_ids']],
  ['cloud_drive', { channel_ids: ['C1'] }, ['config.channel_ids']],
  ['cloud_drive', { folder_ids: ['a'], odd: 1 }, ['config.odd']],
  ['team_chat', { channel_ids: numbered(51, 'C') }, ['config.channel_ids']],
  ['team_chat', { channel_ids: ['C1', 'D2', 'c3', 'C-4'] }, [1, 2, 3].map((at) => `config.channel_ids[${at}]`)],
  ['team_chat', { channel_ids: [''] }, ['config.channel_ids[0]']],
  ['team_chat', { folder_ids: ['a'], channel_ids: ['C1'] }, ['config.folder_ids']]
]

function limitTests(start: Start): void {
  serverTest(start, 'refuses a selection over a limit, each invalid id by its path', async (server) => {
    const ids = { cloud_drive: await connect(server, 'cloud_drive'), team_chat: await connect(server, 'team_chat') }
    for (const [provider, config, paths] of BREAKS) {
      const { status, json } = await configure(server, ids[provider], { config })
      const named = json.errors?.map(({ path }: { path: string }) => path)
      expect([config, status, json.code, named]).toEqual([config, 422, 'invalid_input', paths])
    }
    const kept = await server.call('GET', `/v1/connectors/${ids.cloud_drive}`)
    expect(kept.json).toMatchObject({ status: 'pending', config: {} })
  })

  serverTest(start, 'accepts a selection at the limits', async (server) => {
    const drive = await connect(server, 'cloud_drive')
    const folder_ids = numbered(10, 'f'.repeat(63))
    expect((await configure(server, drive, { config: { folder_ids } })).json.config).toEqual({ folder_ids })
    const chat = await connect(server, 'team_chat')
    const channel_ids = numbered(50, 'G')
    expect((await configure(server, chat, { config: { channel_ids } })).json.config).toEqual({ channel_ids })
  })
}

function formTests(start: Start): void {
  serverTest(start, "refuses an unsupported mode with the interface's message", async (server) => {
    const id = await connect(server, 'cloud_drive')
    const { status, json } = await configure(server, id, { config: { folder_ids: ['a'] }, apply: 'incremental' })
    const detail = "Unsupported apply mode: 'incremental'. Supported: ['full_resync']"
    expect([status, json.detail]).toEqual([400, detail])
  })

  serverTest(start, 'accepts the flat form too, but not both at once', async (server) => {
    const id = await connect(server, 'cloud_drive')
    const flat = await configure(server, id, { folder_ids: ['flat', 'flat'], apply: 'full_resync' })
    expect([flat.status, flat.json.config]).toEqual([200, { folder_ids: ['flat'] }])
    const both = await configure(server, id, { folder_ids: ['a'], config: { folder_ids: ['a'] } })
    expect([both.status, both.json.errors[0].path]).toEqual([422, 'folder_ids'])
    const neither = await configure(server, id, { apply: 'full_resync' })
    expect([neither.status, neither.json.errors[0].path]).toEqual([422, 'config.folder_ids'])
    const named = await configure(server, id, { folder_ids: ['a', 'b c'] })
    expect(named.json.errors[0].path).toBe('folder_ids[1]')
  })

  serverTest(start, 'rejects a config for a provider without a selection', async (server) => {
    const id = await connect(server, 'mailbox')
    for (const body of [{ config: {} }, { folder_ids: ['a'] }, { config: { channel_ids: ['C1'] } }, {}]) {
      const { status, json } = await configure(server, id, body)
      expect([status, json.code]).toEqual([400, 'invalid_request'])
    }
  })
}

function raceTests(start: Start): void {
  serverTest(start, 'answers all but one of several simultaneous config updates with 409', async (server) => {
    const id = await connect(server, 'cloud_drive')
    const asked = numbered(8, 'f').map((folder) => configure(server, id, { config: { folder_ids: [folder] } }))
    const replies = await Promise.all(asked)
    const won = replies.filter(({ status }) => status === 200)
    expect(replies.filter(({ status }) => status === 409).length).toBe(8 - won.length)
    expect(won.length).toBeGreaterThan(0)
    const { config } = (await server.call('GET', `/v1/connectors/${id}`)).json
    expect(won.map(({ json }) => json.config)).toContainEqual(config)
    const stored = await server.storage.findConnection(id)
    expect(stored?.version).toBe(1 + won.length)
  })

  serverTest(start, 'lets a disconnect win against simultaneous config updates', async (server) => {
    const id = await connect(server, 'cloud_drive')
    const updates = numbered(4, 'f').map((folder) => configure(server, id, { config: { folder_ids: [folder] } }))
    const [ended, ...replies] = await Promise.all([server.call('DELETE', `/v1/connectors/${id}`), ...updates])
    expect([ended.status, ...replies.map(({ status }) => status)]).toEqual([
      200,
      ...replies.map(() => expect.toSatisfy((status: number) => status === 200 || status === 409))
    ])
    expect((await server.call('GET', `/v1/connectors/${id}`)).json.status).toBe('revoked')
  })
}

function disconnectTests(start: Start): void {
  serverTest(
    start,
    'confirms a disconnect, hides the connection from lists, and accepts a second one',
    async (server) => {
      const id = await connect(server, 'mailbox')
      const done = { message: `Connection ${id} disconnected`, warnings: [] }
      const first = await server.call('DELETE', `/v1/connectors/${id}`)
      const again = await server.call('DELETE', `/v1/connectors/${id}`, { body: { delete_memories: true } })
      expect([first, again].map(({ status, json }) => [status, json])).toEqual([
        [200, done],
        [200, done]
      ])
      const { json } = await server.call('GET', `/v1/connectors/${id}`)
      expect(json).toMatchObject({ status: 'revoked', health: null, next_sync_at: null })
      expect((await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json).toEqual([])
    }
  )

  serverTest(start, 'reads the deletion of memories from query or body, and rejects contradictions', async (server) => {
    const id = await connect(server, 'mailbox')
    const path = `/v1/connectors/${id}?delete_memories=`
    const torn = await server.call('DELETE', `${path}true`, { body: { delete_memories: false } })
    expect([torn.status, torn.json.errors[0].path]).toEqual([422, 'delete_memories'])
    expect((await server.call('DELETE', `${path}yes`)).status).toBe(422)
    expect((await server.call('DELETE', `${path}true`, { body: { delete_memories: true } })).status).toBe(200)
  })
}

function grantTests(start: Start): void {
  serverTest(start, 'revokes a grant of two collections with the last of them', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    const [one, two] = [await connect(server, 'mailbox'), await connect(server, 'mailbox', { collectionId: other })]
    await server.call('DELETE', `/v1/connectors/${one}`)
    expect(await grants(server)).toBe(0)
    await server.call('DELETE', `/v1/connectors/${two}`)
    expect(await grants(server)).toBe(1)
    await server.call('DELETE', `/v1/connectors/${two}`)
    expect(await grants(server)).toBe(1)
  })

  serverTest(start, 'disconnects even if the provider refuses the revocation', async (server) => {
    const id = await connect(server, 'mailbox')
    const fault = { provider: 'mailbox', operation: 'oauth.revoke', kind: 'server_error', times: 9 }
    expect((await server.call('POST', '/sandbox/control/faults', { body: fault })).status).toBeLessThan(300)
    const { status, json } = await server.call('DELETE', `/v1/connectors/${id}`)
    expect([status, json.warnings]).toEqual([200, []])
    expect((await server.call('GET', `/v1/connectors/${id}`)).json.status).toBe('revoked')
  })

  serverTest(start, 'shows a grant that the user revoked at the connection, with its fix', async (server) => {
    const id = await connect(server, 'cloud_drive', { config: { folder_ids: ['abc'] } })
    const fault = { provider: 'cloud_drive', kind: 'dead_grant', times: 1 }
    await server.call('POST', '/sandbox/control/faults', { body: fault })
    const { status, json } = await server.call('GET', `/v1/connectors/${id}/folders`)
    expect([status, json.code]).toEqual([409, 'provider_refused'])
    const broken = (await server.call('GET', `/v1/connectors/${id}`)).json
    expect(broken).toMatchObject({ status: 'active', health: 'error', error_detail: { retryable: true } })
    expect(broken.last_error).toContain(`memctl connect cloud_drive -c ${server.collectionId}`)
    expect(await connect(server, 'cloud_drive')).toBe(id)
    expect((await server.call('GET', `/v1/connectors/${id}`)).json).toMatchObject({ health: 'ok', last_error: null })
    expect((await server.call('GET', `/v1/connectors/${id}/folders`)).status).toBe(200)
  })
}

function paceTests(start: Start): void {
  serverTestWith(start, "answers 429 with a wait for a provider's rate limit, and 502 for its failure", {
    options: { clock: manualClock() },
    body: async (server) => {
      const { pass } = server.clock as ReturnType<typeof manualClock>
      const id = await connect(server, 'team_chat')
      const ordered = [
        [{ kind: 'rate_limited', retry_after: 17 }, 429, 17],
        [{ kind: 'rate_limited' }, 429, 60],
        [{ kind: 'wrong_shape', times: 9 }, 502, 0]
      ] as const
      for (const [fault, status, seconds] of ordered) {
        await server.call('DELETE', '/sandbox/control/faults')
        await server.call('POST', '/sandbox/control/faults', { body: { provider: 'team_chat', ...fault } })
        const reply = await server.send('GET', `/v1/connectors/${id}/channels`)
        expect([fault, reply.status, Number(reply.headers.get('retry-after'))]).toEqual([fault, status, seconds])
        await pass(1000 * seconds)
      }
    }
  })

  serverTestWith(start, 'sends nothing to the provider during the wait of a 429, and calls it afterwards', {
    options: { clock: manualClock() },
    body: async (server) => {
      const { pass } = server.clock as ReturnType<typeof manualClock>
      const path = `/v1/connectors/${await connect(server, 'cloud_drive')}/folders`
      const body = { provider: 'cloud_drive', kind: 'rate_limited', retry_after: 17 }
      await server.call('POST', '/sandbox/control/faults', { body })
      expect((await server.call('GET', path)).status).toBe(429)
      await pass(10_000)
      await server.call('DELETE', '/sandbox/control/requests')
      const early = await server.send('GET', `${path}?parent_id=root`)
      expect([early.status, early.headers.get('retry-after')]).toEqual([429, '7'])
      expect((await server.call('GET', '/sandbox/control/requests')).json.requests).toEqual([])
      await pass(7000)
      expect((await server.call('GET', path)).status).toBe(200)
    }
  })
}
