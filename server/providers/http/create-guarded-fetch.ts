import type { Fetch } from '../../../src/ports.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { mayBePublicHost } from './is-public-address.ts'

export type GuardParts = {
  /** The addresses of the provider, as configured by the instance's admin. */
  addresses: readonly string[]
  /** Sends to these addresses, wherever they lead. They may be in the admin's own network. */
  own: Fetch
  /** Sends to public addresses only, checked when a name is resolved. */
  foreign: Fetch
}

/** Maximum number of redirects of a GET request. */
const HOPS_MAX = 3

/**
 * Creates a fetch for one provider that sends only to the origins of the admin's addresses. A redirect of a GET request
 * is followed to these origins, or by https to public addresses. Credentials are removed if the origin changes.
 *
 * Rejects with a ProviderFailure `contract_broken` for any other address, and for a redirect of another method.
 */
export function createGuardedFetch({ addresses, own, foreign }: GuardParts): Fetch {
  const origins = new Set(addresses.map((address) => new URL(address).origin))

  return async (request) => {
    let sent = request
    let url = new URL(sent.url)
    if (!origins.has(url.origin))
      throw toRefusal(`a request to ${shown(url)} was not sent: the address is not configured on this server`)
    let response = await own(request)
    for (let hops = 1; isRedirect(response); hops++) {
      if (request.method !== 'GET')
        throw await discardBody(response, `${shown(url)} redirects a ${request.method}, which is not followed`)
      if (hops > HOPS_MAX) throw await discardBody(response, `${shown(url)} redirects too often`)
      const target = toTarget(response, url)
      if (target === undefined) throw await discardBody(response, `${shown(url)} redirects without a valid address`)
      if (!origins.has(target.origin) && !isPublic(target))
        throw await discardBody(response, `${shown(url)} redirects to ${shown(target)}, which is not public`)
      await letGo(response)
      sent = toRedirected(sent, target)
      response = await (origins.has(target.origin) ? own(sent) : toPublic(foreign, sent))
      url = target
    }
    return response
  }
}

/** The code that a foreign fetch rejects with if the address is not public. */
export const NOT_PUBLIC = 'ENOTPUBLIC'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

function isRedirect({ status }: Response): boolean {
  return REDIRECTS.has(status)
}

function toTarget({ headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location') ?? ''
  if (location === '' || !URL.canParse(location, from.href)) return undefined
  const target = new URL(location, from)
  return target.username === '' && target.password === '' ? target : undefined
}

function isPublic({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' && mayBePublicHost(hostname)
}

/** Headers that are sent to another origin: none that could be a credential. */
const HARMLESS = ['accept', 'accept-language', 'range', 'user-agent']

/** Builds the redirected request. Credentials that were removed once are not restored. */
function toRedirected(request: Request, target: URL): Request {
  const isSame = target.origin === new URL(request.url).origin
  const harmless = HARMLESS.flatMap((name) => {
    const value = request.headers.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  return new Request(target.href, {
    headers: isSame ? request.headers : harmless,
    signal: request.signal,
    redirect: 'manual'
  })
}

async function toPublic(foreign: Fetch, request: Request): Promise<Response> {
  try {
    return await foreign(request)
  } catch (error) {
    if (!isNotPublic(error)) throw error
    throw toRefusal(`the provider redirects to ${shown(new URL(request.url))}, which is not public`, error)
  }
}

function isNotPublic(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return code === NOT_PUBLIC || (cause !== undefined && isNotPublic(cause))
}

async function discardBody(response: Response, message: string): Promise<ProviderFailure> {
  await letGo(response)
  return toRefusal(message)
}

/** Cancels the body, so that the connection can be reused. */
async function letGo({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined)
}

/** Returns the origin without path and parameters, which may be secret. */
function shown({ protocol, host }: URL): string {
  return `${protocol}//${host}`.slice(0, 200)
}

function toRefusal(message: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure('contract_broken', message, { cause })
}
