import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { Fault } from '../../../src/contract/faults.ts'
import type { SystemError } from '../../../src/ports.ts'
import { type Lingering, type LingerLimits, lingerOnClose } from './linger-on-close.ts'

/**
 * Answers a request that came from a network address. `sent` never rejects. It resolves with true once the response was
 * sent completely, and with false if the connection closed first.
 */
type Answering = (request: Request, peer: { address: string; sent: Promise<boolean> }) => Promise<Response>

type ListenOptions = {
  host: string
  port: number
  answer: Answering
  refuse: Refuse
  /** Milliseconds without progress in either direction after which a connection is closed. */
  stalledMs?: number
  /** Limits on the rest of a request that is discarded after an early response. */
  linger?: LingerLimits
}

export type Listener = {
  /** The origin on this machine, with the actual port. */
  origin: string
  /** Refuses new connections, closes idle ones, and closes the others after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/**
 * Limits for slow clients, in milliseconds: for the head of a request, for the complete request (the app limits pauses
 * of a body), and for an idle connection. The last one exceeds the usual timeout of load balancers, so that they close
 * first.
 */
const HEADERS_MS = 15_000
const REQUEST_MS = 10 * 60_000
const KEEP_ALIVE_MS = 65_000
const CHECK_EVERY_MS = 2000
const HEADER_BYTES_MAX = 16 * 1024
const CONNECTIONS_MAX = 16_384

/**
 * Longer than any request takes, even the first search of a huge collection. It releases the pages of a client that
 * stops reading.
 */
const STALLED_MS = 15 * 60_000

/**
 * Listens for HTTP on an address; port 0 selects a free one.
 *
 * @throws Fault `address_in_use`, `usage` for an address that this machine does not have, `system_refused`.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const [{ getRequestListener }, { RESPONSE_ALREADY_SENT }, { createServer }] = await Promise.all([
    import('@hono/node-server'),
    import('@hono/node-server/utils/response'),
    import('node:http')
  ])
  const { host, port, answer, refuse, stalledMs = STALLED_MS } = options
  const respond = getRequestListener(
    async (request, env) => {
      // This server does not use HTTP/2.
      const exchange = env as HttpBindings
      const address = exchange.incoming.socket?.remoteAddress ?? ''
      const sent = responseEnd(exchange)
      await sendResponse(await answer(request, { address, sent }), { exchange, sent })
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false, errorHandler: (error) => refuse(makeMisdirectedFault(error)) }
  )
  const server = createServer(SERVER_OPTIONS, (incoming, outgoing) => {
    // A connection that is being closed serves no further requests.
    if (lingering.has(incoming.socket)) return void incoming.socket.destroy()
    // Such a body is not read, so no request can follow it.
    if (hasStrayBody(incoming)) outgoing.shouldKeepAlive = false
    void respond(incoming, outgoing)
  })
  const responseEnd = watchResponses(server)
  const lingering = lingerOnClose(server, options.linger)
  // Other expectations are unknown here and may be ignored.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  refuseUnread(server, { refuse, lingering })
  server.maxConnections = CONNECTIONS_MAX
  server.timeout = stalledMs
  await bind(server, { host, port })
  return {
    origin: toListenerOrigin(host, server.address() as AddressInfo),
    close: (graceMs) => {
      lingering.stop()
      return close(server, graceMs)
    }
  }
}

const SERVER_OPTIONS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  maxHeaderSize: HEADER_BYTES_MAX,
  noDelay: true,
  // The code that builds the URL detects a missing host, and refuses it in the usual format.
  requireHostHeader: false
}

/** Reports whether a request has a body although its method allows none. */
function hasStrayBody({ method, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0'
  return (method === 'GET' || method === 'HEAD') && (headers['transfer-encoding'] !== undefined || length !== '0')
}

function makeMisdirectedFault(cause: unknown): Fault {
  return new Fault('malformed_request', 'the request has an invalid address', {
    hint: 'check its Host header and its path',
    cause
  })
}

/** Closes the server. Responses may still be on their way to the socket. */
async function close(server: Server, graceMs: number): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_EVERY_MS)
  const end = setTimeout(() => server.closeAllConnections(), graceMs)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(idle)
  clearTimeout(end)
}

const CLOSE_EVERY_MS = 10

type Place = Pick<ListenOptions, 'host' | 'port'>

async function bind(server: Server, { host, port }: Place): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: SystemError) => reject(makeListenFault(error, { host, port })))
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, resolve)
  })
}

function makeListenFault(error: SystemError, { host, port }: Place): Fault {
  const cause = { cause: error }
  if (error.code === 'EADDRINUSE') {
    const hint = 'stop the process that is using it, or choose another port: --port 0 selects a free one'
    return new Fault('address_in_use', `${host} port ${port} is already in use`, { hint, ...cause })
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(error.code)) {
    const hint = 'use 127.0.0.1 for this machine only, or 0.0.0.0 for all its networks'
    return new Fault('usage', `${host} is not an address of this machine (${error.code})`, { hint, ...cause })
  }
  const hint = error.code === 'EACCES' ? 'use a port from 1024' : 'check the system documentation for this error'
  return new Fault('system_refused', `cannot listen on ${host} port ${port} (${error.code})`, { hint, ...cause })
}

