import { connect } from 'node:net'

/**
 * Opens one persistent connection to a server on this machine, with a client whose cost is small compared to that of
 * the measured server. It sends one request at a time; `send` resolves with the status, the headers (as text) and the
 * body of the reply.
 */
export async function openConnection(origin) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received = Buffer.alloc(0)
  let waiting
  const settle = (error, reply) => {
    const { resolve, reject } = waiting ?? {}
    waiting = undefined
    if (error) reject?.(error)
    else resolve?.(reply)
  }
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    const found = readReply(received)
    if (found === undefined) return
    received = received.subarray(found.end)
    settle(undefined, found.reply)
  })
  socket.on('error', (error) => settle(error))
  socket.on('close', () => settle(new Error('the connection was closed')))
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      })
    },
    close: () => socket.destroy()
  }
}

/** Builds the bytes of a request: method, path, headers in addition to the usual ones, and a body of text or bytes. */
export function requestBytes({ origin, method, path, key, headers = {}, body }) {
  const payload = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
  const lines = {
    host: new URL(origin).host,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': payload.length }),
    ...headers
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`), payload])
}

/** Parses the first complete reply in the received bytes with its end, or returns undefined if it is incomplete. */
function readReply(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const start = headEnd + 4
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const found = length === undefined ? readChunks(bytes, start) : readPlain(bytes, start, Number(length))
  return found && { reply: { status, head, body: found.body }, end: found.end }
}

function readPlain(bytes, start, length) {
  const end = start + length
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end }
}

function readChunks(bytes, start) {
  const parts = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (bytes.length < from + size + 2) return undefined
    if (size === 0) return { body: Buffer.concat(parts), end: from + 2 }
    parts.push(bytes.subarray(from, from + size))
    at = from + size + 2
  }
}
