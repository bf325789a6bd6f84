import type { OAuthFacts } from '../../../server/providers/port/provider.ts'
import type { Clock, Fetch } from '../../../src/ports.ts'
import { type IssuedTokens, type IssueSettings, issuedTokens } from './issued-tokens.ts'
import { API_URL, CLIENT_ID, CLIENT_SECRET } from './provider-kinds.ts'

/**
 * An OAuth 2.0 provider that follows the given facts: codes, tokens, renewal with rotation, revocation, and one API
 * call.
 */
export type ProviderServer = {
  fetch: Fetch
  /** Returns the callback parameters after a person approves as `account`. */
  approve(authUrl: string, account?: string): URLSearchParams
  /** The number of calls by path and grant type. */
  counts: Map<string, number>
  /** All secrets that it issued. */
  secrets: string[]
  /** The addresses that were called, with their parameters. */
  urls: string[]
  /** Replaces the reply to the next calls of a path. */
  answer(path: string, reply: Reply): void
  /** Revokes all tokens of an account, as its owner may. */
  endGrants(account: string): void
  /** Revokes only the access tokens of an account. */
  endAccess(account: string): void
  isAlive(account: string): boolean
  settings: IssueSettings
}

type Reply = (request: Request) => Response | Promise<Response>

type Inside = { facts: OAuthFacts; issued: IssuedTokens; count(name: string): void }

export function providerServer(facts: OAuthFacts, clock: Clock): ProviderServer {
  const issued = issuedTokens(facts, clock)
  issued.secrets.push(CLIENT_SECRET)
  const replies = new Map<string, Reply>()
  const counts = new Map<string, number>()
  const urls: string[] = []
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  const inside = { facts, issued, count }
  return {
    counts,
    urls,
    secrets: issued.secrets,
    settings: issued.settings,
    answer: (path, reply) => void replies.set(path, reply),
    isAlive: (account) => issued.some((token) => token.account === account),
    endGrants: (account) => issued.end((token) => token.account === account),
    endAccess: (account) => issued.end((token) => token.account === account && token.kind === 'access'),
    approve(authUrl, account = 'ada') {
      const asked = new URL(authUrl).searchParams
      const issuer = facts.issuer === undefined ? {} : { iss: facts.issuer }
      return new URLSearchParams({ code: issued.code(asked, account), state: asked.get('state') ?? '', ...issuer })
    },
    async fetch(request) {
      const { pathname } = new URL(request.url)
      urls.push(request.url)
      count(pathname)
      const reply = replies.get(pathname)
      return reply ? await reply(request) : await answerOf(inside, request)
    }
  }
}

async function answerOf(inside: Inside, request: Request): Promise<Response> {
  const { facts, issued } = inside
  if (request.url === facts.tokenUrl) return await tokenReply(inside, request)
  if (request.url === facts.revokeUrl) return await revocation(inside, request)
  if (request.url !== `${API_URL}/me`) return new Response('nothing here', { status: 404 })
  const account = issued.owner(bearerOf(request), 'access')
  if (account === undefined) return new Response('no', { status: 401 })
  return Response.json({ id: account, name: `Account of ${account}` })
}

async function tokenReply({ facts, issued, count }: Inside, request: Request): Promise<Response> {
  const parameters = await parametersOf(request, facts.tokenRequest === 'json')
  const grantType = parameters.get('grant_type')
  count(`grant ${grantType}`)
  if (!knowsClient(facts, request, parameters)) return refusal(facts, 'invalid_client')
  const old = parameters.get('refresh_token') ?? ''
  const isRenewal = grantType === 'refresh_token'
  const account = isRenewal ? issued.owner(old, 'refresh') : issued.take(parameters)
  if (account === undefined) return refusal(facts, 'invalid_grant')
  const stays = isRenewal && !issued.settings.rotates
  if (isRenewal && !stays) issued.end((_, text) => text === old)
  const members = issued.issue(account, stays ? old : undefined)
  return Response.json(facts.tokensUnder === undefined ? members : { ok: true, [facts.tokensUnder]: members })
}

function refusal({ refusesWith200 }: OAuthFacts, error: string): Response {
  if (refusesWith200) return Response.json({ ok: false, error })
  return Response.json({ error, error_description: `it was ${error}` }, { status: 400 })
}

async function revocation({ facts, issued }: Inside, request: Request): Promise<Response> {
  const isJson = facts.revocation === 'client_json'
  if (isJson && !isBasicOfClient(request)) return new Response(null, { status: 401 })
  const isBearer = facts.revocation === 'bearer'
  const token = isBearer ? bearerOf(request) : ((await parametersOf(request, isJson)).get('token') ?? '')
  const account = issued.owner(token)
  issued.end((other) => other.account === account)
  if (account !== undefined) return Response.json(isBearer ? { ok: true, revoked: true } : {})
  if (isBearer) return Response.json({ ok: false, error: 'token_revoked' })
  return Response.json({ error: 'invalid_token' }, { status: 400 })
}

/** Returns the parameters of a body. A body in the wrong format has none. */
async function parametersOf(request: Request, asJson: boolean): Promise<URLSearchParams> {
  const isJson = (request.headers.get('content-type') ?? '').startsWith('application/json')
  const text = await request.text()
  if (isJson !== asJson) return new URLSearchParams()
  return new URLSearchParams(isJson ? (JSON.parse(text) as Record<string, string>) : text)
}

function knowsClient(facts: OAuthFacts, request: Request, parameters: URLSearchParams): boolean {
  if (facts.clientAuthentication === 'basic') return isBasicOfClient(request)
  return parameters.get('client_id') === CLIENT_ID && parameters.get('client_secret') === CLIENT_SECRET
}

/** RFC 6749 section 2.3.1: both values are form-encoded. */
function isBasicOfClient(request: Request): boolean {
  const said = Buffer.from((request.headers.get('authorization') ?? '').replace(/^Basic /, ''), 'base64').toString()
  const [id, secret] = said.split(':').map(decodeURIComponent)
  return id === CLIENT_ID && secret === CLIENT_SECRET
}

function bearerOf(request: Request): string {
  return /^Bearer (.*)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}
