import { createHash, randomBytes } from 'node:crypto'
import type { OAuthFacts } from '../../../server/providers/provider.ts'
import type { Clock, Fetch } from '../../../src/ports.ts'
import { API_URL, CLIENT_ID, CLIENT_SECRET } from './provider-kinds.ts'

/** A provider of OAuth 2.0 by its facts: codes, tokens, renewal with rotation, revocation, and one call of its API. */
export type ProviderServer = {
  fetch: Fetch
  /** What its consent page sends a browser to, when a person approves as `account`. */
  approve(authUrl: string, account?: string): URLSearchParams
  /** How often each of its addresses was called, by path and grant type. */
  counts: Map<string, number>
  /** Everything it gave out that nobody else may see. */
  secrets: string[]
  /** Addresses that were asked, with their parameters. */
  urls: string[]
  /** Answers the next calls of a path in place of it. */
  answer(path: string, reply: (request: Request) => Response | Promise<Response>): void
  /** Ends all tokens of an account, as its owner may. */
  endGrants(account: string): void
  /** Ends its access tokens alone. */
  endAccess(account: string): void
  isAlive(account: string): boolean
  settings: { expiresInSeconds: number | undefined; rotates: boolean; scope: string | undefined; refreshes: boolean }
}

type Code = { account: string; challenge: string | null; redirect: string | null; used: boolean }
type Token = { account: string; kind: 'access' | 'refresh'; until: number }

