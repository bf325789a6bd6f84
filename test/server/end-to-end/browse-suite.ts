import { expect } from 'vitest'
import { HOSTILE_TEXTS } from '../../suites/storage-connector-things.ts'
import { manualClock } from '../http/manual-clock.ts'
import { connect } from './consent-kit.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest, serverTestWith } from './server-test.ts'
import { change } from './sync-kit.ts'

/** Tests the folders and channels of the sandbox, on any storage that `start` gives a server. */
export function browseSuite(start: Start): void {
  kindTests(start)
  fieldTests(start)
  hostileTests(start)
  tokenTests(start)
  absentTests(start)
}

function kindTests(start: Start): void {
  serverTest(start, 'refuses folders of anything but drives and channels of anything but chats', async (server) => {
    const [drive, chat] = [await connect(server, 'cloud_drive'), await connect(server, 'team_chat')]
    const mail = await connect(server, 'mailbox')
    for (const [id, what] of [
      [drive, 'channels'],
      [chat, 'folders'],
      [mail, 'folders'],
      [mail, 'channels']
    ]) {
      const { status, json } = await server.call('GET', `/v1/connectors/${id}/${what}`)
      expect([what, status, json.code, json.detail]).toEqual([
        what,
        400,
        'invalid_request',
        expect.stringContaining(`no ${what}`)
      ])
    }
  })
}

function fieldTests(start: Start): void {
  serverTest(start, 'lists folders with their four fields, from the top level down', async (server) => {
    const id = await connect(server, 'cloud_drive')
    const path = `/v1/connectors/${id}/folders`
    const top = (await server.call('GET', path)).json
    expect(top.length).toBeGreaterThan(1)
    for (const folder of top) expect(Object.keys(folder).sort()).toEqual(['has_children', 'id', 'is_selected', 'name'])
    const parent = top.find((folder: { has_children: boolean }) => folder.has_children)
    const below = (await server.call('GET', `${path}?parent_id=${parent.id}`)).json
    expect(below.length).toBeGreaterThan(0)
    await server.call('PATCH', `/v1/connectors/${id}/config`, { body: { config: { folder_ids: [below[0].id] } } })
    const after = (await server.call('GET', `${path}?parent_id=${parent.id}`)).json
    const selected = after.filter((one: { is_selected: boolean }) => one.is_selected)
    expect(selected).toEqual([{ ...below[0], is_selected: true }])
    for (const odd of ['nowhere', "x' or 'root' in parents or '", '../../files', '\\', "'", '\u202e'])
      expect([odd, (await server.call('GET', `${path}?parent_id=${encodeURIComponent(odd)}`)).status]).toEqual([
        odd,
        404
      ])
  })

  serverTest(start, 'lists channels with their five fields, including private ones', async (server) => {
    const id = await connect(server, 'team_chat')
    const channels = (await server.call('GET', `/v1/connectors/${id}/channels`)).json
    const fields = ['id', 'is_private', 'is_selected', 'name', 'num_members']
    for (const channel of channels) {
      expect(Object.keys(channel).sort()).toEqual(fields)
      expect(channel.id).toMatch(/^[CG][A-Z0-9]+$/)
    }
    expect(new Set(channels.map((one: { is_private: boolean }) => one.is_private))).toEqual(new Set([true, false]))
  })
}

function hostileTests(start: Start): void {
  serverTest(start, 'returns hostile names unchanged', async (server) => {
    const id = await connect(server, 'cloud_drive')
    // Text that is not valid Unicode cannot be sent as JSON.
    const names = HOSTILE_TEXTS.filter((text) => text !== '' && text.isWellFormed())
    for (const name of names) await change(server, 'cloud_drive.add_folder', { parent: 'root', name })
    const reply = await server.send('GET', `/v1/connectors/${id}/folders`)
    expect(reply.headers.get('content-type')).toBe('application/json')
    const listed = ((await reply.json()) as { name: string }[]).map(({ name }) => name)
    for (const name of names) expect(listed).toContain(name)
    expect(JSON.stringify(server.log)).not.toContain('gnissap')
  })

  serverTest(start, 'lists five thousand channels, each once', async (server) => {
    const id = await connect(server, 'team_chat')
    await change(server, 'team_chat.add_channel', { name: 'many', count: 5000 })
    const channels = (await server.call('GET', `/v1/connectors/${id}/channels`)).json
    expect(new Set(channels.map((one: { id: string }) => one.id)).size).toBe(channels.length)
    expect(channels.length).toBeGreaterThan(5000)
  })
}

const HOUR_MS = 3_600_000

function tokenTests(start: Start): void {
  serverTestWith(start, 'renews an expired token once for twenty simultaneous calls', {
    options: { clock: manualClock() },
    body: async (server) => {
      const id = await connect(server, 'cloud_drive')
      await (server.clock as ReturnType<typeof manualClock>).pass(HOUR_MS)
      await server.call('DELETE', '/sandbox/control/requests')
      const calls = Array.from({ length: 20 }, () => server.call('GET', `/v1/connectors/${id}/folders`))
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
      const { requests } = (await server.call('GET', '/sandbox/control/requests')).json
      const renewals = requests.filter(({ operation }: { operation: string }) => operation === 'oauth.token')
      expect(renewals.length).toBe(1)
    }
  })
}

const configure = (server: TestServer, id: string, body: unknown) =>
  server.call('PATCH', `/v1/connectors/${id}/config`, { body })

function absentTests(start: Start): void {
  serverTest(
    start,
    'refuses new ids that the account does not have by their path, if the setting requires it',
    async (server) => {
      const drive = await connect(server, 'cloud_drive', { config: { folder_ids: ['old'] } })
      const [{ id: folder }] = (await server.call('GET', `/v1/connectors/${drive}/folders`)).json
      const choose = (folder_ids: string[]) => configure(server, drive, { config: { folder_ids }, check_ids: true })
      const refused = await choose(['old', folder, 'nowhere', 'root'])
      expect([refused.status, refused.json.code, refused.json.hint]).toEqual([
        422,
        'invalid_input',
        `memctl connections folders ${drive}`
      ])
      expect(refused.json.errors.map((one: { path: string }) => one.path)).toEqual([
        'config.folder_ids[2]',
        'config.folder_ids[3]'
      ])
      expect((await server.call('GET', `/v1/connectors/${drive}`)).json.config).toEqual({ folder_ids: ['old'] })
      expect((await choose(['old', folder])).status).toBe(200)

      const chat = await connect(server, 'team_chat')
      const { status, json } = await configure(server, chat, { channel_ids: ['C0000000000'], check_ids: true })
      expect([status, json.errors[0].path, json.hint]).toEqual([
        422,
        'channel_ids[0]',
        `memctl connections channels ${chat}`
      ])
    }
  )

  serverTest(
    start,
    'reports that new ids could not be checked at the provider, and changes nothing',
    async (server) => {
      const id = await connect(server, 'cloud_drive', { config: { folder_ids: ['old'] } })
      const body = { config: { folder_ids: ['new'] }, check_ids: true }
      const fault = { provider: 'cloud_drive', kind: 'dead_grant', times: 9 }
      await server.call('POST', '/sandbox/control/faults', { body: fault })
      const { status, json } = await configure(server, id, body)
      expect([status, json.code]).toEqual([409, 'provider_refused'])
      expect((await server.call('GET', `/v1/connectors/${id}`)).json.config).toEqual({ folder_ids: ['old'] })
    }
  )
}
