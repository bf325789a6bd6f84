import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How long the rest of a request is discarded after its response: in all, without a byte, and how many bytes. Closing a
 * connection on which bytes are unread resets it, and the reset may overtake the response (RFC 9112, 9.6).
 */
export type LingerLimits = { totalMs: number; idleMs: number; bytesMax: number }

const LINGER: LingerLimits = { totalMs: 30_000, idleMs: 5000, bytesMax: 256 * 1024 * 1024 }

/** How often the limits are checked while a connection lingers, in milliseconds. */
const CHECK_EVERY_MS = 250

/** Connections whose last response was sent and whose other side may still be sending. */
export type Lingering = {
  /** Sends the end of the connection, and closes it once the other side has ended too or a limit is reached. */
  begin(socket: Socket): void
  has(socket: Socket): boolean
}

/** Lets every connection of a server linger that would be closed while a request on it is incomplete. */
export function lingerOnClose(server: Server, limits = LINGER): Lingering {
  const lingering = new WeakSet<Socket>()
  const latest = new WeakMap<Socket, IncomingMessage>()

  const begin = (socket: Socket): void => {
    if (lingering.has(socket)) return
    lingering.add(socket)
    socket.end()
    closeLater(socket, limits)
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
  return { begin, has: (socket) => lingering.has(socket) }
}

/** Reads the rest of a body and drops it. Whoever was reading it is detached: it would pause the stream. */
function discard(request: IncomingMessage): void {
  request.removeAllListeners('data')
  request.once('end', () => request.socket.destroy())
  request.resume()
}

function closeLater(socket: Socket, { totalMs, idleMs, bytesMax }: LingerLimits): void {
  const before = socket.bytesRead
  let seen = before
  let ms = 0
  let movedAtMs = 0
  const timer = setInterval(() => {
    ms += CHECK_EVERY_MS
    if (socket.bytesRead > seen) movedAtMs = ms
    seen = socket.bytesRead
    if (ms >= totalMs || ms - movedAtMs >= idleMs || seen - before > bytesMax) socket.destroy()
  }, CHECK_EVERY_MS)
  timer.unref()
  socket.once('end', () => socket.destroy())
  socket.once('close', () => clearInterval(timer))
}
