import type { RefusalCause, StandInRoute } from '../stand-in.ts'
import type { Grant } from './grants.ts'
import type { StandInState } from './stand-in-state.ts'
import { unknownParameter } from './unknown-parameter.ts'

export type RouteCall = {
  request: Request
  url: URL
  params: Readonly<Record<string, string>>
  body: Uint8Array
  now: number
  fault(name: string): { value: number } | undefined
}

/** Answers a call of the provider's API, whose token has to be good. */
export async function serveRoute(state: StandInState, route: StandInRoute, call: RouteCall): Promise<Response> {
  const { request, url, params, body, now, fault } = call
  const grant = route.open ? undefined : checkToken(state, request)
  if (typeof grant === 'string') return unauthorized(state, grant)
  const accounts = state.accounts()
  const account = grant === undefined ? accounts[0] : accounts.find(({ id }) => id === grant.accountId)
  if (account === undefined) return unauthorized(state, 'revoked')
  const scopes = grant?.scopes ?? []
  const type = request.headers.get('content-type') ?? ''
  const known = state.standIn.parameters[route.operation] ?? { query: [] }
  const unknown = unknownParameter(known, { query: url.searchParams, body, type })
  if (unknown !== undefined) return state.standIn.unknownParameter(unknown)
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

function checkToken({ grants }: StandInState, request: Request): Grant | TokenFlaw {
  const token = bearerOf(request)
  return token === undefined ? 'absent' : grants.check(token)
}

type TokenFlaw = NonNullable<RefusalCause['token']>

function unauthorized({ standIn }: StandInState, token: TokenFlaw): Response {
  return standIn.refusal({ status: 401, reason: 'unauthorized', retryAfter: undefined, token })
}

/** The token of RFC 6750 section 2.1, if there is one. */
export function bearerOf(request: Request): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}
