import { expect } from 'vitest'
import { createClient } from '../../../src/client/create-client.ts'
import { epochNow, toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { itemWith, pageOf } from '../../suites/storage-queue-things.ts'
import { connect } from './consent-kit.ts'
import { ORIGIN, type TestServer } from './server-kit.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests item ids in paths and queries, whatever a provider uses, from the client to the storage. */
export function syncPathsSuite(start: Start): void {
  serverTest(start, 'finds each item by its id, whatever characters it has', async (server) => {
    const id = await connect(server, 'mailbox')
    await failedItems(server, id, ODD_IDS)
    const client = createClient({
      origin: ORIGIN,
      key: server.adminKey,
      fetch: (request) => server.service.fetch(request, { address: '127.0.0.1' })
    })
    const params = { connection_id: id }
    for (const item_id of ODD_IDS) {
      const item = await client.retryItem({ params: { ...params, item_id } })
      expect([item.id, item.tries, item.status]).toEqual([item_id, 0, 'failed'])
    }
    const listed: string[] = []
    for (;;) {
      const after = listed.at(-1)
      const page = await client.listItems({ params, query: { limit: '2', ...(after !== undefined && { after }) } })
      listed.push(...page.map((item) => item.id))
      if (page.length < 2) break
    }
    const bytes = (text: string) => Buffer.from(text)
    expect(listed).toEqual([...ODD_IDS].sort((a, b) => bytes(a).compare(bytes(b))))
    const missing = client.retryItem({ params: { ...params, item_id: 'C1/171' } })
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  })

  serverTest(start, 'enforces the limits of requests for runs and items', async (server) => {
    const id = await connect(server, 'mailbox')
    for (const query of ['limit=0', 'limit=1001', 'limit=-1', 'limit=1e2', 'limit=', 'limit=1&limit=2', 'odd=1'])
      for (const what of ['runs', 'items']) {
        const { status, json } = await server.call('GET', `/v1/connectors/${id}/${what}?${query}`)
        expect([query, what, status, json.code]).toEqual([query, what, 422, 'invalid_input'])
      }
    for (const query of ['status=odd', 'after=', `after=${'x'.repeat(4097)}`])
      expect((await server.call('GET', `/v1/connectors/${id}/items?${query}`)).status).toBe(422)
    expect((await server.call('POST', `/v1/connectors/${id}/items/${'x'.repeat(4097)}/retry`)).status).toBe(422)
  })
}

const ODD_IDS: readonly string[] = [
  'C0123/1714567890.000100',
  '%2F',
  '%252F',
  'a b+c&d=e?f#g',
  '../..',
  '...',
  '/',
  '\\',
  'ünïcode/漢字/🗂️',
  'e\u0301',
  '\u202egnissap\u202c',
  'nul\0byte',
  '\u001b[31m\r\n',
  "'; drop table items; --",
  '{item_id}',
  'retry',
  'x'.repeat(1024)
]

/** Makes a run record failed items. */
async function failedItems({ storage, clock }: TestServer, id: string, ids: readonly string[]): Promise<void> {
  const now = epochNow(clock)
  const asked = {
    owner: 'a server',
    now,
    until: toEpochMs(now + 60_000),
    limit: 1,
    providers: ['mailbox'],
    runIds: [id]
  }
  const [claim] = await storage.claimDue(asked)
  if (claim === undefined) throw new Error('nothing is due')
  const state = { kind: 'failed' as const, error: 'it is broken', tries: 4, nextTryAt: toEpochMs(now + 1000) }
  const items = ids.map((item) => itemWith(item, state))
  await storage.commitPage(claim.hold, pageOf({ now: toEpochMs(now), until: toEpochMs(now + 60_000), items }))
}
