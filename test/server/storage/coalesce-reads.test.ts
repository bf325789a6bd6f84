import { expect, test } from 'vitest'
import type { StoredCollection } from '../../../server/storage/port/collection-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { coalesceReads } from '../../../server/storage/wrap-storage.ts'

/** Creates a storage whose answers the test releases. It has every collection except `gone`. */
function heldStorage() {
  const asked: (readonly string[] | undefined)[] = []
  const waiting: { ids: readonly string[]; resolve(found: StoredCollection[]): void; reject(error: unknown): void }[] =
    []
  const storage = {
    listCollections: (ids: readonly string[] = []) => {
      asked.push(ids)
      return new Promise<StoredCollection[]>((resolve, reject) => waiting.push({ ids, resolve, reject }))
    }
  } as unknown as Storage
  const answer = async (): Promise<void> => {
    const { ids, resolve } = waiting.shift() ?? { ids: [], resolve: () => undefined }
    resolve(ids.filter((id) => id !== 'gone').map((id) => ({ id }) as StoredCollection))
    await new Promise((next) => setImmediate(next))
  }
  return { storage, asked, answer, fail: (error: unknown) => waiting.shift()?.reject(error) }
}

const idsOf = (found: readonly StoredCollection[]): string[] => found.map(({ id }) => id)

test('batches lookups that arrive during another one, and returns each its own result', async () => {
  const { storage, asked, answer } = heldStorage()
  const together = coalesceReads(storage)
  const found = [['a'], ['b'], ['b', 'c'], ['gone']].map((ids) => together.listCollections(ids))
  expect(asked).toEqual([['a']])
  await answer()
  expect(asked).toEqual([['a'], ['b', 'c', 'gone']])
  await answer()
  expect((await Promise.all(found)).map(idsOf)).toEqual([['a'], ['b'], ['b', 'c'], []])
})

test('never answers a lookup from a query that began before it', async () => {
  const { storage, asked, answer } = heldStorage()
  const together = coalesceReads(storage)
  const first = together.listCollections(['a'])
  const second = together.listCollections(['a'])
  await answer()
  await first
  expect(asked).toHaveLength(2)
  await answer()
  expect(idsOf(await second)).toEqual(['a'])
})

test('rejects all lookups of a failed batch, and queries again for later ones', async () => {
  const { storage, answer, fail } = heldStorage()
  const together = coalesceReads(storage)
  const refused = together.listCollections(['a'])
  fail(new Error('away'))
  await expect(refused).rejects.toThrow('away')
  const later = together.listCollections(['a'])
  await answer()
  expect(idsOf(await later)).toEqual(['a'])
})

test('looks up very many ids, none, and all separately', async () => {
  const { storage, asked } = heldStorage()
  const together = coalesceReads(storage)
  const many = Array.from({ length: 501 }, (_, n) => `${n}`)
  void together.listCollections(many)
  void together.listCollections([])
  void together.listCollections()
  expect(asked.map((ids) => ids?.length)).toEqual([501, 0, 0])
})
