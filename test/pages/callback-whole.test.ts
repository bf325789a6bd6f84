import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fetch } from '../../src/ports.ts'
import { attemptOf, begin } from '../server/end-to-end/consent-kit.ts'
import { startTestServer, type TestServer } from '../server/end-to-end/server-kit.ts'
import { hasBrowser, openBrowser, type Served, serveAt, WITHOUT_BROWSER } from './sandbox-browser.ts'

let browser: Browser | undefined
let served: Served
let origin = ''
let answer: Fetch = async () => new Response(null, { status: 503 })

beforeAll(async () => {
  if (!hasBrowser()) return
  browser = await openBrowser()
  served = await serveAt((at) => {
    origin = at
    return (request) => answer(request)
  })
})

afterAll(async () => {
  if (browser === undefined) return
  await browser.close()
  await served.close()
})

/** A whole server with its sandbox, where the browser reaches it. */
async function reachable(confirm: 'always' | 'never'): Promise<TestServer> {
  const server = await startTestServer({ publicUrl: origin, variables: { MEMCTL_CONNECT_CONFIRM: confirm } })
  answer = (request) => server.service.fetch(request, { address: '127.0.0.1' })
  return server
}

async function open(url: string): Promise<Page> {
  if (browser === undefined) throw new Error(WITHOUT_BROWSER)
  const page = await (await browser.newContext()).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) throw new Error(message.text())
  })
  await page.goto(url)
  return page
}

test('a person consents at the sandbox and comes back to a page that says what is linked', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('never')
  const { auth_url, state } = await begin(server, 'cloud_drive')
  const page = await open(auth_url)
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'is connected' }).waitFor()
  expect(await page.getByRole('main').textContent()).toContain('Nothing is synced yet')
  expect((await attemptOf(server, state)).status).toBe('completed')
})

test('where it has to be confirmed, the person is asked after consenting, and may still say no', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('always')
  for (const [button, heading, status] of [
    ['No, do not', 'Nothing was linked', 'denied'],
    ['Yes, link it', 'is connected', 'completed']
  ] as const) {
    const { auth_url, state } = await begin(server, 'mailbox')
    const page = await open(auth_url)
    await page.getByRole('radio').first().check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Link this account?' }).waitFor()
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
    expect((await attemptOf(server, state)).status).toBe(status)
  }
})

test('a person who denies at the sandbox reads that nothing was linked', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('never')
  const { auth_url, state } = await begin(server, 'notes')
  const page = await open(auth_url)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('heading', { name: 'Nothing was linked' }).waitFor()
  expect((await attemptOf(server, state)).status).toBe('denied')
})
