import { expect, test } from 'vitest'
import { ask, COLLECTION, KEYS, testApp } from './app-kit.ts'

test('accepts a key in either header, and tells the handler who called', async () => {
  const app = testApp()
  const body = { collection_ids: [COLLECTION.toUpperCase()], query: 'where does Ada live' }
  const bearer = await app.fetch(ask('/v1/memories/search', { key: KEYS.read, json: body }))
  const plain = await app.fetch(ask('/v1/memories/search', { headers: { 'x-api-key': KEYS.read }, json: body }))
  expect([bearer.status, plain.status]).toEqual([200, 200])
  const call = app.calls[0]?.call
  expect(call).toMatchObject({
    body: { collection_ids: [COLLECTION], limit: 10 },
    caller: { name: 'read' },
    wantsLines: false
  })
})

test('requires no key for health, readiness, metrics, the document and the page', async () => {
  const app = testApp()
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
    const reply = await app.fetch(ask(path))
    expect([path, reply.status]).toEqual([path, 200])
    expect((await reply.arrayBuffer()).byteLength).toBe(Number(reply.headers.get('content-length')))
  }
})

test('answers an unknown path and an unknown method with a problem', async () => {
  const app = testApp()
  const nowhere = await app.fetch(ask('/v1/nothing', { key: KEYS.admin }))
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: 'not_found' }])
  const wrong = await app.fetch(ask(`/v1/collections/${COLLECTION}`, { key: KEYS.admin, method: 'PUT' }))
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE'])
})
