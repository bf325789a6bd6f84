import { expect, test } from 'vitest'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { FAULTS } from '../../src/contract/faults.ts'
import { Problem } from '../../src/contract/problem.ts'
import { fromProblemCode, type ProblemCode } from '../../src/contract/problem-code.ts'
import { ask, COLLECTION, KEYS, OTHER_COLLECTION, type TestApp, testApp, UNKNOWN_KEY } from '../server/http/app-kit.ts'
import { ABOUT_COLLECTIONS, callOf, ROWS, WITH_BODY, WITH_KEY } from './row-calls.ts'

const NOWHERE = '99999999-9999-4999-8999-999999999999'

/** Checks the form of an error reply, and that no handler was called. Returns the problem. */
async function refusal(app: TestApp, reply: Response): Promise<Problem> {
  const problem = Problem.parse(await reply.json())
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  expect(problem.status).toBe(reply.status)
  expect(FAULTS[fromProblemCode(problem.code) ?? 'internal'].status).toBe(reply.status)
  expect(problem.type).toBe(`/docs#fault-${problem.code}`)
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
  expect(problem).toMatchObject({ instance: `urn:memctl:request:${reply.headers.get('x-request-id')}` })
  expect(app.calls).toEqual([])
  return problem
}

test.each(ROWS)('$name replies to a valid call', async (tested) => {
  const app = testApp()
  const reply = await app.fetch(callOf(tested, { key: KEYS.admin }))
  expect(tested.row.replies.map(({ status }) => status)).toContain(reply.status)
})

test.each(WITH_KEY)('$name rejects a request without a key, whatever else is invalid', async (tested) => {
  const app = testApp()
  const reply = await app.fetch(callOf(tested, { id: 'odd', search: 'odd=1', type: 'text/odd' }))
  expect((await refusal(app, reply)).code).toBe('unauthenticated')
  expect(reply.headers.get('www-authenticate')).toBe('Bearer')
})

test.each(WITH_KEY)('$name rejects keys that are unknown, malformed or revoked', async (tested) => {
  const app = testApp()
  app.storage.revoke(KEYS.edit)
  for (const key of [UNKNOWN_KEY, 'mk_short', KEYS.edit, `${KEYS.read}x`, '']) {
    const reply = await app.fetch(callOf(tested, { key }))
    expect((await refusal(app, reply)).code).toBe('unauthenticated')
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  }
})

test.each(WITH_KEY)('$name rejects two different keys', async (tested) => {
  const app = testApp()
  const reply = await app.fetch(callOf(tested, { key: KEYS.admin, headers: { 'x-api-key': KEYS.read } }))
  expect((await refusal(app, reply)).code).toBe('unauthenticated')
})

test.each(ROWS.filter(({ row }) => row.access === 'admin'))(
  '$name rejects keys that are not admin keys, without reading the body',
  async (tested) => {
    for (const key of [KEYS.plain, KEYS.read, KEYS.edit]) {
      const app = testApp()
      const request = callOf(tested, { key, id: 'odd', type: 'text/odd' })
      expect((await refusal(app, await app.fetch(request))).code).toBe('forbidden')
      expect(request.bodyUsed).toBe(false)
    }
  }
)

test.each(ABOUT_COLLECTIONS)('$name rejects keys without the permission', async (tested) => {
  const refused = tested.row.access === 'edit' ? [KEYS.plain, KEYS.read] : [KEYS.plain]
  for (const key of refused) {
    const app = testApp()
    expect((await refusal(app, await app.fetch(callOf(tested, { key })))).code).toBe('forbidden')
  }
  const app = testApp()
  const elsewhere = await app.fetch(callOf(tested, { key: KEYS.edit, id: OTHER_COLLECTION }))
  expect((await refusal(app, elsewhere)).code).toBe('forbidden')
  const there = await app.fetch(callOf(tested, { key: KEYS.edit, id: COLLECTION }))
  expect([there.status, app.calls.length]).toEqual([tested.row.replies[0].status, 1])
})

