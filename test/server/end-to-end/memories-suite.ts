import { expect } from 'vitest'
import { file, forgetLine } from '../../snapshot/builders.ts'
import { exported, restored } from './exported.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests storing and searching in collections, on any storage that `start` gives a server. */
export function memoriesSuite(start: Start): void {
  storingTests(start)
  collectionTests(start)
}

function storingTests(start: Start): void {
  serverTest(start, 'finds a stored text immediately, with all extracted fields', async (server) => {
    const stored = await store(server, { raw_text: 'Ada moved to Lisbon in May.', metadata: { speaker: 'Ada', n: 1 } })
    expect(stored).toEqual({ status: 201, json: { memory_id: expect.stringMatching(/^mem_[0-9a-f]{32}$/) } })
    const found = await search(server, [server.collectionId], 'where did Ada move to?')
    expect(found.status).toBe(200)
    expect(found.json.sources[0]).toMatchObject({
      id: stored.json.memory_id,
      text: 'Ada moved to Lisbon in May.',
      speaker: 'Ada',
      metadata: { speaker: 'Ada', n: 1 }
    })
    expect(found.json.semantics[0]).toMatchObject({ subject: 'Ada', predicate: 'moved to' })
  })

  serverTest(start, 'treats an equal text as the same memory', async (server) => {
    const said = { raw_text: 'The sea is blue.', metadata: { at: '2026-01-02T03:04:05Z' } }
    const ids = [await store(server, said), await store(server, said), await store(server, said)].map(
      ({ json }) => json.memory_id
    )
    expect(new Set(ids).size).toBe(1)
    expect((await server.call('GET', `/v1/collections/${server.collectionId}`)).json.memories).toBe(1)
  })

  serverTest(
    start,
    'makes a new memory of a forgotten text that is stored again, visible to a device that has forgotten it too',
    async (server) => {
      const said = { raw_text: 'The tide comes at six.' }
      const first = (await store(server, said)).json.memory_id
      await restoreInto(server, file(forgetLine(first)).toString())
      const second = (await store(server, said)).json.memory_id
      expect(second).not.toBe(first)
      expect((await store(server, said)).json.memory_id).toBe(second)
      await restoreInto(server, file(forgetLine(second)).toString())
      const third = (await store(server, said)).json.memory_id
      expect(new Set([first, second, third]).size).toBe(3)
      const found = await search(server, [server.collectionId], 'tide')
      expect(found.json.sources.map(({ id }: { id: string }) => id)).toEqual([third])
      expect((await exported(server, server.collectionId)).verdict.table.counts()).toMatchObject({
        memories: 1,
        forgotten: 2
      })
    }
  )
}

function collectionTests(start: Start): void {
  serverTest(start, 'searches several collections as one', async (server) => {
    const other = (await server.call('POST', '/v1/collections', { body: { name: 'other' } })).json.id
    await store(server, { raw_text: 'The boat is red.' })
    await store(server, { raw_text: 'The boat is fast.' }, other)
    const found = await search(server, [server.collectionId, other, other], 'boat')
    expect(found.json.sources.map(({ text }: { text: string }) => text).sort()).toEqual([
      'The boat is fast.',
      'The boat is red.'
    ])
  })

  serverTest(start, 'refuses to store, search and export in a deleted collection', async (server) => {
    const id = await restored(server, file().toString())
    await store(server, { raw_text: 'Soon gone.' }, id)
    await search(server, [id], 'gone')
    expect(await server.call('DELETE', `/v1/collections/${id}`)).toEqual({
      status: 200,
      json: { message: `Collection ${id} deleted` }
    })
    const answers = await Promise.all([
      store(server, { raw_text: 'Soon gone.' }, id),
      search(server, [id], 'gone'),
      server.call('POST', '/v1/device-memory/snapshot/export', { body: { collection_id: id } }),
      server.call('GET', `/v1/collections/${id}`),
      server.call('DELETE', `/v1/collections/${id}`)
    ])
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [404, 'not_found']))
  })

  serverTest(start, 'refuses an invalid time with the path of the field', async (server) => {
    const body = { collection_ids: [server.collectionId], query: 'x', as_of: '2026-02-30' }
    const { status, json } = await server.call('POST', '/v1/memories/search', { body })
    expect([status, json.code, json.errors[0].path]).toEqual([422, 'invalid_input', 'as_of'])
  })
}

function store(server: TestServer, more: object, collection_id = server.collectionId) {
  return server.call('POST', '/v1/memories', { body: { collection_id, ...more } })
}

function search(server: TestServer, collection_ids: string[], query: string) {
  return server.call('POST', '/v1/memories/search', { body: { collection_ids, query } })
}

async function restoreInto(server: TestServer, lines: string): Promise<void> {
  await server.call('POST', `/v1/collections/${server.collectionId}/records`, { lines })
}
