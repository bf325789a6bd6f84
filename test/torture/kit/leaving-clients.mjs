import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { requestBytes } from '../../bench/load/http-connection.mjs'

/**
 * Begins an export and leaves at a random moment: immediately, after some milliseconds, or in the middle of the reply.
 */
export async function leaveExport(server, { collectionId, random }) {
  const accept = random() < 0.5 ? 'application/json' : 'application/jsonl'
  const body = JSON.stringify({ collection_id: collectionId })
  const path = '/v1/device-memory/snapshot/export'
  const socket = await opened(server)
  socket.write(requestBytes({ ...server, method: 'POST', path, headers: { accept }, body }))
  const kind = random()
  if (kind < 0.4) await delay(random() * 20)
  else if (kind < 0.8) await received(socket, random() * 2_000_000)
  socket.resetAndDestroy()
}

/** Begins a large upload and leaves in the middle. */
export async function leaveUpload(server, { collectionId, random }) {
  const length = 20 * 1024 * 1024
  const socket = await opened(server)
  socket.write(uploadHead(server, { collectionId, length }))
  const part = Buffer.alloc(Math.trunc(random() * length), ' ')
  await new Promise((resolve) => socket.write(part, resolve))
  if (random() < 0.5) await delay(random() * 20)
  socket.resetAndDestroy()
}

/** Sends a large body completely with an unknown key, and reads only then. Returns the status, or the error. */
export async function uploadWithWrongKey(server, { collectionId, key }) {
  const length = 8 * 1024 * 1024
  const socket = await opened(server)
  let error
  socket.on('error', (thrown) => {
    error = thrown
  })
  socket.pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(uploadHead({ ...server, key }, { collectionId, length }))
  await new Promise((resolve) => socket.write(Buffer.alloc(length, ' '), resolve))
  let reply = ''
  socket.setEncoding('latin1').on('data', (text) => {
    reply += text
  })
  socket.resume()
  await closed
  return error === undefined ? Number(reply.slice(9, 12)) : error.code
}

function uploadHead({ origin, key }, { collectionId, length }) {
  const lines = [
    `POST /v1/collections/${collectionId}/records HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    `authorization: Bearer ${key}`,
    'content-type: application/jsonl',
    `content-length: ${length}`
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

async function opened({ origin }) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  // Errors are irrelevant to a client that leaves.
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

/** Resolves when this many bytes have arrived, or the connection was closed. */
function received(socket, bytes) {
  return new Promise((resolve) => {
    let count = 0
    socket.once('close', resolve)
    socket.on('data', (chunk) => {
      count += chunk.length
      if (count >= bytes) resolve()
    })
  })
}
