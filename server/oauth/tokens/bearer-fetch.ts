import type { Fetch } from '../../../src/ports.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'

/**
 * Creates a fetch that adds an access token to requests below the provider's `apiUrl`, and to no others (RFC 6750
 * section 2.1).
 */
export function bearerFetch({ fetch, apiUrl }: Pick<EnabledProvider, 'fetch' | 'apiUrl'>, accessToken: string): Fetch {
  return async (request) => await fetch(isBelow(request.url, apiUrl) ? withToken(request, accessToken) : request)
}

/** Returns whether an address belongs to the provider's API. */
export function isBelow(address: string, apiUrl: string): boolean {
  const [url, base] = [new URL(address), new URL(apiUrl)]
  const folder = base.pathname.replace(/\/*$/, '/')
  return url.origin === base.origin && url.pathname.startsWith(folder)
}

function withToken(request: Request, accessToken: string): Request {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${accessToken}`)
  return new Request(request, { headers })
}
