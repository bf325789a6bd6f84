import { expect, test } from 'vitest'
import { readReply } from '../../src/client/read-reply.ts'
import { CALL_ROWS } from '../../src/contract/endpoints/call-row.ts'
import { Fault } from '../../src/contract/faults.ts'
import { json, problem } from './fake-service.ts'

const COLLECTION = {
  id: '018f3a00-0000-7000-8000-000000000001',
  name: 'team',
  created_at: '2026-04-01T08:00:00.000Z',
  expires_at: null,
  memories: 3
}

async function faultOf(response: Response, row = CALL_ROWS.listCollections): Promise<Fault> {
  const outcome = await readReply(row, response).catch((error: unknown) => error)
  if (outcome instanceof Fault) return outcome
  throw new Error('expected a fault')
}

test('returns the value of a success unchanged, with unknown members', async () => {
  const value = [{ ...COLLECTION, colour: 'blue' }]
  expect(await readReply(CALL_ROWS.listCollections, json(value))).toEqual(value)
})

test('validates each status of a row by its own schema', async () => {
  const stored = { memory_id: `mem_${'0'.repeat(32)}` }
  expect(await readReply(CALL_ROWS.storeMemory, json(stored, 201))).toEqual(stored)
  expect(await faultOf(json(stored, 200), CALL_ROWS.storeMemory as never)).toMatchObject({ code: 'broken_transfer' })
})

test('returns a text reply as text', async () => {
  const response = new Response('up 1\n', { headers: { 'content-type': 'text/plain' } })
  expect(await readReply(CALL_ROWS.getMetrics, response)).toBe('up 1\n')
})

test('rejects a reply of another schema with the place of the difference', async () => {
  const fault = await faultOf(json([{ ...COLLECTION, memories: 'many' }]))
  expect(fault).toMatchObject({ code: 'broken_transfer', exitCode: 7 })
  expect(fault.message).toContain('/0/memories')
})

test('rejects a reply with an invalid URI', async () => {
  const grants = [{ collection_id: COLLECTION.id, permission: 'read', '\ud800': 1 }]
  const key = { id: COLLECTION.id, name: 'k', grants, admin: false, created_at: COLLECTION.created_at }
  expect(await faultOf(json([key]), CALL_ROWS.listKeys)).toMatchObject({ code: 'broken_transfer' })
})

test.each([
  ['not JSON', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['incomplete', new Response('[{"id":', { headers: { 'content-type': 'application/json' } })],
  ['not UTF-8', new Response(new Uint8Array([0x22, 0xff, 0x22]))],
  ['empty', new Response('')],
  ['sent with a status that the row does not have', new Response(null, { status: 204 })]
])('reports a broken transfer for a success that is %s', async (_name, response) => {
  expect(await faultOf(response)).toMatchObject({ code: 'broken_transfer' })
})

test('converts a problem to its fault with all details', async () => {
  const errors = [{ path: 'grants[0].permission', message: 'is no permission' }]
  const fault = await faultOf(
    problem(422, { code: 'invalid_input', detail: 'no such permission', hint: 'read', errors })
  )
  expect(fault).toMatchObject({ code: 'invalid_input', message: 'no such permission', hint: 'read', errors })
})

test('reads the time to retry from a problem', async () => {
  const fault = await faultOf(problem(429, { code: 'rate_limited', detail: 'too many' }, { 'retry-after': '12' }))
  expect(fault).toMatchObject({ code: 'rate_limited', retryAfter: 12 })
})

test.each([
  { name: 'a code of a later version', status: 409, value: { code: 'colour_clash', detail: 'x' }, code: 'conflict' },
  { name: 'no code at all', status: 400, value: { detail: "Unsupported apply mode: 'x'" }, code: 'invalid_input' },
  { name: 'a code of the command line', status: 400, value: { code: 'cancelled', detail: 'x' }, code: 'invalid_input' },
  {
    name: 'the name of a built-in property',
    status: 404,
    value: { code: 'constructor', detail: 'x' },
    code: 'not_found'
  },
  { name: 'an unknown status', status: 599, value: { detail: 'x' }, code: 'unavailable' },
  { name: 'status 418', status: 418, value: { detail: 'x' }, code: 'invalid_input' }
])('converts $name by its status', async ({ status, value, code }) => {
  expect(await faultOf(problem(status, value))).toMatchObject({ code, message: expect.any(String) })
})

test.each([413, 429, 502, 503, 504])('converts a page of an intermediary with %i by its status', async (status) => {
  const response = new Response('<h1>no</h1>', { status, headers: { 'content-type': 'text/html', 'retry-after': '3' } })
  expect(await faultOf(response)).not.toMatchObject({ code: 'broken_transfer' })
})

test.each([400, 401, 403, 404, 500])('attributes a page with %i to another service than memctl', async (status) => {
  const response = new Response('<h1>no</h1>', { status, headers: { 'content-type': 'text/html' } })
  expect(await faultOf(response)).toMatchObject({
    code: 'broken_transfer',
    message: expect.stringContaining('text/html')
  })
})

test('does not follow a redirect, and names its target', async () => {
  const response = new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/v1' } })
  const fault = await faultOf(response)
  expect(fault.code).toBe('broken_transfer')
  expect(fault.hint).toContain('https://elsewhere.example/v1')
})

test('accepts errors of a hostile service only in the schema and up to a limit', async () => {
  const errors = [...Array(500).fill({ path: 'a', message: 'b' }), { path: 1 }, null]
  expect((await faultOf(problem(422, { code: 'invalid_input', errors }))).errors).toHaveLength(100)
  expect((await faultOf(problem(422, { code: 'invalid_input', errors: [null, 7, { path: 1 }] }))).errors).toEqual([])
})

test('converts a page that refuses a consent to its fault, and keeps a report unchanged', async () => {
  const page = (status: number): Response =>
    new Response('<!doctype html><h1>no</h1>', { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
  const row = CALL_ROWS.receiveCallback as never
  expect(await faultOf(page(403), row)).toMatchObject({ code: 'consent_denied', exitCode: 5 })
  for (const status of [400, 404, 410, 502])
    expect(await faultOf(page(status), row)).toMatchObject({ code: 'consent_failed' })
  expect(await faultOf(problem(404, { code: 'not_found', detail: 'gone' }), row)).toMatchObject({ code: 'not_found' })
  expect(await faultOf(page(418), row)).toMatchObject({ code: 'broken_transfer' })
  expect(await readReply(CALL_ROWS.receiveCallback, page(200))).toContain('<h1>')
})
