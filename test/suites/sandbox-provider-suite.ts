import { expect, test } from 'vitest'
import type { RefusalCause, SandboxProvider } from '../../server/sandbox/core/sandbox-provider.ts'
import type { Fetch } from '../../src/ports.ts'
import { exchange, type SandboxKit, sandboxKit, withToken } from './sandbox-provider-kit.ts'

/** The facts about a sandbox provider that its test gives to the suite. */
export type SandboxExample = {
  sandboxProvider: SandboxProvider
  /** A call that needs only a token. */
  call(apiUrl: string): Request
  /** Returns a refusal in the provider's format: the status, and a part of the JSON. */
  refuses(cause: Pick<RefusalCause, 'reason' | 'token'>): { status: number; json: Record<string, unknown> }
  /** A call that needs a scope that was not granted, with its refusal. Absent if the provider has no scopes. */
  unscoped?: { scopes: readonly string[]; call(apiUrl: string): Request; status: number; json: Record<string, unknown> }
  /** Returns all content that the API shows of an account, as texts. */
  crawl(fetch: Fetch, apiUrl: string): Promise<string[]>
  /** Minimum number of texts of the fullest account. */
  piecesMin: number
  /** A change of the first account by name, and the text that it adds. */
  change: { name: string; input: unknown; shows: string }
}

/** Tests the requirements of every sandbox provider, whatever its API. */
export function sandboxProviderSuite(example: SandboxExample): void {
  refusalTests(example)
  contentTests(example)
  hostileTests(example)
}

const HOUR_MS = 3_600_000

function refusalTests({ sandboxProvider, call, refuses, unscoped }: SandboxExample): void {
  const { id } = sandboxProvider

  test(`${id}: refuses a missing, unknown, expired or revoked token in the provider's format`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const { apiUrl } = kit.sandbox.provider(id)
    await shows(await kit.sandbox.fetch(call(apiUrl)), refuses({ reason: 'unauthorized', token: 'absent' }))
    const { accessToken, refreshToken } = await kit.consent(id)
    const ask = (token: string) => withToken(kit.sandbox.fetch, token)(call(apiUrl))
    expect((await ask(accessToken)).status).toBe(200)
    await shows(await ask('made-up'), refuses({ reason: 'unauthorized', token: 'unknown' }))
    await kit.control('POST', '/clock', { advance_ms: HOUR_MS })
    await shows(await ask(accessToken), refuses({ reason: 'unauthorized', token: 'expired' }))
    const renewed = await kit.consent(id)
    await kit.control('POST', '/faults', { provider: id, kind: 'dead_grant' })
    await shows(await ask(renewed.accessToken), refuses({ reason: 'unauthorized', token: 'revoked' }))
    expect(refreshToken).toBeTypeOf('string')
  })

  test(`${id}: returns another access token for a refresh token, unless its grant was revoked`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const { apiUrl } = kit.sandbox.provider(id)
    const { refreshToken = '' } = await kit.consent(id)
    const renew = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const renewed = JSON.stringify(await (await exchange(kit.sandbox, sandboxProvider, renew)).json())
    const token = /"access_token":"([^"]+)"/.exec(renewed)?.[1] ?? ''
    expect((await withToken(kit.sandbox.fetch, token)(call(apiUrl))).status).toBe(200)
    await kit.control('POST', '/faults', { provider: id, operation: 'oauth.token', kind: 'dead_grant' })
    const refused = await (await exchange(kit.sandbox, sandboxProvider, renew)).text()
    expect(refused).not.toContain('access_token')
  })

  test(`${id}: reports rate limits, outages and unknown paths in the provider's format`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const { apiUrl } = kit.sandbox.provider(id)
    const fetch = await kit.fetchAs(id)
    const order = (more: object) => kit.control('POST', '/faults', { provider: id, ...more })
    await order({ kind: 'rate_limited', retry_after: 17 })
    const limited = await fetch(call(apiUrl))
    expect(limited.headers.get('retry-after')).toBe('17')
    await shows(limited, refuses({ reason: 'rate_limited' }))
    await order({ kind: 'rate_limited' })
    expect((await fetch(call(apiUrl))).headers.has('retry-after')).toBe(false)
    await order({ kind: 'server_error' })
    await shows(await fetch(call(apiUrl)), refuses({ reason: 'server_error' }))
    await order({ kind: 'overloaded' })
    await shows(await fetch(call(apiUrl)), refuses({ reason: 'overloaded' }))
    await shows(await fetch(new Request(`${apiUrl}/no/such/path`)), refuses({ reason: 'not_found' }))
  })

  if (unscoped === undefined) return
  test(`${id}: refuses a call that the token's scopes do not allow`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const fetch = await kit.fetchAs(id, { scopes: unscoped.scopes })
    await shows(await fetch(unscoped.call(kit.sandbox.provider(id).apiUrl)), unscoped)
  })
}

