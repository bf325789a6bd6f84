// Invalid input over a real socket: a clear problem with the path of each error, never a 500, never a changed row, and
// server is ready the next request as usual.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { openConnection, requestBytes } from '../bench/load/http-connection.mjs'
import { startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { CORPORA, ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'

const { only } = options(1, ['suite', 'fields', 'snapshots', 'tenants', 'cut', 'large'])
const SUITE = join(CORPORA, 'JSONTestSuite', 'test_parsing')
const WITHIN_MS = 20_000 * PATIENCE
const GUID = '0192d7a0-0000-7000-8000-000000000000'

const report = createReport('bad input to a server')
ensureBuilt()
const home = makeHome()
const server = await startServer({ env: home.env })
const mine = await makeCollection(server, 'mine')
const foreign = await makeCollection(server, 'of another tenant')
for (const id of [mine, foreign])
  await callService(server, { path: '/v1/memories', body: { collection_id: id, raw_text: 'Ada moved to Lisbon.' } })
const grants = [{ collection_id: mine, permission: 'edit' }]
const { key } = await callService(server, { path: '/v1/keys', body: { name: 'tenant', grants } })
const { snapshot } = await exported(mine)
const before = await states()

if (wanted('suite')) await jsonSuite()
if (wanted('fields')) await exclusiveFields()
if (wanted('snapshots')) await badSnapshots()
if (wanted('tenants')) await otherTenants()
if (wanted('cut')) await cutBodies()
if (wanted('large')) await largeBodies()
const after = await states()
report.case('no row changed', after === before ? undefined : `${before} before, ${after} after`)
const { code } = await server.stop()
report.case('stopped', code === 0 || code === 143 ? undefined : `exit ${code}: ${server.said().slice(-300)}`)
report.finish()

function wanted(part) {
  return only === undefined || only === part
}

async function exported(id) {
  return callService(server, { path: '/v1/device-memory/snapshot/export', body: { collection_id: id } })
}

/** Returns the root hashes of the two collections, and the number of collections that are not ephemeral. */
async function states() {
  const hashes = [(await exported(mine)).root_hash, (await exported(foreign)).root_hash]
  const all = await callService(server, { method: 'GET', path: '/v1/collections' })
  return [...hashes, all.filter(({ expires_at }) => expires_at === null).length].join(' ')
}

/** Sends a body, and returns what is wrong with the reply if it is not refused correctly. */
async function refused(name, { path, body, statuses, method = 'POST', type = 'application/json', codes }) {
  const connection = await openConnection(server.origin)
  const started = performance.now()
  try {
    const headers = { 'content-type': type }
    const reply = await connection.send(requestBytes({ origin: server.origin, key, method, path, headers, body }))
    const ms = performance.now() - started
    report.case(name, unlike(reply, { statuses, codes }) ?? (ms > WITHIN_MS ? `${Math.round(ms)} ms` : undefined))
  } catch (error) {
    report.case(name, `no reply: ${error.message}`)
  } finally {
    connection.close()
  }
}

function unlike({ status, head, body }, { statuses, codes }) {
  const text = body.toString()
  const shown = `${status} ${text.slice(0, 200)}`
  if (!statuses.includes(status)) return shown
  if (!/\r\ncontent-type: application\/problem\+json/i.test(head)) return `no problem details: ${shown}`
  const problem = JSON.parse(text)
  if (problem.status !== status || typeof problem.detail !== 'string') return `an odd problem: ${shown}`
  if (status === 422 && (problem.errors ?? []).length === 0) return `no paths: ${shown}`
  return codes === undefined || codes.includes(problem.code) ? undefined : `another code: ${shown}`
}

async function jsonSuite() {
  if (!existsSync(SUITE)) return report.note('JSONTestSuite', `left out: there is no ${SUITE}`)
  for (const name of readdirSync(SUITE).filter((file) => file.startsWith('n_'))) {
    const body = readFileSync(join(SUITE, name))
    await refused('JSONTestSuite', { path: '/v1/memories', body, statuses: [400], codes: ['malformed_json'] })
    await refused('JSONTestSuite', { path: '/v1/memories/search', body, statuses: [400], codes: ['malformed_json'] })
  }
  const traps = [
    '{"collection_id":1,"collection_id":2}',
    '{"__proto__":{"admin":true}}',
    `{"metadata":{"a":{"__proto__":1}},"raw_text":"x","collection_id":"${mine}"}`,
    '{"a":1e400}',
    '{"a":"\\ud800"}',
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    '['.repeat(1_000_000),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  ]
  for (const body of traps)
    await refused('JSON traps', { path: '/v1/memories', body, statuses: [400], codes: ['malformed_json'] })
}

async function exclusiveFields() {
  const path = '/v1/memories'
  const bodies = [
    [path, { raw_text: 'x' }],
    [path, { raw_text: 'x', collection_id: mine, snapshot }],
    [path, { collection_id: mine }],
    [path, { collection_id: mine, raw_text: 7 }],
    [path, { collection_id: mine, raw_text: 'x', metadata: [] }],
    [path, { collection_id: 'mine', raw_text: 'x' }],
    [path, { collection_id: mine, raw_text: 'x', speaker: 'Ada' }],
    [`${path}/search`, { query: 'x' }],
    [`${path}/search`, { query: 'x', collection_ids: [mine], snapshot }],
    [`${path}/search`, { query: 'x', collection_ids: [] }],
    [`${path}/search`, { query: 'x', collection_ids: mine }],
    [`${path}/search`, { query: 'x', collection_ids: [mine], limit: 0 }],
    [`${path}/search`, { query: 'x', collection_ids: [mine], groups: ['all'] }],
    [`${path}/search`, { query: 'x', collection_ids: [mine], as_of: 'yesterday' }]
  ]
  for (const [at, body] of bodies) await refused('fields', { path: at, body: JSON.stringify(body), statuses: [422] })
}

async function badSnapshots() {
  const [record] = snapshot.records
  const kinds = {
    'another version': { ...snapshot, version: 2 },
    'another format': { ...snapshot, format: 'x' },
    'no records': { ...snapshot, records: undefined },
    'records that are none': { ...snapshot, records: [1, null, 'x'] },
    'a wrong check': { ...snapshot, records: [{ ...record, check: '0'.repeat(64) }] },
    'no check': { ...snapshot, records: [{ ...record, check: undefined }] },
    'a changed text': { ...snapshot, records: [{ ...record, text: 'Ada moved to Rome.' }] },
    'lost lines': { ...snapshot, records: [] },
    'a header that was changed': { ...snapshot, created_at: '1999-01-01T00:00:00.000Z' },
    'a million records that are none': {
      ...snapshot,
      records: Array.from({ length: 1_000_000 }, (_, n) => ({ type: 'memory', n }))
    },
    'a line of 16 MiB': { ...snapshot, records: [signed({ ...record, text: 'x'.repeat(16 * 1024 * 1024) })] }
  }
  for (const [name, bad] of Object.entries(kinds)) {
    const codes = ['invalid_snapshot', 'not_a_snapshot', 'unsupported_version', 'invalid_input']
    const statuses = [422]
    const ask = (path, more) =>
      refused(name, { path, body: JSON.stringify({ ...more, snapshot: bad }), statuses, codes })
    await ask('/v1/memories/search', { query: 'x' })
    await ask('/v1/memories', { raw_text: 'x' })
    await ask('/v1/device-memory/snapshot/import', {})
    const { records, ...header } = bad
    const lines = [header, ...(records ?? [])].map((line) => `${JSON.stringify(line)}\n`).join('')
    if (records === undefined || name === 'lost lines') continue
    const type = 'application/jsonl'
    await refused(name, { path: `/v1/collections/${mine}/records`, body: lines, type, statuses, codes })
    await refused(name, { path: '/v1/device-memory/snapshot/import', body: lines, type, statuses, codes })
  }
}

/** Adds the matching check to a record whose keys are in order. */
function signed({ check, ...record }) {
  const text = JSON.stringify(record)
  return { ...record, check: createHash('sha256').update(text).digest('hex') }
}

async function otherTenants() {
  const name = 'ids of other tenants'
  const ask = (path, body, statuses = [403]) => refused(name, { path, body: JSON.stringify(body), statuses })
  await ask('/v1/memories', { collection_id: foreign, raw_text: 'x' })
  await ask('/v1/memories/search', { collection_ids: [mine, foreign], query: 'x' })
  await ask('/v1/device-memory/snapshot/export', { collection_id: foreign })
  await ask('/v1/memories', { collection_id: GUID, raw_text: 'x' }, [404])
  await ask('/v1/collections', { name: 'x' })
  await ask('/v1/keys', { name: 'x', admin: true })
  const type = 'application/jsonl'
  await refused(name, { path: `/v1/collections/${foreign}/records`, body: '{}\n', type, statuses: [403, 422] })
  await refused(name, { method: 'DELETE', path: `/v1/collections/${foreign}`, statuses: [403] })
}

/** Sends truncated bodies: nothing changes, and the server keeps running. */
async function cutBodies() {
  const whole = JSON.stringify({ collection_id: mine, raw_text: 'this was never said' })
  const { hostname, port } = new URL(server.origin)
  for (let length = 0; length < whole.length; length += 7) {
    await new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        const request = requestBytes({ origin: server.origin, key, method: 'POST', path: '/v1/memories', body: whole })
        socket.end(request.subarray(0, request.length - whole.length + length))
      })
      socket.resume()
      socket.on('error', () => undefined)
      socket.once('close', resolve)
    })
    report.case('cut bodies')
  }
  const health = await callService(server, { method: 'GET', path: '/healthz' })
  report.case('cut bodies', health.status === 'ok' ? undefined : JSON.stringify(health))
}

