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
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  UnsupportedOperationError
} from 'oauth4webapi'
import { type Millis, toMillis } from '../../../src/contract/epoch-ms.ts'
import type { Clock, Log } from '../../../src/ports.ts'
import { type Asked, ask, type Replied } from '../../providers/http/ask.ts'
import { readRetryAfter } from '../../providers/http/read-retry-after.ts'
import { plainWords } from '../../providers/port/plain-words.ts'
import type { OAuthFacts } from '../../providers/port/provider.ts'
import { type FailureKind, ProviderFailure } from '../../providers/port/provider-failure.ts'
import type { EnabledProvider } from './enabled-provider.ts'
import { soundObject } from './sound-object.ts'

/** The reply of a token endpoint. `scopes` is undefined if the reply does not contain them. */
export type TokenGrant = {
  accessToken: string
  refreshToken: string | undefined
  scopes: readonly string[] | undefined
  expiresInMs: Millis | undefined
}

/** The provider whose endpoint is called, with the means to call it. */
export type EndpointCall = { enabled: EnabledProvider; clock: Clock; log: Log; signal: AbortSignal }

/** The callback parameters from `validateAuthResponse`, with the rest of a code exchange. */
type CodeExchange = { callback: URLSearchParams; redirectUri: string; verifier: string | undefined }

/**
 * Exchanges a code for tokens (RFC 6749 section 4.1.3).
 *
 * @throws ProviderFailure whose message has no secrets.
 */
export async function exchangeCode(
  call: EndpointCall,
  { callback, redirectUri, verifier }: CodeExchange
): Promise<TokenGrant> {
  const { as, client, authentication } = toProtocol(call.enabled)
  const options = throughTokenEndpoint(call)
  const secrets = [callback.get('code'), callback.get('state'), verifier, call.enabled.clientSecret]
  return await requestGrant(call, secrets, async () => {
    const asked = [as, client, authentication, callback, redirectUri, verifier ?? nopkce, options] as const
    return await processAuthorizationCodeResponse(as, client, await authorizationCodeGrantRequest(...asked))
  })
}

/**
 * Renews tokens (RFC 6749 section 6).
 *
 * @throws ProviderFailure `grant_dead` if the grant is dead; others as above.
 */
export async function renewGrant(call: EndpointCall, refreshToken: string): Promise<TokenGrant> {
  const { as, client, authentication } = toProtocol(call.enabled)
  const options = throughTokenEndpoint(call)
  return await requestGrant(call, [refreshToken, call.enabled.clientSecret], async () => {
    const response = await refreshTokenGrantRequest(as, client, authentication, refreshToken, options)
    return await processRefreshTokenResponse(as, client, response)
  })
}

/** Returns the description of a provider that oauth4webapi needs. */
export function toProtocol({ oauth, clientId, clientSecret }: EnabledProvider): Protocol {
  const as: AuthorizationServer = {
    issuer: oauth.issuer ?? new URL(oauth.authorizeUrl).origin,
    token_endpoint: oauth.tokenUrl,
    ...(oauth.revokeUrl !== undefined && { revocation_endpoint: oauth.revokeUrl })
  }
  const isBasic = oauth.clientAuthentication === 'basic'
  const authentication = isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
  return { as, client: { client_id: clientId }, authentication }
}

type Protocol = { as: AuthorizationServer; client: Client; authentication: ClientAuth }

/** The request that oauth4webapi has prepared. */
type Prepared = Pick<CustomFetchOptions<'POST', URLSearchParams>, 'body' | 'headers'>

/** Makes oauth4webapi send its requests through a function. The settings decide which addresses may use plain HTTP. */
export function sendBy(send: (url: string, prepared: Prepared) => Promise<Response>) {
  return { [allowInsecureRequests]: true, [customFetch]: send }
}

/** Sends a request to a token endpoint in the form that the provider accepts, and reads the reply. */
function throughTokenEndpoint(call: EndpointCall) {
  const { oauth } = call.enabled
  return sendBy(async (url, { body, headers: { 'content-type': _, ...headers } }) => {
    const parameters = Object.fromEntries(body)
    const sent = oauth.tokenRequest === 'json' ? { json: parameters } : { form: parameters }
    const replied = await askEndpoint(call, url, { headers, ...sent })
    return tokenReply(replied, { oauth, name: tokenEndpointName(call.enabled) })
  })
}

/** Limits of the size and time of a reply. A person waits for most replies and must get an answer within 15 seconds. */
const BYTES_MAX = 1024 * 1024
const WAIT_MS = 10_000

/** Calls an endpoint of the provider within these limits. Does not follow redirects. */
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
    // A failure that would concern an item concerns the endpoint here.
    if (!(error instanceof ProviderFailure && error.kind === 'item_permanent')) throw error
    throw new ProviderFailure(
      'contract_broken',
      `the response of ${new URL(url).host} cannot be used: ${error.message}`
    )
  }
}

/**
 * Visible ASCII characters and spaces (RFC 6749 appendices A.12 and A.17), up to the length that servers accept in a
 * header.
 */
const TOKEN = /^[\x20-\x7e]{1,16384}$/

function refuseOddToken(token: string | undefined): void {
  if (token !== undefined && !TOKEN.test(token))
    throw new OperationProcessingError('a token contains invalid characters or is too long')
}

