import type { SandboxOAuth } from '../core/sandbox-provider.ts'
import { formParams } from '../core/token-params.ts'

/** What an application asks a person for. */
export type ConsentAsk = {
  redirectUri: string
  state: string | undefined
  scopes: readonly string[]
  /** Of PKCE, made with S256. */
  challenge: string | undefined
}

/** How an authorization request begins: with a question, a person who is told what is wrong, or an application that is. */
export type ConsentBegun =
  | { ask: ConsentAsk }
  | { flaw: string }
  | { refused: { ask: Pick<ConsentAsk, 'redirectUri' | 'state'>; error: string; description: string } }

const REDIRECT_LENGTH_MAX = 2000
const STATE_LENGTH_MAX = 2000

/**
 * Reads an authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3). Nobody is sent to an address that is not
 * sound, or for a client that is unknown (section 4.1.2.1).
 */
export function consentAsk(query: string, oauth: SandboxOAuth, clientId: string): ConsentBegun {
  const once = formParams(query)
  const params = once ?? Object.fromEntries(new URLSearchParams(query))
  if (params.client_id !== clientId) return { flaw: 'The link names an application that the sandbox does not know.' }
  const redirectUri = params.redirect_uri ?? ''
  const unsound = findRedirectFlaw(redirectUri)
  if (unsound !== undefined) return { flaw: unsound }
  const state = params.state === undefined || params.state === '' ? undefined : params.state
  if (state !== undefined && state.length > STATE_LENGTH_MAX)
    return { flaw: 'The link is longer than the sandbox takes.' }
  const begun = { redirectUri, state }
  if (once === undefined) return refuseAsk('invalid_request', 'A parameter comes twice.')
  const { response_type: type, code_challenge: challenge, code_challenge_method: method } = params
  if (type !== 'code') return refuseAsk('unsupported_response_type', 'response_type has to be code.')
  if (oauth.pkce && challenge !== undefined && (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)))
    return refuseAsk('invalid_request', 'code_challenge has to be one of S256.')
  const scopes = splitScopes(params[oauth.scopeParameter] ?? '')
  const odd = oddScope(scopes, oauth.scopes)
  if (odd !== undefined) return refuseAsk('invalid_scope', odd)
  return { ask: { ...begun, scopes, challenge: oauth.pkce ? challenge : undefined } }

  function refuseAsk(error: string, description: string): ConsentBegun {
    return { refused: { ask: begun, error, description } }
  }
}

/** Where a redirect address leads: scheme, host and port. */
export function getOrigin(redirectUri: string): string {
  return new URL(redirectUri).origin
}

/**
 * The same for the policy of a page, which knows names and IPv4 addresses only (CSP 3 section 2.3.1); for others the scheme has to
 * do.
 */
export function toFormAction(redirectUri: string): string {
  const { origin, host, protocol } = new URL(redirectUri)
  return /^[a-z0-9.-]+(:\d+)?$/.test(host) ? origin : protocol
}

/** The host is also put into a policy of the page, where other signs would mean something. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i

function findRedirectFlaw(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || address.length > REDIRECT_LENGTH_MAX || !/^https?:$/.test(url.protocol))
    return 'The link does not say where to go afterwards, or not as a web address.'
  if (!HOST.test(url.host) || url.username !== '' || url.password !== '' || address.includes('#'))
    return 'The address to go to afterwards has parts that it must not have.'
  return undefined
}

function splitScopes(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))]
}

function oddScope(scopes: readonly string[], known: SandboxOAuth['scopes']): string | undefined {
  if (known === undefined) return undefined
  if (scopes.length === 0) return 'No scope is asked for.'
  // What is said about an error has printable ASCII only, without quotes (RFC 6749 section 4.1.2.1).
  const odd = scopes.find((scope) => !Object.hasOwn(known, scope))
  return odd && `The scope ${odd.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 200)} is unknown.`
}