async function largeBodies() {
  const { hostname, port } = new URL(server.origin)
  const head = `POST /v1/memories HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
  const said = `${head}content-length: ${65 * 1024 * 1024}\r\n\r\n`
  const chunk = 'x'.repeat(1024 * 1024)
  const chunked = [`${head}transfer-encoding: chunked\r\n\r\n`, ...Array(65).fill(`100000\r\n${chunk}\r\n`)]
  report.case('a body over the limit, as it says', over(await firstAnswer([said])))
  report.case('a body over the limit, in chunks', over(await firstAnswer(chunked)))
}

function over(text) {
  return text.startsWith('HTTP/1.1 413') ? undefined : text.slice(0, 200)
}

/** Returns the first reply to parts of an incomplete request. The server must reply without the rest. */
function firstAnswer(parts) {
  const { hostname, port } = new URL(server.origin)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const answer = (text) => {
      resolve(text)
      socket.destroy()
    }
    socket.setEncoding('utf8').once('data', answer)
    socket.on('error', () => undefined)
    socket.once('close', () => answer('closed without an answer'))
    const send = (n) => {
      const part = parts[n]
      if (part === undefined || socket.destroyed) return
      socket.write(part, () => send(n + 1))
    }
    socket.once('connect', () => send(0))
  })
}
