import { type ConsentContext, serveConsent } from './consent/serve-consent.ts'
import { carryOut } from './control/carry-out.ts'
import type { Called, FaultQueue } from './control/fault-queue.ts'
import type { RequestLog } from './control/request-log.ts'
import { type Client, provesClient } from './core/client.ts'
import { ACCESS_SECONDS, type Grant, type Refused } from './core/grants.ts'
import { AUTHORIZE, type Operation, type ProviderState, REVOKE, TOKEN } from './core/provider-state.ts'
import { readBody } from './core/read-body.ts'
import type { SandboxClock } from './core/sandbox-clock.ts'
import type { KnownParameters, RefusalCause, SandboxRoute, UnknownParameter } from './core/sandbox-provider.ts'
import { tokenParams } from './core/token-params.ts'

/** The parts that all sandbox providers share. */
export type Shared = {
  client: Client
  context: ConsentContext
  clock: SandboxClock
  faults: FaultQueue
  log: RequestLog
}

/** Answers a request below the base URL of a sandbox provider. Rejects only with the reason of the request's signal. */
export async function serveProvider(shared: Shared, state: ProviderState, incoming: Incoming): Promise<Response> {
  const { request, path } = incoming
  const found = state.routes.find(request.method === 'HEAD' ? 'GET' : request.method, path)
  const provider = state.sandboxProvider.id
  const noted = {
    at: shared.clock.now(),
    provider,
    operation: found?.route.operation ?? 'unknown',
    method: request.method
  }
  if (found === undefined) {
    const response = state.sandboxProvider.refusal({ status: 404, reason: 'not_found', retryAfter: undefined })
    shared.log.note({ ...noted, status: response.status })
    return response
  }
  const called: Called = { provider, operation: noted.operation, path, pattern: found.route.path }
  const fault = shared.faults.takeOuter(called)
  const more = fault && { fault: fault.kind }
  try {
    const asked = await readAsked(incoming, found)
    if (asked === undefined) {
      shared.log.note({ ...noted, status: 413, ...more })
      return new Response('The body is too large.', { status: 413 })
    }
    const answer = () => answerRequest(shared, state, { ...asked, called })
    const around = { ...state, clock: shared.clock, signal: request.signal, tokens: listTokens(asked), answer }
    const response = fault === undefined ? await answer() : await carryOut(fault, around)
    shared.log.note({ ...noted, status: response.status, ...more })
    return request.method === 'HEAD' ? new Response(null, response) : response
  } catch (error) {
    shared.log.note({
      ...noted,
      status: request.signal.aborted ? 0 : 500,
      ...more,
      ...(!request.signal.aborted && { bug: String(error) })
    })
    request.signal.throwIfAborted()
    return state.sandboxProvider.refusal({ status: 500, reason: 'server_error', retryAfter: undefined })
  }
}

/** `path` is relative to the base URL of the sandbox provider. */
type Incoming = { request: Request; url: URL; path: string }

type Asked = {
  request: Request
  url: URL
  body: Uint8Array
  route: Operation
  params: Readonly<Record<string, string>>
}

async function readAsked(
  { request, url }: Incoming,
  found: Pick<Asked, 'route' | 'params'>
): Promise<Asked | undefined> {
  const body = await readBody(request)
  return body && { request, url, body, ...found }
}

async function answerRequest(
  shared: Shared,
  state: ProviderState,
  asked: Asked & { called: Called }
): Promise<Response> {
  const { request, url, body, route, params, called } = asked
  switch (route.operation) {
    case AUTHORIZE:
      return serveConsent(shared.context, state, { request, url, body })
    case TOKEN:
      return serveToken(state, shared.client, { request, body })
    case REVOKE:
      return await state.sandboxProvider.oauth.revocation(readAgain(request, body), (token) =>
        state.grants.revoke(token)
      )
  }
  if (route.route === undefined) throw new Error(`no route for ${route.operation}`)
  const fault = (name: string) => shared.faults.takeOwn(called, name)
  return await serveRoute(state, route.route, { request, url, params, body, now: shared.clock.now(), fault })
}

/** Rebuilds a request from the body that was read. */
function readAgain({ url, method, headers }: Request, body: Uint8Array): Request {
  return new Request(url, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) })
}

/** Returns the bearer token, and the refresh token of a form or of JSON. */
function listTokens({ request, body, route }: Asked): string[] {
  const text = route.operation === TOKEN ? new TextDecoder().decode(body) : ''
  const refresh = /"refresh_token"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? new URLSearchParams(text).get('refresh_token')
  return [readBearer(request), refresh ?? undefined].filter((token) => token !== undefined)
}

type RouteCall = {
  request: Request
  url: URL
  params: Readonly<Record<string, string>>
  body: Uint8Array
  now: number
  fault(name: string): { value: number } | undefined
}

