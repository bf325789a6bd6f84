import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { errorLine } from '../cli/run-cli.ts'
import { type ServiceCli, serviceCli } from '../cli/service-kit.ts'
import { attemptOf, begin } from '../server/end-to-end/consent-kit.ts'
import { openPage, placeForTests, WITHOUT_BROWSER } from './sandbox-browser.ts'

/**
 * Tests a server with confirmation, a user in a browser, and `memctl connect --callback-url` in a terminal together.
 */

const place = placeForTests()

type Asking = Pick<ServiceCli, 'server'> & {
  state: string
  page: Page
  /** Runs `memctl connect mailbox` with these arguments. */
  connect(words: string[]): ReturnType<ServiceCli['run']>
}

/** Begins a consent with the browser on its page. The test decides whether the browser reaches the callback. */
async function asking({ reaches }: { reaches: boolean }): Promise<Asking> {
  const { server, run } = await serviceCli({ publicUrl: place.origin, variables: { MEMCTL_CONNECT_CONFIRM: 'always' } })
  place.answer = async (request) => {
    const isCallback = new URL(request.url).pathname.startsWith('/v1/oauth/callback/')
    if (isCallback && !reaches) return new Response('unreachable', { status: 502 })
    return await server.service.fetch(request, { address: '127.0.0.1' })
  }
  const { auth_url, state } = await begin(server, 'mailbox')
  const environment = { MEMCTL_API_KEY: server.adminKey, MEMCTL_SERVER: place.origin }
  return {
    server,
    state,
    page: await openPage(place.browser, auth_url, { mayFail: true }),
    connect: (words) => run(['connect', 'mailbox', ...words], { environment, quickTime: true })
  }
}

/** Returns the browser's URL after a button was pressed. */
async function endOf(page: Page, button: string): Promise<string> {
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL(/\/v1\/oauth\/callback\//)
  return page.url()
}

test('links without another question when the user copies the callback address of an unreachable server', async ({
  skip
}) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const { server, state, page, connect } = await asking({ reaches: false })
  const ended = await endOf(page, 'Approve')
  const { code, stdout, stderr } = await connect(['--callback-url', ended, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { connection_id } = await attemptOf(server, state)
  expect(JSON.parse(stdout)).toMatchObject({ id: connection_id, provider: 'mailbox', status: 'active' })
})

test('reports a copied denial with exit code 5 and how to start again', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const { page, connect } = await asking({ reaches: false })
  const ended = await endOf(page, 'Deny')
  const run = await connect(['--callback-url', ended])
  expect(run).toMatchObject({ code: 5, stdout: '' })
  expect(run.stderr).toContain('access was denied at Gmail\nhint: start again: memctl connect mailbox')
})

test('waits for the answer on the page if the address is copied although the page asks', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const { server, state, page, connect } = await asking({ reaches: true })
  const ended = await endOf(page, 'Approve')
  await page.getByRole('heading', { name: 'Connect this account?' }).waitFor()
  const early = await connect(['--callback-url', ended, '--wait-timeout', '5s'])
  expect(early).toMatchObject({ code: 8, stdout: '' })
  expect(early.stderr).toContain(`memctl connect mailbox --resume ${state}`)
  expect((await attemptOf(server, state)).status).toBe('waiting')
  await page.getByRole('button', { name: 'Yes, connect it' }).click()
  await page.getByRole('heading', { name: 'is connected' }).waitFor()
  const late = await connect(['--callback-url', ended, '--json'])
  expect(JSON.parse(late.stdout)).toMatchObject({
    id: (await attemptOf(server, state)).connection_id,
    status: 'active'
  })
})

test('exits with 5 after a no on the page', async ({ skip }) => {
  skip(place.browser === undefined, WITHOUT_BROWSER)
  const { state, page, connect } = await asking({ reaches: true })
  await endOf(page, 'Approve')
  await page.getByRole('button', { name: 'No, do not connect it' }).click()
  await page.getByRole('heading', { name: 'Account not connected' }).waitFor()
  const run = await connect(['--resume', state, '--wait-timeout', '5s', '--json'])
  expect(run).toMatchObject({ code: 5, stdout: '' })
  expect(errorLine(run)).toMatchObject({
    code: 'consent_denied',
    message: 'the person rejected the connection'
  })
})
