import { Fault } from '../contract/faults.ts'
import { isLoopback } from './build-service-url.ts'

/**
 * Converts the error of a request without a reply. An abort stays an abort, and other errors than those of the network
 * are returned unchanged.
 */
export function toUnreachableFault(error: unknown, address: string): unknown {
  const code = findSystemCode(error)
  if (code === undefined) return error
  const url = new URL(address)
  // On a timeout, something already listens without replying, so another server would not start.
  const start = code === 'ETIMEDOUT' ? undefined : suggestStartCommand(address)
  return new Fault('unreachable', `cannot reach ${url.origin}: ${MEANING[code] ?? code}`, {
    hint: start ?? HINTS[code] ?? 'check the address and your network connection',
    next: start === undefined ? [] : [start],
    cause: error
  })
}

/**
 * Returns the command that starts a server at an address of this machine; undefined for other addresses and for https,
 * which a server does not serve.
 */
export function suggestStartCommand(address: string): string | undefined {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== 'http:' || !isLoopback(hostname)) return undefined
  return `memctl server start${port === USUAL_PORT ? '' : ` --port ${port || '80'}`}`
}

const USUAL_PORT = '8787'

const MEANING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the name lookup failed temporarily',
  ETIMEDOUT: 'the request timed out',
  EPROTO: 'the server does not support https',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not support https',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name'
}

const TRUST = 'if you trust the certificate, set NODE_EXTRA_CA_CERTS=FILE'
const PLAIN = 'use http:// for a local server; otherwise configure https on the server'

/** Hints for errors that concern more than the address or the network. */
const HINTS: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'check a local server with memctl server status and memctl server logs; otherwise check the address',
  EPROTO: PLAIN,
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  CERT_HAS_EXPIRED: 'renew the certificate of the server, and check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'use the host name in the certificate'
}

/** Returns the system's code of an error or of its cause, because the platform's fetch wraps errors. */
function findSystemCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < CAUSES_MAX; at = at.cause, depth++) {
    if (at.name === 'AbortError' || at instanceof Fault) return undefined
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}

const CAUSES_MAX = 5
