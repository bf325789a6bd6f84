import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailboxSandbox } from '../../server/sandbox/mailbox/mailbox-sandbox.ts'
import { createSandboxServer } from '../../server/sandbox/sandbox-server.ts'
import { manualClock } from '../server/http/manual-clock.ts'
import { tinySandboxProvider } from '../server/sandbox/tiny-sandbox-provider.ts'
import { focused, widthOf } from './page-checks.ts'
import {
  hasBrowser,
  type Look,
  openBrowser,
  openPage,
  type Served,
  serveAt,
  WITHOUT_BROWSER
} from './sandbox-browser.ts'

const clock = manualClock()
let browser: Browser | undefined
let sandbox: Served
let application: Served
const came: URL[] = []
/** The origins that the browser sent with forms. */
const sent: (string | null)[] = []

beforeAll(async () => {
  if (!hasBrowser()) return
  browser = await openBrowser()
  sandbox = await serveAt((origin) => {
    const { fetch } = createSandboxServer(origin, {
      world: worldOf(),
      sandboxProviders: [tinySandboxProvider(), mailboxSandbox]
    })
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

test('returns the user with a code and the state after choosing an account and approving', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  await page.getByRole('radio', { name: 'grace' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.get('state')).toBe('the state')
  expect(came.at(-1)?.searchParams.get('code')).toMatch(/^[\w-]+\.[\w-]+$/)
  expect(sent.at(-1)).toBe(sandbox.origin)
})

test('returns the user with access_denied after denying', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
  expect(came.at(-1)?.searchParams.has('code')).toBe(false)
})

test('works with the keyboard alone: one stop for the accounts, arrows between them, then the buttons', async ({
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

test('denies with the keyboard', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  for (let tab = 0; tab < 3; tab++) await page.keyboard.press('Tab')
  expect(await focused(page)).toEqual({ name: 'decision', value: 'deny', outline: 'solid' })
  await page.keyboard.press('Space')
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
})

test('tells a user who chose no account to choose one, and lets them deny without', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent({ mayFail: true })
  await page.evaluate("document.querySelectorAll('[name=account]').forEach((one) => one.remove())")
  await page.getByRole('button', { name: 'Approve' }).click()
  const group = page.getByRole('group', { name: 'Which account?', description: 'Choose an account.' })
  expect(await group.getByRole('alert').textContent()).toBe('Choose an account.')
  expect(await page.title()).toBe('Choose an account. Allow memctl? Tiny Notes (sandbox)')
  expect(await focused(page)).toEqual({ name: 'account', value: 'A1', outline: 'solid' })
  expect(await group.getByRole('radio', { checked: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(/\/callback/)
  expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
})

test('tells a user whose page expired how to begin again', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent({ mayFail: true })
  const before = came.length
  await clock.pass(31 * 60_000)
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await page.getByRole('alert').textContent()).toBe('The page was open for too long.')
  expect(await page.getByRole('main').textContent()).toContain('start again')
  expect(came.length).toBe(before)
})

test('is dark if the user prefers it', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const [light, dark] = await Promise.all(
    (['light', 'dark'] as const).map(async (colorScheme) => {
      const page = await openConsent({ colorScheme })
      return await page.evaluate('getComputedStyle(document.body).backgroundColor')
    })
  )
  expect([light, dark]).toEqual(['rgb(238, 241, 245)', 'rgb(13, 17, 22)'])
})

test('reads the service, the accounts by name, the scopes and two buttons aloud', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent()
  expect(await page.title()).toBe('Allow memctl? Tiny Notes (sandbox)')
  expect((await page.locator('body').ariaSnapshot()).replaceAll(application.origin, 'http://application')).toBe(
    READ_OUT
  )
})

const READ_OUT = `- banner:
  - strong: Sandbox.
  - text: The accounts here are samples. Nothing is real.
- main:
  - paragraph: Tiny Notes (sandbox)
  - heading "memctl requests access to an account" [level=1]
  - group "Which account?":
    - text: Which account?
    - radio "ada 0@example.com" [checked]
    - text: ada 0@example.com
    - radio "grace 1@example.com"
    - text: grace 1@example.com
    - radio "x<b>\\" 2@example.com"
    - text: x<b>" 2@example.com
  - region "memctl will be able to":
    - heading "memctl will be able to" [level=2]
    - list:
      - listitem: read notes
      - listitem: see their titles
  - button "Approve"
  - button "Deny"
  - paragraph:
    - text: Either way, you return to
    - strong: http://application
    - text: .`

test('shows hostile names harmlessly and shortened', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent({ viewport: { width: 390, height: 800 } }, MAILBOX)
  expect(await widthOf(page)).toBe(390)
  for (const row of await page.locator('label').all()) expect((await row.boundingBox())?.height).toBeLessThan(120)
})

test('shows an invalid link as an error on a page without a form', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openConsent({ mayFail: true }, { ...TINY, client_id: 'another' })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Invalid request')
  expect(await page.getByRole('alert').textContent()).toContain('unknown client_id')
  expect(await page.locator('form').count()).toBe(0)
})

const TINY = { path: '/notes/authorize', scope: 'notes.read notes.titles', client_id: 'memctl-sandbox' }
const MAILBOX = { ...TINY, path: '/mailbox/o/oauth2/v2/auth', scope: 'https://www.googleapis.com/auth/gmail.readonly' }

/** Opens the consent page in a separate window. */
function openConsent(look: Look = {}, { path, ...asked } = TINY): Promise<Page> {
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: `${application.origin}/callback`,
    state: 'the state',
    ...asked
  })
  return openPage(browser, `${sandbox.origin}/sandbox${path}?${query}`, look)
}

function worldOf() {
  let count = 0
  return {
    clock,
    ids: { randomHex: (bytes: number) => (++count).toString(16).padStart(2 * bytes, '0') }
  }
}