/** The longest lifetime, ten years. A longer one is reduced to this, so that a time can represent it. */
const LIFE_MS_MAX = 10 * 365 * 24 * 3600 * 1000

/** Returns the lifetime of a token in milliseconds. oauth4webapi has checked that the seconds are a positive number. */
function toLifetime(seconds: number): Millis {
  return toMillis(Math.min(Math.round(seconds * 1000), LIFE_MS_MAX))
}

async function requestGrant(
  call: EndpointCall,
  secrets: (string | null | undefined)[],
  run: () => Promise<TokenEndpointResponse>
): Promise<TokenGrant> {
  try {
    const { access_token, refresh_token, scope, expires_in } = await run()
    for (const token of [access_token, refresh_token]) refuseOddToken(token)
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      scopes: scope?.split(/[\s,]+/).filter((one) => one !== ''),
      expiresInMs: expires_in === undefined ? undefined : toLifetime(expires_in)
    }
  } catch (error) {
    const known = secrets.filter((secret) => typeof secret === 'string')
    throw toTokenFailure(error, { name: tokenEndpointName(call.enabled), secrets: known })
  }
}

function tokenEndpointName({ provider, oauth }: EnabledProvider): string {
  const { origin, pathname } = new URL(oauth.tokenUrl)
  return `the token endpoint of ${provider.facts.service} (${origin}${pathname})`
}

/**
 * Turns an error of a token endpoint into a failure that can be shown. The cause is left out, because it contains the
 * reply and possibly tokens. Returns any other error unchanged.
 */
function toTokenFailure(error: unknown, { name, secrets }: { name: string; secrets: string[] }): unknown {
  if (error instanceof ResponseBodyError) {
    const code = plainWords(error.error, secrets)
    const description = plainWords(String(error.error_description ?? ''), secrets)
    const said = description === '' ? code : `${code} (${description})`
    return new ProviderFailure(KINDS[error.error] ?? 'contract_broken', `${name} refused: ${said}`)
  }
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new ProviderFailure('contract_broken', `${name} returned no usable token: ${error.message}`)
  return error
}

/**
 * The meaning of the errors of token endpoints: RFC 6749 sections 4.1.2.1 and 5.2, and
 * https://docs.slack.dev/reference/methods/oauth.v2.access. The object has no prototype, because the keys are external
 * input.
 */
const KINDS: Readonly<Record<string, FailureKind | undefined>> = Object.assign(Object.create(null), {
  invalid_grant: 'grant_dead',
  invalid_refresh_token: 'grant_dead',
  token_revoked: 'grant_dead',
  token_expired: 'grant_dead',
  account_inactive: 'grant_dead',
  invalid_client: 'auth_expired',
  unauthorized_client: 'auth_expired',
  invalid_client_id: 'auth_expired',
  bad_client_secret: 'auth_expired',
  server_error: 'transient',
  temporarily_unavailable: 'transient',
  internal_error: 'transient',
  fatal_error: 'transient',
  service_unavailable: 'transient',
  request_timeout: 'transient',
  ratelimited: 'rate_limited'
})

/** The facts of the provider whose endpoint replied, and its name in messages. */
type TokenEndpoint = { oauth: OAuthFacts; name: string }

/**
 * Converts a reply of a token endpoint to the form of RFC 6749 section 5, whatever form the provider uses.
 *
 * @throws ProviderFailure `transient` if the endpoint is down, `rate_limited` if it limits requests, `contract_broken`
 * if the reply is not JSON.
 */
function tokenReply({ status, headers, bytes, receivedAt }: Replied, { oauth, name }: TokenEndpoint): Response {
  if (status >= 500 || status === 429) {
    const retry = { retryAfterMs: readRetryAfter(headers, receivedAt) }
    throw new ProviderFailure(
      status === 429 ? 'rate_limited' : 'transient',
      `${name} responded with status ${status}`,
      retry
    )
  }
  if (status >= 300 && status < 400)
    throw new ProviderFailure('contract_broken', `${name} responded with a redirect, which is not followed`)
  const said = soundObject(bytes)
  if (said === undefined)
    throw new ProviderFailure('contract_broken', `${name} responded with status ${status} and no valid JSON object`)
  const refused = oauth.refusesWith200 && said.ok === false
  return Response.json(usualMembers(said, oauth), { status: refused ? 400 : status })
}

/**
 * The members of a reply that are used. The identity token is left out, because it is neither requested nor trusted.
 */
const MEMBERS = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'error', 'error_description']

function usualMembers(said: Record<string, unknown>, { tokensUnder }: OAuthFacts): Record<string, unknown> {
  const under = tokensUnder === undefined ? undefined : said[tokensUnder]
  // Renewed tokens may be at the top level although the first ones were not.
  const holder = typeof under === 'object' && under !== null && 'access_token' in under ? under : {}
  const all: Record<string, unknown> = { ...said, ...holder }
  const named = MEMBERS.filter((name) => all[name] !== undefined && all[name] !== null).map((name) => [name, all[name]])
  // A provider that nests its tokens does not use the standard token type either, for example `user`.
  const type = tokensUnder === undefined ? (all.token_type ?? 'bearer') : 'bearer'
  return { ...Object.fromEntries(named), token_type: type }
}
