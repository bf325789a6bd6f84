import { Fault } from '../contract/faults.ts'

/**
 * Returns why the address of a service is invalid, as the end of a sentence; undefined if it is valid. Plain http, which
 * would send a key in clear text, is only accepted for this machine.
 */
export function findAddressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'is not a URL'
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return 'is not an http or https URL'
  if (protocol === 'http:' && !isLoopback(hostname)) return 'uses plain http for another machine: use https'
  if (username !== '' || password !== '') return 'contains a user name or password'
  return search === '' && hash === '' ? undefined : 'contains more than a host and a path'
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
  throw new Fault('usage', `invalid path '${path}'`, { hint: 'use a path on the server, such as /v1/collections' })
}
