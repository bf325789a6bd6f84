import { Fault } from '../contract/faults.ts'

/**
 * What is wrong with the address of a service, half a sentence; undefined where it will do. A key would travel in the
 * clear over plain http, so that is only for this machine.
 */
export function findAddressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'is no address'
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return 'is no http or https address'
  if (protocol === 'http:' && !isLoopback(hostname)) return 'is plain http to another machine: use https'
  if (username !== '' || password !== '') return 'carries a user name or password'
  return search === '' && hash === '' ? undefined : 'carries more than a host and a path'
}

/** Whether a host, as a URL has it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The origin of an address, by which keys are kept: scheme, host and port. */
export function toOrigin(address: string): string {
  return new URL(address).origin
}

/**
 * The URL of a path of the service at an address, which may lie below a path itself. Throws a usage fault where the path
 * would lead anywhere else.
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
