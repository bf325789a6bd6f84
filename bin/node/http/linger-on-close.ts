import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How long the rest of a request is discarded after its response, in milliseconds, and how many bytes of it. Closing a
 * connection on which bytes are unread resets it, and the reset may overtake the response (RFC 9112, 9.6). A client may
 * pause within that time as long as it likes: a busy machine can hold one back for seconds.
 */
export type LingerLimits = { totalMs: number; bytesMax: number }

const LINGER: LingerLimits = { totalMs: 60_000, bytesMax: 256 * 1024 * 1024 }

/** How long a connection still lingers once the server stops, in milliseconds. */
const STOPPING_MS = 500

/** How often the limits are checked while a connection lingers, in milliseconds. */
const CHECK_EVERY_MS = 250

/** Connections whose last response was sent and whose other side may still be sending. */
export type Lingering = {
  /** Sends the end of the connection, and closes it once the other side has ended too or a limit is reached. */
  begin(socket: Socket): void
  has(socket: Socket): boolean
  /** Lets no connection linger for longer than a moment from now on: the server stops. */
  stop(): void
}

/** Lets every connection of a server linger that would be closed while a request on it is incomplete. */
export function lingerOnClose(server: Server, limits = LINGER): Lingering {
  const lingering = new WeakSet<Socket>()
  const left = { ...limits }
  const latest = new WeakMap<Socket, IncomingMessage>()

  const begin = (socket: Socket): void => {
    if (lingering.has(socket)) return
    lingering.add(socket)
    socket.end()
    closeLater(socket, left)
    const request = latest.get(socket)
    if (request !== undefined && !request.complete) discard(request)
  }
  server.prependListener('request', (request: IncomingMessage) => void latest.set(request.socket, request))
  server.on('connection', (socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    // Node's way of closing a connection after its last response.
    socket.destroySoon = () => {
      if (lingering.has(socket)) return
      if (latest.get(socket)?.complete === false) begin(socket)
      else destroySoon()
    }
  })
  const stop = (): void => {
    left.totalMs = Math.min(left.totalMs, STOPPING_MS)
  }
  return { begin, has: (socket) => lingering.has(socket), stop }
}

/** Reads the rest of a body and drops it. Whoever was reading it is detached: it would pause the stream. */
function discard(request: IncomingMessage): void {
  request.removeAllListeners('data')
  request.once('end', () => request.socket.destroy())
  request.resume()
}

/** Closes a connection once a limit is reached. `limits` may become tighter while it lingers. */
function closeLater(socket: Socket, limits: Readonly<LingerLimits>): void {
  const before = socket.bytesRead
  let ms = 0
  const timer = setInterval(() => {
    ms += CHECK_EVERY_MS
    if (ms >= limits.totalMs || socket.bytesRead - before > limits.bytesMax) socket.destroy()
  }, CHECK_EVERY_MS)
  timer.unref()
  socket.once('end', () => socket.destroy())
  socket.once('close', () => clearInterval(timer))
}
