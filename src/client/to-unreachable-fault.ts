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
  return new Fault('unreachable', `no answer from ${url.origin}: ${MEANING[code] ?? code}`, {
    hint: start ?? MENDED_BY[code] ?? 'check the address, and whether the network is there',
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
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'no such name is known',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'it took too long',
  EPROTO: 'it does not speak https',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by nobody who is trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody who is trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by nobody who is trusted here',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is that of another name'
}

const TRUST = 'where the certificate is your own, name it to Node.js: NODE_EXTRA_CA_CERTS=FILE'
const PLAIN = 'give its address with http:// where it is this machine, else have it speak https'

/** Hints for errors that concern more than the address or the network. */
const MENDED_BY: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'a server of yours: memctl server status, memctl server logs; else check the address and the network',
  EPROTO: PLAIN,
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  CERT_HAS_EXPIRED: 'renew the certificate of the server, and look at the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'give the address with the name that its certificate has'
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
