import { expect, test } from 'vitest'
import { renderConsentPage } from '../../../server/http/pages/consent-page.ts'
import { NAMES, OUTCOMES } from '../../pages/outcomes.ts'
import { ask, COLLECTION, type Does, KEYS, type TestApp, testApp } from './app-kit.ts'

const CALLBACK = '/v1/oauth/callback/cloud_drive'
const DISCONNECT = `/v1/connectors/${COLLECTION}`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const showing =
  (name: keyof typeof OUTCOMES): Does =>
  async () =>
    renderConsentPage(OUTCOMES[name], NAMES)

function post(
  app: TestApp,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = FORM
): Promise<Response> {
  return app.fetch(ask(CALLBACK, { method: 'POST', body, headers }))
}

test('needs no key for a callback, and passes its query unchanged', async () => {
  const app = testApp({ does: showing('active') })
  const reply = await app.fetch(ask(`${CALLBACK}?code=a&state=b&state=c&iss=https%3A%2F%2Fx`))
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const [{ name, call }] = app.calls as [TestApp['calls'][number]]
  expect([name, call.caller, String(call.search)]).toEqual([
    'receiveCallback',
    undefined,
    'code=a&state=b&state=c&iss=https%3A%2F%2Fx'
  ])
})

test('answers a page with the status of its outcome', async () => {
  for (const name of Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]) {
    const reply = await testApp({ does: showing(name) }).fetch(ask(CALLBACK))
    expect([name, reply.status]).toEqual([name, renderConsentPage(OUTCOMES[name], NAMES).status])
    expect(await reply.text()).toContain('<h1>')
  }
})

test('allows only a page with a form to submit one, to its own origin, and to send its origin', async () => {
  const asks = (await testApp({ does: showing('asks') }).fetch(ask(CALLBACK))).headers
  expect(asks.get('content-security-policy')).toContain("form-action 'self'")
  expect(asks.get('referrer-policy')).toBe('strict-origin')
  const other = (await testApp({ does: showing('failed') }).fetch(ask(CALLBACK))).headers
  expect(other.get('content-security-policy')).toContain("form-action 'none'")
  expect(other.get('referrer-policy')).toBe('no-referrer')
  for (const headers of [asks, other]) {
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*style-src 'sha256-[\w+/]{43}='/)
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('refuses HEAD and other methods for a callback, which would be used up', async () => {
  for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH']) {
    const app = testApp()
    const reply = await app.fetch(ask(CALLBACK, { method }))
    expect([reply.status, reply.headers.get('allow'), app.calls]).toEqual([405, 'GET, POST', []])
  }
})

test('logs a callback like requests with a key, without its query', async () => {
  const app = testApp({ does: showing('active') })
  await (await app.fetch(ask(`${CALLBACK}?code=the-code&state=the-state`))).text()
  const told = app.lines.find(({ message }) => message === 'request')
  expect(told).toMatchObject({ level: 'info', fields: { route: '/v1/oauth/callback/{provider}', status: 200 } })
  expect(JSON.stringify(app.lines)).not.toMatch(/the-code|the-state/)
})

test('tells a callback to retry while the server is stopping', async () => {
  const app = testApp()
  await app.drain(0)
  const reply = await app.fetch(ask(CALLBACK))
  expect([reply.status, app.calls]).toEqual([503, []])
})

test('reports an error as a page to a browser, and as a problem to a program', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml' }
  for (const [headers, type] of [
    [browser, 'text/html; charset=utf-8'],
    [{}, 'application/problem+json']
  ] as const) {
    const app = testApp()
    await app.drain(0)
    const stopped = await app.fetch(ask(CALLBACK, { headers }))
    expect([stopped.status, stopped.headers.get('content-type')]).toEqual([503, type])
    if (headers === browser) expect(await stopped.text()).toMatch(/<bdi>The server is stopping\.<\/bdi>.*<bdi>[A-Z]/s)
    const unread = await post(testApp(), 'ticket=<script>&ticket=x', { ...FORM, ...headers })
    expect([unread.status, unread.headers.get('content-type')]).toEqual([422, type])
    expect(await unread.text()).not.toContain('<script>')
  }
  const api = await testApp().fetch(ask('/v1/keys', { headers: browser }))
  expect(api.headers.get('content-type')).toBe('application/problem+json')
  const bug = testApp({ does: () => Promise.reject(new Error('the secret reason')) })
  const reply = await bug.fetch(ask(CALLBACK, { headers: browser }))
  const page = await reply.text()
  expect([reply.status, page.includes('secret reason')]).toEqual([500, false])
  expect(page).toContain(reply.headers.get('x-request-id'))
  expect(reply.headers.get('content-security-policy')).toContain("form-action 'none'")
})

