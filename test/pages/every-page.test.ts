import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderConsentPage } from '../../server/http/pages/consent-page.ts'
import type { SandboxProvider } from '../../server/sandbox/core/sandbox-provider.ts'
import { SANDBOX_PROVIDERS } from '../../server/sandbox/sandbox-providers.ts'
import { createSandboxServer } from '../../server/sandbox/sandbox-server.ts'
import { Fault } from '../../src/contract/faults.ts'
import { testApp } from '../server/http/app-kit.ts'
import { manualClock } from '../server/http/manual-clock.ts'
import { HOSTILE_NAMES, HOSTILE_OUTCOMES, NAMES, OUTCOMES } from './outcomes.ts'
import { complaintsOf, leastContrast, smallestTarget, widthOf } from './page-checks.ts'
import {
  hasBrowser,
  type Look,
  openBrowser,
  openPage,
  type Served,
  serveAt,
  WITHOUT_BROWSER
} from './sandbox-browser.ts'

/** Tests that apply to every page of a consent in every look. */

let browser: Browser | undefined
let served: Served

beforeAll(async () => {
  if (!hasBrowser()) return
  browser = await openBrowser()
  served = await serveAt((origin) => {
    const sandbox = createSandboxServer(origin, {
      world: worldOf(),
      sandboxProviders: [...SANDBOX_PROVIDERS, hostileSandboxProvider()]
    })
    const app = testApp({
      settings: { publicUrl: origin },
      does: async ({ search }) => callbackPage(search?.get('code') ?? '')
    })
    const isSandbox = (url: string) => new URL(url).pathname.startsWith('/sandbox/')
    return (request) => (isSandbox(request.url) ? sandbox.fetch(request) : app.fetch(request))
  })
})

afterAll(async () => {
  if (browser === undefined) return
  await browser.close()
  await served.close()
})

/** Each width and each color scheme once, because neither affects the other. */
const LOOKS: Look[] = [
  { colorScheme: 'dark', viewport: { width: 320, height: 700 } },
  { colorScheme: 'light', viewport: { width: 1280, height: 700 } },
  { forcedColors: 'active', viewport: { width: 800, height: 700 } }
]

test.for(LOOKS)('fits, has enough contrast and large targets on every page: %j', async (look, { skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  await eachPage(browser, look, async (page, name) => {
    expect([name, await widthOf(page)]).toEqual([name, look.viewport?.width])
    expect([name, await leastContrast(page)]).toEqual([name, expect.toSatisfy((ratio: number) => ratio >= 4.5)])
    expect([name, await smallestTarget(page)]).toEqual([name, expect.toSatisfy((pixels: number) => pixels >= 24)])
  })
})

test('passes the rules of axe on every page', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  await eachPage(browser, {}, async (page, name) => {
    expect([name, await complaintsOf(page)]).toEqual([name, []])
  })
})

test('fits a window of 640 pixels with letters of twice the size', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const large = await openBrowser(['--blink-settings=defaultFontSize=32'])
  try {
    await eachPage(large, { viewport: { width: 640, height: 700 } }, async (page, name) => {
      expect([name, await widthOf(page)]).toEqual([name, 640])
      expect(await page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('32px')
    })
  } finally {
    await large.close()
  }
})

test('finds the expected violations with axe', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openPage(browser, 'about:blank')
  await page.setContent('<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><button></button></main>')
  expect(await complaintsOf(page)).toEqual(['button-name: <button></button>'])
})

test('wraps a long name to a few lines, and replaces an empty one', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const page = await openPage(browser, consentUrl(hostileSandboxProvider()), { viewport: { width: 320, height: 700 } })
  for (const row of await page.locator('label').all()) expect((await row.boundingBox())?.height).toBeLessThan(160)
  expect(await page.getByRole('radio', { name: '(no name)' }).count()).toBe(1)
})

test('disables motion for users who prefer that', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  await eachPage(browser, { reducedMotion: 'reduce' }, async (page, name) => {
    const moving = await page.evaluate(`[...document.querySelectorAll('*')].map((one) => getComputedStyle(one))
      .filter((one) => one.animationName !== 'none' || one.transitionDuration !== '0s').length`)
    expect([name, moving]).toEqual([name, 0])
  })
})

