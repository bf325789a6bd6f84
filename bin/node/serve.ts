import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Fault } from '../../src/contract/faults.ts'
import type { SystemError } from '../../src/ports.ts'
import { sendResponse, watchResponses } from './exchange.ts'
import { type LingerLimits, lingerOnClose } from './linger.ts'
import { type Refuse, refuseUnread } from './refuse-unread.ts'

/**
 * Answers a request that came from a network address. `sent` resolves with true once the response was sent whole, with
 * false when the connection closed first; it never rejects.
 */
export type Answering = (request: Request, peer: { address: string; sent: Promise<boolean> }) => Promise<Response>

export type ListenOptions = {
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
    { overrideGlobalObjects: false, errorHandler: (error) => refuse(misdirected(error)) }
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
    origin: originOf(host, server.address() as AddressInfo),
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

function misdirected(cause: unknown): Fault {
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
    server.once('error', (error: SystemError) => reject(refused(error, { host, port })))
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, resolve)
  })
}

function refused(error: SystemError, { host, port }: Place): Fault {
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
export function originOf(host: string, { port }: AddressInfo): string {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const called = name === '0.0.0.0' ? '127.0.0.1' : name === '::' ? '::1' : name
  return new URL(`http://${called.includes(':') ? `[${called}]` : called}:${port}`).origin
}
