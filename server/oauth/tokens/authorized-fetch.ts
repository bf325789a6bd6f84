import type { Clock, Fetch } from '../../../src/ports.ts'
import { createPacedFetch } from '../../providers/http/paced-fetch.ts'
import { bearerFetch, isBelow } from './bearer-fetch.ts'
import type { Access } from './load-access.ts'
import type { Paces } from './paces.ts'
import { type Judged, judgeReply } from './refused-token.ts'
import { repeatableRequest } from './repeatable-request.ts'
import type { TokenKeeper } from './token-keeper.ts'

export type AuthorizedParts = { keeper: TokenKeeper; paces: Paces; clock: Clock }

/**
 * A fetch that carries the access token of a credential: renewed before it ends, and once after it was refused, when the request
 * is sent again if its body could be kept. After a 429 nothing is sent before the time that the provider demands.
 */
export function authorizedFetch({ keeper, paces, clock }: AuthorizedParts, credentialId: string): Fetch {
  return async (request) => {
    const { signal } = request
    const access = await keeper.access(credentialId, { signal })
    const { next, again } = await repeatableRequest(request)
    const { response, isRefused } = await send(access, next)
    if (!isRefused) return response
    const renewed = await keeper.access(credentialId, { refused: access.tokens, signal })
    if (again === undefined) return response
    await response.body?.cancel()
    return (await send(renewed, again())).response
  }

  async function send({ enabled, tokens }: Access, request: Request): Promise<Judged> {
    const bearer = bearerFetch(enabled, tokens.accessToken)
    // What another host says is neither about the token nor about how often the API may be called.
    if (!isBelow(request.url, enabled.apiUrl)) return { response: await bearer(request), isRefused: false }
    const { paceBy } = enabled.provider.facts
    const response = await createPacedFetch(bearer, { clock, pace: paces.of(credentialId), paceBy })(request)
    return await judgeReply(response, enabled.oauth)
  }
}
