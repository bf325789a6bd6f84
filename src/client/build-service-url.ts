import { Fault } from '../contract/faults.ts'

/**
 * Returns what is wrong with the address of a service, as half a sentence; undefined if it is valid. Plain http, which
 * would send a key in clear text, is only accepted for this machine.
 */
export function findAddressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'is no address'
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return 'is no http or https address'
  if (protocol === 'http:' && !isLoopback(hostname)) return 'is plain http to another machine: use https'
  if (username !== '' || password !== '') return 'carries a user name or password'
  return search === '' && hash === '' ? undefined : 'carries more than a host and a path'
}

/** Checks whether a host, as written in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Returns the origin of an address (scheme, host and port), under which keys are stored. */
export function toOrigin(address: string): string {
  return new URL(address).origin
}

/**
 * Builds the URL of a service path at an address, which may have a path itself. Throws a usage fault if the path would
 * leave that address.
 */
export function buildServiceUrl(address: string, path: string): URL {
  const base = new URL(address)
  const below = base.pathname.replace(/\/+$/, '')
  const written = `${base.origin}${below}${path}`
  const url = URL.canParse(written) ? new URL(written) : undefined
  const leads = url !== undefined && url.origin === base.origin && url.pathname.startsWith(`${below}/`)
  if (path.startsWith('/') && leads && !url.username && !url.password) return url
  throw new Fault('usage', `'${path}' is no path of the server`, { hint: 'a path is like /v1/collections' })
}
