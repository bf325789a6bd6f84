import { expect, test } from 'vitest'
import { ProviderFailure } from '../../../server/providers/port/provider-failure.ts'
import { ASKED, deepText, setUpOAuth, whilePassing } from './oauth-kit.ts'

const JSON_TYPE = { headers: { 'content-type': 'application/json' } }

const TOKENS = '"access_token":"access-of-the-test","token_type":"bearer"'

/** The possible flaws of a token endpoint, each with its message. */
const BROKEN: [what: string, reply: (request: Request) => Response | Promise<Response>, said: RegExp][] = [
  [
    'HTML',
    () => new Response('<html>welcome</html>', { headers: { 'content-type': 'text/html' } }),
    /no valid JSON object/
  ],
  ['HTML that says to be JSON', () => new Response('<html>welcome</html>', JSON_TYPE), /no valid JSON object/],
  ['status 500', () => new Response('oops', { status: 500 }), /status 500/],
  ['status 429', () => new Response('slow down', { status: 429 }), /status 429/],
  ['status 403 without a reason', () => Response.json({}, { status: 403 }), /unexpected HTTP status code/],
  [
    '10 MB',
    () => new Response(new Uint8Array(10 * 1024 * 1024), JSON_TYPE),
    /^the response of accounts.example cannot be used: it is larger than 1 MiB/
  ],
  [
    '10 MB of tokens',
    () => new Response(`{${TOKENS},"x":"${'x'.repeat(10_000_000)}"}`, JSON_TYPE),
    /^the response of accounts.example cannot be used: it is larger than 1 MiB/
  ],
  ['nothing', () => new Response('', JSON_TYPE), /no valid JSON object/],
  ['an empty object', () => Response.json({}), /access_token/],
  ['an array', () => Response.json([{ access_token: 'x' }]), /no valid JSON object/],
  ['null', () => Response.json(null), /no valid JSON object/],
  ['a number for a token', () => Response.json({ access_token: 5, token_type: 'bearer' }), /access_token/],
  ['an empty token', () => Response.json({ access_token: '', token_type: 'bearer' }), /access_token/],
  [
    'a token that breaks out of its header',
    () => Response.json({ access_token: 'access-of-the-test\r\nx: 1', token_type: 'bearer' }),
    /invalid characters/
  ],
  [
    'a token of 900 kB',
    () => Response.json({ access_token: 'access-of-the-test'.repeat(50_000), token_type: 'bearer' }),
    /too long/
  ],
  [
    'a refresh token that is no ASCII',
    () => new Response(`{${TOKENS},"refresh_token":"ü"}`, JSON_TYPE),
    /invalid characters/
  ],
  ['an object for a scope', () => new Response(`{${TOKENS},"scope":{}}`, JSON_TYPE), /scope/],
  ['a list for a refresh token', () => new Response(`{${TOKENS},"refresh_token":["a"]}`, JSON_TYPE), /refresh_token/],
  ['a word for a time', () => new Response(`{${TOKENS},"expires_in":"soon"}`, JSON_TYPE), /expires_in/],
  ['a time before now', () => new Response(`{${TOKENS},"expires_in":-5}`, JSON_TYPE), /expires_in/],
  ['an unknown type of token', () => Response.json({ access_token: 'x', token_type: 'mac' }), /token_type/],
  ['a member twice', () => new Response(`{${TOKENS},"access_token":"other"}`, JSON_TYPE), /no valid JSON object/],
  ['a member twice, escaped', () => new Response(`{${TOKENS},"access\\u005ftoken":"o"}`, JSON_TYPE), /no valid JSON/],
  ['bytes that are no UTF-8', () => new Response(Uint8Array.of(0x7b, 0xff, 0x7d), JSON_TYPE), /no valid JSON object/],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } }), /redirect/],
  ['a redirect to keep the method', () => new Response(null, { status: 307, headers: { location: '/x' } }), /redirect/],
  ['a broken body', () => new Response(brokenBody(), JSON_TYPE), /no response/],
  ['a refused connection', refusedConnection, /ECONNREFUSED/],
  [
    'an address that the guard refuses',
    () => Promise.reject(new ProviderFailure('transient', 'not allowed')),
    /not allowed/
  ],
  ['invalid_grant', () => Response.json({ error: 'invalid_grant' }, { status: 400 }), /refused: invalid_grant/],
  ['an error that is no text', () => Response.json({ error: { code: 5 } }, { status: 400 }), /unexpected HTTP status/]
]

test.for(BROKEN)('returns a readable failure if a token endpoint answers with %s', async ([, reply, said]) => {
  const { oauth, server, storage, logged } = await setUpOAuth()
  const { authUrl, state } = await oauth.begin(ASKED)
  server.answer('/token', reply)
  const outcome = await oauth.receive('cloud_drive', server.approve(authUrl))
  expect(outcome).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(said) })
  expect(await oauth.attempt(state)).toMatchObject({ status: 'failed', detail: expect.stringMatching(said) })
  expect(await storage.listConnectionsInCollection(ASKED.collectionId)).toEqual([])
  const shown = deepText([outcome, await oauth.attempt(state), logged])
  for (const secret of [...server.secrets, 'access-of-the-test']) expect(shown).not.toContain(secret)
})

