import type { Fetch } from '../../../src/ports.ts'
import { bearerFetch, isBelow } from './bearer-fetch.ts'
import type { Access } from './load-access.ts'
import { repeatableRequest } from './repeatable-request.ts'
import type { TokenKeeper } from './token-keeper.ts'

/**
 * A fetch that carries the access token of a credential: renewed before it ends, and once after a 401, when the request is
 * sent again if its body could be kept.
 */
export function authorizedFetch(keeper: TokenKeeper, credentialId: string): Fetch {
  return async (request) => {
    const { signal } = request
    const access = await keeper.access(credentialId, { signal })
    const { next, again } = await repeatableRequest(request)
    const response = await send(access, next)
    if (response.status !== 401 || !isBelow(request.url, access.enabled.apiUrl)) return response
    const renewed = await keeper.access(credentialId, { refused: access.tokens, signal })
    if (again === undefined) return response
    await response.body?.cancel()
    return await send(renewed, again())
  }
}

async function send({ enabled, tokens }: Access, request: Request): Promise<Response> {
  return await bearerFetch(enabled, tokens.accessToken)(request)
}
