import { createHash } from 'node:crypto'
import type { SandboxProvider } from '../../server/sandbox/core/sandbox-provider.ts'
import { createSandbox } from '../../server/sandbox/create-sandbox.ts'
import type { Sandbox } from '../../server/sandbox/sandbox.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { Fetch } from '../../src/ports.ts'
import { type ManualClock, manualClock } from '../server/http/manual-clock.ts'

export type SandboxKit = {
  sandbox: Sandbox
  clock: ManualClock
  /** Runs a consent as a user and an application, and returns the token reply. */
  consent(id: ProviderId, asked?: ConsentOf): Promise<Tokens>
  /** Returns a fetch with an access token of an account from its own consent. */
  fetchAs(id: ProviderId, asked?: ConsentOf): Promise<Fetch>
  /** Sends a control request to the sandbox. Returns its JSON, or throws an error with its message. */
  control(method: string, path: string, input?: unknown): Promise<unknown>
}

/** `account` is an id or address, by default the first one. Without `scopes`: all that the sandbox provider has. */
export type ConsentOf = { account?: string; scopes?: readonly string[] }

export type Tokens = { accessToken: string; refreshToken: string | undefined; reply: Record<string, unknown> }

export const SANDBOX_BASE = 'http://127.0.0.1:8787/sandbox'
const REDIRECT = 'http://127.0.0.1:8787/callback'
const VERIFIER = 'v'.repeat(64)

/** Creates a sandbox for a test, which moves its clock and controls it. */
export function sandboxKit(sandboxProviders: readonly SandboxProvider[], { base = SANDBOX_BASE } = {}): SandboxKit {
  const clock = manualClock()
  const secret = new TextEncoder().encode('a secret for tests, of 32 bytes.')
  const sandbox = createSandbox({
    base,
    secret,
    world: { clock, ids: countingIds() },
    sandboxProviders,
    control: { allow: async () => true }
  })
  const kit = { sandbox, base, sandboxProviders }
  return {
    sandbox,
    clock,
    consent: (id, asked) => consent(kit, id, asked),
    async fetchAs(id, asked) {
      const { accessToken } = await consent(kit, id, asked)
      return withToken(sandbox.fetch, accessToken)
    },
    async control(method, path, input) {
      const body = input === undefined ? {} : { body: JSON.stringify(input) }
      const reply = await sandbox.fetch(new Request(`${base}/control${path}`, { method, ...body }))
      if (!reply.ok) throw new Error(`control${path}: ${reply.status} ${await reply.text()}`)
      return await reply.json()
    }
  }
}

/** Adds a token to every request. */
export function withToken(fetch: Fetch, token: string): Fetch {
  return (request) => {
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(new Request(request, { headers }))
  }
}

type Kit = { sandbox: Sandbox; base: string; sandboxProviders: readonly SandboxProvider[] }

async function consent(kit: Kit, id: ProviderId, { account, scopes }: ConsentOf = {}): Promise<Tokens> {
  const sandboxProvider = kit.sandboxProviders.find((one) => one.id === id)
  if (sandboxProvider === undefined) throw new Error(`the kit has no ${id}`)
  const code = await approve(kit, sandboxProvider, {
    account,
    scopes: scopes ?? Object.keys(sandboxProvider.oauth.scopes ?? {})
  })
  const reply = await exchange(kit.sandbox, sandboxProvider, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    ...(sandboxProvider.oauth.pkce && { code_verifier: VERIFIER })
  })
  const json = (await reply.json()) as Record<string, unknown>
  return { ...tokensIn(json), reply: json }
}

/** Reads the page, submits its form, and returns the code from the redirect. */
async function approve(
  { sandbox }: Kit,
  { id, oauth }: SandboxProvider,
  { account, scopes }: { account: string | undefined; scopes: readonly string[] }
): Promise<string> {
  const { authorizeUrl, clientId } = sandbox.provider(id)
  const query = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, state: 's' })
  query.set(oauth.scopeParameter, scopes.join(oauth.scopeParameter === 'user_scope' ? ',' : ' '))
  if (oauth.pkce) {
    query.set('code_challenge', createHash('sha256').update(VERIFIER).digest('base64url'))
    query.set('code_challenge_method', 'S256')
  }
  const page = await (await sandbox.fetch(new Request(`${authorizeUrl}?${query}`))).text()
  const form = formOf(page, account)
  const back = await sandbox.fetch(new Request(authorizeUrl, { method: 'POST', body: form }))
  const code = new URL(back.headers.get('location') ?? 'about:blank').searchParams.get('code')
  if (code === null) throw new Error(`no code: ${back.status} ${page.slice(0, 2000)}`)
  return code
}

/** Returns the form that a browser submits for an account, given by id or address. */
export function formOf(page: string, account?: string, decision = 'approve'): URLSearchParams {
  const request = /name="request" value="([^"]*)"/.exec(page)?.[1] ?? ''
  const ids = [...page.matchAll(/name="account" value="([^"]*)"[\s\S]*?class="email">([^<]*)</g)]
  const chosen = ids.find(([, id, email]) => account === undefined || id === account || email === account)
  return new URLSearchParams({ request, account: chosen?.[1] ?? account ?? '', decision })
}

/** Calls the token endpoint in the sandbox provider's format. */
export async function exchange(
  sandbox: Sandbox,
  { id, oauth }: SandboxProvider,
  params: Readonly<Record<string, string>>
): Promise<Response> {
  const { tokenUrl, clientId, clientSecret } = sandbox.provider(id)
  const headers = new Headers()
  const said = { ...params }
  if (oauth.clientAuthentication === 'basic')
    headers.set('authorization', `Basic ${btoa(`${clientId}:${clientSecret}`)}`)
  else Object.assign(said, { client_id: clientId, client_secret: clientSecret })
  const body = oauth.tokenRequest === 'json' ? JSON.stringify(said) : new URLSearchParams(said)
  if (oauth.tokenRequest === 'json') headers.set('content-type', 'application/json')
  return await sandbox.fetch(new Request(tokenUrl, { method: 'POST', headers, body }))
}

/** Finds the tokens in a reply. */
function tokensIn(reply: Record<string, unknown>): Pick<Tokens, 'accessToken' | 'refreshToken'> {
  const places = [reply, ...Object.values(reply).filter((one) => typeof one === 'object' && one !== null)]
  const place = places.find((one) => 'access_token' in (one as object)) as Record<string, unknown> | undefined
  const text = (name: string) => (typeof place?.[name] === 'string' ? (place[name] as string) : undefined)
  const accessToken = text('access_token')
  if (accessToken === undefined) throw new Error(`no token in ${JSON.stringify(Object.keys(reply))}`)
  return { accessToken, refreshToken: text('refresh_token') }
}

function countingIds(): { randomHex(bytes: number): string } {
  let count = 0
  return { randomHex: (bytes) => (++count).toString(16).padStart(bytes * 2, '0') }
}
