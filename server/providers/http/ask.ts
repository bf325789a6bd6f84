import { unlessAborted } from '../../../src/contract/unless-aborted.ts'
import type { ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'

export type Asked = {
  /** The service's name in messages, such as `Google Drive`. */
  service: string
  method: 'GET' | 'POST'
  /** Appended to `apiUrl`, with path parameters encoded. */
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  headers?: Readonly<Record<string, string>>
  /** At most one of these two. */
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** Maximum size of the reply. A larger one is a failure. */
  bytesMax?: number
  /** Maximum duration of the whole request. */
  waitMs?: number
}

/** A reply as received, whatever its status. `from` is the method and the URL that it answers, without ids and query. */
export type Replied = { status: number; headers: Headers; bytes: Uint8Array; receivedAt: number; from?: string }

/** For replies that are lists and descriptions. Files have their own limits. */
const BYTES_MAX = 16 * 1024 * 1024
const WAIT_MS = 60_000

/**
 * Sends a request to a provider and reads its reply within limits of size and time. Each provider interprets its
 * replies.
 *
 * @throws ProviderFailure `transient` if the reply is incomplete. A reply over the limit is `item_permanent` if
 * `bytesMax` is set, as for a file, else `contract_broken`. Rejects with the signal's reason if the call is aborted.
 */
export async function ask(call: ProviderCall, asked: Asked): Promise<Replied> {
  call.signal.throwIfAborted()
  const waitMs = asked.waitMs ?? WAIT_MS
  const time = limitTime(call, waitMs)
  const limits = { bytesMax: asked.bytesMax ?? BYTES_MAX, signal: time.signal }
  try {
    const response = await responseTo(call, asked, limits.signal)
    const bytes = await readWithin(response, limits)
    if (bytes === undefined) throw tooLarge(call, asked)
    const from = `${asked.method} ${call.apiUrl}${withoutIds(asked.path)}`
    return { status: response.status, headers: response.headers, bytes, receivedAt: call.clock.now(), from }
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof ProviderFailure) throw error
    const seconds = Math.round(waitMs / 1000)
    const why = time.isOver() ? `no complete response within ${seconds} seconds` : toReason(error)
    throw new ProviderFailure('transient', `${whoIs(call, asked)} gave ${why}`, { cause: error })
  } finally {
    time.end()
  }
}

/**
 * Creates a signal that is aborted with the call's signal or after the time limit. `AbortSignal.any` is not used: its
 * signals are referenced weakly and stay in memory long after thousands of calls have ended.
 */
function limitTime({ clock, signal }: ProviderCall, waitMs: number) {
  const either = new AbortController()
  const ended = new AbortController()
  let isOver = false
  const leave = () => either.abort(signal.reason)
  signal.addEventListener('abort', leave)
  clock.wait(waitMs, ended.signal).then(
    () => {
      isOver = true
      either.abort()
    },
    () => undefined
  )
  return {
    signal: either.signal,
    isOver: () => isOver,
    end() {
      signal.removeEventListener('abort', leave)
      ended.abort(ENDED)
    }
  }
}

/** An explicit reason is cheaper than the error that is created by default. */
const ENDED = 'ended'

/** Returns the name of the service for messages, without the path, which may be confidential. */
function whoIs({ apiUrl }: Pick<ProviderCall, 'apiUrl'>, { service }: Pick<Asked, 'service'>): string {
  return `${service} (${new URL(apiUrl).host})`
}

/** Replaces the ids in a path, so that the same failure of many items has the same message. */
function withoutIds(path: string): string {
  return path.replace(/\/(?=[^/]*\d)[^/]{11,}/g, '/…')
}

function toRequest({ apiUrl }: ProviderCall, asked: Asked, signal: AbortSignal): Request {
  const url = new URL(`${apiUrl}${asked.path}`)
  for (const [name, value] of Object.entries(asked.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value))
  const headers = new Headers({ accept: 'application/json', ...asked.headers })
  if (asked.json !== undefined) headers.set('content-type', 'application/json; charset=utf-8')
  const body = asked.json === undefined ? asked.form && new URLSearchParams(asked.form) : JSON.stringify(asked.json)
  return new Request(url, { method: asked.method, headers, signal, redirect: 'manual', ...(body && { body }) })
}

/**
 * Returns the head of a response. Passing the signal in the request is not enough: if requests are derived from it and
 * the original is garbage-collected, an abort no longer reaches the derived ones.
 */
async function responseTo(call: ProviderCall, asked: Asked, signal: AbortSignal): Promise<Response> {
  const sent = call.fetch(toRequest(call, asked, signal))
  try {
    return await unlessAborted(sent, signal)
  } catch (error) {
    // Cancels a late response, so that its connection is released.
    sent.then(({ body }) => body?.cancel()).catch(() => undefined)
    throw error
  }
}

/** Builds the failure for a reply over the limit. A file may legitimately be too large; a list may not. */
function tooLarge(call: ProviderCall, asked: Asked): ProviderFailure {
  const { bytesMax } = asked
  if (bytesMax !== undefined) return new ProviderFailure('item_permanent', `it is larger than ${mebibytes(bytesMax)}`)
  return new ProviderFailure(
    'contract_broken',
    `${whoIs(call, asked)} sent more than ${mebibytes(BYTES_MAX)} in one response`
  )
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

type Limits = { bytesMax: number; signal: AbortSignal }

/**
 * Reads the whole body, or returns undefined if it is larger than the limit. The rest of a larger or abandoned body is
 * not read.
 */
async function readWithin({ body, headers }: Response, { bytesMax, signal }: Limits): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array()
  const said = Number(headers.get('content-length') ?? 0)
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    while (Math.max(bytes, said) <= bytesMax) {
      const { done, value } = await unlessAborted(reader.read(), signal)
      if (done) return joinChunks(pieces, bytes)
      pieces.push(value)
      bytes += value.length
    }
    return undefined
  } finally {
    // No effect after the end of the body.
    reader.cancel().catch(() => undefined)
  }
}

function joinChunks(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Describes a network error in words and by its code, which says more than `fetch failed`. */
function toReason(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const named = typeof code === 'string' ? code : (cause as { code?: unknown } | undefined)?.code
  if (typeof named !== 'string') return 'no response: the connection broke'
  const [, words = 'the connection broke'] = REASONS.find(([codes]) => codes.test(named)) ?? []
  return `no response: ${words} (${named})`
}

/**
 * Codes of Node's system errors, its TLS errors (nodejs.org/api/errors.html, nodejs.org/api/tls.html) and undici's
 * errors.
 */
const REASONS: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name was not found'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(E(NET|HOST)UNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'the network is unreachable'],
  // Of a proxy: its answer to CONNECT was not 200.
  [/^UND_ERR_ABORTED$/, 'the proxy refused the connection'],
  [/CERT|SELF_SIGNED|UNABLE_TO_/, 'its certificate is not trusted']
]
