import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { type Browser, chromium } from 'playwright-core'
import type { Fetch } from '../../src/ports.ts'

const CHROMIUM = '/usr/bin/chromium'
export const WITHOUT_BROWSER = `${CHROMIUM} is missing`

/** Whether pages can be tried in a real browser on this machine. */
export function hasBrowser(): boolean {
  return existsSync(CHROMIUM)
}

/** A browser for one file of tests. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

export type Served = { origin: string; close(): Promise<void> }

/** Answers on a free port of this machine with what is made for its address. */
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
