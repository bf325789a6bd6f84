import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { ask, COLLECTION, KEYS, testApp } from './app-kit.ts'

const RUNS = process.env.SLOW ? 20_000 : 300

const PATHS = [
  ...['/v1/memories', '/v1/memories/search', '/v1/collections', '/v1/keys', `/v1/collections/${COLLECTION}`],
  `/mcp/${COLLECTION}`
]

const text = fc.string({ unit: 'binary', maxLength: 40 })

const path = fc.oneof(
  fc.constantFrom(...PATHS),
  fc.tuple(fc.constantFrom(...PATHS), text).map(([base, more]) => `${base}/${encodeURIComponent(more.toWellFormed())}`),
  fc.tuple(fc.constantFrom(...PATHS), text).map(([base, more]) => `${base}?${encodeURI(more.toWellFormed())}`),
  fc.webPath()
)

/** Almost valid bodies, and arbitrary ones. */
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
  fc.json().map((json) => new Uint8Array(Buffer.from(json))),
  fc
    .record(
      {
        collection_id: fc.oneof(fc.constant(COLLECTION), fc.anything()),
        collection_ids: fc.oneof(fc.constant([COLLECTION]), fc.anything()),
        raw_text: fc.oneof(text, fc.anything()),
        query: fc.oneof(text, fc.anything()),
        snapshot: fc.jsonValue(),
        metadata: fc.jsonValue(),
        name: fc.oneof(text, fc.anything()),
        grants: fc.jsonValue(),
        jsonrpc: fc.constant('2.0'),
        method: fc.oneof(text, fc.anything()),
        params: fc.jsonValue()
      },
      { requiredKeys: [] }
    )
    .map((value) => new Uint8Array(Buffer.from(stringify(value))))
)

test('answers any request without an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(
      path,
      body,
      fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH', 'PUT'),
      async (where, bytes, method) => {
        const app = testApp()
        const headers = { 'content-type': 'application/json' }
        const init = method === 'GET' ? { headers } : { headers, body: bytes }
        const reply = await app.fetch(ask(where, { key: KEYS.admin, method, ...init }))
        expect(reply.status).toBeLessThan(500)
        if (!reply.ok) Problem.parse(await reply.json())
        expect(app.lines.filter(({ level }) => level === 'error')).toEqual([])
      }
    ),
    { numRuns: RUNS }
  )
})

/** Serializes any value to JSON, as far as possible. */
function stringify(value: unknown): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ?? 'null'
}
