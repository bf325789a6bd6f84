import type { Fetch } from '../../../src/ports.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { mayBePublicHost } from './is-public-address.ts'

export type GuardParts = {
  /** The addresses of the provider, as the instance's admin has them. */
  addresses: readonly string[]
  /** Sends to these, wherever they lead: they may be in the admin's own network. */
  own: Fetch
  /** Sends to the internet at large and nowhere else, wherever a name leads at that moment. */
  foreign: Fetch
}

/** How often a reading request is sent on. */
const HOPS_MAX = 3

/**
 * A fetch for one provider: it sends to the origins of the admin's addresses only. Where such a reply to GET sends it on, it
 * goes to these again, or by https to public addresses, without credentials where the origin is another one.
 *
 * Rejects with a ProviderFailure `contract_broken` for every other place, and for a redirect of what is no GET.
 */
export function createGuardedFetch({ addresses, own, foreign }: GuardParts): Fetch {
  const origins = new Set(addresses.map((address) => new URL(address).origin))

  return async (request) => {
    let sent = request
    let url = new URL(sent.url)
    if (!origins.has(url.origin))
      throw toRefusal(`a call to ${shown(url)} was not sent: it is no address that is set here`)
    let response = await own(request)
    for (let hops = 1; isRedirect(response); hops++) {
      if (request.method !== 'GET')
        throw await discardBody(response, `${shown(url)} redirects a ${request.method}, which is not followed`)
      if (hops > HOPS_MAX) throw await discardBody(response, `${shown(url)} redirects again and again`)
      const target = toTarget(response, url)
      if (target === undefined) throw await discardBody(response, `${shown(url)} redirects to no address`)
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

/** What a foreign fetch rejects with where the place it was sent to turns out not to be public. */
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

/** What goes to another origin, too: nothing that could be a credential. */
const HARMLESS = ['accept', 'accept-language', 'range', 'user-agent']

/** Credentials that were left behind once do not come back. */
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

/** The connection is of use again once the body of a reply is. */
async function letGo({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined)
}

/** Without path and parameters, which may be secret. */
function shown({ protocol, host }: URL): string {
  return `${protocol}//${host}`.slice(0, 200)
}

function toRefusal(message: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure('contract_broken', message, { cause })
}
