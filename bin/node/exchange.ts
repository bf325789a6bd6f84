import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** One request and its response, as Node has them. */
export type NodeExchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/**
 * Tells how each response of a server ended: resolves with true once it was sent whole, with false when its connection
 * closed first. A response that waits behind another one of the same connection has no `close` event of its own, so the
 * end of the connection counts for all of them.
 */
export function watchResponses(server: Server): (exchange: NodeExchange) => Promise<boolean> {
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
export async function sendResponse(response: Response, { exchange, sent }: Sending): Promise<void> {
  const { incoming, outgoing } = exchange
  // A small body that came with its head is parsed by then, and the connection can be kept.
  if (!incoming.complete) await new Promise((resolve) => setImmediate(resolve))
  // Else the connection ends with the response, so that a client need not send the rest of a body that nobody reads.
  if (!incoming.complete) outgoing.shouldKeepAlive = false
  const reader = response.body?.getReader()
  let resume = (): void => undefined
  outgoing.on('drain', () => resume())
  void sent.then(() => {
    resume()
    reader?.cancel().catch(() => undefined)
  })
  if (outgoing.destroyed || incoming.socket.destroyed) return
  outgoing.writeHead(response.status, headersOf(response))
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

/** One value a header, but for cookies, which cannot be joined. */
function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
