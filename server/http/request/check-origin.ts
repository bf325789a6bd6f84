import { Fault } from '../../../src/contract/faults.ts'

/**
 * Protects a server that listens on loopback from web pages, which could reach it under another name (DNS rebinding) or
 * with a cross-site request.
 *
 * @throws Fault `forbidden`
 */
export function checkOrigin({ headers, method, url }: Request, publicUrl: string): void {
  const named = new URL(url).host
  const host = headers.get('host') ?? named
  const own = new URL(publicUrl).host
  // A request can contain its host twice: in a header and in its first line.
  const foreign = [host, named].find((one) => !isLoopback(one) && one.toLowerCase() !== own)
  if (foreign !== undefined) {
    const message = `the server accepts only requests from this machine, not for the host ${JSON.stringify(foreign.slice(0, 100))}`
    throw new Fault('forbidden', message, { hint: 'use localhost as the host, or set MEMCTL_PUBLIC_URL' })
  }
  const origin = headers.get('origin')
  const isForeign = origin !== null && !isSame(origin, [host.toLowerCase(), own]) && !isOwnForm(origin, headers)
  if (isForeign || (headers.get('sec-fetch-site') === 'cross-site' && !isNavigation(method, headers))) {
    const message = 'the server accepts only requests from this machine, not from web pages of other origins'
    throw new Fault('forbidden', message, {
      hint: 'send the request from a program, or from a page of this server'
    })
  }
}

const LOOPBACK = /^(localhost|[a-z0-9.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d{1,5})?$/i

/** Returns whether a `Host` names this machine, with any port. */
function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

function isSame(origin: string, hosts: readonly string[]): boolean {
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]
  return host !== undefined && hosts.includes(host.toLowerCase())
}

/**
 * Returns whether a request is a form of the server's own page. Browsers send the origin `null` for some pages with a
 * strict referrer policy, as they do for foreign ones. `Sec-Fetch-Site`, which no page can set, tells them apart.
 */
function isOwnForm(origin: string, headers: Headers): boolean {
  return origin === 'null' && headers.get('sec-fetch-site') === 'same-origin'
}

/**
 * Returns whether a request follows a link. The page is shown to the person who followed it, and the request contains
 * no key.
 */
function isNavigation(method: string, headers: Headers): boolean {
  return (
    method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  )
}
