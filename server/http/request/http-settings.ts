/** What may be set of how requests are taken. */
export type HttpSettings = {
  /** Of one request, in bytes. */
  bodyBytesMax: number
  /** Of all requests together that are in flight, in bytes. */
  bodiesBytesMax: number
  /** How long a body may come without a byte, in milliseconds. */
  bodyIdleMs: number
  /** Requests that are worked on at a time: all of them has come, and the reply is not out. */
  requestsMax: number
  /** Of these, those of one key or, where no key is needed, of one network address. */
  requestsPerCallerMax: number
  /** Of the bytes of all bodies, those of one key or network address; one body always fits. */
  bodiesBytesPerCallerMax: number
  /** Requests of one key; undefined: as many as it likes. */
  keyRequestsPerMinute: number | undefined
  /** Wrong keys from one address. A valid one from there works all the same. */
  wrongKeysPerMinute: number
  /** Whether only this machine is listened to: what a browser sends here from elsewhere is refused then. */
  loopback: boolean
  /** How the server is called from outside, without a slash at the end. */
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

/** The usual ones around a limit of one body. However large that is, two have room, so that one alone is never refused for it. */
export function httpSettings(bodyBytesMax: number) {
  const bodiesBytesMax = Math.max(HTTP_DEFAULTS.bodiesBytesMax, 2 * bodyBytesMax)
  const bodiesBytesPerCallerMax = Math.max(HTTP_DEFAULTS.bodiesBytesPerCallerMax, bodyBytesMax)
  return { ...HTTP_DEFAULTS, bodyBytesMax, bodiesBytesMax, bodiesBytesPerCallerMax }
}
