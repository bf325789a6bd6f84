import fc from 'fast-check'
import { expect } from 'vitest'
import { verifySnapshot } from '../../../src/snapshot/verify-snapshot.ts'
import { lines as anyLines, runs } from '../../snapshot/arbitraries.ts'
import { file, forgetLine, header, memory, memoryLine, sourceOf } from '../../snapshot/builders.ts'
import { EXPORT, exported, IMPORT, restored } from './exported.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests importing and exporting snapshots, on any storage that `start` gives a server. */
export function snapshotsSuite(start: Start): void {
  lawTests(start)
  formTests(start)
  judgingTests(start)
}

function lawTests(start: Start): void {
  serverTest(
    start,
    'exports the same set of lines that was restored from a file, whatever the lines',
    async (server) => {
      await fc.assert(
        fc.asyncProperty(anyLines, async (lines) => {
          const sent = file(...lines).toString()
          const { verdict, end } = await exported(server, await restored(server, sent))
          expect(verdict).toMatchObject({ sound: true, notes: [] })
          expect(verdict.rootHash).toBe(verifySnapshot(sourceOf(sent)).rootHash)
          expect(end).toEqual({ type: 'end', records: verdict.reading.lines - 1, root_hash: verdict.rootHash })
        }),
        runs(40)
      )
    }
  )

  serverTest(
    start,
    'builds the same collection from lines in any parts, order and number of copies',
    async (server) => {
      await fc.assert(
        fc.asyncProperty(anyLines, fc.nat(12), async (lines, cut) => {
          const id = await restored(server, file(...lines.slice(cut)).toString())
          for (const part of [lines.slice(0, cut), lines.toReversed()]) {
            await server.call('POST', `/v1/collections/${id}/records`, { lines: file(...part).toString() })
          }
          const whole = verifySnapshot(sourceOf(file(...lines)))
          expect((await exported(server, id)).verdict.rootHash).toBe(whole.rootHash)
        }),
        runs(20)
      )
    }
  )

  serverTest(start, 'keeps the root hash of an export that is imported and exported again', async (server) => {
    const first = await exported(server, await restored(server, SOME))
    const imported = await server.call('POST', IMPORT, { lines: first.file })
    expect(imported).toEqual({ status: 201, json: { ephemeral_collection_id: expect.any(String) } })
    const again = await exported(server, imported.json.ephemeral_collection_id)
    expect(again.verdict.rootHash).toBe(first.verdict.rootHash)
  })
}

function formTests(start: Start): void {
  serverTest(start, 'exports and imports the same snapshot as JSON', async (server) => {
    const id = await restored(server, SOME)
    const lines = await exported(server, id)
    const { json } = await server.call('POST', EXPORT, { body: { collection_id: id } })
    expect(json.root_hash).toBe(lines.verdict.rootHash)
    const verdict = verifySnapshot(sourceOf(JSON.stringify(json.snapshot)))
    expect(verdict).toMatchObject({ sound: true, rootHash: json.root_hash })
    const imported = await server.call('POST', IMPORT, { body: { snapshot: json.snapshot } })
    const again = await exported(server, imported.json.ephemeral_collection_id)
    expect(again.end).toEqual(lines.end)
  })

  serverTest(start, 'exports an empty collection as a header with zero counts', async (server) => {
    const { verdict, end } = await exported(server, server.collectionId)
    expect(verdict).toMatchObject({ sound: true, notes: [], table: { ids: { size: 0 } } })
    expect(verdict.reading.headers).toMatchObject([{ collection_id: server.collectionId, count: 0 }])
    expect(end.records).toBe(0)
    const { json } = await server.call('POST', EXPORT, { body: { collection_id: server.collectionId } })
    expect(json.snapshot.records).toEqual([])
    expect(json.root_hash).toBe(verdict.rootHash)
  })
}

function judgingTests(start: Start): void {
  serverTest(start, 'reports the outcomes of the lines on restore', async (server) => {
    const lines = file(memoryLine({ text: 'a' }), memoryLine({ text: 'b' }), forgetLine({ text: 'c' })).toString()
    const path = `/v1/collections/${server.collectionId}/records`
    expect((await server.call('POST', path, { lines })).json).toEqual({ records: 3, stored: 3, known: 0, forgotten: 0 })
    const more = file(memoryLine({ text: 'b' }), memoryLine({ text: 'c' }), memoryLine({ text: 'd' })).toString()
    expect((await server.call('POST', path, { lines: more })).json).toEqual({
      records: 3,
      stored: 1,
      known: 1,
      forgotten: 1
    })
  })

  serverTest(start, 'stores nothing of a snapshot with one bad line, and leaves no collection', async (server) => {
    const bad = `${file(memoryLine({ text: 'a' })).toString()}${memoryLine({ text: 'b' }).replace('"b"', '"c"')}\n`
    const restoring = await server.call('POST', `/v1/collections/${server.collectionId}/records`, { lines: bad })
    const importing = await server.call('POST', IMPORT, { lines: bad })
    for (const { status, json } of [restoring, importing]) {
      expect([status, json.code]).toEqual([422, 'invalid_snapshot'])
      expect(json.errors.length).toBeGreaterThan(0)
    }
    expect((await server.call('GET', '/v1/collections')).json).toMatchObject([{ memories: 0 }])
  })

  serverTest(start, 'keeps nothing of a snapshot that is sent along', async (server) => {
    const before = (await server.call('GET', '/v1/collections')).json
    const snapshot = { ...JSON.parse(header()), records: [JSON.parse(memoryLine({ text: 'The cat sleeps.' }))] }
    const stored = await server.call('POST', '/v1/memories', { body: { snapshot, raw_text: 'The dog barks.' } })
    expect([stored.status, stored.json.snapshot.records.length]).toEqual([200, 2])
    expect(verifySnapshot(sourceOf(JSON.stringify(stored.json.snapshot)))).toMatchObject({ sound: true })
    const body = { snapshot: stored.json.snapshot, query: 'dog' }
    const found = await server.call('POST', '/v1/memories/search', { body })
    expect(found.json.sources[0].text).toBe('The dog barks.')
    expect((await server.call('GET', '/v1/collections')).json).toEqual(before)
    const other = await server.call('POST', '/v1/memories/search', {
      body: { collection_ids: [server.collectionId], query: 'dog' }
    })
    expect(other.json.sources).toEqual([])
  })
}

const SOME = file(
  memoryLine({ text: 'a', at: '2026-01-02T03:04:05.000Z', position: 2 }),
  memoryLine({ text: 'ünï \u{1F600} \u0000', metadata: { deep: [{ a: null }] } }),
  forgetLine(memory({ text: 'gone' }).id as string, { reason: 'asked' })
).toString()
