import { type ConsentDesk, serveConsent } from '../consent/serve-consent.ts'
import { carryOut } from '../control/carry-out.ts'
import type { Called, FaultBook } from '../control/fault-book.ts'
import type { RequestLog } from '../control/request-log.ts'
import type { Client } from './client.ts'
import { readBody } from './read-body.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { bearerOf, serveRoute } from './serve-route.ts'
import { serveToken } from './serve-token.ts'
import { AUTHORIZE, type Operation, REVOKE, type StandInState, TOKEN } from './stand-in-state.ts'

/** What the stand-ins of a sandbox have in common. */
export type Shared = { client: Client; desk: ConsentDesk; clock: SandboxClock; faults: FaultBook; log: RequestLog }

/** Answers what was asked below the address of a stand-in. Rejects only with the reason of the request's signal. */
export async function serveStandIn(shared: Shared, state: StandInState, incoming: Incoming): Promise<Response> {
  const { request, path } = incoming
  const found = state.routes.find(request.method === 'HEAD' ? 'GET' : request.method, path)
  const provider = state.standIn.id
  const noted = {
    at: shared.clock.now(),
    provider,
    operation: found?.route.operation ?? 'unknown',
    method: request.method
  }
  if (found === undefined) {
    const response = state.standIn.refusal({ status: 404, reason: 'not_found', retryAfter: undefined })
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
    const answer = () => answerOf(shared, state, { ...asked, called })
    const around = { ...state, clock: shared.clock, signal: request.signal, tokens: tokensOf(asked), answer }
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
    return state.standIn.refusal({ status: 500, reason: 'server_error', retryAfter: undefined })
  }
}

/** `path` is what stands behind the address of the stand-in. */
export type Incoming = { request: Request; url: URL; path: string }

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

async function answerOf(shared: Shared, state: StandInState, asked: Asked & { called: Called }): Promise<Response> {
  const { request, url, body, route, params, called } = asked
  switch (route.operation) {
    case AUTHORIZE:
      return serveConsent(shared.desk, state, { request, url, body })
    case TOKEN:
      return serveToken(state, shared.client, { request, body })
    case REVOKE:
      return await state.standIn.oauth.revocation(readAgain(request, body), (token) => state.grants.revoke(token))
  }
  if (route.route === undefined) throw new Error(`no route for ${route.operation}`)
  const fault = (name: string) => shared.faults.takeOwn(called, name)
  return await serveRoute(state, route.route, { request, url, params, body, now: shared.clock.now(), fault })
}

/** The request with its body, which was read. */
function readAgain({ url, method, headers }: Request, body: Uint8Array): Request {
  return new Request(url, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) })
}

/** What came as bearer, and the refresh token of a form or of JSON. */
function tokensOf({ request, body, route }: Asked): string[] {
  const text = route.operation === TOKEN ? new TextDecoder().decode(body) : ''
  const refresh = /"refresh_token"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? new URLSearchParams(text).get('refresh_token')
  return [bearerOf(request), refresh ?? undefined].filter((token) => token !== undefined)
}
