import { expect } from 'vitest'
import { OUTCOMES } from '../../server/storage/port/record-batch.ts'
import { allTexts, batchOf, forget, memory } from '../server/storage/record-lines.ts'
import { idAt, newCollection, newKey, type StorageTests } from './storage-place.ts'

/** Tests several servers on one database, and simultaneous calls. */
export const RACE_TESTS: StorageTests = {
  'creates the same tables when ten servers open an empty database at once': async (open) => {
    const storages = await Promise.all(Array.from({ length: 10 }, () => open()))
    await storages[0]?.createCollection(newCollection(1))
    const seen = await Promise.all(storages.map((storage) => storage.listCollections()))
    expect(seen.map((list) => list.length)).toEqual(Array(10).fill(1))
  },

  'creates the first key in one of ten simultaneous calls': async (open) => {
    const storages = await Promise.all(Array.from({ length: 10 }, () => open()))
    const done = await Promise.all(
      storages.map((storage, n) => storage.setUp({ key: newKey(n, { admin: true }), collection: newCollection(n) }))
    )
    expect(done.filter((isFirst) => isFirst)).toHaveLength(1)
    const keys = await storages[0]?.listKeys()
    expect(keys?.map(({ id }) => id)).toEqual([idAt(done.indexOf(true))])
    expect(await storages[9]?.listCollections()).toHaveLength(1)
  },

  'numbers appends of two servers in order, without losing any': async (open) => {
    const [one, two] = [await open(), await open()]
    await one.createCollection(newCollection(1))
    const texts = Array.from({ length: 40 }, (_, n) => `memory ${n}`)
    const seen: number[] = []
    const reader = async (): Promise<void> => {
      for (let after = 0; after < texts.length; ) {
        const [collection] = await two.listCollections([idAt(1)])
        const page = await two.readPage(idAt(1), { after, upTo: collection?.seq ?? 0, maxBytes: 1e6 })
        seen.push(...page.seqs)
        after = collection?.seq ?? 0
        // SQLite answers synchronously, so other calls need a turn of the event loop.
        await new Promise(setImmediate)
      }
    }
    await Promise.all([
      reader(),
      ...texts.map((text, n) => (n % 2 ? one : two).append(idAt(1), batchOf([memory(text)])))
    ])
    expect(seen).toEqual(texts.map((_, at) => at + 1))
    expect((await allTexts(one, idAt(1))).map(([, text]) => text).sort()).toEqual([...texts].sort())
    expect(await two.findCollection(idAt(1))).toMatchObject({ memories: 40, seq: 40 })
  },

  'stores a memory once when two servers store it at once': async (open) => {
    const [one, two] = [await open(), await open()]
    await one.createCollection(newCollection(1))
    const answers = await Promise.all([one, two].map((storage) => storage.append(idAt(1), batchOf([memory('a')]))))
    expect(answers.map(({ outcomes }) => outcomes[0]).sort()).toEqual([OUTCOMES.stored, OUTCOMES.known])
    expect(await one.findCollection(idAt(1))).toMatchObject({ memories: 1, seq: 1 })
  },

  'forgets a memory that is stored and forgotten at once': async (open) => {
    const [one, two] = [await open(), await open()]
    await one.createCollection(newCollection(1))
    const abouts = Array.from({ length: 10 }, (_, n) => `memory ${n}`)
    await Promise.all(
      abouts.flatMap((about) => [
        one.append(idAt(1), batchOf([memory(about)])),
        two.append(idAt(1), batchOf([forget(about)]))
      ])
    )
    const left = await allTexts(two, idAt(1))
    expect(left.map(([, text]) => text).sort()).toEqual(abouts.map((about) => forget(about).text).sort())
    expect(await one.findCollection(idAt(1))).toMatchObject({ memories: 0 })
  },

  'appends completely or refuses during the deletion of a collection': async (open) => {
    const [one, two] = [await open(), await open()]
    await one.createCollection(newCollection(1))
    const appends = Array.from({ length: 10 }, (_, n) => one.append(idAt(1), batchOf([memory(`memory ${n}`)])))
    const [deleted, ...answers] = await Promise.allSettled([two.deleteCollection(idAt(1)), ...appends])
    expect(deleted).toMatchObject({ status: 'fulfilled', value: true })
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.every(({ reason }) => reason.code === 'not_found')).toBe(true)
    expect(await one.listCollections()).toEqual([])
  },

  'creates no grant on a collection that is deleted meanwhile': async (open) => {
    const [one, two] = [await open(), await open()]
    for (let n = 1; n <= 10; n++) {
      await one.createCollection(newCollection(n))
      const key = newKey(n, { grants: [{ collectionId: idAt(n), permission: 'edit' }] })
      const [made, deleted] = await Promise.allSettled([one.createKey(key), two.deleteCollection(idAt(n))])
      expect(deleted).toMatchObject({ status: 'fulfilled', value: true })
      if (made.status === 'rejected') expect(made.reason).toMatchObject({ code: 'not_found' })
    }
    expect((await one.listKeys()).flatMap(({ grants }) => grants)).toEqual([])
  },

  'waits for calls in progress when it is closed, and refuses later ones': async (open) => {
    const storage = await open()
    await storage.createCollection(newCollection(1))
    const append = storage.append(idAt(1), batchOf([memory('a')]))
    await Promise.all([storage.close(), storage.close()])
    expect(await append).toMatchObject({ seq: 1 })
    await expect(storage.ping()).rejects.toMatchObject({ code: 'unavailable' })
    const again = await open()
    expect(await allTexts(again, idAt(1))).toEqual([[1, 'a']])
  }
}