/** Answers a call of the provider's API, which requires a valid token. */
async function serveRoute(state: ProviderState, route: SandboxRoute, call: RouteCall): Promise<Response> {
  const { request, url, params, body, now, fault } = call
  const grant = route.open ? undefined : checkToken(state, request)
  if (typeof grant === 'string') return refuseToken(state, grant)
  const accounts = state.accounts()
  const account = grant === undefined ? accounts[0] : accounts.find(({ id }) => id === grant.accountId)
  if (account === undefined) return refuseToken(state, 'revoked')
  const scopes = grant?.scopes ?? []
  const type = request.headers.get('content-type') ?? ''
  const known = state.sandboxProvider.parameters[route.operation] ?? { query: [] }
  const unknown = unknownParameter(known, { query: url.searchParams, body, type })
  if (unknown !== undefined) return state.sandboxProvider.unknownParameter(unknown)
  return await route.answer({
    request,
    params,
    query: url.searchParams,
    body,
    account,
    scopes,
    now,
    fault,
    base: state.base
  })
}

function checkToken({ grants }: ProviderState, request: Request): Grant | TokenFlaw {
  const token = readBearer(request)
  return token === undefined ? 'absent' : grants.check(token)
}

type TokenFlaw = NonNullable<RefusalCause['token']>

function refuseToken({ sandboxProvider }: ProviderState, token: TokenFlaw): Response {
  return sandboxProvider.refusal({ status: 401, reason: 'unauthorized', retryAfter: undefined, token })
}

/** Returns the bearer token (RFC 6750 section 2.1), if there is one. */
function readBearer(request: Request): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

type Given = { query: URLSearchParams; body: Uint8Array; type: string }

/** Returns the first parameter of the query or body that the operation does not have, or undefined if there is none. */
function unknownParameter(known: KnownParameters, given: Given): UnknownParameter | undefined {
  for (const [name, value] of given.query) if (!known.query.includes(name)) return { where: 'query', name, value }
  const { body } = known
  if (body === undefined) return undefined
  for (const [name, value] of readBodyMembers(given)) if (!body.includes(name)) return { where: 'body', name, value }
  return undefined
}

/** Returns the members of a body. One that is neither a form nor a JSON object has none; the route refuses it. */
function readBodyMembers({ body, type }: Given): [name: string, value: unknown][] {
  if (body.length === 0) return []
  const text = new TextDecoder().decode(body)
  if (type.includes('application/x-www-form-urlencoded')) return [...new URLSearchParams(text)]
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  } catch {
    return []
  }
}

type Received = { request: Request; body: Uint8Array }

/**
 * Implements the token endpoint: exchanges a code or a refresh token for tokens (RFC 6749 sections 4.1.3 and 6), in the
 * provider's format.
 */
function serveToken(state: ProviderState, client: Client, { request: { headers }, body }: Received): Response {
  const { oauth } = state.sandboxProvider
  const params = tokenParams(oauth.tokenRequest, { contentType: headers.get('content-type'), body })
  if (params === undefined) {
    const how = oauth.tokenRequest === 'form' ? 'a form' : 'a JSON object'
    return oauth.tokenRefusal('invalid_request', `Parameters must be sent as ${how}, each once.`)
  }
  if (!provesClient(client, oauth.clientAuthentication, { authorization: headers.get('authorization'), params })) {
    const where = oauth.clientAuthentication === 'basic' ? 'with HTTP Basic' : 'in the body'
    return oauth.tokenRefusal('invalid_client', `The client is unknown, or does not authenticate ${where}.`)
  }
  return tokensFor(state, params)
}

function tokensFor(state: ProviderState, params: Readonly<Record<string, string>>): Response {
  const { oauth } = state.sandboxProvider
  const { grant_type: type, code, refresh_token: token } = params
  if (type === 'authorization_code') {
    if (code === undefined) return oauth.tokenRefusal('invalid_request', 'code is missing.')
    const by = { redirectUri: params.redirect_uri ?? '', verifier: oauth.pkce ? params.code_verifier : undefined }
    return tokenReply(state, state.grants.redeem(code, by), { withRefresh: true, renewed: false })
  }
  if (type === 'refresh_token') {
    if (token === undefined) return oauth.tokenRefusal('invalid_request', 'refresh_token is missing.')
    const rotates = oauth.rotatesRefreshTokens === true
    return tokenReply(state, state.grants.refresh(token, rotates), { withRefresh: rotates, renewed: true })
  }
  return oauth.tokenRefusal('unsupported_grant_type', 'Only authorization_code and refresh_token are supported.')
}

type Kind = { withRefresh: boolean; renewed: boolean }

function tokenReply(state: ProviderState, grant: Grant | Refused, { withRefresh, renewed }: Kind): Response {
  const { oauth } = state.sandboxProvider
  if ('refused' in grant) return oauth.tokenRefusal('invalid_grant', grant.refused)
  const account = state.accounts().find(({ id }) => id === grant.accountId)
  if (account === undefined) return oauth.tokenRefusal('invalid_grant', 'The account was removed.')
  const { accessToken, refreshToken } = state.grants.issue(grant)
  const reply = oauth.tokenReply({
    accessToken,
    refreshToken: withRefresh ? refreshToken : undefined,
    expiresInSeconds: ACCESS_SECONDS,
    scope: grant.scopes.join(oauth.scopeParameter === 'user_scope' ? ',' : ' '),
    account,
    renewed
  })
  return Response.json(reply, { headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
}
