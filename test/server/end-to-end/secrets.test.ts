import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts'
import { file, memoryLine } from '../../snapshot/builders.ts'
import { startTestServer, type TestServer } from './server-kit.ts'

/** Each would be seen wherever it came out. */
const WRONG_KEY = `mk_${'wrongwrong'.repeat(4)}abc`
const QUERY_SECRET = 'querysecret8417'
const TEXT = 'The vault opens with the word nightingale.'

test('no key, no query string and no text that was sent is ever logged, whatever endpoint and whatever outcome', async () => {
  const server = await startTestServer()
  const made = await server.call('POST', '/v1/keys', { body: { name: 'app' } })
  for (const key of [server.adminKey, made.json.key, WRONG_KEY, null]) await callAll(server, key)
  const logged = JSON.stringify(server.log)
  expect(server.log.length).toBeGreaterThan(4 * Object.keys(ENDPOINTS).length)
  for (const secret of [server.adminKey, made.json.key, WRONG_KEY, QUERY_SECRET, 'nightingale', 'vault opens']) {
    expect(logged.includes(secret)).toBe(false)
  }
})

test('a key is in no answer but the one that makes it, and in no metrics', async () => {
  const server = await startTestServer()
  const made = await server.call('POST', '/v1/keys', { body: { name: 'app' } })
  for (const key of [server.adminKey, WRONG_KEY]) {
    for (const answer of await callAll(server, key)) {
      for (const secret of [server.adminKey, made.json.key, WRONG_KEY]) expect(answer.includes(secret)).toBe(false)
    }
  }
})

/** Every endpoint with something that fits it and with something that does not; gives what came back. */
async function callAll(server: TestServer, key: string | null): Promise<string[]> {
  const { collectionId } = server
  const answers: string[] = []
  for (const { method, path } of Object.values(ENDPOINTS)) {
    // Neither the collection nor a key goes away: others come after.
    if (method === 'DELETE') continue
    const place = path.replace('{collection_id}', collectionId)
    for (const sent of method === 'GET' ? [{}] : bodiesFor(path, collectionId)) {
      for (const query of ['', `?token=${QUERY_SECRET}&state=${QUERY_SECRET}`]) {
        const response = await server.send(method, `${place}${query}`, { key, ...sent })
        answers.push(`${JSON.stringify([...response.headers])}${await response.text()}`)
      }
    }
  }
  // The one answer that has a new key is left out.
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
