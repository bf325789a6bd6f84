import { expect, test } from 'vitest'
import { formOf, type SandboxKit, sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

const REDIRECT = 'https://app.example.com/back?kept=1'
const RIGHT = {
  response_type: 'code',
  client_id: 'memctl-sandbox',
  redirect_uri: REDIRECT,
  scope: 'notes.read',
  state: 'a state & more'
}

test('forbids caching, framing and scripts on the page, and lets its form lead only to the application', async () => {
  const page = await open(kitOf(), RIGHT)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; form-action 'self' https:\/\/app\.example\.com; base-uri 'none'; frame-ancestors 'none'$/
  )
  expect(page.headers.get('cache-control')).toBe('no-store')
  const text = await page.text()
  expect(text).not.toMatch(/<script|<b>|\u202e/)
  expect(text).toContain('x&lt;b&gt;&quot;')
  expect(text).toContain('https://app.example.com')
})

test('names the scheme in the policy if it cannot name the redirect address', async () => {
  const policies = ['http://[::1]:8787/back', 'https://my_host.example.com/'].map(async (redirect_uri) => {
    const page = await open(kitOf(), { ...RIGHT, redirect_uri })
    return /form-action ([^;]+)/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
  })
  expect(await Promise.all(policies)).toEqual(["'self' http:", "'self' https:"])
})

test('appends code and state to the redirect address on approval, and access_denied on refusal', async () => {
  const kit = kitOf()
  const text = await (await open(kit, RIGHT)).text()
  const approved = await send(kit, formOf(text, 'A2'))
  expect(approved.status).toBe(303)
  const back = new URL(approved.headers.get('location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe('https://app.example.com/back')
  expect(Object.fromEntries(back.searchParams)).toEqual({ kept: '1', state: RIGHT.state, code: expect.any(String) })
  const denied = new URL((await send(kit, formOf(text, 'A2', 'deny'))).headers.get('location') ?? '')
  expect(denied.searchParams.get('error')).toBe('access_denied')
  expect(denied.searchParams.get('state')).toBe(RIGHT.state)
})

test('returns two codes that work once each for a form sent twice', async () => {
  const kit = kitOf()
  const form = formOf(await (await open(kit, RIGHT)).text(), 'A1')
  const codes = await Promise.all([1, 2].map(async () => locationOf(await send(kit, form)).searchParams.get('code')))
  expect(new Set(codes).size).toBe(2)
})

test('sends iss with success and with errors if the sandbox provider has one', async () => {
  const kit = sandboxKit([tinySandboxProvider({ oauth: { issuer: 'https://issuer.example.com' } })])
  const text = await (await open(kit, RIGHT)).text()
  for (const decision of ['approve', 'deny'])
    expect(locationOf(await send(kit, formOf(text, 'A1', decision))).searchParams.get('iss')).toBe(
      'https://issuer.example.com'
    )
})

test.each([
  ['an unknown client', { client_id: 'another' }],
  ['no client', { client_id: undefined }],
  ['no address', { redirect_uri: undefined }],
  ['an invalid address', { redirect_uri: '/callback' }],
  ['an address of another kind', { redirect_uri: 'javascript:alert(1)' }],
  ['an address with a fragment', { redirect_uri: 'https://app.example.com/#x' }],
  ['an address with a user', { redirect_uri: 'https://a:b@app.example.com/' }],
  ['an address whose host has a meaning in a policy', { redirect_uri: 'https://a;script-src.example.com/' }],
  ['an address that is too long', { redirect_uri: `https://app.example.com/${'x'.repeat(2000)}` }],
  ['a state that is too long', { state: 'x'.repeat(2001) }]
])('reports %s to the user without a redirect', async (_, differs) => {
  const page = await open(kitOf(), { ...RIGHT, ...differs })
  expect(page.status).toBe(400)
  expect(page.headers.get('location')).toBeNull()
  expect(await page.text()).toContain('role="alert"')
})

test.each([
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['a plain challenge', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge without method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
  ['an invalid challenge', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ['an unknown scope', { scope: 'notes.read notes."write' }, 'invalid_scope'],
  ['no scope', { scope: undefined }, 'invalid_scope']
])('reports %s to the application, with its state', async (_, differs, error) => {
  const reply = await open(kitOf(), { ...RIGHT, ...differs })
  expect(reply.status).toBe(303)
  expect(locationOf(reply).searchParams.get('error')).toBe(error)
  expect(locationOf(reply).searchParams.get('state')).toBe(RIGHT.state)
  expect(locationOf(reply).searchParams.get('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
})

test('rejects a request with a repeated parameter as invalid', async () => {
  const kit = kitOf()
  const query = new URLSearchParams([...Object.entries(RIGHT), ['scope', 'notes.titles']])
  const reply = await kit.sandbox.fetch(new Request(`${kit.sandbox.provider('notes').authorizeUrl}?${query}`))
  expect(locationOf(reply).searchParams.get('error')).toBe('invalid_request')
})

test('shows the page again with an error if no account was chosen', async () => {
  const kit = kitOf()
  const form = formOf(await (await open(kit, RIGHT)).text(), 'A1')
  for (const account of ['', 'A99']) {
    form.set('account', account)
    const again = await send(kit, form)
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('Choose an account.')
  }
})

test('refuses a form that was open too long, forged, or sent from another site', async () => {
  const kit = kitOf()
  const form = formOf(await (await open(kit, RIGHT)).text(), 'A1')
  expect((await send(kit, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  await kit.control('POST', '/clock', { advance_ms: 31 * 60_000 })
  expect((await send(kit, form)).status).toBe(400)
  const forged = new URLSearchParams({ request: 'e30.e30', account: 'A1', decision: 'approve' })
  expect((await send(kit, forged)).status).toBe(400)
  expect((await send(kit, new URLSearchParams())).status).toBe(400)
})

type Params = Readonly<Record<string, string | undefined>>

function kitOf(): SandboxKit {
  return sandboxKit([tinySandboxProvider()])
}

function open({ sandbox }: SandboxKit, params: Params): Promise<Response> {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return sandbox.fetch(new Request(`${sandbox.provider('notes').authorizeUrl}?${new URLSearchParams(given)}`))
}

function send({ sandbox }: SandboxKit, body: URLSearchParams, headers: Record<string, string> = {}): Promise<Response> {
  return sandbox.fetch(new Request(sandbox.provider('notes').authorizeUrl, { method: 'POST', body, headers }))
}

function locationOf(reply: Response): URL {
  return new URL(reply.headers.get('location') ?? 'about:blank')
}
