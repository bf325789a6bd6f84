import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { corpus } from '../../snapshot/corpora.ts'
import { ask, COLLECTION, KEYS, testApp } from './app-kit.ts'

const suite = corpus('JSONTestSuite')

/** Returns the verdict on a body: `read` if the row only expects other members, else the code of the refusal. */
async function verdict(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const app = testApp()
  const headers = { 'content-type': 'application/json' }
  const reply = await app.fetch(ask('/v1/collections', { key: KEYS.admin, headers, body }))
  const { code } = (await reply.json()) as { code?: string }
  return reply.status === 422 ? 'read' : `${reply.status} ${code}`
}

/** Returns the verdict on a body that contains the text as metadata, which may be any JSON. */
async function verdictAsMetadata(value: Uint8Array): Promise<string> {
  const app = testApp()
  const start = `{"collection_id":"${COLLECTION}","raw_text":"x","metadata":{"value":`
  const body = new Uint8Array(Buffer.concat([Buffer.from(start), value, Buffer.from('}}')]))
  const headers = { 'content-type': 'application/json' }
  const reply = await app.fetch(ask('/v1/memories', { key: KEYS.admin, headers, body }))
  return String(reply.status)
}

test('parses every case of a JSON test suite as specified', async ({ skip }) => {
  skip(suite.missing, suite.why)
  const folder = new URL('test_parsing/', suite.folder)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(names.length).toBeGreaterThan(300)
  for (const name of names) {
    const bytes = new Uint8Array(readFileSync(new URL(encodeURIComponent(name), folder)))
    const got = await verdict(bytes)
    expect([name, expectedOf(name).includes(got), got]).toEqual([name, true, got])
    const within = await verdictAsMetadata(bytes)
    expect([name, ['201', '400'].includes(within)]).toEqual([name, true])
  }
})

/** Returns the allowed verdicts of a case. `i_` leaves the choice to the parser. */
function expectedOf(name: string): string[] {
  if (name.startsWith('n_') || UNLIKE.has(name)) return ['400 malformed_json']
  return name.startsWith('i_') ? ['400 malformed_json', 'read'] : ['read']
}

/** Valid JSON that parsers read differently, which the service refuses: two members of one name. */
const UNLIKE = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'])
