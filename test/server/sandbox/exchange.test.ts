import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { exchange, formOf, type SandboxKit, sandboxKit, withToken } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

const REDIRECT = 'http://127.0.0.1:8787/back'
const VERIFIER = 'a-verifier-of-more-than-forty-three-letters-0123456789'

test('redeems a code once, and revokes its tokens at a second use', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const said = rightFor(await codeOf(kit))
  const first = (await (await exchange(kit.sandbox, tinySandboxProvider(), said)).json()) as { access_token: string }
  const list = withToken(kit.sandbox.fetch, first.access_token)
  const address = `${kit.sandbox.provider('notes').apiUrl}/notes`
  expect((await list(new Request(address))).status).toBe(200)
  expect(await (await exchange(kit.sandbox, tinySandboxProvider(), said)).json()).toMatchObject({
    error: 'invalid_grant'
  })
  expect(await (await list(new Request(address))).json()).toMatchObject({ token: 'revoked' })
})

test("lets a code expire after a minute of the sandbox's clock", async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const [early, late] = [await codeOf(kit), await codeOf(kit)]
  await kit.clock.pass(59_999)
  expect((await exchange(kit.sandbox, tinySandboxProvider(), rightFor(early))).status).toBe(200)
  await kit.clock.pass(1)
  expect(await (await exchange(kit.sandbox, tinySandboxProvider(), rightFor(late))).json()).toMatchObject({
    error: 'invalid_grant'
  })
})

test.each([
  ['another redirect address', { redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
  ['no redirect address', { redirect_uri: undefined }, 'invalid_grant'],
  ['another verifier', { code_verifier: `${VERIFIER}x` }, 'invalid_grant'],
  ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
  ['an invalid code', { code: 'x.y' }, 'invalid_grant'],
  ['no code', { code: undefined }, 'invalid_request'],
  ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['a refresh without a token', { grant_type: 'refresh_token' }, 'invalid_request'],
  ['an invalid refresh token', { grant_type: 'refresh_token', refresh_token: 'x.y' }, 'invalid_grant'],
  ['another client', { client_id: 'another' }, 'invalid_client'],
  ['another secret', { client_secret: 'another' }, 'invalid_client']
])("refuses %s in the provider's format", async (_, differs, error) => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { clientId, clientSecret } = kit.sandbox.provider('notes')
  const client = { client_id: clientId, client_secret: clientSecret }
  const said: Params = { ...rightFor(await codeOf(kit)), ...client, ...differs }
  const reply = await post(kit, new URLSearchParams(present(said)))
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error })
})

test("authenticates a client only in the provider's way", async () => {
  const basic = tinySandboxProvider({ oauth: { clientAuthentication: 'basic', tokenRequest: 'json' } })
  const [inBody, byBasic] = [sandboxKit([tinySandboxProvider()]), sandboxKit([basic])]
  expect((await exchange(byBasic.sandbox, basic, rightFor(await codeOf(byBasic)))).status).toBe(200)
  expect(await errorOf(exchange(byBasic.sandbox, tinySandboxProvider(), rightFor(await codeOf(byBasic))))).toBe(
    'invalid_request'
  )
  expect(await errorOf(exchange(inBody.sandbox, basic, rightFor(await codeOf(inBody))))).toBe('invalid_request')
  const formWithBasic = tinySandboxProvider({ oauth: { clientAuthentication: 'basic' } })
  expect(await errorOf(exchange(inBody.sandbox, formWithBasic, rightFor(await codeOf(inBody))))).toBe('invalid_client')
})

test('ignores verifier and challenge of a provider without PKCE', async () => {
  const sandboxProvider = tinySandboxProvider({ oauth: { pkce: false } })
  const kit = sandboxKit([sandboxProvider])
  expect((await exchange(kit.sandbox, sandboxProvider, rightFor(await codeOf(kit)))).status).toBe(200)
})

test('rejects a token request with a repeated parameter or a malformed body', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const twice = new URLSearchParams([...Object.entries(rightFor(await codeOf(kit))), ['code', 'again']])
  expect(await errorOf(post(kit, twice))).toBe('invalid_request')
  expect(await errorOf(post(kit, 'plain text'))).toBe('invalid_request')
})

type Params = Readonly<Record<string, string | undefined>>

function rightFor(code: string): Record<string, string> {
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER }
}

async function codeOf({ sandbox }: SandboxKit): Promise<string> {
  const { authorizeUrl, clientId } = sandbox.provider('notes')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'notes.read',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256'
  })
  const page = await (await sandbox.fetch(new Request(`${authorizeUrl}?${query}`))).text()
  const back = await sandbox.fetch(new Request(authorizeUrl, { method: 'POST', body: formOf(page) }))
  return new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

function post({ sandbox }: SandboxKit, body: URLSearchParams | string): Promise<Response> {
  return sandbox.fetch(new Request(sandbox.provider('notes').tokenUrl, { method: 'POST', body }))
}

async function errorOf(reply: Promise<Response>): Promise<unknown> {
  return ((await (await reply).json()) as { error: unknown }).error
}

function present(params: Params): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
