import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Sends a request to the emulator, which by default is the request that the shim received. */
export type Forward = (changed?: { path?: string; method?: string; form?: URLSearchParams }) => Promise<Response>

/** A request as the shim received it, with its path below the origin. */
export type Received = { method: string; url: URL; headers: Headers; body: Buffer; forward: Forward }

/** Answers a request that the emulator lacks; undefined for one that the emulator answers. */
type Answer = (received: Received) => Promise<Response> | undefined

/** Starts a loopback server in front of an emulator that answers what the emulator lacks. Returns its origin. */
export async function startShim(emulator: string, answer: Answer): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const received = await toReceived(incoming, emulator)
    const reply = await (answer(received) ?? received.forward())
    outgoing.writeHead(reply.status, Object.fromEntries([...reply.headers].filter(([name]) => !HOP_HEADERS.has(name))))
    outgoing.end(Buffer.from(await reply.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Headers of one connection, or of the body before it was decoded. */
const HOP_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding'
])

async function toReceived(incoming: IncomingMessage, emulator: string): Promise<Received> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const url = new URL(incoming.url ?? '/', emulator)
  const method = incoming.method ?? 'GET'
  const own = Object.entries(incoming.headers).filter(([name]) => !HOP_HEADERS.has(name))
  const headers = new Headers(own.map(([name, value]): [string, string] => [name, String(value)]))
  const forward: Forward = async ({ path, method: other = method, form } = {}) => {
    const sent = new Headers(headers)
    if (form !== undefined) sent.delete('content-type')
    const content = form ?? (body.length === 0 ? null : new Uint8Array(body))
    return await fetch(path === undefined ? url : new URL(path, emulator), {
      method: other,
      headers: sent,
      redirect: 'manual',
      body: other === 'GET' ? null : content
    })
  }
  return { method, url, headers, body, forward }
}
