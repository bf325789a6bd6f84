import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderConsentPage } from '../../server/http/pages/consent-page.ts'
import { testApp } from '../server/http/app-kit.ts'
import { NAMES, OUTCOMES } from './outcomes.ts'
import { focused } from './page-checks.ts'
import { hasBrowser, openBrowser, openPage, type Served, serveAt, WITHOUT_BROWSER } from './sandbox-browser.ts'

const CALLBACK = '/v1/oauth/callback/cloud_drive?code=a-code&state=a-state'

let browser: Browser | undefined
let server: Served
/** Another site, such as a provider. */
let elsewhere: Served
/** The outcome of the next callback. */
let shown: keyof typeof OUTCOMES = 'asks'
const confirmed: unknown[] = []

beforeAll(async () => {
  if (!hasBrowser()) return
  browser = await openBrowser()
  server = await serveAt((origin) => {
    const app = testApp({
      settings: { publicUrl: origin },
      does: async (call, name) => {
        if (name !== 'confirmConsent') return renderConsentPage(OUTCOMES[shown], NAMES)
        confirmed.push((call as { body?: unknown }).body)
        return renderConsentPage(OUTCOMES.active, NAMES)
      }
    })
    return (request) => app.fetch(request)
  })
  elsewhere = await serveAt(() => async ({ url }) => {
    const page = `<!doctype html><title>provider</title><a href="${server.origin}${CALLBACK}">back</a>
<form method="post" action="${server.origin}${CALLBACK}"><input name="ticket" value="x"><button name="decision" value="approve">steal</button></form>`
    const redirect = new URL(url).pathname === '/approved'
    if (redirect) return Response.redirect(`${server.origin}${CALLBACK}`, 302)
    return new Response(page, { headers: { 'content-type': 'text/html' } })
  })
})

afterAll(async () => {
  if (browser === undefined) return
  await browser.close()
  await Promise.all([server.close(), elsewhere.close()])
})

test('accepts users from a provider by a link and by a redirect', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  shown = 'pending'
  const page = await openPage(browser, `${elsewhere.origin.replace('127.0.0.1', 'localhost')}/`)
  await page.getByRole('link').click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Google Drive (sandbox) is connected')
  await page.goto(`${elsewhere.origin.replace('127.0.0.1', 'localhost')}/approved`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Google Drive (sandbox) is connected')
})

test("submits yes or no by mouse or keyboard to the page's own origin", async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  for (const [choice, tabs] of [
    ['approve', 1],
    ['deny', 2]
  ] as const) {
    shown = 'asks'
    const page = await openPage(browser, `${server.origin}${CALLBACK}`)
    for (let tab = 0; tab < tabs; tab++) await page.keyboard.press('Tab')
    expect(await focused(page)).toEqual({ name: 'decision', value: choice, outline: 'solid' })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'is connected' }).waitFor()
    expect(confirmed.at(-1)).toEqual({ ticket: 'T'.repeat(43), decision: choice })
    // Neither the code nor the state is sent on.
    expect(new URL(page.url()).search).toBe('')
  }
})

test('refuses a form of another site', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const before = confirmed.length
  const page = await openPage(browser, `${elsewhere.origin.replace('127.0.0.1', 'localhost')}/`, { mayFail: true })
  await page.getByRole('button', { name: 'steal' }).click()
  await page.waitForURL(`${server.origin}/**`)
  expect(await page.locator('body').textContent()).toContain('forbidden')
  expect(confirmed.length).toBe(before)
})

test('announces a success as a status, and an error as an alert', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openPage(browser, 'about:blank', { mayFail: true })
  for (const [name, role, title] of [
    ['active', 'status', 'Google Drive (sandbox) is connected · memctl'],
    ['denied', 'status', 'Account not connected · memctl'],
    ['expired', 'alert', 'Consent expired · memctl'],
    ['failed', 'alert', 'The account was not connected · memctl']
  ] as const) {
    shown = name
    await page.goto(`${server.origin}${CALLBACK}`)
    expect([name, await page.getByRole(role).getByRole('heading', { level: 1 }).count()]).toEqual([name, 1])
    expect(await page.title()).toBe(title)
  }
})

test('reads the account, the collection, the warning and two buttons aloud on the confirmation page', async ({
  skip
}) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  shown = 'asks'
  const page = await openPage(browser, `${server.origin}${CALLBACK}`)
  expect(await page.locator('body').ariaSnapshot()).toBe(ASKED)
})

const ASKED = `- banner: memctl
- main:
  - status:
    - heading "Connect this account?" [level=1]
  - paragraph: The account is not connected yet. If you connect it, everyone who can read the collection can read what is synced from the account.
  - term: Your account
  - definition: ada@example.com
  - term: Provider
  - definition: Google Drive (sandbox)
  - term: Collection
  - definition: research notes
  - term: Requested by key
  - definition: laptop
  - note:
    - paragraph:
      - strong: Did you start this yourself?
      - text: If another person sent you the link to this page, your account would be synced to their collection. In that case, choose “No”.
  - button "Yes, connect it"
  - button "No, do not connect it"
  - paragraph:
    - text: If you do not answer by
    - time: 12:10 UTC
    - text: ", the account is not connected."`

test('reads the reason, the subject and the way to retry aloud on a refusal page', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  shown = 'failed'
  const page = await openPage(browser, `${server.origin}${CALLBACK}`, { mayFail: true })
  expect(await page.locator('body').ariaSnapshot()).toBe(REFUSED)
})

const REFUSED = `- banner: memctl
- main:
  - alert:
    - heading "The account was not connected" [level=1]
  - paragraph: The token endpoint of Google Drive answered 500.
  - term: Provider
  - definition: Google Drive (sandbox)
  - term: Collection
  - definition: research notes
  - heading "To try again" [level=2]
  - paragraph: "Go back to the terminal or program where you started, or run:"
  - code: memctl connect cloud_drive -c 01980a7c-5e00-7000-8000-2b7e151628ae`

test('selects exactly one command with one click', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  shown = 'pending'
  const page = await openPage(browser, `${server.origin}${CALLBACK}`)
  await page.getByText('connections config').click()
  const marked = await page.evaluate('String(getSelection())')
  expect(marked).toBe('memctl connections config 01980a7c-5e01-7000-8000-abf7158809cf --folder ID')
})