/** Never replies, even when aborted. */
const hangs = () => new Promise<Response>(() => undefined)

test.each([
  ['token endpoint', ['/token'], 'connect'],
  ['account lookup', ['/v1/me'], 'connect'],
  ['account lookup and revocation', ['/v1/me', '/revoke'], 'connect'],
  ['revocation of a declined grant', ['/revoke'], 'deny']
] as const)('answers within 15 seconds when the %s hangs', async (_, paths, action) => {
  const { oauth, server, clock } = await setUpOAuth({ settings: { confirm: action === 'deny' } })
  const query = server.approve((await oauth.begin(ASKED)).authUrl)
  for (const path of paths) server.answer(path, hangs)
  const since = clock.now()
  const received = await whilePassing(clock, oauth.receive('cloud_drive', query), 500)
  const outcome =
    received.outcome === 'asks'
      ? await whilePassing(clock, oauth.confirm('cloud_drive', { ticket: received.ticket, approved: false }), 500)
      : received
  expect(clock.now() - since).toBeLessThanOrEqual(15_000)
  expect(outcome).toMatchObject({ outcome: action === 'deny' ? 'denied' : 'failed', detail: expect.any(String) })
})

test('shows the message of an endpoint without control characters and without echoed secrets', async () => {
  const { oauth, server } = await setUpOAuth()
  const query = server.approve((await oauth.begin(ASKED)).authUrl)
  const code = query.get('code')
  const description = `\u001b[31m${'x'.repeat(50)} ${code} \u202egnp ${encodeURIComponent(query.get('state') ?? '')} ${'y'.repeat(5000)}`
  server.answer('/token', () =>
    Response.json({ error: 'invalid_request', error_description: description }, { status: 400 })
  )
  const outcome = await oauth.receive('cloud_drive', query)
  const detail = outcome.outcome === 'failed' ? outcome.detail : ''
  expect(detail).toMatch(
    /^the token endpoint of Test Drive \(https:\/\/accounts\.example\/token\) refused: invalid_request \( ?\[31mx+ \[secret\] gnp \[secret\]/
  )
  expect(detail.length).toBeLessThan(400)
})

test('shows a refusal of the consent page without control characters and secrets', async () => {
  const { oauth } = await setUpOAuth()
  const { state } = await oauth.begin(ASKED)
  const query = new URLSearchParams({
    error: 'temporarily_unavailable',
    error_description: `try\r\nlater ${state} \u200b\u0007`,
    state
  })
  expect(await oauth.receive('cloud_drive', query)).toMatchObject({
    outcome: 'failed',
    detail: 'Test Drive refused: temporarily_unavailable (try later [secret])'
  })
})

test('fails an attempt without a required scope, names the scope, and revokes the grant', async () => {
  const { oauth, server, storage } = await setUpOAuth()
  server.settings.scope = 'profile'
  const outcome = await oauth.receive('cloud_drive', server.approve((await oauth.begin(ASKED)).authUrl))
  expect(outcome).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(/files\.read.*allow it/) })
  expect(server.isAlive('ada')).toBe(false)
  expect(await storage.listConnectionsInCollection(ASKED.collectionId)).toEqual([])
})

test('fails an attempt whose account cannot be identified, and revokes the grant', async () => {
  const { oauth, server, enabled } = await setUpOAuth()
  enabled.provider.identify = async () => {
    throw new ProviderFailure('transient', 'GET api.example/me: status 503')
  }
  const outcome = await oauth.receive('cloud_drive', server.approve((await oauth.begin(ASKED)).authUrl))
  expect(outcome).toMatchObject({ outcome: 'failed', detail: 'GET api.example/me: status 503' })
  expect(server.isAlive('ada')).toBe(false)
})

test.for([
  ['an empty id', ''],
  ['an id with a line break', 'a\nb'],
  ['an id of 10 kB', 'x'.repeat(10_000)],
  ['half a character', '\ud800']
])('does not link an account with %s', async ([, id]) => {
  const { oauth, server, enabled } = await setUpOAuth()
  enabled.provider.identify = async () => ({ id: id ?? '', name: 'Ada' })
  const outcome = await oauth.receive('cloud_drive', server.approve((await oauth.begin(ASKED)).authUrl))
  expect(outcome).toMatchObject({ outcome: 'failed', detail: 'Test Drive returned no usable account id' })
})

function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"access_token":'))
      controller.error(new Error('terminated'))
    }
  })
}

async function refusedConnection(): Promise<Response> {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
}
