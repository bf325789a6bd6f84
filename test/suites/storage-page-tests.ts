import { expect } from 'vitest'
import { RECORD_KINDS } from '../../server/storage/port/record-batch.ts'
import { allTexts, batchOf, bytesOf, checkOf, forget, keyOf, memory, textsOf } from '../server/storage/record-lines.ts'
import { idAt, newCollection, type StorageTests } from './storage-place.ts'

const TEN = Array.from({ length: 10 }, (_, n) => memory(`memory ${n}`))
const LINE_BYTES = bytesOf(memory('memory 0')).length

/** Tests reading a collection in pages. */
export const PAGE_TESTS: StorageTests = {
  'returns all columns of each line in a page': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    const lines = [{ ...memory('a', 'text é'), time: 12, extractor: 3 }, forget('b', -7)]
    await storage.append(idAt(1), batchOf(lines))
    const page = await storage.readPage(idAt(1), { after: 0, upTo: 9, maxBytes: 999 })
    expect(page).toEqual({
      count: 2,
      seqs: Float64Array.of(1, 2),
      kinds: Uint8Array.of(RECORD_KINDS.memory, RECORD_KINDS.forget),
      keys: Uint8Array.from(lines.flatMap((line) => [...keyOf(line)])),
      times: Float64Array.of(12, -7),
      extractors: Float64Array.of(3, 0),
      checks: Uint8Array.from(lines.flatMap((line) => [...checkOf(line)])),
      ends: Uint32Array.of(...[1, 2].map((count) => Buffer.concat(lines.slice(0, count).map(bytesOf)).length)),
      lines: Uint8Array.from(Buffer.concat(lines.map(bytesOf))),
      damaged: []
    })
  },

  'begins a page after one number and ends it at another': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.append(idAt(1), batchOf(TEN))
    const seqs = async (after: number, upTo: number) => [
      ...(await storage.readPage(idAt(1), { after, upTo, maxBytes: 1e6 })).seqs
    ]
    expect(await seqs(3, 5)).toEqual([4, 5])
    expect(await seqs(9, 99)).toEqual([10])
    expect(await seqs(10, 99)).toEqual([])
    expect(await seqs(5, 5)).toEqual([])
  },

  'returns as many lines as fit, but at least one': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.append(idAt(1), batchOf(TEN))
    const count = async (maxBytes: number) => (await storage.readPage(idAt(1), { after: 0, upTo: 99, maxBytes })).count
    const sizes = [1, LINE_BYTES - 1, LINE_BYTES, 2 * LINE_BYTES - 1, 2 * LINE_BYTES, 10 * LINE_BYTES, 1e6]
    expect(await Promise.all(sizes.map(count))).toEqual([1, 1, 1, 1, 2, 10, 10])
  },

  'gives the same lines for any page size': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    await storage.append(idAt(1), batchOf(TEN))
    await storage.append(idAt(1), batchOf([forget('memory 4'), { ...memory('memory 7', 'longer'), extractor: 2 }]))
    const whole = await allTexts(storage, idAt(1), 1e6)
    for (const maxBytes of [1, 9, 17, 50]) expect(await allTexts(storage, idAt(1), maxBytes)).toEqual(whole)
    expect(whole).toHaveLength(10)
  },

  'ends pages of short lines too': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    const lines = Array.from({ length: 9000 }, (_, n) => memory(`${n}`))
    await storage.append(idAt(1), batchOf(lines))
    const page = await storage.readPage(idAt(1), { after: 0, upTo: 1e9, maxBytes: 1e9 })
    expect(page.count).toBeLessThan(9000)
    expect((await allTexts(storage, idAt(1), 1e9)).map(([, text]) => text)).toEqual(lines.map(({ text }) => text))
  },

  'shows a reader of a number all later lines above it': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    const { seq } = await storage.append(idAt(1), batchOf([memory('a'), memory('b')]))
    await storage.append(idAt(1), batchOf([forget('a'), { ...memory('b', 'better'), extractor: 2 }]))
    const page = await storage.readPage(idAt(1), { after: seq, upTo: 99, maxBytes: 1e6 })
    expect(textsOf(page)).toEqual([
      [3, 'forget a 5'],
      [4, 'better']
    ])
  },

  'returns no pages and no ids of a missing collection': async (open) => {
    const storage = await open()
    const range = { after: 0, upTo: 9, maxBytes: 9 }
    await expect(storage.readPage(idAt(1), range)).rejects.toMatchObject({ code: 'not_found' })
    await expect(storage.listKnownIds(idAt(1))).rejects.toMatchObject({ code: 'not_found' })
  }
}
