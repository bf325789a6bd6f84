import { createHash } from 'node:crypto'
import { openConnection, requestBytes } from './http-connection.mjs'

/** Sends one request to a running server. Returns the parsed body, or throws with the error. */
export async function callService({ origin, key }, { method = 'POST', path, body, headers }) {
  const connection = await openConnection(origin)
  try {
    const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const reply = await connection.send(requestBytes({ origin, key, method, path, headers, body: text }))
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${reply.body.toString().slice(0, 500)}`)
    return JSON.parse(reply.body.toString())
  } finally {
    connection.close()
  }
}

/** Creates a collection and returns its id. */
export async function makeCollection(server, name) {
  return (await callService(server, { path: '/v1/collections', body: { name } })).id
}

const PART_BYTES = 8 * 1024 * 1024

/** Imports a snapshot file into a collection, in parts that each begin with an empty header. Returns the seconds. */
export async function restoreFile(server, collectionId, text) {
  const [header, ...lines] = text.trimEnd().split('\n')
  const empty = emptyHeader(header)
  const start = performance.now()
  let part = []
  let bytes = 0
  const send = async () => {
    const body = Buffer.from(`${[empty, ...part].join('\n')}\n`)
    await callService(server, {
      path: `/v1/collections/${collectionId}/records`,
      headers: { 'content-type': 'application/jsonl' },
      body
    })
    part = []
    bytes = 0
  }
  for (const line of lines) {
    part.push(line)
    bytes += line.length
    if (bytes >= PART_BYTES) await send()
  }
  if (part.length > 0) await send()
  return (performance.now() - start) / 1000
}

/** Builds the header line of an empty snapshot, in canonical order with its check last. */
function emptyHeader(line) {
  const { check, ...header } = JSON.parse(line)
  const claims = { ...header, count: 0, ids_hash: sha256('') }
  const text = JSON.stringify(Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))))
  return `${text.slice(0, -1)},"check":"${sha256(text)}"}`
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex')
}
