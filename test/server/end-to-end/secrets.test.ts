import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { startTestServer, type TestServer } from './server-kit.ts'

/** Distinctive values that would be recognized in any output. */
const WRONG_KEY = `mk_${'wrongwrong'.repeat(4)}abc`
const QUERY_SECRET = 'querysecret8417'
const TEXT = 'The vault opens with the word nightingale.'

test('never logs a key, a query string or a sent text, for any endpoint and outcome', async () => {
  const server = await startTestServer()
  const made = await server.call('POST', '/v1/keys', { body: { name: 'app' } })
  for (const key of [server.adminKey, made.json.key, WRONG_KEY, null]) await callAll(server, key)
  const logged = JSON.stringify(server.log)
  expect(server.log.length).toBeGreaterThan(4 * Object.keys(ENDPOINTS).length)
  for (const secret of [server.adminKey, made.json.key, WRONG_KEY, QUERY_SECRET, 'nightingale', 'vault opens']) {
    expect(logged.includes(secret)).toBe(false)
  }
})

test('returns a key only in the reply that creates it, and never in metrics', async () => {
  const server = await startTestServer()
  const made = await server.call('POST', '/v1/keys', { body: { name: 'app' } })
  for (const key of [server.adminKey, WRONG_KEY]) {
    for (const answer of await callAll(server, key)) {
      for (const secret of [server.adminKey, made.json.key, WRONG_KEY]) expect(answer.includes(secret)).toBe(false)
    }
  }
})

/** Calls every endpoint with valid and invalid input, and returns the replies. */
async function callAll(server: TestServer, key: string | null): Promise<string[]> {
  const { collectionId } = server
  const answers: string[] = []
  for (const { method, path } of Object.values(ENDPOINTS)) {
    // Later calls need the collection and the key.
    if (method === 'DELETE') continue
    const place = path.replace('{collection_id}', collectionId)
    for (const sent of method === 'GET' ? [{}] : bodiesFor(path, collectionId)) {
      for (const query of ['', `?token=${QUERY_SECRET}&state=${QUERY_SECRET}`]) {
        const response = await server.send(method, `${place}${query}`, { key, ...sent })
        answers.push(`${JSON.stringify([...response.headers])}${await response.text()}`)
      }
    }
  }
  // The only reply with a new key is excluded.
  return answers.filter((answer) => !/"key":"mk_/.test(answer))
}

function bodiesFor(path: string, collection_id: string) {
  const fitting = [
    { collection_id },
    { collection_id, raw_text: TEXT },
    { collection_ids: [collection_id], query: TEXT },
    { name: TEXT }
  ]
  const lines = { lines: file(memoryLine({ text: TEXT })).toString() }
  const broken = { lines: `{"text":"${TEXT}"` }
  const json = [...fitting, { snapshot: { text: TEXT }, raw_text: TEXT }].map((body) => ({ body }))
  return path.includes('records') || path.includes('import') ? [...json, lines, broken] : json
}
