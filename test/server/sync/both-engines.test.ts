import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { createSync } from '../../../server/sync/create-sync.ts'
import type { RunResult } from '../../../server/sync/run-connection.ts'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { ready } from '../../suites/storage-connector-things.ts'
import { type MakePlace, type Open, runStorageTests, type StorageTests } from '../../suites/storage-place.ts'
import { killedWhileReading } from './killed-while-reading.ts'
import { idsOf, type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { MINUTE, syncDue, textsOf } from './sync-kit.ts'

type Nodes = ScriptedKit & { second: Storage; syncBySecond(): Promise<RunResult | undefined> }

/** Opens a connection in a database that two nodes share. */
async function twoNodes(open: Open, holds: readonly string[]): Promise<Nodes> {
  const storage = await ready(open)
  const second = await open()
  const kit = await scriptedKit({ storage, holds })
  return { ...kit, second, syncBySecond: () => syncDue({ ...kit.parts, storage: second }, 'two') }
}

/**
 * Every call that a sync makes to a storage, in combination. The other tests of this folder check the cases one by one
 * with SQLite.
 */
const SYNC_TESTS: StorageTests = {
  'nodes that take turns store the account: first sync, edits, deletions, another selection': async (open) => {
    const kit = await twoNodes(open, idsOf('p', 7))
    expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 7 })
    kit.source.put('p003', 'This is another text.')
    kit.source.put('q', sayingOf('q'), 'B')
    kit.source.remove('p005')
    await kit.clock.pass(5 * 60 * MINUTE)
    expect(await kit.syncBySecond()).toMatchObject({ outcome: 'succeeded', updated: 1, deleted: 1, created: 0 })
    expect(textsOf(await kit.memories())).toContain('This is another text.')
    expect(await kit.memories()).toHaveLength(6)
    await kit.select(['B'])
    expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', created: 1, deleted: 6 })
    expect(textsOf(await kit.memories())).toEqual([sayingOf('q')])
    await kit.select(['A'])
    expect(await kit.syncBySecond()).toMatchObject({ outcome: 'succeeded', created: 6, deleted: 1 })
    expect(textsOf(await kit.memories())).toHaveLength(6)
    expect((await kit.connection()).itemsSynced).toBe(6)
  },

  'a node takes over from one that died after a page when the lease expires, and stores everything once': async (
    open
  ) => {
    const kit = await twoNodes(open, idsOf('p', 9))
    const { commitPage } = kit.storage
    let pages = 0
    let others: unknown = 'not asked'
    kit.storage.commitPage = async (hold, page) => {
      pages += 1
      if (pages === 2) others = await kit.syncBySecond()
      if (pages < 3) return await commitPage(hold, page)
      await kit.storage.close()
      throw new Error('killed')
    }
    expect(await kit.sync()).toMatchObject({ outcome: 'lost', created: 6 })
    expect(others).toBeUndefined()
    expect(await kit.syncBySecond()).toBeUndefined()
    await kit.clock.pass(MINUTE)
    expect(await kit.syncBySecond()).toMatchObject({ outcome: 'succeeded', created: 3 })
    const runs = await kit.second.listRuns(kit.connectionId, { limit: 10 })
    expect(runs.map(({ outcome, created }) => [outcome, created])).toEqual([
      ['succeeded', 3],
      ['interrupted', 6]
    ])
  },

  'a node sets aside an item that ended two servers, and stores all others': async (open) => {
    const kit = await twoNodes(open, idsOf('p', 4))
    await killedWhileReading(kit, 'p002')
    await killedWhileReading({ ...kit, storage: kit.second }, 'p002')
    kit.source.calls.length = 0
    expect(await kit.syncBySecond()).toMatchObject({ outcome: 'partial', failed: 1 })
    expect(kit.source.calls).not.toContain('read p002')
    expect(await kit.memories()).toHaveLength(3)
  },

  'what one node could not confirm to be gone, the other deletes after a second listing a minute later': async (
    open
  ) => {
    const kit = await twoNodes(open, idsOf('p', 7))
    await kit.sync()
    kit.source.vanish('p003')
    kit.source.fail('look up p003', failure('item_permanent'), failure('item_permanent'))
    kit.source.fail('changes', failure('cursor_invalid'))
    await kit.clock.pass(5 * 60 * MINUTE)
    expect(await kit.sync()).toMatchObject({ outcome: 'succeeded', deleted: 0 })
    const [known] = await kit.second.findKnownItems(kit.connectionId, ['p003'])
    expect(known?.absentSince).toBe(kit.clock.now())
    await kit.clock.pass(MINUTE)
    expect(await kit.syncBySecond()).toMatchObject({ outcome: 'succeeded', deleted: 1 })
    expect(await kit.memories()).toHaveLength(6)
  },

  'two nodes that check for due connections all the time never sync at the same time': async (open) => {
    const kit = await twoNodes(open, ['a'])
    const nodes = [kit.storage, kit.second].map((storage) => createSync({ ...kit.parts, storage }))
    onTestFinished(async () => {
      for (const node of nodes) await node.stop()
    })
    const ended = () => nodes.reduce((sum, node) => sum + (node.state().runs.succeeded ?? 0), 0)
    for (let round = 1; round <= 10; round += 1) {
      while (ended() < round) await new Promise((resolve) => setImmediate(resolve))
      kit.source.put('a', `This is text ${round}.`)
      await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
      for (const node of nodes) node.wake()
      await kit.clock.pass(1)
    }
    while (ended() < 11) await new Promise((resolve) => setImmediate(resolve))
    expect(textsOf(await kit.memories())).toEqual(['This is text 10.'])
    const runs = await kit.storage.listRuns(kit.connectionId, { limit: 100 })
    expect(runs.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 11 }, () => 'succeeded'))
  }
}

const PLACES: Readonly<Record<string, MakePlace>> = {
  SQLite: async () => {
    const file = path.join(temporaryFolder(), 'memctl.db')
    return { open: () => openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock }) }
  },
  PostgreSQL: async () => {
    const schema = await postgresSchema()
    if ('reason' in schema) return schema
    onTestFinished(() => schema.remove())
    return { open: () => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 2 }) }
  }
}

for (const [engine, make] of Object.entries(PLACES))
  runStorageTests(
    make,
    Object.fromEntries(Object.entries(SYNC_TESTS).map(([title, body]) => [`${engine}: ${title}`, body]))
  )
