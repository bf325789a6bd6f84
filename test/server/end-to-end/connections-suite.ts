import { expect } from 'vitest'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { connect } from './consent-kit.ts'
import { IMPORT } from './exported.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest } from './server-test.ts'

/**
 * Tests the interface's tables of permissions, states, limits and errors, on any storage that `start` gives a server.
 */
export function connectionsSuite(start: Start): void {
  permissionTests(start)
  readTests(start)
  unknownTests(start)
  vaultTests(start)
}

const NOWHERE = '99999999-9999-4999-8999-999999999999'

/**
 * The interface's table of permissions (section 5): what each endpoint requires. `{id}` is a drive connection, `{chat}`
 * a chat connection.
 */
const PERMISSIONS: readonly [method: string, path: string, needs: 'any' | 'read' | 'edit'][] = [
  ['GET', '/v1/connectors/providers', 'any'],
  ['GET', '/v1/connectors?collection_id={collection}', 'read'],
  ['GET', '/v1/connectors/{id}', 'read'],
  ['POST', '/v1/connectors/cloud_drive/connect', 'edit'],
  ['PATCH', '/v1/connectors/{id}/config', 'edit'],
  ['GET', '/v1/connectors/{id}/folders', 'edit'],
  ['GET', '/v1/connectors/{chat}/channels', 'edit'],
  ['GET', '/v1/connectors/attempts?state={state}', 'edit'],
  ['POST', '/v1/connectors/{id}/sync', 'edit'],
  ['GET', '/v1/connectors/{id}/runs', 'read'],
  ['GET', '/v1/connectors/{id}/items', 'read'],
  ['GET', '/v1/connectors/{id}/schedule', 'read'],
  ['POST', '/v1/connectors/{id}/pause', 'edit'],
  ['POST', '/v1/connectors/{id}/resume', 'edit'],
  ['DELETE', '/v1/connectors/{id}', 'edit']
]

const ALLOWED = { any: ['none', 'read', 'edit'], read: ['read', 'edit'], edit: ['edit'] }

async function keyWith(server: TestServer, permission: 'none' | 'read' | 'edit'): Promise<string> {
  const grants = permission === 'none' ? [] : [{ collection_id: server.collectionId, permission }]
  return (await server.call('POST', '/v1/keys', { body: { name: permission, grants } })).json.key
}

function permissionTests(start: Start): void {
  serverTest(start, 'requires the permission that the interface names for each endpoint', async (server) => {
    const id = await connect(server, 'cloud_drive', { config: { folder_ids: ['abc'] } })
    const chat = await connect(server, 'team_chat')
    const { state } = (
      await server.call('POST', '/v1/connectors/mailbox/connect', { body: { collection_id: server.collectionId } })
    ).json
    const values: Record<string, string> = { id, chat, state, collection: server.collectionId }
    const verdicts: string[] = []
    for (const [method, path, needs] of PERMISSIONS) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
      const body = bodyFor(method, path, server)
      expect((await server.call(method, filled, { key: null, ...body })).status).toBe(401)
      for (const permission of ['none', 'read', 'edit'] as const) {
        const key = await keyWith(server, permission)
        const { status } = await server.call(method, filled, { key, ...body })
        const expected = ALLOWED[needs].includes(permission) ? 200 : 403
        verdicts.push(...(status === expected ? [] : [`${method} ${path} as ${permission}: ${status}`]))
      }
    }
    expect(verdicts).toEqual([])
  })
}

function bodyFor(method: string, path: string, { collectionId }: TestServer): { body?: unknown } {
  if (path.endsWith('/connect')) return { body: { collection_id: collectionId } }
  return method === 'PATCH' ? { body: { config: { folder_ids: ['abc'] } } } : {}
}

function readTests(start: Start): void {
  serverTest(start, 'requires an existing, readable collection for a list', async (server) => {
    const missing = await server.call('GET', '/v1/connectors')
    expect([missing.status, missing.json.errors[0].path]).toEqual([422, 'collection_id'])
    expect((await server.call('GET', `/v1/connectors?collection_id=${NOWHERE}`)).status).toBe(404)
    expect((await server.call('GET', '/v1/connectors?collection_id=odd')).status).toBe(422)
    expect((await server.call('GET', `/v1/connectors?collection_id=${server.collectionId}`)).json).toEqual([])
  })

  serverTest(start, 'removes the connections of a deleted collection, by id and from lists', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    const id = await connect(server, 'mailbox', { collectionId: other })
    await server.call('DELETE', `/v1/collections/${other}`)
    const { status, json } = await server.call('GET', `/v1/connectors/${id}`)
    expect([status, json.detail]).toEqual([404, `connection ${id} does not exist`])
  })
}

function unknownTests(start: Start): void {
  serverTest(start, 'reports unknown ids, providers and states as not found', async (server) => {
    const collection_id = server.collectionId
    const calls = [
      ['GET', `/v1/connectors/${NOWHERE}`, undefined],
      ['GET', `/v1/connectors/${NOWHERE}/folders`, undefined],
      ['GET', `/v1/connectors/${NOWHERE}/channels`, undefined],
      ['PATCH', `/v1/connectors/${NOWHERE}/config`, { config: { folder_ids: ['a'] } }],
      ['DELETE', `/v1/connectors/${NOWHERE}`, undefined],
      ['POST', '/v1/connectors/dropbox/connect', { collection_id }],
      ['POST', '/v1/connectors/mailbox/connect', { collection_id: NOWHERE }],
      ['GET', '/v1/connectors/attempts?state=made.up', undefined]
    ] as const
    for (const [method, path, body] of calls) {
      const { status, json } = await server.call(method, path, body === undefined ? {} : { body })
      expect([path, status, json.code]).toEqual([path, 404, 'not_found'])
    }
  })

  serverTest(start, 'links no account to an ephemeral collection', async (server) => {
    const lines = file(memoryLine({ text: 'a' })).toString()
    const { ephemeral_collection_id: collection_id } = (await server.call('POST', IMPORT, { lines })).json
    const { status, json } = await server.call('POST', '/v1/connectors/mailbox/connect', { body: { collection_id } })
    expect([status, json.code]).toEqual([409, 'conflict'])
  })
}

function vaultTests(start: Start): void {
  serverTest(start, 'reseals all credentials for an admin, while connections keep working', async (server) => {
    const ids = [await connect(server, 'cloud_drive'), await connect(server, 'team_chat')]
    const key = await keyWith(server, 'edit')
    expect((await server.call('POST', '/v1/vault/rotate', { key })).status).toBe(403)
    const { status, json } = await server.call('POST', '/v1/vault/rotate')
    expect([status, Object.keys(json).sort()]).toEqual([200, ['key_id', 'resealed']])
    expect(json.resealed).toBeGreaterThanOrEqual(ids.length)
    expect(await server.storage.listVaultKeys()).toMatchObject({ current: json.key_id })
    expect((await server.call('GET', `/v1/connectors/${ids[0]}/folders`)).status).toBe(200)
    expect((await server.call('GET', `/v1/connectors/${ids[1]}/channels`)).status).toBe(200)
    const again = await server.call('POST', '/v1/vault/rotate')
    expect(again.json.key_id).not.toBe(json.key_id)
  })
}