/**
 * Returns the origin of a listener. An address for all networks is replaced by loopback. Like any origin, it omits port
 * 80.
 */
export function toListenerOrigin(host: string, { port }: AddressInfo): string {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const called = name === '0.0.0.0' ? '127.0.0.1' : name === '::' ? '::1' : name
  return new URL(`http://${called.includes(':') ? `[${called}]` : called}:${port}`).origin
}

/** Answers bytes that are not an HTTP request. The request handler never sees them. */
type Refuse = (fault: Fault) => Response | Promise<Response>

type Refusing = { refuse: Refuse; lingering: Lingering }

/**
 * Refuses bytes that are not a valid request, in the usual format. The connection ends, because the start of the next
 * request is unknown.
 */
function refuseUnread(server: Server, { refuse, lingering }: Refusing): void {
  const underWay = new Map<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, outgoing) => {
    underWay.set(socket, outgoing)
    outgoing.once('close', () => {
      if (underWay.get(socket) === outgoing) underWay.delete(socket)
    })
  })
  server.on('clientError', async (error: NodeJS.ErrnoException, stream) => {
    // An HTTP server has TCP sockets.
    const socket = stream as Socket
    // Each further chunk of an invalid request causes another error.
    if (lingering.has(socket)) return
    const mayTell = (): boolean => socket.writable && underWay.get(socket)?.headersSent !== true
    if (!mayTell()) return void socket.destroy()
    const bytes = await toBytes(await refuse(toFault(error)))
    if (lingering.has(socket)) return
    if (!mayTell()) return void socket.destroy()
    socket.write(bytes)
    lingering.begin(socket)
  })
}

async function toBytes(response: Response): Promise<string> {
  const { status, headers } = response
  headers.set('connection', 'close')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${await response.text()}`
}

function toFault(error: NodeJS.ErrnoException): Fault {
  const { code } = error
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('timed_out', 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new Fault('too_large', 'the request headers exceed the size limit', {
      hint: 'send fewer or shorter headers'
    })
  }
  return new Fault('malformed_request', 'the request is not valid HTTP', { cause: error })
}

/** A request and its response as Node objects. */
type NodeExchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/**
 * Observes how each response of a server ends: resolves with true once it was sent completely, and with false if its
 * connection closed first. A response that waits behind another one on its connection has no `close` event, so the end
 * of the connection counts for all of them.
 */
function watchResponses(server: Server): (exchange: NodeExchange) => Promise<boolean> {
  const unfinished = new WeakMap<Duplex, Set<() => void>>()
  server.on('connection', (socket) => {
    const ends = new Set<() => void>()
    unfinished.set(socket, ends)
    socket.once('close', () => {
      for (const end of ends) end()
    })
  })
  return ({ incoming: { socket }, outgoing }) =>
    new Promise((resolve) => {
      const ends = unfinished.get(socket)
      const end = (): void => {
        ends?.delete(end)
        resolve(outgoing.writableFinished)
      }
      if (socket.destroyed) return end()
      ends?.add(end)
      outgoing.once('close', end)
    })
}

type Sending = { exchange: NodeExchange; sent: Promise<boolean> }

/**
 * Sends a response at the pace of its reader, until `sent` resolves. If the body fails, the connection is reset, so
 * that the reader does not mistake the part for the whole. If the reader leaves, the body is cancelled.
 */
async function sendResponse(response: Response, { exchange, sent }: Sending): Promise<void> {
  const { incoming, outgoing } = exchange
  // By then a small body that arrived with its head is parsed, and the connection can be kept.
  if (!incoming.complete) await new Promise((resolve) => setImmediate(resolve))
  // Otherwise the connection ends with the response, so that the client need not send the rest of an unread body.
  if (!incoming.complete) outgoing.shouldKeepAlive = false
  const reader = response.body?.getReader()
  let resume = (): void => undefined
  outgoing.on('drain', () => resume())
  void sent.then(() => {
    resume()
    reader?.cancel().catch(() => undefined)
  })
  if (outgoing.destroyed || incoming.socket.destroyed) return
  outgoing.writeHead(response.status, toHeaders(response))
  if (reader === undefined) return void outgoing.end()
  if (!response.headers.has('content-length')) outgoing.flushHeaders()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const drained = new Promise<void>((resolve) => {
        resume = resolve
      })
      if (!outgoing.write(next.value) && !incoming.socket.destroyed) await drained
    }
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

/** Converts headers to one value each, except cookies, which cannot be joined. */
function toHeaders({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
