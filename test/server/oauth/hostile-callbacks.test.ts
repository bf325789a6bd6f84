import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ASKED, deepText, setUpOAuth } from './oauth-kit.ts'

const RUNS = process.env.SLOW === undefined ? 50 : 5000

/** Any text that a query can contain, including lone surrogates, control characters and very long texts. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-composite', maxLength: 200 }),
  fc.constantFrom('', '\0', '\r\nset-cookie: a=b', '<script>', '%00', '__proto__', 'constructor', 'access_denied'),
  fc.integer({ min: 1000, max: 100_000 }).map((length) => 'x'.repeat(length))
)

const NAMES = [
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
  'iss',
  'scope',
  'response',
  'id_token',
  'token'
]

const parameter = fc.tuple(fc.oneof(fc.constantFrom(...NAMES), hostileText), hostileText)

test('answers unknown to a callback without a valid state, without a request to the provider', async () => {
  const { oauth, server } = await setUpOAuth()
  await oauth.begin(ASKED)
  const query = fc.array(parameter, { maxLength: 8 }).map((entries) => new URLSearchParams(entries))
  await fc.assert(
    fc.asyncProperty(hostileText, query, async (provider, parameters) => {
      expect(await oauth.receive(provider, parameters)).toEqual({ outcome: 'unknown' })
      expect(await oauth.receive('cloud_drive', parameters)).toEqual({ outcome: 'unknown' })
      const ticket = parameters.get('state') ?? ''
      expect(await oauth.confirm('cloud_drive', { ticket, approved: true })).toEqual({ outcome: 'unknown' })
      expect(await oauth.attempt(ticket)).toBeUndefined()
    }),
    { numRuns: RUNS }
  )
  expect(server.counts.size).toBe(0)
})

test('never connects on a callback with unexpected parameters, and tries at most once', async () => {
  const { oauth, server, storage } = await setUpOAuth()
  const withoutState = parameter.filter(([name]) => name !== 'state')
  await fc.assert(
    fc.asyncProperty(fc.array(withoutState, { maxLength: 8 }), async (entries) => {
      const { state } = await oauth.begin(ASKED)
      const query = new URLSearchParams([...entries, ['state', state]])
      const outcome = await oauth.receive('cloud_drive', query)
      expect(['failed', 'denied', 'rejected']).toContain(outcome.outcome)
      const detail = 'detail' in outcome ? outcome.detail : ''
      expect(detail).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+$/)
      expect(detail.isWellFormed()).toBe(true)
      expect(detail.length).toBeLessThan(700)
      expect(detail).not.toContain(state)
      expect(await oauth.receive('cloud_drive', query)).toMatchObject({ outcome: 'replayed' })
    }),
    { numRuns: RUNS }
  )
  expect(await storage.listConnectionsInCollection(ASKED.collectionId)).toEqual([])
  expect([...server.counts.keys()].every((name) => ['/token', 'grant authorization_code'].includes(name))).toBe(true)
})

test('rejects a duplicated state', async () => {
  const { oauth, server } = await setUpOAuth()
  const query = server.approve((await oauth.begin(ASKED)).authUrl)
  const twice = new URLSearchParams([...query, ['state', query.get('state') ?? '']])
  expect(await oauth.receive('cloud_drive', twice)).toEqual({ outcome: 'unknown' })
})

test.for(['code', 'iss', 'error'])('rejects a callback that has %s twice', async (name) => {
  const { oauth, server } = await setUpOAuth()
  const query = server.approve((await oauth.begin(ASKED)).authUrl)
  query.append(name, query.get(name) ?? 'a')
  query.append(name, 'b')
  const outcome = await oauth.receive('cloud_drive', query)
  expect(outcome).toMatchObject({ outcome: 'rejected', detail: expect.stringMatching(/exactly one code|only once/) })
  expect(server.counts.size).toBe(0)
})

test('fails if the code belongs to another consent or another verifier', async () => {
  const { oauth, server, storage } = await setUpOAuth()
  const [mine, theirs] = [await oauth.begin(ASKED), await oauth.begin(ASKED)]
  const query = server.approve(mine.authUrl)
  query.set('code', server.approve(theirs.authUrl, 'eve').get('code') ?? '')
  const outcome = await oauth.receive('cloud_drive', query)
  expect(outcome).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('invalid_grant') })
  expect(await storage.listConnectionsInCollection(ASKED.collectionId)).toEqual([])
  expect(deepText(outcome)).not.toContain(query.get('code'))
})