test.each(ABOUT_COLLECTIONS)('$name does not reveal a collection that the key may not use', async (tested) => {
  for (const [key, id] of [
    [KEYS.plain, COLLECTION],
    [KEYS.read, OTHER_COLLECTION],
    [KEYS.edit, OTHER_COLLECTION]
  ] as const) {
    const app = testApp()
    const reply = await app.fetch(callOf(tested, { key, id }))
    expect(reply.status).toBe(403)
    const told = [await reply.text(), JSON.stringify([...reply.headers]), JSON.stringify(app.lines)]
    for (const text of told) expect(text).not.toContain(id)
  }
})

test('reports which of several collections in the request the key may not use', async () => {
  const app = testApp()
  const json = { collection_ids: [COLLECTION, OTHER_COLLECTION], query: 'q' }
  const problem = await refusal(app, await app.fetch(ask('/v1/memories/search', { key: KEYS.read, json })))
  expect(problem.detail).toBe('the key `read` does not have `read` permission for collection 2 of the 2 in the request')
})

test.each(ABOUT_COLLECTIONS)('$name reports a missing collection', async (tested) => {
  for (const key of [KEYS.plain, KEYS.admin]) {
    const app = testApp()
    expect((await refusal(app, await app.fetch(callOf(tested, { key, id: NOWHERE })))).code).toBe('not_found')
  }
})

test.each(ABOUT_COLLECTIONS)('$name allows only its key and admins to use an ephemeral collection', async (tested) => {
  const granted = [{ collectionId: NOWHERE, permission: 'edit' as const }]
  const verdicts: (ProblemCode | number)[] = []
  for (const [secret, expiresAt] of [
    ['owner', 1e15],
    ['other', 1e15],
    ['admin', 1e15],
    ['owner', 1]
  ] as const) {
    const app = testApp()
    const keys = { owner: `mk_${'o'.repeat(43)}`, other: `mk_${'x'.repeat(43)}`, admin: KEYS.admin }
    app.storage.addKey({ secret: keys.owner, id: 'the owner' })
    app.storage.addKey({ secret: keys.other, grants: granted })
    app.storage.addCollection({ id: NOWHERE, ownerKeyId: 'the owner', expiresAt: toEpochMs(expiresAt) })
    const reply = await app.fetch(callOf(tested, { key: keys[secret], id: NOWHERE }))
    verdicts.push(reply.ok ? 0 : (await refusal(app, reply)).code)
  }
  expect(verdicts).toEqual([0, 'forbidden', 0, 'not_found'])
})

test.each(WITH_BODY)('$name rejects bodies of other types', async (tested) => {
  const twists = [
    { type: 'text/plain' },
    { type: '' },
    { type: 'application/json; charset=latin1' },
    { type: 'application/xml' },
    { headers: { 'content-encoding': 'gzip' } },
    ...(tested.row.body?.json ? [] : [{ type: 'application/json' }]),
    ...(tested.row.body?.lines ? [] : [{ type: 'application/jsonl' }])
  ]
  for (const twist of twists) {
    const app = testApp()
    const reply = await app.fetch(callOf(tested, { key: KEYS.admin, ...twist }))
    expect((await refusal(app, reply)).code).toBe('unsupported_media')
  }
})

test.each(WITH_BODY)('$name rejects a body over the limit as soon as it is detected', async (tested) => {
  const app = testApp({ settings: { bodyBytesMax: 1000 } })
  const declared = callOf(tested, { key: KEYS.admin, headers: { 'content-length': '1001' } })
  const reply = await app.fetch(declared)
  expect([(await refusal(app, reply)).code, declared.bodyUsed]).toEqual(['too_large', false])
  let pulled = 0
  const body = new ReadableStream({
    pull(to) {
      pulled++
      to.enqueue(new Uint8Array(300).fill(0x20))
    }
  })
  const endless = await app.fetch(callOf(tested, { key: KEYS.admin, body }))
  expect((await refusal(app, endless)).code).toBe('too_large')
  expect(pulled).toBeLessThan(8)
})
