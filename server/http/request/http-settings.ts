/** The limits and addresses of request handling. */
export type HttpSettings = {
  /** The maximum size of one body in bytes. */
  bodyBytesMax: number
  /** The maximum total size of all bodies in flight, in bytes. */
  bodiesBytesMax: number
  /** The maximum time between two parts of a body, in milliseconds. */
  bodyIdleMs: number
  /** The maximum number of requests in progress, from the last byte of the request to the last byte of the reply. */
  requestsMax: number
  /** The share of one key or, for requests without a key, of one network address. */
  requestsPerCallerMax: number
  /** The share of one key or network address of the total body size. One body always fits. */
  bodiesBytesPerCallerMax: number
  /** The rate limit of one key. Undefined if requests are not limited. */
  keyRequestsPerMinute: number | undefined
  /** The limit of invalid keys from one address. Valid keys from the same address are still accepted. */
  wrongKeysPerMinute: number
  /** Whether the server listens on loopback. It then rejects requests from web pages of other origins. */
  loopback: boolean
  /** The public address of the server, without a slash at the end. */
  publicUrl: string
  version: string
}

export const HTTP_DEFAULTS = {
  bodyBytesMax: 64 * 1024 * 1024,
  bodiesBytesMax: 512 * 1024 * 1024,
  bodyIdleMs: 20_000,
  requestsMax: 1024,
  requestsPerCallerMax: 256,
  bodiesBytesPerCallerMax: 128 * 1024 * 1024,
  keyRequestsPerMinute: 600,
  wrongKeysPerMinute: 60
} as const satisfies Partial<HttpSettings>

/**
 * Returns the default limits for a maximum body size. There is room for two such bodies, so that a single one is never
 * rejected.
 */
export function httpSettings(bodyBytesMax: number) {
  const bodiesBytesMax = Math.max(HTTP_DEFAULTS.bodiesBytesMax, 2 * bodyBytesMax)
  const bodiesBytesPerCallerMax = Math.max(HTTP_DEFAULTS.bodiesBytesPerCallerMax, bodyBytesMax)
  return { ...HTTP_DEFAULTS, bodyBytesMax, bodiesBytesMax, bodiesBytesPerCallerMax }
}
