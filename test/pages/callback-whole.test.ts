import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { attemptOf, begin } from '../server/end-to-end/consent-kit.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../server/end-to-end/server-kit.ts'
import { manualClock } from '../server/http/manual-clock.ts'
import { focused } from './page-checks.ts'
import { openPage, placeForTests, WITHOUT_BROWSER } from './sandbox-browser.ts'

const place = placeForTests()

/** Starts a complete server with its sandbox at the address that the browser reaches. */
async function reachable(confirm: 'always' | 'never', options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({
    publicUrl: place.origin,
    variables: { MEMCTL_CONNECT_CONFIRM: confirm },
    ...options
  })
  place.answer = (request) => server.service.fetch(request, { address: '127.0.0.1' })
  return server
}

/** Opens the consent page. */
function open(url: string): Promise<Page> {
  return openPage(place.browser, url, { mayFail: true })
}

async function heading(page: Page): Promise<string | null> {
  return await page.getByRole('heading', { level: 1 }).textContent()
}

async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL(/\/v1\/oauth\/callback\//)
}

test('returns the user from the consent at the sandbox to a page that names the linked account', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('never')
  const { auth_url, state } = await begin(server, 'cloud_drive')
  const page = await open(auth_url)
  expect(await page.title()).toBe('Allow memctl? Google Drive (sandbox)')
  await page.getByRole('radio', { name: 'Tomás Oyelaran' }).check()
  await press(page, 'Approve')
  expect(await heading(page)).toBe('Google Drive (sandbox) is connected')
  const said = await page.getByRole('main').textContent()
  for (const words of ['Nothing is synced yet', 'Go back to the terminal', 'tomas.oyelaran@example.com', 'default'])
    expect(said).toContain(words)
  expect((await attemptOf(server, state)).status).toBe('completed')
})

test('asks for a confirmation after the consent, which the user may decline', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('always')
  for (const [button, ending, status] of [
    ['No, do not connect it', 'Account not connected', 'denied'],
    ['Yes, connect it', 'Gmail (sandbox) is connected', 'completed']
  ] as const) {
    const { auth_url, state } = await begin(server, 'mailbox')
    const page = await open(auth_url)
    await press(page, 'Approve')
    expect(await heading(page)).toBe('Connect this account?')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: ending, exact: true }).waitFor()
    expect((await attemptOf(server, state)).status).toBe(status)
  }
})

test('works with the keyboard alone', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('always')
  const { auth_url, state } = await begin(server, 'team_chat')
  const page = await open(auth_url)
  for (const key of ['Tab', 'ArrowDown', 'Tab', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: 'Connect this account?' }).waitFor()
  expect(await page.getByRole('main').textContent()).toContain('ben @ Eastbrook Choir')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toEqual({ name: 'decision', value: 'approve', outline: 'solid' })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'is connected' }).waitFor()
  expect((await attemptOf(server, state)).status).toBe('completed')
})

test('tells a user who denies at the sandbox that nothing was linked', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('never')
  const { auth_url, state } = await begin(server, 'notes')
  const page = await open(auth_url)
  await press(page, 'Deny')
  expect(await heading(page)).toBe('Account not connected')
  expect(await page.getByRole('main').textContent()).toContain('Access was denied at Notion.')
  expect((await attemptOf(server, state)).status).toBe('denied')
})

test('tells a user who is too late when the consent expired, and how to begin again', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const clock = manualClock()
  const server = await reachable('never', { clock })
  const { auth_url, state } = await begin(server, 'mailbox')
  const page = await open(auth_url)
  await clock.pass(11 * 60_000)
  await press(page, 'Approve')
  expect(await heading(page)).toBe('Consent expired')
  const said = await page.getByRole('main').textContent()
  for (const words of [
    '2026-05-01, 12:10 UTC',
    'The account was not connected',
    `memctl connect mailbox -c ${server.collectionId}`
  ])
    expect(said).toContain(words)
  expect((await attemptOf(server, state)).status).toBe('expired')
})

test('tells the same to a user who confirms too late', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const clock = manualClock()
  const server = await reachable('always', { clock })
  const { auth_url, state } = await begin(server, 'mailbox')
  const page = await open(auth_url)
  await press(page, 'Approve')
  await clock.pass(11 * 60_000)
  await page.getByRole('button', { name: 'Yes, connect it' }).click()
  await page.getByRole('heading', { name: 'Consent expired' }).waitFor()
  expect((await attemptOf(server, state)).status).toBe('expired')
})

test('changes nothing when the final page is reloaded, or the consent is repeated from the previous page', async ({
  skip
}) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('never')
  const { auth_url, state } = await begin(server, 'mailbox')
  const page = await open(auth_url)
  await press(page, 'Approve')
  const { connection_id } = await attemptOf(server, state)
  await page.reload()
  expect(await heading(page)).toBe('Account already connected')
  await page.goto(auth_url)
  await page.getByRole('radio').nth(1).check()
  await press(page, 'Approve')
  expect(await heading(page)).toBe('Account already connected')
  expect(await attemptOf(server, state)).toMatchObject({ status: 'completed', connection_id })
})

test('tells a reloaded confirmation to continue on the original page', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('always')
  const { auth_url, state } = await begin(server, 'mailbox')
  const page = await open(auth_url)
  await press(page, 'Approve')
  const again = await open(page.url())
  expect(await heading(again)).toBe('Link already used')
  expect(await again.getByRole('main').textContent()).toContain('still waiting for your answer')
  await page.getByRole('button', { name: 'Yes, connect it' }).click()
  await page.getByRole('heading', { name: 'is connected' }).waitFor()
  expect((await attemptOf(server, state)).status).toBe('completed')
})

test('shows an error of the provider in its words, as text', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const server = await reachable('never')
  const { state } = await begin(server, 'notes')
  const said = { error: 'temporarily_unavailable', error_description: '<b>come back</b> tomorrow', state }
  const page = await open(`${place.origin}/v1/oauth/callback/notes?${new URLSearchParams(said)}`)
  expect(await heading(page)).toBe('The account was not connected')
  expect(await page.getByRole('main').textContent()).toContain(
    'Notion refused: temporarily_unavailable (<b>come back</b> tomorrow).'
  )
  expect((await attemptOf(server, state)).status).toBe('failed')
})
