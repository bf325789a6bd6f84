import type http from 'node:http'
import type { Exchange, Fetch } from '../../src/ports.ts'
import { incomingOf } from './send-request.ts'
import { webStream } from './web-stream.ts'

/** The fetch port over Node's own HTTP: what `incomingOf` does, with the classes of the platform. */
export const nodeFetch: Fetch = async ({ url, method, headers, body, signal }) => {
  const incoming = await incomingOf({
    url,
    method,
    headers: Object.fromEntries(headers),
    body: body ?? undefined,
    signal
  })
  return responseOf(incoming, method)
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

/** The exchange port: what `incomingOf` does, in plain values. */
export const nodeExchange: Exchange = async (request) => {
  const incoming = await incomingOf(request)
  // Whoever reads is told by the reading; one that nobody reads any more breaks unheard.
  incoming.on('error', () => undefined)
  return {
    status: incoming.statusCode ?? 0,
    headers: { get: (name) => headerOf(incoming, name) },
    body: incoming
  }
}

function headerOf({ headers }: http.IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : (value ?? null)
}