export function providerServer(facts: OAuthFacts, clock: Clock): ProviderServer {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Token>()
  const replies = new Map<string, (request: Request) => Response | Promise<Response>>()
  const server: ProviderServer = {
    counts: new Map(),
    secrets: [CLIENT_SECRET],
    urls: [],
    settings: { expiresInSeconds: 3600, rotates: true, scope: undefined, refreshes: true },
    answer: (path, reply) => void replies.set(path, reply),
    isAlive: (account) => [...tokens.values()].some((token) => token.account === account),
    endGrants: (account) => endTokens(({ account: owner }) => owner === account),
    endAccess: (account) => endTokens(({ account: owner, kind }) => owner === account && kind === 'access'),
    approve(authUrl, account = 'ada') {
      const asked = new URL(authUrl).searchParams
      const code = secret('code')
      codes.set(code, {
        account,
        challenge: asked.get('code_challenge'),
        redirect: asked.get('redirect_uri'),
        used: false
      })
      const issuer = facts.issuer === undefined ? {} : { iss: facts.issuer }
      return new URLSearchParams({ code, state: asked.get('state') ?? '', ...issuer })
    },
    async fetch(request) {
      const { pathname } = new URL(request.url)
      server.urls.push(request.url)
      count(pathname)
      const reply = replies.get(pathname)
      if (reply) return await reply(request)
      if (request.url === facts.tokenUrl) return await tokenReply(request)
      if (request.url === facts.revokeUrl) return await revocation(request)
      return request.url === `${API_URL}/me` ? me(request) : new Response('nothing here', { status: 404 })
    }
  }
  return server

  function secret(kind: string): string {
    const made = `${kind}-${randomBytes(24).toString('base64url')}`
    server.secrets.push(made)
    return made
  }

  function count(name: string): void {
    server.counts.set(name, (server.counts.get(name) ?? 0) + 1)
  }

  function endTokens(which: (token: Token) => boolean): void {
    for (const [text, token] of tokens) if (which(token)) tokens.delete(text)
  }

  function refuse(error: string): Response {
    if (facts.refusesWith200) return Response.json({ ok: false, error })
    return Response.json({ error, error_description: `it was ${error}` }, { status: 400 })
  }

  async function parametersOf(request: Request): Promise<URLSearchParams> {
    const type = request.headers.get('content-type') ?? ''
    const isJson = type.startsWith('application/json')
    if (isJson !== (facts.tokenRequest === 'json')) return new URLSearchParams()
    const text = await request.text()
    return new URLSearchParams(isJson ? (JSON.parse(text) as Record<string, string>) : text)
  }

  function knowsClient(request: Request, parameters: URLSearchParams): boolean {
    if (facts.clientAuthentication === 'post')
      return parameters.get('client_id') === CLIENT_ID && parameters.get('client_secret') === CLIENT_SECRET
    return isBasicOfClient(request)
  }

  async function tokenReply(request: Request): Promise<Response> {
    const parameters = await parametersOf(request)
    const grantType = parameters.get('grant_type')
    count(`grant ${grantType}`)
    if (!knowsClient(request, parameters)) return refuse('invalid_client')
    if (grantType === 'refresh_token') return renewed(parameters)
    const code = codes.get(parameters.get('code') ?? '')
    const isGood = code && !code.used && code.redirect === parameters.get('redirect_uri') && isProven(code, parameters)
    if (!isGood) return refuse('invalid_grant')
    code.used = true
    return issued(code.account, undefined)
  }

  function isProven({ challenge }: Code, parameters: URLSearchParams): boolean {
    const verifier = parameters.get('code_verifier')
    if (!facts.pkce) return challenge === null && verifier === null
    if (verifier === null || !/^[\w.~-]{43,128}$/.test(verifier)) return false
    server.secrets.push(verifier)
    return createHash('sha256').update(verifier).digest('base64url') === challenge
  }

  function renewed(parameters: URLSearchParams): Response {
    const text = parameters.get('refresh_token') ?? ''
    const token = tokens.get(text)
    if (token?.kind !== 'refresh') return refuse('invalid_grant')
    if (server.settings.rotates) tokens.delete(text)
    return issued(token.account, server.settings.rotates ? undefined : text)
  }

  function issued(account: string, refreshToken: string | undefined): Response {
    const { expiresInSeconds, scope, refreshes } = server.settings
    const access = secret('access')
    const lifeMs = expiresInSeconds === undefined ? Number.POSITIVE_INFINITY : expiresInSeconds * 1000
    tokens.set(access, { account, kind: 'access', until: clock.now() + lifeMs })
    const refresh = refreshes ? (refreshToken ?? secret('refresh')) : undefined
    if (refresh) tokens.set(refresh, { account, kind: 'refresh', until: Number.POSITIVE_INFINITY })
    const held = {
      access_token: access,
      ...(facts.tokenRequest === 'form' && { token_type: facts.tokensUnder ? 'user' : 'Bearer' }),
      ...(expiresInSeconds !== undefined && { expires_in: expiresInSeconds }),
      refresh_token: refresh ?? null,
      ...(facts.scopes.length > 0 && { scope: scope ?? facts.scopes.join(facts.scopeSeparator) })
    }
    if (facts.tokensUnder === undefined) return Response.json(held)
    return Response.json({ ok: true, team: { id: 'T1' }, [facts.tokensUnder]: held })
  }

  async function revocation(request: Request): Promise<Response> {
    if (facts.revocation === 'bearer') {
      const token = tokens.get(bearerOf(request))
      if (token) server.endGrants(token.account)
      return Response.json(token ? { ok: true, revoked: true } : { ok: false, error: 'token_revoked' })
    }
    const isJson = facts.revocation === 'client_json'
    if (isJson && !isBasicOfClient(request)) return new Response(null, { status: 401 })
    const text = await request.text()
    const parameters = new URLSearchParams(isJson ? (JSON.parse(text) as Record<string, string>) : text)
    const token = tokens.get(parameters.get('token') ?? '')
    if (!token) return Response.json({ error: 'invalid_token' }, { status: 400 })
    server.endGrants(token.account)
    return Response.json({})
  }

  function me(request: Request): Response {
    const token = tokens.get(bearerOf(request))
    if (token?.kind !== 'access' || token.until <= clock.now()) return new Response('no', { status: 401 })
    return Response.json({ id: token.account, name: `Account of ${token.account}` })
  }
}

function bearerOf(request: Request): string {
  return /^Bearer (.*)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

/** RFC 6749 section 2.3.1: both are encoded as in a form. */
function isBasicOfClient(request: Request): boolean {
  const encoded = `${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET).replaceAll('-', '%2D')}`
  const said = Buffer.from((request.headers.get('authorization') ?? '').replace(/^Basic /, ''), 'base64').toString()
  return decodeURIComponent(said) === decodeURIComponent(encoded)
}
