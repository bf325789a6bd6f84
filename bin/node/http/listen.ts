import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { Fault } from '../../../src/contract/faults.ts'
import type { SystemError } from '../../../src/ports.ts'
import { type Lingering, type LingerLimits, lingerOnClose } from './linger-on-close.ts'

/**
 * Answers a request that came from a network address. `sent` resolves with true once the response was sent whole, with
 * false when the connection closed first; it never rejects.
 */
type Answering = (request: Request, peer: { address: string; sent: Promise<boolean> }) => Promise<Response>

type ListenOptions = {
  host: string
  port: number
  answer: Answering
  refuse: Refuse
  /** A connection on which neither side gets anything through for so long, in milliseconds, is given up. */
  stalledMs?: number
  /** How much of a request that was answered early is discarded before its connection closes. */
  linger?: LingerLimits
}

export type Listener = {
  /** As it is called on this machine, the port being the real one. */
  origin: string
  /** Takes no more connections, ends those on which nothing is asked, and after `graceMs` the others too. */
  close(graceMs: number): Promise<void>
}

/**
 * Slow clients. Milliseconds: the head of a request has to be there in time, the whole of it as well (how long a body may
 * pause is the app's to say), and a connection on which nothing is asked is let go. The last is longer than load
 * balancers commonly keep theirs, so that it is they who close.
 */
const HEADERS_MS = 15_000
const REQUEST_MS = 10 * 60_000
const KEEP_ALIVE_MS = 65_000
const CHECK_EVERY_MS = 2000
const HEADER_BYTES_MAX = 16 * 1024
const CONNECTIONS_MAX = 16_384

/** Longer than anything takes that is asked, the first search of a huge collection too; who stops reading an answer does not keep its pages for good. */
const STALLED_MS = 15 * 60_000

/**
 * Listens for HTTP on an address; port 0 takes a free one.
 *
 * @throws Fault `address_in_use`, `usage` for an address that is not this machine's, `system_refused`.
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
      // This server speaks no HTTP/2.
      const exchange = env as HttpBindings
      const address = exchange.incoming.socket?.remoteAddress ?? ''
      const sent = responseEnd(exchange)
      await sendResponse(await answer(request, { address, sent }), { exchange, sent })
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false, errorHandler: (error) => refuse(makeMisdirectedFault(error)) }
  )
  const server = createServer(SERVER_OPTIONS, (incoming, outgoing) => {
    // Whoever was told that the connection ends is not served on it.
    if (lingering.has(incoming.socket)) return void incoming.socket.destroy()
    // Such a body is not read, so nothing can come after it.
    if (hasStrayBody(incoming)) outgoing.shouldKeepAlive = false
    void respond(incoming, outgoing)
  })
  const responseEnd = watchResponses(server)
  const lingering = lingerOnClose(server, options.linger)
  // Whatever else is expected is not known here, and may be passed over.
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
  // It is missed by who makes an address of it, and told in the same form as the rest.
  requireHostHeader: false
}

/** A request that has a body where none can be. */
function hasStrayBody({ method, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0'
  return (method === 'GET' || method === 'HEAD') && (headers['transfer-encoding'] !== undefined || length !== '0')
}

function makeMisdirectedFault(cause: unknown): Fault {
  return new Fault('malformed_request', 'the request has no sound address', {
    hint: 'look at its Host and path',
    cause
  })
}

/** A reply that was given may still be on its way to the socket. */
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
    const hint = 'stop what listens there, or take another port: --port 0 takes a free one'
    return new Fault('address_in_use', `something listens on ${host} port ${port} already`, { hint, ...cause })
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(error.code)) {
    const hint = '127.0.0.1 is this machine alone, 0.0.0.0 all its networks'
    return new Fault('usage', `${host} is no address of this machine (${error.code})`, { hint, ...cause })
  }
  const hint = error.code === 'EACCES' ? 'take a port from 1024 on' : 'see what the system says about this error'
  return new Fault('system_refused', `cannot listen on ${host} port ${port} (${error.code})`, { hint, ...cause })
}

/** An address that stands for all networks is called by the loopback one. As origins are written: without port 80. */
export function toListenerOrigin(host: string, { port }: AddressInfo): string {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const called = name === '0.0.0.0' ? '127.0.0.1' : name === '::' ? '::1' : name
  return new URL(`http://${called.includes(':') ? `[${called}]` : called}:${port}`).origin
}

/** Answers bytes that are not an HTTP request; the handler of requests never sees them. */
type Refuse = (fault: Fault) => Response | Promise<Response>

type Refusing = { refuse: Refuse; lingering: Lingering }

/**
 * Refuses bytes that cannot be read as a request, in the form of every other refusal. The connection ends, since the start of the
 * next request is unknown.
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
    // A server of HTTP has sockets of TCP.
    const socket = stream as Socket
    // Each further chunk of what could not be read is one more error.
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
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('timed_out', 'the request did not come in time')
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new Fault('too_large', 'the head of the request is over the limit', {
      hint: 'send fewer or shorter headers'
    })
  }
  return new Fault('malformed_request', 'what came is no request of HTTP', { cause: error })
}

/** One request and its response, as Node has them. */
type NodeExchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/**
 * Tells how each response of a server ended: resolves with true once it was sent whole, with false when its connection
 * closed first. A response that waits behind another one of the same connection has no `close` event of its own, so the
 * end of the connection counts for all of them.
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
 * Sends a response at the pace of its reader, until `sent` says that it ended. A body that fails cuts the connection, so
 * that the reader does not take the part that it has for the whole; a reader that leaves cancels the body.
 */
async function sendResponse(response: Response, { exchange, sent }: Sending): Promise<void> {
  const { incoming, outgoing } = exchange
  // A small body that came with its head is parsed by then, and the connection can be kept.
  if (!incoming.complete) await new Promise((resolve) => setImmediate(resolve))
  // Else the connection ends with the response, so that a client need not send the rest of a body that is not read.
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

/** One value for each header except cookies, which cannot be joined. */
function toHeaders({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
