import type { ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { unlessAborted } from './unless-aborted.ts'

export type Asked = {
  /** Whose it is, for messages, as in `Google Drive`. */
  service: string
  method: 'GET' | 'POST'
  /** Behind `apiUrl`, parameters of the path encoded. */
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  headers?: Readonly<Record<string, string>>
  /** At most one of them. */
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** How large the reply may be; more is a failure. */
  bytesMax?: number
  /** How long all of it may take. */
  waitMs?: number
}

/** A reply as it came, whatever it says. */
export type Replied = { status: number; headers: Headers; bytes: Uint8Array; receivedAt: number }

/** Of replies that are lists and descriptions; files have limits of their own. */
const BYTES_MAX = 16 * 1024 * 1024
const WAIT_MS = 60_000

/**
 * Sends a request to a provider and reads its reply within limits of size and time. What the reply means is for each provider
 * to say.
 *
 * @throws ProviderFailure `transient` where there was no whole reply; where it is too large `item_permanent` if a file was asked for,
 * with a limit of its own, else `contract_broken`; the reason of the call's signal.
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
    return { status: response.status, headers: response.headers, bytes, receivedAt: call.clock.now() }
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof ProviderFailure) throw error
    const seconds = Math.round(waitMs / 1000)
    const why = time.isOver() ? `no whole reply within ${seconds} seconds` : toReason(error)
    throw new ProviderFailure('transient', `${whoIs(call, asked)} gave ${why}`, { cause: error })
  } finally {
    time.end()
  }
}

/**
 * A signal that is aborted with that of the call, or when the time is over. Made by hand: what `AbortSignal.any` makes is held weakly,
 * and lies in memory long after thousands of calls have ended.
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

/** A reason of its own costs less than the error that would be made otherwise. */
const ENDED = 'ended'

/** Who was asked, for messages: without the path, which may say more than is wanted. */
function whoIs({ apiUrl }: Pick<ProviderCall, 'apiUrl'>, { service }: Pick<Asked, 'service'>): string {
  return `${service} (${new URL(apiUrl).host})`
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
 * The head of a reply. That the request carries the signal is not enough: of a Request that others are made of nothing holds the
 * first one, and once that is collected as garbage, no abort comes through to the others.
 */
async function responseTo(call: ProviderCall, asked: Asked, signal: AbortSignal): Promise<Response> {
  const sent = call.fetch(toRequest(call, asked, signal))
  try {
    return await unlessAborted(sent, signal)
  } catch (error) {
    // What comes nevertheless is let go, so that its connection is.
    sent.then(({ body }) => body?.cancel()).catch(() => undefined)
    throw error
  }
}

/** A file may be too large; a list that is has something wrong with it. */
function tooLarge(call: ProviderCall, asked: Asked): ProviderFailure {
  const { bytesMax } = asked
  if (bytesMax !== undefined) return new ProviderFailure('item_permanent', `it is larger than ${mebibytes(bytesMax)}`)
  return new ProviderFailure('contract_broken', `${whoIs(call, asked)} gave more than ${mebibytes(BYTES_MAX)} at once`)
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

type Limits = { bytesMax: number; signal: AbortSignal }

/** The whole body; undefined for a larger one. The rest of one that is larger, or that nobody waits for, is not read. */
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
    // After the end of the body this does nothing.
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

/** In words, and by what the system calls it, which says more than `fetch failed`. */
function toReason(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const named = typeof code === 'string' ? code : (cause as { code?: unknown } | undefined)?.code
  if (typeof named !== 'string') return 'no reply: the connection broke'
  const [, words = 'the connection broke'] = REASONS.find(([codes]) => codes.test(named)) ?? []
  return `no reply: ${words} (${named})`
}

/** Of Node's system errors, of its TLS errors (nodejs.org/api/errors.html, nodejs.org/api/tls.html) and of undici's. */
const REASONS: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name was not found'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(E(NET|HOST)UNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'there was no way to it'],
  [/CERT|SELF_SIGNED|UNABLE_TO_/, 'its certificate is not one to trust']
]