function contentTests({ sandboxProvider, crawl, piecesMin, change }: SandboxExample): void {
  const { id } = sandboxProvider

  test(`${id}: has at least three accounts, one of them with at least ${piecesMin} texts`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const accounts = await accountsOf(kit)
    expect(accounts.length).toBeGreaterThanOrEqual(3)
    expect(new Set(accounts.flatMap(({ id: account, email }) => [account, email])).size).toBe(2 * accounts.length)
    const sizes: number[] = []
    for (const { id: account } of accounts)
      sizes.push((await crawledAs(kit, { sandboxProvider, crawl }, account)).length)
    expect(Math.max(...sizes)).toBeGreaterThanOrEqual(piecesMin)
  })

  test(`${id}: has the same content in every sandbox and at any time`, async () => {
    const [kit, other] = [sandboxKit([sandboxProvider]), sandboxKit([sandboxProvider])]
    const accounts = await accountsOf(kit)
    expect(await accountsOf(other)).toEqual(accounts)
    await other.clock.pass(40 * 24 * HOUR_MS)
    for (const { id: account } of accounts) {
      const here = await crawledAs(kit, { sandboxProvider, crawl }, account)
      expect(await crawledAs(other, { sandboxProvider, crawl }, account)).toEqual(here)
    }
  })

  test(`${id}: shows a change, and undoes it on reset`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const account = (await accountsOf(kit))[0]?.id ?? ''
    const before = await crawledAs(kit, { sandboxProvider, crawl }, account)
    expect(before.join('\n')).not.toContain(change.shows)
    await kit.control('POST', `/accounts/${id}/${encodeURIComponent(account)}/${change.name}`, change.input)
    expect((await crawledAs(kit, { sandboxProvider, crawl }, account)).join('\n')).toContain(change.shows)
    await kit.control('POST', '/reset')
    expect(await crawledAs(kit, { sandboxProvider, crawl }, account)).toEqual(before)
  })

  test(`${id}: refuses invalid input of a change with a message`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const account = (await accountsOf(kit))[0]?.id ?? ''
    for (const name of Object.keys(sandboxProvider.changes)) {
      const refused = kit.control('POST', `/accounts/${id}/${encodeURIComponent(account)}/${name}`, { unheard_of: [] })
      await expect(refused, name).rejects.toThrow(/ 422 /)
    }
  })
}

function hostileTests({ sandboxProvider, crawl }: SandboxExample): void {
  const { id } = sandboxProvider

  test(`${id}: has an account with names of 10 kB, direction marks and escape sequences`, async () => {
    const kit = sandboxKit([sandboxProvider])
    const all: string[] = []
    for (const { id: account } of await accountsOf(kit))
      all.push(...(await crawledAs(kit, { sandboxProvider, crawl }, account)))
    expect(all.some((piece) => piece.includes('\u202e'))).toBe(true)
    expect(all.some((piece) => piece.includes('\u001b['))).toBe(true)
    expect(Math.max(...all.map((piece) => piece.length))).toBeGreaterThanOrEqual(10_000)
  })

  test(`${id}: has no internal errors while all accounts are read`, async () => {
    const kit = sandboxKit([sandboxProvider])
    for (const { id: account } of await accountsOf(kit)) await crawledAs(kit, { sandboxProvider, crawl }, account)
    const { requests } = (await kit.control('GET', '/requests')) as { requests: { bug?: string }[] }
    expect(requests.filter(({ bug }) => bug !== undefined)).toEqual([])
  })
}

type Listed = { id: string; email: string }

async function accountsOf(kit: SandboxKit): Promise<Listed[]> {
  const [only] = (await kit.control('GET', '/accounts')) as { accounts: Listed[] }[]
  return only?.accounts ?? []
}

async function crawledAs(
  kit: SandboxKit,
  { sandboxProvider, crawl }: Pick<SandboxExample, 'sandboxProvider' | 'crawl'>,
  account: string
): Promise<string[]> {
  const fetch = await kit.fetchAs(sandboxProvider.id, { account })
  return await crawl(fetch, kit.sandbox.provider(sandboxProvider.id).apiUrl)
}

async function shows(reply: Response, { status, json }: { status: number; json: Record<string, unknown> }) {
  expect(reply.status).toBe(status)
  expect(await reply.json()).toMatchObject(json)
}
