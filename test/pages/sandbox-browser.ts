import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { type ServerType, serve } from '@hono/node-server'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Fetch } from '../../src/ports.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
export const WITHOUT_BROWSER = `none of ${NAMES.join(', ')} is here`

/** Reports whether this machine has a browser for testing pages. */
export function hasBrowser(): boolean {
  return browserPath() !== undefined
}

/** Starts a browser for one test file. */
export function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath() ?? '', args: ['--no-sandbox', ...args] })
}

function browserPath(): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}

export type Look = Pick<BrowserContextOptions, 'colorScheme' | 'viewport' | 'forcedColors' | 'reducedMotion'> & {
  /** Set if the page has an error status, which browsers report on the console. */
  mayFail?: boolean
}

/** Opens a page in a separate window. Any browser error, such as a policy violation, fails the test. */
export async function openPage(browser: Browser | undefined, url: string, look: Look = {}): Promise<Page> {
  if (browser === undefined) throw new Error(WITHOUT_BROWSER)
  const { mayFail = false, ...context } = look
  const page = await (await browser.newContext(context)).newPage()
  page.on('console', (message) => {
    const isStatus = mayFail && message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) throw new Error(message.text())
  })
  await page.goto(url)
  return page
}

export type Served = { origin: string; close(): Promise<void> }

/** Serves on a free loopback port with the fetch created for its origin. */
export async function serveAt(make: (origin: string) => Fetch): Promise<Served> {
  let answer: Fetch = async () => new Response(null, { status: 503 })
  const server = await new Promise<ServerType>((resolve) => {
    const made: ServerType = serve({ fetch: (request) => answer(request), hostname: '127.0.0.1', port: 0 }, () =>
      resolve(made)
    )
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answer = make(origin)
  return { origin, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Where a browser finds what a test serves. Without a browser on this machine there is neither. */
export type Place = { browser: Browser | undefined; origin: string; answer: Fetch }

/** Provides a browser and an address for all tests of a file, each of which sets its own answers. */
export function placeForTests(): Place {
  const place: Place = { browser: undefined, origin: '', answer: async () => new Response(null, { status: 503 }) }
  let served: Served | undefined
  beforeAll(async () => {
    if (!hasBrowser()) return
    place.browser = await openBrowser()
    served = await serveAt(() => (request) => place.answer(request))
    place.origin = served.origin
  })
  afterAll(async () => {
    await place.browser?.close()
    await served?.close()
  })
  return place
}
