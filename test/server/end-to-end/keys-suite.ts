import { expect } from 'vitest'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { IMPORT } from './exported.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests permissions, on any storage that `start` gives a server. */
export function keysSuite(start: Start): void {
  grantTests(start)
  keyTests(start)
}

function grantTests(start: Start): void {
  serverTest(start, 'allows a key exactly what it was granted', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    const grants = [
      { collection_id: server.collectionId, permission: 'edit' },
      { collection_id: other, permission: 'read' }
    ]
    const { status, json } = await server.call('POST', '/v1/keys', { body: { name: 'app', grants } })
    expect([status, json.name, json.grants, json.admin]).toEqual([201, 'app', grants, false])
    const { key } = json
    const storeIn = (collection_id: string) =>
      server.call('POST', '/v1/memories', { key, body: { collection_id, raw_text: 'x' } })
    expect((await storeIn(server.collectionId)).status).toBe(201)
    expect((await storeIn(other)).status).toBe(403)
    const query = { collection_ids: [server.collectionId, other], query: 'x' }
    expect((await server.call('POST', '/v1/memories/search', { key, body: query })).status).toBe(200)
    expect((await server.call('DELETE', `/v1/collections/${other}`, { key })).status).toBe(403)
    expect((await server.call('GET', '/v1/keys', { key })).status).toBe(403)
    expect((await server.call('POST', '/v1/collections', { key, body: { name: 'mine' } })).status).toBe(403)
  })

  serverTest(start, 'lists the collections that the key can read', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json
    const grants = [{ collection_id: other.id, permission: 'read' }]
    const { key } = (await server.call('POST', '/v1/keys', { body: { name: 'reader', grants } })).json
    expect((await server.call('GET', '/v1/collections', { key })).json).toEqual([other])
    expect((await server.call('GET', '/v1/collections')).json).toHaveLength(2)
  })

  serverTest(start, 'shows an import only to its key and to admins', async (server) => {
    const [owner, other] = await Promise.all(
      ['owner', 'other'].map(async (name) => (await server.call('POST', '/v1/keys', { body: { name } })).json.key)
    )
    const { json } = await server.call('POST', IMPORT, {
      key: owner,
      lines: file(memoryLine({ text: 'a' })).toString()
    })
    const path = `/v1/collections/${json.ephemeral_collection_id}`
    const shown = await server.call('GET', path, { key: owner })
    expect(shown.json).toMatchObject({ memories: 1, expires_at: expect.stringMatching(/Z$/) })
    expect((await server.call('GET', path, { key: other })).status).toBe(403)
    expect((await server.call('GET', path)).status).toBe(200)
    const lists = await Promise.all([owner, other].map((key) => server.call('GET', '/v1/collections', { key })))
    expect(lists.map((list) => list.json.length)).toEqual([1, 0])
    expect((await server.call('DELETE', path, { key: owner })).status).toBe(200)
  })
}

function keyTests(start: Start): void {
  serverTest(start, 'refuses a grant on a missing collection by its path', async (server) => {
    const collection_id = '00000000-0000-0000-0000-00000000000a'
    const grants = [
      { collection_id: server.collectionId, permission: 'read' },
      { collection_id, permission: 'read' }
    ]
    const { status, json } = await server.call('POST', '/v1/keys', { body: { name: 'app', grants } })
    expect([status, json.code]).toEqual([404, 'not_found'])
    expect(json.detail).toContain(collection_id)
    expect((await server.call('GET', '/v1/keys')).json).toHaveLength(1)
  })

  serverTest(start, 'uses the larger of two grants on one collection', async (server) => {
    const grants = ['edit', 'read'].map((permission) => ({ collection_id: server.collectionId, permission }))
    const { json } = await server.call('POST', '/v1/keys', { body: { name: 'app', grants } })
    expect(json.grants).toEqual([{ collection_id: server.collectionId, permission: 'edit' }])
  })

  serverTest(start, 'refuses a revoked key, no longer lists it, and never lists secrets', async (server) => {
    const made = (await server.call('POST', '/v1/keys', { body: { name: 'gone' } })).json
    const listed = (await server.call('GET', '/v1/keys')).json
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['admin', 'gone'])
    expect(JSON.stringify(listed)).not.toContain('mk_')
    expect((await server.call('DELETE', `/v1/keys/${made.id}`)).status).toBe(200)
    expect((await server.call('GET', '/v1/collections', { key: made.key })).status).toBe(401)
    expect((await server.call('GET', '/v1/keys')).json).toHaveLength(1)
    expect((await server.call('DELETE', `/v1/keys/${made.id}`)).status).toBe(404)
  })

  serverTest(start, 'keeps the last admin key', async (server) => {
    const [admin] = (await server.call('GET', '/v1/keys')).json
    const { status, json } = await server.call('DELETE', `/v1/keys/${admin.id}`)
    expect([status, json.code]).toEqual([409, 'conflict'])
    await server.call('POST', '/v1/keys', { body: { name: 'second', admin: true } })
    expect((await server.call('DELETE', `/v1/keys/${admin.id}`)).status).toBe(200)
  })
}
