import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomePage } from '../../server/http/pages/outcome-page.ts'
import { testApp } from '../server/http/app-kit.ts'
import { HOSTILE_NAMES, HOSTILE_OUTCOMES, NAMES, OUTCOMES } from './outcomes.ts'
import { hasBrowser, openBrowser, type Served, serveAt, WITHOUT_BROWSER } from './sandbox-browser.ts'

const CALLBACK = '/v1/oauth/callback/cloud_drive?code=a-code&state=a-state'

type Shown = keyof typeof OUTCOMES | 'hostile'

let browser: Browser | undefined
let server: Served
/** Another site, as a provider is one. */
let elsewhere: Served
/** What the next visit of the callback comes to. */
let shown: Shown = 'asks'
const confirmed: unknown[] = []

beforeAll(async () => {
  if (!hasBrowser()) return
  browser = await openBrowser()
  server = await serveAt((origin) => {
    const app = testApp({
      settings: { publicUrl: origin },
      does: async (call, name) => {
        if (name !== 'confirmConsent') return pageOf(shown)
        confirmed.push((call as { body?: unknown }).body)
        return pageOf('active')
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

test('a provider sends a person back here, by a link and by a redirect', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  shown = 'pending'
  const page = await open(`${elsewhere.origin.replace('127.0.0.1', 'localhost')}/`)
  await page.getByRole('link').click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Cloud Drive (sandbox) is connected')
  await page.goto(`${elsewhere.origin.replace('127.0.0.1', 'localhost')}/approved`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Cloud Drive (sandbox) is connected')
})

test('a person says yes or no, by mouse or keyboard, and the form goes to where the page came from', async ({
  skip
}) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  for (const [choice, tabs] of [
    ['approve', 1],
    ['deny', 2]
  ] as const) {
    shown = 'asks'
    const page = await open(`${server.origin}${CALLBACK}`)
    for (let tab = 0; tab < tabs; tab++) await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.value')).toBe(choice)
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'is connected' }).waitFor()
    expect(confirmed.at(-1)).toEqual({ ticket: 'T'.repeat(43), decision: choice })
    // Neither the code nor the state is sent on.
    expect(new URL(page.url()).search).toBe('')
  }
})

test('a form of another site does not get in', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  const before = confirmed.length
  const page = await open(`${elsewhere.origin.replace('127.0.0.1', 'localhost')}/`, { mayFail: true })
  await page.getByRole('button', { name: 'steal' }).click()
  await page.waitForURL(`${server.origin}/**`)
  expect(await page.locator('body').textContent()).toContain('forbidden')
  expect(confirmed.length).toBe(before)
})

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 1000].map((width) => ({ colorScheme, width }))
)

test.for(LOOKS)(
  'every page fits $width pixels, $colorScheme, can be read, and breaks no policy',
  async (look, { skip }) => {
    skip(browser === undefined, WITHOUT_BROWSER)
    const { colorScheme, width } = look
    const viewport = { width, height: 700 }
    const page = await open(`${server.origin}${CALLBACK}`, { colorScheme, viewport, mayFail: true })
    for (const name of [...(Object.keys(OUTCOMES) as Shown[]), 'hostile'] as const) {
      shown = name
      await page.goto(`${server.origin}${CALLBACK}`)
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width])
      expect([name, await leastContrast(page)]).toEqual([name, expect.toSatisfy((ratio: number) => ratio >= 4.5)])
    }
  }
)

test('the page is announced: a status where it is well, an alert where it is not', async ({ skip }) => {
  skip(browser === undefined, WITHOUT_BROWSER)
  for (const [name, role] of [
    ['active', 'status'],
    ['failed', 'alert']
  ] as const) {
    shown = name
    const page = await open(`${server.origin}${CALLBACK}`, { mayFail: true })
    expect(await page.getByRole(role).getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.title()).toMatch(/ · memctl$/)
  }
})

function pageOf(name: Shown) {
  return name === 'hostile' ? outcomePage(HOSTILE_OUTCOMES.asks, HOSTILE_NAMES) : outcomePage(OUTCOMES[name], NAMES)
}

type Look = { colorScheme?: 'light' | 'dark'; viewport?: { width: number; height: number }; mayFail?: boolean }

/** A page in a window of its own. What the browser complains of fails the test, but for a status that says that it failed. */
async function open(url: string, { mayFail = false, ...look }: Look = {}): Promise<Page> {
  if (browser === undefined) throw new Error(WITHOUT_BROWSER)
  const page = await (await browser.newContext(look)).newPage()
  page.on('console', (message) => {
    const isStatus = mayFail && message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) throw new Error(message.text())
  })
  await page.goto(url)
  return page
}

/** The lowest contrast of any text to what is behind it, by WCAG 2.2 (relative luminance). */
async function leastContrast(page: Page): Promise<number> {
  return (await page.evaluate(CONTRAST)) as number
}

const CONTRAST = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0)
  const behind = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const texts = [...document.querySelectorAll('body *')].filter((node) =>
    [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ''))
  return Math.min(...texts.map((node) => {
    const pair = [light(parse(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a)
    return (pair[0] + 0.05) / (pair[1] + 0.05)
  }))
})()`
