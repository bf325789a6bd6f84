import type { SandboxOAuth } from '../core/sandbox-provider.ts'
import { formParams } from '../core/token-params.ts'

/** The content of an application's authorization request. */
export type ConsentAsk = {
  redirectUri: string
  state: string | undefined
  scopes: readonly string[]
  /** The PKCE challenge, made with S256. */
  challenge: string | undefined
}

/**
 * The start of an authorization request: a question to the user, an error shown to the user, or an error returned to
 * the application.
 */
export type ConsentBegun =
  | { ask: ConsentAsk }
  | { flaw: string }
  | { refused: { ask: Pick<ConsentAsk, 'redirectUri' | 'state'>; error: string; description: string } }

const REDIRECT_LENGTH_MAX = 2000
const STATE_LENGTH_MAX = 2000

/**
 * Parses an authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3). The user is not redirected to an
 * invalid address or for an unknown client (section 4.1.2.1).
 */
export function consentAsk(query: string, oauth: SandboxOAuth, clientId: string): ConsentBegun {
  const once = formParams(query)
  const params = once ?? Object.fromEntries(new URLSearchParams(query))
  if (params.client_id !== clientId) return { flaw: 'The link contains an unknown client_id.' }
  const redirectUri = params.redirect_uri ?? ''
  const unsound = findRedirectFlaw(redirectUri)
  if (unsound !== undefined) return { flaw: unsound }
  const state = params.state === undefined || params.state === '' ? undefined : params.state
  if (state !== undefined && state.length > STATE_LENGTH_MAX) return { flaw: 'The link is too long.' }
  const begun = { redirectUri, state }
  if (once === undefined) return refuseAsk('invalid_request', 'The link contains a parameter twice.')
  const { response_type: type, code_challenge: challenge, code_challenge_method: method } = params
  if (type !== 'code') return refuseAsk('unsupported_response_type', 'response_type must be code.')
  if (oauth.pkce && challenge !== undefined && (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)))
    return refuseAsk('invalid_request', 'code_challenge_method must be S256, with a code_challenge.')
  const scopes = splitScopes(params[oauth.scopeParameter] ?? '')
  const odd = oddScope(scopes, oauth.scopes)
  if (odd !== undefined) return refuseAsk('invalid_scope', odd)
  return { ask: { ...begun, scopes, challenge: oauth.pkce ? challenge : undefined } }

  function refuseAsk(error: string, description: string): ConsentBegun {
    return { refused: { ask: begun, error, description } }
  }
}

/** Returns scheme, host and port of a redirect address. */
export function getOrigin(redirectUri: string): string {
  return new URL(redirectUri).origin
}

/**
 * Returns the source of a redirect address for the page's policy. CSP supports only names and IPv4 addresses (CSP 3
 * section 2.3.1); for other hosts the scheme is used.
 */
export function toFormAction(redirectUri: string): string {
  const { origin, host, protocol } = new URL(redirectUri)
  return /^[a-z0-9.-]+(:\d+)?$/.test(host) ? origin : protocol
}

/** The host is also inserted into the page's policy, where other characters would have a meaning. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i

function findRedirectFlaw(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || address.length > REDIRECT_LENGTH_MAX || !/^https?:$/.test(url.protocol))
    return 'The link has no valid redirect_uri.'
  if (!HOST.test(url.host) || url.username !== '' || url.password !== '' || address.includes('#'))
    return 'The redirect_uri has parts that are not allowed.'
  return undefined
}

function splitScopes(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))]
}

function oddScope(scopes: readonly string[], known: SandboxOAuth['scopes']): string | undefined {
  if (known === undefined) return undefined
  if (scopes.length === 0) return 'The link requests no scope.'
  // An error description contains only printable ASCII, without quotes (RFC 6749 section 4.1.2.1).
  const odd = scopes.find((scope) => !Object.hasOwn(known, scope))
  return odd && `The scope ${odd.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 200)} is unknown.`
}
