import { ClientSecretBasic, revocationRequest } from 'oauth4webapi'
import type { Replied } from '../../providers/http/ask.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import { askEndpoint, type EndpointCall, sendBy, toProtocol } from './exchange-code.ts'
import { soundObject } from './sound-object.ts'

/** The parts of a grant that a revocation may need. */
export type Revocable = { accessToken: string; refreshToken: string | undefined }

/** Revokes a grant at the provider. Returns false if the provider cannot be reached or refuses. */
export async function requestRevocation(call: EndpointCall, tokens: Revocable): Promise<boolean> {
  const { oauth } = call.enabled
  if (oauth.revokeUrl === undefined) return false
  try {
    const replied = await REVOCATIONS[oauth.revocation](call, oauth.revokeUrl, tokens)
    return isOver(replied, oauth.refusesWith200)
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof ProviderFailure) return false
    throw error
  }
}

type Revocation = (call: EndpointCall, revokeUrl: string, tokens: Revocable) => Promise<Replied>

const REVOCATIONS: Readonly<Record<EndpointCall['enabled']['oauth']['revocation'], Revocation>> = {
  /** RFC 7009. Revoking the refresh token also revokes its access tokens (section 2.1). */
  rfc7009: async (call, _, { accessToken, refreshToken }) => {
    const { as, client, authentication } = toProtocol(call.enabled)
    const replies: Replied[] = []
    const options = sendBy(async (url, { body, headers: { 'content-type': _type, ...headers } }) => {
      replies.push(await askEndpoint(call, url, { headers, form: Object.fromEntries(body) }))
      return new Response()
    })
    await revocationRequest(as, client, authentication, refreshToken ?? accessToken, options)
    return replies[0] ?? fail()
  },
  /** https://docs.slack.dev/reference/methods/auth.revoke */
  bearer: async (call, revokeUrl, { accessToken }) =>
    await askEndpoint(call, revokeUrl, { headers: { authorization: `Bearer ${accessToken}` }, form: {} }),
  /** https://developers.notion.com/reference/revoke-token */
  client_json: async (call, revokeUrl, { accessToken }) => {
    const { as, client } = toProtocol(call.enabled)
    const headers = new Headers()
    await ClientSecretBasic(call.enabled.clientSecret)(as, client, new URLSearchParams(), headers)
    return await askEndpoint(call, revokeUrl, { headers: Object.fromEntries(headers), json: { token: accessToken } })
  }
}

/** Errors by which a provider says that there is nothing left to revoke. */
const OVER_ALREADY = new Set(['invalid_token', 'token_revoked', 'invalid_auth', 'account_inactive'])

function isOver({ status, bytes }: Replied, refusesWith200: boolean): boolean {
  const said = soundObject(bytes)
  if (status === 200 && !(refusesWith200 && said?.ok !== true)) return true
  return status < 500 && typeof said?.error === 'string' && OVER_ALREADY.has(said.error)
}

function fail(): never {
  throw new Error('could not send a revocation')
}
