import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How long the rest of a request is discarded after its response, in milliseconds, and how many bytes of it. Closing a
 * connection with unread bytes resets it, and the reset may overtake the response (RFC 9112, 9.6). A client may pause
 * for any part of that time, because a busy machine can delay it for seconds.
 */
export type LingerLimits = { totalMs: number; bytesMax: number }

const LINGER: LingerLimits = { totalMs: 60_000, bytesMax: 256 * 1024 * 1024 }

/** How long connections linger after the server begins to stop, in milliseconds. */
const STOPPING_MS = 500

/** How often the limits are checked while a connection lingers, in milliseconds. */
const CHECK_EVERY_MS = 250

/** Connections whose last response was sent and whose other side may still be sending. */
export type Lingering = {
  /** Ends the sending side of the connection, and closes it once the other side has ended too or a limit is reached. */
  begin(socket: Socket): void
  has(socket: Socket): boolean
  /** Limits the remaining time of all lingering connections, because the server is stopping. */
  stop(): void
}

/** Makes connections linger that the server would close while a request is incomplete. */
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
    // How Node closes a connection after its last response.
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

/** Reads and discards the rest of a body. Detaches the current reader, which would pause the stream. */
function discard(request: IncomingMessage): void {
  request.removeAllListeners('data')
  request.once('end', () => request.socket.destroy())
  request.resume()
}

/** Closes a connection once a limit is reached. `limits` may be reduced while it lingers. */
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
