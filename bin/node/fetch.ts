import http from 'node:http'
import https from 'node:https'
import { Readable, type Writable } from 'node:stream'
import type { Fetch } from '../../src/ports.ts'
import { webStream } from './web-stream.ts'

/**
 * The fetch port over Node's own HTTP: small and quick to load, with kept connections. Follows no redirect. Bodies stream
 * both ways at the pace of the slower end. Rejects with the system's error where there is no answer, and with an
 * AbortError when the request's signal says so; a body that breaks off is an error of its stream.
 */
export const nodeFetch: Fetch = async (request) => {
  if (request.signal.aborted) throw stopOf(request)
  const reader = request.body?.getReader()
  const beginning = reader === undefined ? NO_BODY : await readBeginning(reader)
  try {
    return await exchange(request, beginning)
  } catch (error) {
    if (request.method !== 'GET' || !isStale(error)) throw error
    return await exchange(request, beginning)
  }
}

/** How long a server may say nothing, in milliseconds. A large import is acknowledged when it is durable. */
const SILENCE_MS = 300_000

/** How long a connection may take to be made, in milliseconds. */
const CONNECT_MS = 10_000

const AGENTS = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) }

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** A body: what it begins with, and where the rest comes from if that is not all. */
type Beginning = { first: Uint8Array; rest: Reader | undefined }

const NO_BODY: Beginning = { first: new Uint8Array(), rest: undefined }

/** A text is one piece: then its length can be told, and the server need not find it out. */
async function readBeginning(reader: Reader): Promise<Beginning> {
  const pieces: Uint8Array[] = []
  while (pieces.length < 2) {
    const { done, value } = await reader.read()
    if (done) return { first: Buffer.concat(pieces), rest: undefined }
    pieces.push(value)
  }
  return { first: Buffer.concat(pieces), rest: reader }
}

/** A kept connection that the server closed while we were about to use it: nothing of the request was read. */
function isStale(error: unknown): boolean {
  return error instanceof Error && STALE.has(error)
}

const STALE = new WeakSet<Error>()

function exchange(request: Request, body: Beginning): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = open(request, body)
    let answered = false
    onAbort(request, (stop) => sent.destroy(stop), sent)
    sent.once('response', (incoming) => {
      answered = true
      onAbort(request, (stop) => incoming.destroy(stop), incoming)
      resolve(responseOf(incoming, request.method))
    })
    // After the answer has begun, what goes wrong shows in its stream.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') STALE.add(error)
      void body.rest?.cancel(error).catch(() => undefined)
      if (!answered) reject(error)
    })
    send(sent, body)
  })
}

function open(request: Request, { first, rest }: Beginning): http.ClientRequest {
  const url = new URL(request.url)
  const headers: Record<string, string> = Object.fromEntries(request.headers)
  if (rest === undefined && (first.length > 0 || !/^(GET|HEAD)$/.test(request.method)))
    headers['content-length'] = String(first.length)
  const secure = url.protocol === 'https:'
  const sent = (secure ? https : http).request(url, {
    method: request.method,
    headers,
    agent: AGENTS[secure ? 'https:' : 'http:']
  })
  limitTime(sent)
  return sent
}

/** Ends a request whose connection is not made in time, or on which nothing moves for long. */
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
    for (let next = await rest.read(); !next.done; next = await rest.read()) yield next.value
  }
  const source = Readable.from(pieces(), { objectMode: false })
  source.on('error', (error) => sent.destroy(error))
  source.pipe(sent)
}

/** Statuses that come without a body, for which the platform's Response takes none. */
const EMPTY = new Set([204, 205, 304])

function responseOf(incoming: http.IncomingMessage, method: string): Response {
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

/** Ends `stream` by `stop` when the request is aborted before it is over. */
function onAbort(request: Request, stop: (error: Error) => void, stream: Writable | Readable): void {
  const listener = (): void => stop(stopOf(request))
  request.signal.addEventListener('abort', listener, { once: true })
  stream.once('close', () => request.signal.removeEventListener('abort', listener))
}

function stopOf({ signal }: Request): Error {
  const { reason } = signal
  return reason instanceof Error ? reason : new DOMException('the request was stopped', 'AbortError')
}
