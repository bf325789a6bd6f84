import { expect, test } from 'vitest'
import { PAGE_STYLE } from '../../../server/http/docs/page-style.ts'
import { startTestServer } from '../end-to-end/server-kit.ts'
import { ask, KEYS, ORIGIN, testApp } from './app-kit.ts'

const LIST = '/v1/collections'

async function statusWith(headers: Record<string, string>, publicUrl = ORIGIN): Promise<number> {
  const app = testApp({ settings: { publicUrl } })
  return (await app.fetch(ask(LIST, { key: KEYS.read, headers }))).status
}

test('answers only to its own names when it serves this machine only', async () => {
  const good = [
    'localhost',
    'localhost:8787',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]:8787',
    'LOCALHOST',
    'memctl.localhost'
  ]
  for (const host of good) expect([host, await statusWith({ host })]).toEqual([host, 200])
  const bad = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.4:8787',
    '0.0.0.0',
    '[::2]',
    'local'
  ]
  for (const host of bad) expect([host, await statusWith({ host })]).toEqual([host, 403])
  expect(await statusWith({ host: 'notes.example' }, 'https://notes.example')).toBe(200)
})

test('refuses requests from pages of other sites', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:9999', 'http://localhost', 'file://']) {
    expect([origin, await statusWith({ host: '127.0.0.1:8787', origin })]).toEqual([origin, 403])
  }
  expect(await statusWith({ host: '127.0.0.1:8787', origin: ORIGIN })).toBe(200)
  expect(await statusWith({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await statusWith({ 'sec-fetch-site': 'same-origin' })).toBe(200)
})

test('allows a link on another site to lead to a page', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const app = testApp()
  expect((await app.fetch(ask('/docs', { headers }))).status).toBe(200)
  expect((await app.fetch(ask('/docs', { headers: { ...headers, 'sec-fetch-dest': 'iframe' } }))).status).toBe(403)
})

test('relies only on keys when it serves other machines', async () => {
  const app = testApp({ settings: { loopback: false } })
  const headers = { host: 'notes.example', origin: 'https://elsewhere.example' }
  const reply = await app.fetch(ask(LIST, { key: KEYS.read, headers }))
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null])
})

test('forbids caching, sniffing, framing and scripts in every reply', async () => {
  const app = testApp()
  for (const path of [LIST, '/docs', '/nowhere', '/metrics']) {
    const { headers } = await app.fetch(ask(path, { key: KEYS.read }))
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("default-src 'none'")
    })
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/)
  }
})

test('has one style that its policy names, no external resources and no broken link', async () => {
  const reply = await testApp().fetch(ask('/docs'))
  const page = await reply.text()
  expect(page.split('<style>').length).toBe(2)
  expect(page).toContain(`<style>${PAGE_STYLE}</style>`)
  expect(reply.headers.get('content-security-policy')).toMatch(/style-src 'sha256-[A-Za-z0-9+/]{43}='/)
  expect(page).not.toMatch(/<script|style="|\son\w+=|src=|@import|url\(/)
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const broken = [...page.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !ids.has(id))
  expect(broken.map(([link]) => link)).toEqual([])
  expect([...page.matchAll(/ id="([^"]+)"/g)].length).toBe(ids.size)
})

test.each(['127.0.0.1', '127.1', '::1', '[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'LOCALHOST'])(
  'answers only to loopback names when it listens on %s',
  async (host) => {
    const { send } = await startTestServer({ variables: { MEMCTL_SERVER_HOST: host } })
    expect((await send('GET', '/healthz', { headers: { host: 'evil.example' } })).status).toBe(403)
  }
)
