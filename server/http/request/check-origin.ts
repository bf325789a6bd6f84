import { Fault } from '../../../src/contract/faults.ts'

/**
 * Keeps pages of the web away from a server that listens to this machine only: by a name that was made to lead here (DNS
 * rebinding), or as a request from another site.
 *
 * @throws Fault `forbidden`
 */
export function checkOrigin({ headers, method, url }: Request, publicUrl: string): void {
  const named = new URL(url).host
  const host = headers.get('host') ?? named
  const own = new URL(publicUrl).host
  // A request may name its host twice: as a header and in its first line.
  const foreign = [host, named].find((one) => !isLoopback(one) && one.toLowerCase() !== own)
  if (foreign !== undefined) {
    const message = `the server listens to this machine only and is not called ${JSON.stringify(foreign.slice(0, 100))}`
    throw new Fault('forbidden', message, { hint: 'call it localhost, or set its public URL' })
  }
  const origin = headers.get('origin')
  const isForeign = origin !== null && !isSame(origin, [host.toLowerCase(), own]) && !isOwnForm(origin, headers)
  if (isForeign || (headers.get('sec-fetch-site') === 'cross-site' && !isNavigation(method, headers))) {
    const message = 'the server listens to this machine only, and takes no requests from pages of other sites'
    throw new Fault('forbidden', message, {
      hint: 'send the request from a program, or from a page of the server itself'
    })
  }
}

const LOOPBACK = /^(localhost|[a-z0-9.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d{1,5})?$/i

/** Whether a `Host` names this machine and nothing else, whatever its port. */
function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

function isSame(origin: string, hosts: readonly string[]): boolean {
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]
  return host !== undefined && hosts.includes(host.toLowerCase())
}

/**
 * A form of a page of ours that tells nobody where it is: browsers then write `null`, as they do for pages of others, but say
 * beside it that the page has the same origin, which no page can make them say.
 */
function isOwnForm(origin: string, headers: Headers): boolean {
  return origin === 'null' && headers.get('sec-fetch-site') === 'same-origin'
}

/** Somebody followed a link: the page is shown to that person, and no key comes with it. */
function isNavigation(method: string, headers: Headers): boolean {
  return (
    method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  )
}
