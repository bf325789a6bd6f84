import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The sandbox provider for one provider: the part of its public wire that adapters and the official SDKs use. */
export type SandboxProvider = {
  id: ProviderId
  /**
   * What people call the service, in the sandbox: never the real one's name alone, as in `Google Drive (sandbox)`. The pages of
   * the server call it the same.
   */
  service: string
  /** How its consent and token endpoints look, if not the usual way. Paths begin behind the base of this sandbox provider. */
  oauth: SandboxOAuth
  /** Accounts with their content, as they are at the start. Made anew for each sandbox. */
  accounts(seed: Seed): SandboxAccount[]
  /** What the adapter's `apiUrl` has behind the base of this sandbox provider, as in `/api`; empty for most. */
  apiPath: string
  routes: readonly SandboxRoute[]
  /** What each operation takes, as its provider publishes it. Anything else is refused. */
  parameters: Readonly<Record<string, KnownParameters>>
  /** Refuses a parameter that the operation does not have, in the provider's own shape. */
  unknownParameter(unknown: UnknownParameter): Response
  /** Shapes a fault that was ordered, a token that is no good or a path that is unknown as this provider would: its error body and headers. */
  refusal(fault: RefusalCause): Response
  /** Ways to change the content of an account, by name, for `POST …/control/accounts/<provider>/<account>/<name>`. */
  changes: Readonly<Record<string, SandboxChange>>
}

/** Names of parameters; without `body`, what comes in a body is left to the route. */
export type KnownParameters = { query: readonly string[]; body?: readonly string[] }

export type UnknownParameter = { where: 'query' | 'body'; name: string; value: unknown }

export type Refusal = 'rate_limited' | 'unauthorized' | 'server_error' | 'overloaded' | 'not_found'

export type RefusalCause = {
  /** The usual one for the reason, or the one that was ordered. A provider that answers otherwise may take another. */
  status: number
  reason: Refusal
  /** Seconds. */
  retryAfter: number | undefined
  /** Of `unauthorized`: what is wrong with the token, for providers that tell. */
  token?: 'absent' | 'unknown' | 'expired' | 'revoked'
}

export type SandboxOAuth = {
  authorizePath: string
  tokenPath: string
  revokePath?: string
  /** What a token reply is made of, from the tokens that the core issued. */
  tokenReply(issued: IssuedTokens): Record<string, unknown>
  /** A refusal of the token endpoint (RFC 6749 section 5.2, or as the provider does it). */
  tokenRefusal(error: string, description: string): Response
  /** Where clients authenticate, and how they send parameters. */
  clientAuthentication: 'basic' | 'post'
  tokenRequest: 'form' | 'json'
  scopeParameter: 'scope' | 'user_scope'
  pkce: boolean
  /**
   * What each scope allows, in words that follow `memctl may`, as in `read your messages`: for the consent page. Others are refused as
   * `invalid_scope`. Absent where the provider has no scopes.
   */
  scopes?: Readonly<Record<string, string>>
  /** A refresh token may be used once and is replaced by the reply; else it stays, and replies have no new one. */
  rotatesRefreshTokens?: true
  /** `iss` in the callback (RFC 9207), where it has one. */
  issuer?: string
  /** Answers a revocation of `token`; `revoke` makes all tokens of its grant void. */
  revocation(request: Request, revoke: (token: string) => boolean): Promise<Response>
}

export type IssuedTokens = {
  accessToken: string
  refreshToken: string | undefined
  expiresInSeconds: number
  scope: string
  account: SandboxAccount
  /** They are for a refresh token, not for a code: some providers answer that in another shape. */
  renewed: boolean
}

/**
 * `now` is when the seeded content ends, in milliseconds: never after the sandbox's clock, and the same after a restart.
 * `random` gives the same numbers in [0, 1) every time.
 */
export type Seed = { now: number; random(): number }

/** An account that a person can choose on the consent page. `content` means something to its sandbox provider alone. */
export type SandboxAccount = { id: string; name: string; email: string; content: unknown }

export type SandboxRoute = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  /** With `{name}` for parameters; begins behind the base of this sandbox provider. */
  path: string
  /** Which operation of the provider's published description it is, as in `drive.files.list`. */
  operation: string
  /** Needs no token. */
  open?: true
  answer(call: SandboxCall): Promise<Response> | Response
}

export type SandboxCall = {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The body, read within a limit; empty where there is none. */
  body: Uint8Array
  /** Of the token. Of an open route the first one. */
  account: SandboxAccount
  /** What scopes the token has. */
  scopes: readonly string[]
  /** Milliseconds since 1970 by the sandbox's clock, which tests move. */
  now: number
  /** Orders of faults that a route of this operation carries out itself, as in `repeat_cursor` or `lag`; undefined where none is due. */
  fault(name: string): { value: number } | undefined
  /** The address of this sandbox provider from outside, without a slash at the end. */
  base: string
}

/** Changes content; `now` as above. Gives back what a test wants to know, as JSON. Throws an Error that says what is wrong with `input`. */
export type SandboxChange = (account: SandboxAccount, input: unknown, at: { now: number; random(): number }) => unknown
