/*
 * Not undici or the global fetch: a process that sends one request over node:http takes 77 ms of processor time, with
 * the global fetch 189 ms and with undici 7 bundled 127 to 224 ms (Node 20.20, medians of 15 interleaved runs). The
 * requests to providers, which a long-lived server sends, use undici (`provider-fetch.ts`).
 */

import http from 'node:http'
import type https from 'node:https'
import { Readable, type Writable } from 'node:stream'
import type { Exchange, Fetch, PlainRequest } from '../../../src/ports.ts'
import { webStream } from './web-stream.ts'

/** Implements the fetch port with `requestIncoming` and the platform's classes. */
export const nodeFetch: Fetch = async ({ url, method, headers, body, signal }) => {
  const incoming = await requestIncoming({
    url,
    method,
    headers: Object.fromEntries(headers),
    body: body ?? undefined,
    signal
  })
  return toResponse(incoming, method)
}

/** Statuses without a body. The platform's Response does not accept one for them. */
const EMPTY = new Set([204, 205, 304])

function toResponse(incoming: http.IncomingMessage, method: string): Response {
  const status = incoming.statusCode ?? 0
  const headers = new Headers()
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '')
  if (method === 'HEAD' || EMPTY.has(status)) {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  return new Response(webStream(incoming), { status, headers })
}

/** Implements the exchange port with `requestIncoming` and plain values. */
export const nodeExchange: Exchange = async (request) => {
  const incoming = await requestIncoming(request)
  // A reader gets the error from its stream. Without a reader, it is ignored.
  incoming.on('error', () => undefined)
  return {
    status: incoming.statusCode ?? 0,
    headers: { get: (name) => readHeader(incoming, name) },
    body: incoming
  }
}

function readHeader({ headers }: http.IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : (value ?? null)
}

/**
 * Sends a request and returns the response. Small and quick to load, with persistent connections. Does not follow
 * redirects. Bodies stream in both directions at the pace of the slower end. Rejects with the system's error if there
 * is no response, and with an AbortError if the request's signal is aborted. A body that breaks off is an error of its
 * stream.
 */
export async function requestIncoming(request: PlainRequest): Promise<http.IncomingMessage> {
  if (request.signal?.aborted) throw toStopError(request.signal)
  const wire = await wireFor(request.url)
  const beginning = await readBeginning(request.body)
  try {
    return await exchange(request, beginning, wire)
  } catch (error) {
    if (request.method !== 'GET' || !isStale(error)) throw error
    return await exchange(request, beginning, wire)
  }
}

/** How long a server may be silent, in milliseconds. A large import is acknowledged only once it is durable. */
const SILENCE_MS = 300_000

/** Maximum time for establishing a connection, in milliseconds. */
const CONNECT_MS = 10_000

/** How requests of a scheme are sent, and its persistent connections. */
type Wire = { request: typeof http.request | typeof https.request; agent: http.Agent }

/** TLS is loaded for the first https URL, because a server on this machine does not need it. */
async function wireFor(url: string): Promise<Wire> {
  if (new URL(url).protocol !== 'https:') return PLAIN
  secure ??= import('node:https').then(({ Agent, request }) => ({ request, agent: new Agent({ keepAlive: true }) }))
  return await secure
}

const PLAIN: Wire = { request: http.request, agent: new http.Agent({ keepAlive: true }) }

let secure: Promise<Wire> | undefined

/** The first chunk of a body, and an iterator for the rest, if any. */
type Beginning = { first: Uint8Array; rest: AsyncIterator<Uint8Array> | undefined }

/**
 * Reads the first chunk of a body. If it is the only one, its length can be sent, and the server need not determine it.
 */
async function readBeginning(body: PlainRequest['body']): Promise<Beginning> {
  if (body === undefined || body instanceof Uint8Array) return { first: body ?? new Uint8Array(), rest: undefined }
  const pieces: Uint8Array[] = []
  const rest = body[Symbol.asyncIterator]()
  while (pieces.length < 2) {
    const { done, value } = await rest.next()
    if (done === true) return { first: Buffer.concat(pieces), rest: undefined }
    pieces.push(value)
  }
  return { first: Buffer.concat(pieces), rest }
}

/**
 * Reports whether the server closed a persistent connection just as a request was sent on it. The server has read
 * nothing of the request.
 */
function isStale(error: unknown): boolean {
  return error instanceof Error && STALE.has(error)
}

const STALE = new WeakSet<Error>()

function exchange(request: PlainRequest, body: Beginning, wire: Wire): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = open(request, body, wire)
    let answered = false
    onAbort(request.signal, (stop) => sent.destroy(stop), sent)
    sent.once('response', (incoming) => {
      answered = true
      onAbort(request.signal, (stop) => incoming.destroy(stop), incoming)
      // The server responded without reading the rest of the body, so it is not sent.
      incoming.once('end', () => {
        if (!sent.writableFinished) sent.destroy()
      })
      resolve(incoming)
    })
    // After the response has begun, an error appears in its stream.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') STALE.add(error)
      if (!answered) reject(error)
    })
    sent.once('close', () => void body.rest?.return?.()?.catch(() => undefined))
    send(sent, body)
  })
}

function open(request: PlainRequest, { first, rest }: Beginning, wire: Wire): http.ClientRequest {
  const url = new URL(request.url)
  const headers: Record<string, string> = { ...request.headers }
  if (rest === undefined && (first.length > 0 || !/^(GET|HEAD)$/.test(request.method)))
    headers['content-length'] = String(first.length)
  const sent = wire.request(url, { method: request.method, headers, agent: wire.agent })
  limitTime(sent)
  // A connection outlives its request. A later error belongs to no request and must not end the process.
  sent.once('socket', (socket) => {
    if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError)
  })
  return sent
}

function ignoreError(): void {}

/** Ends a request whose connection is not established in time, or that makes no progress for too long. */
function limitTime(sent: http.ClientRequest): void {
  sent.once('socket', (socket) => {
    const end = (): void => void sent.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }))
    const ready = (): void => void sent.setTimeout(SILENCE_MS, end)
    if (!socket.connecting) return ready()
    const timer = setTimeout(end, CONNECT_MS)
    socket.once('connect', ready)
    for (const over of ['connect', 'close']) socket.once(over, () => clearTimeout(timer))
  })
}

function send(sent: http.ClientRequest, { first, rest }: Beginning): void {
  if (rest === undefined) return void sent.end(first)
  const pieces = async function* () {
    yield first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  }
  const source = Readable.from(pieces(), { objectMode: false })
  source.on('error', (error) => sent.destroy(error))
  sent.once('close', () => void source.destroy())
  source.pipe(sent)
}

/** Ends `stream` with `stop` if the request is aborted first. */
function onAbort(signal: AbortSignal | undefined, stop: (error: Error) => void, stream: Writable | Readable): void {
  if (signal === undefined) return
  const listener = (): void => stop(toStopError(signal))
  signal.addEventListener('abort', listener, { once: true })
  stream.once('close', () => signal.removeEventListener('abort', listener))
}

function toStopError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('the request was stopped', 'AbortError')
}
