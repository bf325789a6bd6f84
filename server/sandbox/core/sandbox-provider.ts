import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The sandbox of one provider: the part of its public API that adapters and the official SDKs use. */
export type SandboxProvider = {
  id: ProviderId
  /**
   * The name of the service in the sandbox, such as `Google Drive (sandbox)`, which distinguishes it from the real one.
   * The server's pages use the same name.
   */
  service: string
  /** The properties of its consent and token endpoints. Paths are relative to the base URL of this sandbox provider. */
  oauth: SandboxOAuth
  /** Creates the accounts with their initial content, for each sandbox. */
  accounts(seed: Seed): SandboxAccount[]
  /** The path of the adapter's `apiUrl` below the base URL, such as `/api`; usually empty. */
  apiPath: string
  routes: readonly SandboxRoute[]
  /** The published parameters of each operation. Any other parameter is refused. */
  parameters: Readonly<Record<string, KnownParameters>>
  /** Refuses a parameter that the operation does not have, in the provider's own format. */
  unknownParameter(unknown: UnknownParameter): Response
  /** Builds the provider's error for a requested fault, an invalid token or an unknown path: body and headers. */
  refusal(fault: RefusalCause): Response
  /** Changes of an account's content by name, for `POST …/control/accounts/<provider>/<account>/<name>`. */
  changes: Readonly<Record<string, SandboxChange>>
}

/** Names of parameters. Without `body`, the route checks the body. */
export type KnownParameters = { query: readonly string[]; body?: readonly string[] }

export type UnknownParameter = { where: 'query' | 'body'; name: string; value: unknown }

export type Refusal = 'rate_limited' | 'unauthorized' | 'server_error' | 'overloaded' | 'not_found'

export type RefusalCause = {
  /** The usual status for the reason, or the requested one. A provider may use a different one. */
  status: number
  reason: Refusal
  /** In seconds. */
  retryAfter: number | undefined
  /** For `unauthorized`: why the token is invalid, for providers that report it. */
  token?: 'absent' | 'unknown' | 'expired' | 'revoked'
}

export type SandboxOAuth = {
  authorizePath: string
  tokenPath: string
  revokePath?: string
  /** Builds a token reply from the tokens that the core issued. */
  tokenReply(issued: IssuedTokens): Record<string, unknown>
  /** Builds a refusal of the token endpoint (RFC 6749 section 5.2, or the provider's own format). */
  tokenRefusal(error: string, description: string): Response
  /** How clients authenticate, and how they send parameters. */
  clientAuthentication: 'basic' | 'post'
  tokenRequest: 'form' | 'json'
  scopeParameter: 'scope' | 'user_scope'
  pkce: boolean
  /**
   * A description of each scope for the consent page, as a phrase after `memctl may`, such as `read your messages`.
   * Other scopes are refused as `invalid_scope`. Absent if the provider has no scopes.
   */
  scopes?: Readonly<Record<string, string>>
  /** Set if each refresh token is used once and replaced. Otherwise it stays valid, and replies have no new one. */
  rotatesRefreshTokens?: true
  /** `iss` in the callback (RFC 9207), if the provider sends it. */
  issuer?: string
  /** Answers a revocation of `token`; `revoke` invalidates all tokens of its grant. */
  revocation(request: Request, revoke: (token: string) => boolean): Promise<Response>
}

export type IssuedTokens = {
  accessToken: string
  refreshToken: string | undefined
  expiresInSeconds: number
  scope: string
  account: SandboxAccount
  /**
   * Set if the tokens were issued for a refresh token instead of a code. Some providers use another format for that.
   */
  renewed: boolean
}

/**
 * `now` is the end of seeded content in milliseconds: never later than the sandbox's clock, and the same after a
 * restart. `random` returns the same sequence of numbers in [0, 1) every time.
 */
export type Seed = { now: number; random(): number }

/** An account that a user can choose on the consent page. Only its sandbox provider interprets `content`. */
export type SandboxAccount = { id: string; name: string; email: string; content: unknown }

export type SandboxRoute = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  /** With parameters as `{name}`, relative to the base URL of this sandbox provider. */
  path: string
  /** The operation in the provider's published description, such as `drive.files.list`. */
  operation: string
  /** Requires no token. */
  open?: true
  answer(call: SandboxCall): Promise<Response> | Response
}

export type SandboxCall = {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The body, read within a limit; empty if there is none. */
  body: Uint8Array
  /** The token's account; for an open route, the first one. */
  account: SandboxAccount
  /** The scopes of the token. */
  scopes: readonly string[]
  /** Milliseconds since 1970 by the sandbox's clock, which tests can move. */
  now: number
  /**
   * Takes a requested fault that a route implements itself, such as `repeat_cursor` or `lag`; undefined if there is
   * none.
   */
  fault(name: string): { value: number } | undefined
  /** The public base URL of this sandbox provider, without a slash at the end. */
  base: string
}

/** Changes content. Returns a JSON value for the test. Throws an Error that describes the problem with `input`. */
export type SandboxChange = (account: SandboxAccount, input: unknown, at: { now: number; random(): number }) => unknown
