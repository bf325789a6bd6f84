import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailboxStandIn } from '../../server/sandbox/mailbox/stand-in.ts'
import { createSandboxServer } from '../../server/sandbox/sandbox-server.ts'
import { manualClock } from '../server/http/manual-clock.ts'
import { tinyStandIn } from '../server/sandbox/tiny-stand-in.ts'
import { hasBrowser, openBrowser, type Served, serveAt, WITHOUT_BROWSER } from './sandbox-browser.ts'

let browser: Browser | undefined
let sandbox: Served
let application: Served
const came: URL[] = []
/** What the browser says of where forms come from. */
const sent: (string | null)[] = []

beforeAll(async () => {
  if (!hasBrowser()) return
  browser = await openBrowser()
  sandbox = await serveAt((origin) => {
    const { fetch } = createSandboxServer(origin, { world: worldOf(), standIns: [tinyStandIn(), mailboxStandIn] })
    return (request) => {
      if (request.method === 'POST') sent.push(request.headers.get('origin'))
      return fetch(request)
    }
  })
  application = await serveAt(() => async ({ url }) => {
    if (new URL(url).pathname === '/callback') came.push(new URL(url))
    return new Response('<!doctype html><title>back</title>', { headers: { 'content-type': 'text/html' } })
  })
})

afterAll(async () => {
  if (browser === undefined) return
  await browser.close()
  await Promise.all([sandbox.close(), application.close()])
})

test('a person chooses an account and approves, and is sent back with a code and the state', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  await page.getByRole('radio', { name: 'grace' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.get('state')).toBe('the state')
  expect(came.at(-1)?.searchParams.get('code')).toMatch(/^[\w-]+\.[\w-]+$/)
  expect(sent.at(-1)).toBe(sandbox.origin)
})

test('a person who denies is sent back with access_denied', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
  expect(came.at(-1)?.searchParams.has('code')).toBe(false)
})

test('the keyboard alone is enough: one stop for the accounts, arrows between them, then the buttons', async ({
  skip
}) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toMatchObject({ name: 'account', value: 'A1' })
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toMatchObject({ name: 'account', value: 'A2' })
  await page.keyboard.press('Tab')
  expect(await focused(page)).toMatchObject({ name: 'decision', value: 'approve' })
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.has('code')).toBe(true)
})

test('the page fits a narrow screen, is dark where that is wanted, and breaks no policy', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const grounds: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openConsent({ colorScheme, viewport: { width: 320, height: 640 } })
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    expect(wide).toBe(320)
    grounds.push(String(await page.evaluate('getComputedStyle(document.body).backgroundColor')))
  }
  expect(grounds[0]).not.toBe(grounds[1])
})

test('what the page says can be read by machine: language, title, headings, groups and labels', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  expect(await page.getAttribute('html', 'lang')).toBe('en')
  expect(await page.title()).toBe('Allow memctl? Tiny Notes (sandbox)')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('memctl asks to read an account')
  expect(await page.getByRole('group', { name: 'Which account?' }).getByRole('radio').count()).toBe(3)
  expect(await page.getByRole('list').getByRole('listitem').allTextContents()).toEqual([
    'read notes',
    'see their titles'
  ])
  expect(await page.locator('main').textContent()).toContain(application.origin)
})

test('names that would act on the page do not, and are shown in a bearable length', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent({ viewport: { width: 390, height: 800 } }, MAILBOX)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  for (const row of await page.locator('label').all()) expect((await row.boundingBox())?.height).toBeLessThan(120)
})

test('a link that does not work is told to the person, on a page without a form', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent({}, { ...TINY, client_id: 'another' })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This does not work')
  expect(await page.getByRole('alert').textContent()).toContain('does not know')
  expect(await page.locator('form').count()).toBe(0)
})

const TINY = { path: '/notes/authorize', scope: 'notes.read notes.titles', client_id: 'memctl-sandbox' }
const MAILBOX = { ...TINY, path: '/mailbox/o/oauth2/v2/auth', scope: 'https://www.googleapis.com/auth/gmail.readonly' }

type Look = { colorScheme?: 'light' | 'dark'; viewport?: { width: number; height: number } }

/** The consent page in a window of its own. What breaks a policy of the page fails the test. */
async function openConsent(look: Look = {}, { path, ...asked } = TINY): Promise<Page> {
  if (browser === undefined) throw new Error(WITHOUT_BROWSER)
  const page = await (await browser.newContext(look)).newPage()
  page.on('console', (message) => {
    if (/policy/i.test(message.text())) throw new Error(message.text())
  })
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: `${application.origin}/callback`,
    state: 'the state',
    ...asked
  })
  await page.goto(`${sandbox.origin}/sandbox${path}?${query}`)
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) {
    const name = `${asked.client_id}${path.replaceAll('/', '-')}-${look.colorScheme ?? 'light'}-${look.viewport?.width ?? 'wide'}`
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  return page
}

async function focused(page: Page): Promise<unknown> {
  return await page.evaluate('({ name: document.activeElement.name, value: document.activeElement.value })')
}

function worldOf() {
  let count = 0
  return {
    clock: manualClock(),
    ids: { randomHex: (bytes: number) => (++count).toString(16).padStart(2 * bytes, '0') }
  }
}
