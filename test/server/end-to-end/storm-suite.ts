import fc from 'fast-check'
import { expect } from 'vitest'
import { computeMemoryId } from '../../../src/snapshot/record/identity.ts'
import { file, forgetLine } from '../../snapshot/builders.ts'
import { exported } from './exported.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest } from './server-test.ts'

const TEXTS = 6
const RUNS = process.env.SLOW ? 100 : 4

type Deed = { does: 'store' | 'forget' | 'search' | 'export'; text: number }

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.constantFrom('store', 'store', 'forget', 'search', 'export'),
  text: fc.nat(TEXTS - 1)
})

/** Tests concurrent clients in one collection, on any storage that `start` gives a server. */
export function stormSuite(start: Start): void {
  serverTest(
    start,
    'exports complete snapshots during concurrent requests, and everything acknowledged in the last one',
    async (server) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(deed, { maxLength: 8 }), { minLength: 2, maxLength: 6 }),
          async (clients) => {
            const { json } = await server.call('POST', '/v1/collections', { body: { name: 'storm' } })
            const stored = new Set<string>()
            const forgotten = new Set<string>()
            const told = { server, collectionId: json.id, stored, forgotten }
            await Promise.all(clients.map((deeds) => doAll(told, deeds)))
            const { memories, forgets } = await wholeExport(server, json.id)
            expect(forgets).toEqual([...forgotten].sort())
            expect(memories).toEqual([...stored].filter((id) => !forgotten.has(id)).sort())
          }
        ),
        { numRuns: RUNS }
      )
    }
  )
}

type Told = { server: TestServer; collectionId: string; stored: Set<string>; forgotten: Set<string> }

async function doAll({ server, collectionId, stored, forgotten }: Told, deeds: readonly Deed[]): Promise<void> {
  for (const { does, text } of deeds) {
    const words = `Ada likes number ${text}`
    if (does === 'store') {
      const body = { collection_id: collectionId, raw_text: words }
      const { status, json } = await server.call('POST', '/v1/memories', { body })
      expect(status).toBe(201)
      stored.add(json.memory_id)
    } else if (does === 'forget') {
      const id = computeMemoryId({ text: words, at: null })
      const lines = file(forgetLine(id)).toString()
      expect((await server.send('POST', `/v1/collections/${collectionId}/records`, { lines })).status).toBe(200)
      forgotten.add(id)
    } else if (does === 'search') {
      const body = { collection_ids: [collectionId], query: words }
      expect((await server.send('POST', '/v1/memories/search', { body })).status).toBe(200)
    } else await wholeExport(server, collectionId)
  }
}

async function wholeExport(server: TestServer, collectionId: string) {
  const { file: bytes, verdict, end } = await exported(server, collectionId)
  expect(verdict).toMatchObject({ sound: true, rootHash: end.root_hash })
  const records = bytes
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))
  const idsOf = (type: string, member: string): string[] =>
    records.flatMap((record) => (record.type === type ? [record[member]] : [])).sort()
  return { memories: idsOf('memory', 'id'), forgets: idsOf('forget', 'target') }
}
