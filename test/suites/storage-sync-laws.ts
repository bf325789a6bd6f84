import fc from 'fast-check'
import { expect } from 'vitest'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Hold, PageChange } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { allTexts, batchOf, forget, memory } from '../server/storage/record-lines.ts'
import { HoldersModel } from './holders-model.ts'
import { ready } from './storage-connector-things.ts'
import { held, itemsOf, pageOf, type Said } from './storage-page-things.ts'
import { idAt, newCollection, type StorageTests } from './storage-place.ts'

const RUNS = process.env.SLOW ? 300 : 8

const ABOUTS = ['m', 'n', 'o', 'p']
const ITEMS = ['a', 'b', 'c']

/** Few connections, items and memories, so that they often collide. */
const CONNECTION = fc.nat(1)
const ABOUT = fc.constantFrom(...ABOUTS)
const SAID: fc.Arbitrary<Said> = fc.oneof(
  { arbitrary: fc.uniqueArray(ABOUT, { maxLength: 3 }), weight: 4 },
  fc.constant('unchanged' as const),
  fc.constant({ skipped: 'a video' }),
  fc.constant({ failed: 'broken' })
)
const STEP = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      connection: CONNECTION,
      items: fc.dictionary(fc.constantFrom(...ITEMS), SAID, { maxKeys: 3 }),
      gone: fc.subarray(ITEMS)
    }),
    weight: 6
  },
  fc.record({ kind: fc.constant('drop' as const), connection: CONNECTION, stretch: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('revoke' as const), connection: CONNECTION }),
  fc.record({ kind: fc.constant('clean up' as const), connection: CONNECTION }),
  fc.record({ kind: fc.constant('append' as const), abouts: fc.array(ABOUT, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('forget' as const), about: ABOUT })
)

type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never

/** Laws that hold for any pages, users and disconnects. */
export const SYNC_LAWS: StorageTests = {
  'keeps memories exactly while they have an owner, and repeats nothing': async (open) => {
    const storage = await ready(open)
    let n = 10
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 14, size: 'max' }), async (steps) => {
        const world = await fresh(storage, ++n)
        for (const step of steps) await take(world, step)
        const lines = (await allTexts(storage, world.collectionId)).map(([, text]) => text)
        const live = world.model.live()
        expect(lines.filter((text) => !text.includes('forget')).toSorted()).toEqual(live)
        expect(await storage.findCollection(world.collectionId)).toMatchObject({ memories: live.length })
        for (const [at, hold] of world.holds.entries())
          expect(await itemsOf(storage, hold)).toEqual(world.model.items(at))
      }),
      { numRuns: RUNS }
    )
  }
}

type World = { storage: Storage; collectionId: string; holds: Hold[]; model: HoldersModel; pass: number }

async function fresh(storage: Storage, n: number): Promise<World> {
  await storage.createCollection(newCollection(n))
  const holds = [await held(storage, 2 * n, { into: n }), await held(storage, 2 * n + 1, { into: n })]
  return { storage, collectionId: idAt(n), holds, model: new HoldersModel(), pass: 1 }
}

async function take(world: World, step: Step): Promise<void> {
  const { storage, collectionId, model } = world
  switch (step.kind) {
    case 'page':
      return takePage(world, step)
    case 'drop':
      return takeDrop(world, step)
    case 'revoke':
      await storage.revokeConnection(holdOf(world, step.connection).connectionId, toEpochMs(3000))
      return model.revoke(step.connection)
    case 'clean up':
      return cleanUp(world, step.connection)
    case 'append':
      await storage.append(collectionId, batchOf(step.abouts.map((about) => memory(model.nameOf(about)))))
      return model.append(step.abouts)
    case 'forget':
      await storage.append(collectionId, batchOf([forget(model.nameOf(step.about), 9000)]))
      return model.forget(step.about)
  }
}

async function takePage(world: World, { connection, items, gone }: Extract<Step, { kind: 'page' }>): Promise<void> {
  const { storage, collectionId, model } = world
  const hold = holdOf(world, connection)
  const page = () => {
    const named = Object.entries(items).map(([id, said]) => [id, Array.isArray(said) ? said.map(model.nameOf) : said])
    return pageOf(Object.fromEntries(named), { gone, pass: world.pass })
  }
  expect(await storage.commitPage({ ...hold, fence: hold.fence - 1 }, page())).toEqual({ outcome: 'lost' })
  let outcome = await storage.commitPage(hold, page())
  if (model.isRevoked(connection)) return expect(outcome).toEqual({ outcome: 'lost' })
  const copies = model.copiesOf(items)
  expect(outcome.outcome === 'copies' ? outcome.rows : []).toEqual(copies)
  if (copies.length > 0) outcome = await storage.commitPage(hold, page())
  expect(outcome).toEqual({ outcome: 'committed', deleted: model.page(connection, items, gone) })
  const before = await storage.findCollection(collectionId)
  expect(await storage.commitPage(hold, page())).toEqual({ outcome: 'committed', deleted: 0 })
  expect(await storage.findCollection(collectionId)).toEqual(before)
}

async function takeDrop(world: World, { connection, stretch }: Extract<Step, { kind: 'drop' }>): Promise<void> {
  const { storage, model } = world
  const hold = holdOf(world, connection)
  const pass = ++world.pass
  const covered: PageChange['covered'] = [{ from: 'a', to: stretch }]
  await storage.commitPage(hold, pageOf({}, { pass, covered }))
  const query = { unseen: { missingIn: pass, before: pass }, notNotedIn: pass, limit: 9 }
  const missing = (await storage.listUnseenItems(hold.connectionId, query)).map(({ id }) => id)
  const outcome = await storage.commitPage(hold, pageOf({}, { pass, gone: missing }))
  const gone = ITEMS.filter((id) => id <= stretch)
  if (model.isRevoked(connection)) expect(outcome).toEqual({ outcome: 'lost' })
  else expect(outcome).toEqual({ outcome: 'committed', deleted: model.page(connection, {}, gone) })
}

async function cleanUp(world: World, connection: number): Promise<void> {
  const { storage, model } = world
  const { connectionId } = holdOf(world, connection)
  const left = await storage.requestCleanup(connectionId)
  expect(left).toBe(model.isRevoked(connection) ? model.holdingsOf(connection) : 0)
  if (left === 0) return
  const hold = await storage.claimCleanup(connectionId, { owner: 'one', now: toEpochMs(3000), until: toEpochMs(9000) })
  if (typeof hold === 'string') throw new Error(`the cleanup is ${hold}`)
  let released = { left }
  while (released.left > 0) {
    const next = await storage.releaseMemories(hold, { limit: 1, now: toEpochMs(3000), until: toEpochMs(9000) })
    expect(next.left).toBeLessThan(released.left)
    released = next
  }
  model.cleanUp(connection)
}

function holdOf({ holds }: World, connection: number): Hold {
  const hold = holds[connection]
  if (hold === undefined) throw new Error(`there is no connection ${connection}`)
  return hold
}