test('reads the known fields of a form, and ignores others', async () => {
  const app = testApp({ does: showing('active') })
  const reply = await post(app, 'ticket=a%2Bb+c&decision=approve&button=')
  expect(reply.status).toBe(200)
  expect(app.calls[0]?.call).toMatchObject({ body: { ticket: 'a+b c', decision: 'approve' } })
})

test('refuses a body that is not a form, or a form of another page', async () => {
  const bad: [string | Uint8Array<ArrayBuffer>, number][] = [
    ['', 422],
    ['ticket=x', 422],
    ['ticket=x&decision=maybe', 422],
    ['ticket=x&decision=approve&decision=deny', 422],
    ['ticket=a&ticket=b&decision=approve', 422],
    [`ticket=${'x'.repeat(1001)}&decision=approve`, 422],
    [`ticket=x&decision=approve&more=${'x'.repeat(64 * 1024)}`, 413],
    [new Uint8Array([0x74, 0xff, 0xfe]), 422],
    ['__proto__=x&constructor=y', 422]
  ]
  for (const [body, status] of bad) {
    const app = testApp()
    expect([String(body).slice(0, 60), (await post(app, body)).status, app.calls]).toEqual([
      String(body).slice(0, 60),
      status,
      []
    ])
  }
  const json = await post(testApp(), '{"ticket":"x","decision":"approve"}', { 'content-type': 'application/json' })
  expect(json.status).toBe(415)
})

test('accepts a form of its own page even if the browser hides its origin, and refuses one of another page', async () => {
  const own = { ...FORM, origin: 'null', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  const foreign = [
    { ...own, 'sec-fetch-site': 'cross-site' },
    { ...own, 'sec-fetch-site': 'none' },
    { ...FORM, origin: 'null' },
    { ...FORM, origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { ...FORM, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  ]
  const body = 'ticket=x&decision=approve'
  expect((await post(testApp({ does: showing('active') }), body, own)).status).toBe(200)
  for (const headers of foreign) expect((await post(testApp(), body, headers)).status).toBe(403)
})

test('accepts a disconnect without a body, with an empty one, or with JSON', async () => {
  const bodyOf = async (init: Parameters<typeof ask>[1]): Promise<unknown> => {
    const app = testApp()
    const reply = await app.fetch(ask(DISCONNECT, { key: KEYS.edit, method: 'DELETE', ...init }))
    return reply.ok ? app.calls[0]?.call : reply.status
  }
  const none = expect.objectContaining({ body: undefined })
  expect(await bodyOf({})).toEqual(none)
  expect(await bodyOf({ headers: { 'content-type': 'application/json' } })).toEqual(none)
  expect(await bodyOf({ body: new ReadableStream({ start: (to) => to.close() }) })).toEqual(none)
  expect(await bodyOf({ json: { delete_memories: true } })).toMatchObject({ body: { delete_memories: true } })
  expect(await bodyOf({ body: 'x', headers: { 'content-type': 'text/plain' } })).toBe(415)
  expect(await bodyOf({ json: { delete_memories: 'yes' } })).toBe(422)
})

test('accepts only true and false in the query of a disconnect', async () => {
  const said = async (value: string): Promise<unknown> => {
    const app = testApp()
    const reply = await app.fetch(ask(`${DISCONNECT}?delete_memories=${value}`, { key: KEYS.edit, method: 'DELETE' }))
    const { query } = (app.calls[0]?.call ?? {}) as { query?: { delete_memories?: boolean } }
    return reply.ok ? query?.delete_memories : reply.status
  }
  expect([await said('true'), await said('false')]).toEqual([true, false])
  for (const value of ['1', 'yes', '', 'on', 'null']) expect([value, await said(value)]).toEqual([value, 422])
})

test('checks permission before it reads a byte of a config', async () => {
  const request = ask(`/v1/connectors/${COLLECTION}/config`, { key: KEYS.read, method: 'PATCH', json: {} })
  expect([(await testApp().fetch(request)).status, request.bodyUsed]).toEqual([403, false])
})

test('prefers the fixed paths of the interface to ids: providers and attempts are not connections', async () => {
  for (const [path, name] of [
    ['/v1/connectors/providers', 'listProviders'],
    [`/v1/connectors/attempts?state=${COLLECTION}`, 'getAttempt'],
    [`/v1/connectors/${COLLECTION}`, 'getConnection']
  ] as const) {
    const app = testApp()
    await app.fetch(ask(path, { key: KEYS.edit }))
    expect(app.calls.map((one) => one.name)).toEqual([name])
  }
})