test('makes no external requests, and allows no scripts', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  await eachPage(browser, {}, async (page, name, { asked, headers }) => {
    expect([name, asked]).toEqual([name, [page.url()]])
    const policy = headers['content-security-policy'] ?? ''
    expect([name, policy]).toEqual([name, expect.stringContaining("default-src 'none'")])
    expect([name, policy]).toEqual([name, expect.not.stringMatching(/script-src|unsafe-|\*|data:/)])
    expect([name, await page.locator('script, link, img, iframe, [style]').count()]).toEqual([name, 0])
  })
})

test('has a language, one heading, a main region and a distinct title on every page', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const titles = new Map<string, string>()
  await eachPage(browser, {}, async (page, name) => {
    expect([name, await page.getAttribute('html', 'lang')]).toEqual([name, 'en'])
    for (const role of ['heading', 'main', 'banner'] as const) {
      const found = page.getByRole(role, role === 'heading' ? { level: 1 } : {})
      expect([name, role, await found.count()]).toEqual([name, role, 1])
    }
    if (!name.startsWith('hostile')) titles.set(name, await page.title())
  })
  // It has the same title, because an account was linked too.
  titles.delete('active')
  expect(new Set(titles.values()).size).toBe(titles.size)
})

type Came = { asked: string[]; headers: Record<string, string> }

async function eachPage(
  shownBy: Browser | undefined,
  look: Look,
  visit: (page: Page, name: string, came: Came) => Promise<void>
): Promise<void> {
  const page = await openPage(shownBy, 'about:blank', { ...look, mayFail: true })
  let asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  for (const [name, url] of allPages()) {
    asked = []
    const reply = await page.goto(url)
    await visit(page, name, { asked, headers: reply?.headers() ?? {} })
  }
  await page.context().close()
}

function allPages(): [name: string, url: string][] {
  const callback = (code: string) =>
    `${served.origin}/v1/oauth/callback/cloud_drive?state=s&code=${encodeURIComponent(code)}`
  const outcomes = [
    ...Object.keys(OUTCOMES),
    ...Object.keys(HOSTILE_OUTCOMES).map((name) => `hostile ${name}`),
    'fault'
  ]
  return [
    ...[...SANDBOX_PROVIDERS, hostileSandboxProvider()].map((sandboxProvider): [string, string] => [
      consentName(sandboxProvider),
      consentUrl(sandboxProvider)
    ]),
    ['flaw', `${consentUrl(SANDBOX_PROVIDERS[0] as SandboxProvider)}&client_id=another`],
    ...outcomes.map((name): [string, string] => [name, callback(name)])
  ]
}

function consentName({ id, service }: SandboxProvider): string {
  return id === HOSTILE_ID ? 'hostile consent' : service
}

function consentUrl({ id, oauth }: SandboxProvider): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'memctl-sandbox',
    redirect_uri: 'http://127.0.0.1:8787/callback',
    state: 'the state',
    [oauth.scopeParameter]: Object.keys(oauth.scopes ?? {}).join(' ')
  })
  return `${served.origin}/sandbox/${id}${oauth.authorizePath}?${query}`
}

function callbackPage(name: string) {
  if (name === 'fault') throw new Fault('unavailable', 'the server is stopping', { hint: 'come again in a moment' })
  const [, hostile] = /^hostile (.*)$/.exec(name) ?? []
  if (hostile !== undefined)
    return renderConsentPage(HOSTILE_OUTCOMES[hostile as keyof typeof HOSTILE_OUTCOMES], HOSTILE_NAMES)
  return renderConsentPage(OUTCOMES[name as keyof typeof OUTCOMES], NAMES)
}

const HOSTILE_ID = 'hostile' as SandboxProvider['id']

/** Creates a sandbox provider with hostile account names: reversed, endless, in one word, of emoji, with markup. */
function hostileSandboxProvider(): SandboxProvider {
  const [first] = SANDBOX_PROVIDERS as [SandboxProvider]
  const names = [
    HOSTILE_NAMES.service ?? '',
    'W'.repeat(300),
    '🗂️👩‍👩‍👧‍👦'.repeat(200),
    'أحمد بن محمد '.repeat(60),
    '<img src=x onerror=alert(1)>',
    ' \u200b '
  ]
  const accounts = names.map((name, at) => ({ id: `H${at}`, name, email: `${name}@example.com`, content: undefined }))
  return { ...first, id: HOSTILE_ID, accounts: () => accounts }
}

function worldOf() {
  let count = 0
  return {
    clock: manualClock(),
    ids: { randomHex: (bytes: number) => (++count).toString(16).padStart(2 * bytes, '0') }
  }
}
