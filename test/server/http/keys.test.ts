import { expect, test } from 'vitest'
import { hashKey, isKey, makeKey } from '../../../server/http/make-key.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { ask, KEYS, testApp, UNKNOWN_KEY } from './app-kit.ts'

const LIST = '/v1/collections'

test('creates a key of 256 bits, and stores its SHA-256', () => {
  const { secret, hash } = makeKey({ randomHex: (bytes) => 'f7'.repeat(bytes) })
  expect([secret, isKey(secret)]).toEqual([`mk_${'9_f3'.repeat(10)}9_c`, true])
  expect(hash).toEqual(hashKey(secret))
  expect(hash.length).toBe(32)
})

test('looks a valid key up once a second', async () => {
  const app = testApp()
  await Promise.all(Array.from({ length: 5 }, () => app.fetch(ask(LIST, { key: KEYS.read }))))
  expect(app.storage.lookups).toBe(1)
  await app.clock.pass(999)
  await app.fetch(ask(LIST, { key: KEYS.read }))
  expect(app.storage.lookups).toBe(1)
  await app.clock.pass(1)
  await app.fetch(ask(LIST, { key: KEYS.read }))
  expect(app.storage.lookups).toBe(2)
})

test('refuses a revoked key within a second', async () => {
  const app = testApp()
  const status = async (): Promise<number> => (await app.fetch(ask(LIST, { key: KEYS.read }))).status
  expect(await status()).toBe(200)
  app.storage.revoke(KEYS.read)
  await app.clock.pass(1000)
  expect(await status()).toBe(401)
})

test('accepts a new key immediately, even if it was unknown before', async () => {
  const app = testApp()
  expect((await app.fetch(ask(LIST, { key: UNKNOWN_KEY }))).status).toBe(401)
  app.storage.addKey({ secret: UNKNOWN_KEY })
  expect((await app.fetch(ask(LIST, { key: UNKNOWN_KEY }))).status).toBe(200)
})

test('does not treat a storage failure as an unknown key', async () => {
  const app = testApp()
  app.storage.failure = new Fault('unavailable', 'The storage is gone', { retryAfter: 3 })
  const reply = await app.fetch(ask(LIST, { key: KEYS.read }))
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '3'])
  app.storage.failure = undefined
  expect((await app.fetch(ask(LIST, { key: KEYS.read }))).status).toBe(200)
})

test('limits wrong keys per address, and still accepts valid ones from there', async () => {
  const app = testApp({ settings: { wrongKeysPerMinute: 3 } })
  const from = async (address: string, key: string): Promise<number> =>
    (await app.fetch(ask(LIST, { key }), { address })).status
  const wrong: number[] = []
  for (let nth = 0; nth < 5; nth++) wrong.push(await from('203.0.113.9', UNKNOWN_KEY))
  expect(wrong).toEqual([401, 401, 401, 429, 429])
  expect(await from('203.0.113.9', KEYS.read)).toBe(200)
  expect(await from('203.0.113.10', UNKNOWN_KEY)).toBe(401)
  await app.clock.pass(20_000)
  expect(await from('203.0.113.9', UNKNOWN_KEY)).toBe(401)
})

test('counts addresses of one IPv6 network as one', async () => {
  const app = testApp({ settings: { wrongKeysPerMinute: 1 } })
  const from = async (address: string): Promise<number> =>
    (await app.fetch(ask(LIST, { key: UNKNOWN_KEY }), { address })).status
  expect(await from('2001:db8:1:2:3:4:5:6')).toBe(401)
  expect(await from('2001:db8:1:2::99')).toBe(429)
  expect(await from('2001:db8:1:3::99')).toBe(401)
  expect([await from('::ffff:192.0.2.1'), await from('192.0.2.1')]).toEqual([401, 429])
})

test('limits the requests of a key if a limit is set, and reports the limit', async () => {
  const app = testApp({ settings: { keyRequestsPerMinute: 2 } })
  const first = await app.fetch(ask(LIST, { key: KEYS.read }))
  expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
    '"key";q=2;w=60',
    '"key";r=1;t=0'
  ])
  await app.fetch(ask(LIST, { key: KEYS.read }))
  const third = await app.fetch(ask(LIST, { key: KEYS.read }))
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '30'])
  expect(await third.json()).toMatchObject({ code: 'rate_limited' })
  expect((await app.fetch(ask(LIST, { key: KEYS.edit }))).status).toBe(200)
  await app.clock.pass(30_000)
  expect((await app.fetch(ask(LIST, { key: KEYS.read }))).status).toBe(200)
})

test('refuses no requests of a key without a limit', async () => {
  const app = testApp({ settings: { keyRequestsPerMinute: undefined, requestsPerCallerMax: 900 } })
  const replies = await Promise.all(Array.from({ length: 900 }, () => app.fetch(ask(LIST, { key: KEYS.read }))))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(replies[0]?.headers.has('ratelimit')).toBe(false)
})
