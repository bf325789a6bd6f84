import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  customFetch,
  nopkce,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse
} from 'oauth4webapi'
import { type Millis, toMillis } from '../../../src/contract/milliseconds.ts'
import type { Clock, Log } from '../../../src/ports.ts'
import { type Asked, ask, type Replied } from '../../providers/http/ask.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import type { EnabledProvider } from '../oauth.ts'
import { tokenFailureOf } from './token-failure.ts'
import { tokenReply } from './token-reply.ts'

/** What a token endpoint gives. `scopes` is absent where it says nothing of them. */
export type Grant = {
  accessToken: string
  refreshToken: string | undefined
  scopes: readonly string[] | undefined
  expiresInMs: Millis | undefined
}

/** Whose endpoints are called, with what. */
export type EndpointCall = { enabled: EnabledProvider; clock: Clock; log: Log; signal: AbortSignal }

/** What came back at the callback, as `validateAuthResponse` gives it. */
export type CodeExchange = { callback: URLSearchParams; redirectUri: string; verifier: string | undefined }

/**
 * Exchanges a code for tokens (RFC 6749 section 4.1.3).
 *
 * @throws ProviderFailure with a sentence without secrets.
 */
export async function exchangeCode(
  call: EndpointCall,
  { callback, redirectUri, verifier }: CodeExchange
): Promise<Grant> {
  const { as, client, authentication } = protocolOf(call.enabled)
  const options = throughTokenEndpoint(call)
  const secrets = [callback.get('code'), callback.get('state'), verifier, call.enabled.clientSecret]
  return await granted(call, secrets, async () => {
    const asked = [as, client, authentication, callback, redirectUri, verifier ?? nopkce, options] as const
    return await processAuthorizationCodeResponse(as, client, await authorizationCodeGrantRequest(...asked))
  })
}

/**
 * Renews tokens (RFC 6749 section 6).
 *
 * @throws ProviderFailure `grant_dead` where the grant is over; others as above.
 */
export async function renewGrant(call: EndpointCall, refreshToken: string): Promise<Grant> {
  const { as, client, authentication } = protocolOf(call.enabled)
  const options = throughTokenEndpoint(call)
  return await granted(call, [refreshToken, call.enabled.clientSecret], async () => {
    const response = await refreshTokenGrantRequest(as, client, authentication, refreshToken, options)
    return await processRefreshTokenResponse(as, client, response)
  })
}

/** What oauth4webapi has to know of a provider. */
export function protocolOf({ oauth, clientId, clientSecret }: EnabledProvider): Protocol {
  const as: AuthorizationServer = {
    issuer: oauth.issuer ?? new URL(oauth.authorizeUrl).origin,
    token_endpoint: oauth.tokenUrl,
    ...(oauth.revokeUrl !== undefined && { revocation_endpoint: oauth.revokeUrl })
  }
  const isBasic = oauth.clientAuthentication === 'basic'
  const authentication = isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
  return { as, client: { client_id: clientId }, authentication }
}

export type Protocol = { as: AuthorizationServer; client: Client; authentication: ClientAuth }

/** What oauth4webapi makes of a call of its. */
export type Prepared = Pick<CustomFetchOptions<'POST', URLSearchParams>, 'body' | 'headers'>

/** Has oauth4webapi send by a function of ours. Which addresses may be plain http is settled where settings are read. */
export function sendBy(send: (url: string, prepared: Prepared) => Promise<Response>) {
  return { [allowInsecureRequests]: true, [customFetch]: send }
}

/** Sends to a token endpoint in the form that it takes, and reads what it answers. */
function throughTokenEndpoint(call: EndpointCall) {
  const { oauth } = call.enabled
  return sendBy(async (url, { body, headers: { 'content-type': _, ...headers } }) => {
    const parameters = Object.fromEntries(body)
    const sent = oauth.tokenRequest === 'json' ? { json: parameters } : { form: parameters }
    const replied = await askEndpoint(call, url, { headers, ...sent })
    return tokenReply(replied, { oauth, name: tokenEndpointName(call.enabled) })
  })
}

/** How large a reply may be, and how long it may take: somebody waits for most of them, and is to be answered within 15 seconds. */
const BYTES_MAX = 1024 * 1024
const WAIT_MS = 10_000

/** Calls an endpoint of the provider, within these limits. Redirects are not followed. */
export async function askEndpoint(
  { enabled, clock, log, signal }: EndpointCall,
  url: string,
  sent: Pick<Asked, 'headers' | 'json' | 'form'>
): Promise<Replied> {
  const { service } = enabled.provider.facts
  const limits = { service, method: 'POST', path: '', bytesMax: BYTES_MAX, waitMs: WAIT_MS } as const
  try {
    return await ask({ fetch: enabled.fetch, apiUrl: url, clock, log, signal }, { ...limits, ...sent })
  } catch (error) {
    // What would be wrong with a file is wrong with the endpoint.
    if (!(error instanceof ProviderFailure && error.kind === 'item_permanent')) throw error
    throw new ProviderFailure('contract_broken', `the reply of ${new URL(url).host} cannot be used: ${error.message}`)
  }
}

/** Visible characters of ASCII and spaces (RFC 6749 appendices A.12 and A.17), and no more than servers take in a header. */
const TOKEN = /^[\x20-\x7e]{1,16384}$/

function refuseOddToken(token: string | undefined): void {
  if (token !== undefined && !TOKEN.test(token))
    throw new OperationProcessingError('a token has characters that none has, or too many of them')
}

/** What is longer counts as this, which a time can hold: ten years. */
const LIFE_MS_MAX = 10 * 365 * 24 * 3600 * 1000

/** Returns the life of a token whose reply names it in seconds, which oauth4webapi has found to be a positive number. */
function lifeOf(seconds: number): Millis {
  return toMillis(Math.min(Math.round(seconds * 1000), LIFE_MS_MAX))
}

async function granted(
  call: EndpointCall,
  secrets: (string | null | undefined)[],
  run: () => Promise<TokenEndpointResponse>
): Promise<Grant> {
  try {
    const { access_token, refresh_token, scope, expires_in } = await run()
    for (const token of [access_token, refresh_token]) refuseOddToken(token)
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      scopes: scope?.split(/[\s,]+/).filter((one) => one !== ''),
      expiresInMs: expires_in === undefined ? undefined : lifeOf(expires_in)
    }
  } catch (error) {
    const known = secrets.filter((secret) => typeof secret === 'string')
    throw tokenFailureOf(error, { name: tokenEndpointName(call.enabled), secrets: known })
  }
}

function tokenEndpointName({ provider, oauth }: EnabledProvider): string {
  return `the token address of ${provider.facts.service} (${new URL(oauth.tokenUrl).host})`
}
