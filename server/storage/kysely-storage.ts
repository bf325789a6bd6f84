import { sql } from 'kysely'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import type { Clock } from '../../src/ports.ts'
import { checkPart, type DatabasePages } from './check/check-database.ts'
import { connectorMethods } from './connector-methods.ts'
import type { Database } from './database/dialect.ts'
import { startShrinking } from './engines/shrink-file.ts'
import { checkArguments, closeQuietly, nameFailures, repeatCalls } from './guard-calls.ts'
import type { Storage } from './port/storage.ts'
import { syncMethods } from './sync-methods.ts'
import { appendRecords } from './tables/append-records.ts'
import { selectAside } from './tables/aside-tables.ts'
import {
  insertCollection,
  markDeleted,
  selectCollection,
  selectCollections,
  selectCollectionsOf,
  selectExpired
} from './tables/collections-table.ts'
import { putDamage } from './tables/damaged-lines-table.ts'
import { insertKey, markRevoked, selectKeyByHash, selectKeys, setUpOnce } from './tables/keys-table.ts'
import { startPurging } from './tables/purge-collections.ts'
import { readKnownIds, readPage, verifyPage } from './tables/read-records.ts'
import { putResult, putScrub, takeScrub } from './tables/scrub-table.ts'

export type StorageParts = Database & {
  clock: Clock
  /** Of an engine whose database is a file. */
  file?: { pages: DatabasePages; shrinks: boolean }
  /** Nothing is removed from the database in the background. */
  isReader?: boolean
}

/** The storage over tables that are up to date, with all that stands around a call of either engine. */
export function kyselyStorage(parts: StorageParts): Storage {
  const { dialect } = parts
  return closeQuietly(checkArguments(nameFailures(repeatCalls(plainStorage(parts), parts), dialect)))
}

function plainStorage({ db, dialect, clock, file, isReader = false }: StorageParts): Storage {
  const purging = isReader ? undefined : startPurging(db, clock)
  const shrinking = file?.shrinks === true && !isReader ? startShrinking(db, clock, dialect) : undefined
  return {
    ...connectorMethods({ db, dialect }),
    ...syncMethods({ db, dialect }),
    async ping() {
      await sql`select 1`.execute(db)
    },
    async close() {
      await purging?.stop()
      await shrinking?.stop()
      await db.destroy()
    },
    createCollection: (collection) => insertCollection(db, collection),
    collection: (id) => selectCollection(db, id),
    collections: (ids) => selectCollections(db, ids),
    collectionsOf: (keyId) => selectCollectionsOf(db, keyId),
    async deleteCollection(id) {
      const deleted = await markDeleted({ db, dialect }, id, epochNow(clock))
      if (deleted) purging?.wake()
      return deleted
    },
    expiredCollections: (now, limit) => selectExpired(db, now, limit),
    append: (collectionId, batch) => appendRecords(db, { dialect, collectionId, batch, now: epochNow(clock) }),
    page: (collectionId, range) => readPage(db, { collectionId, range }),
    verifyLines: (collectionId, range) => verifyPage(db, { collectionId, range }),
    noteDamage: (collectionId, found) => putDamage({ db, dialect }, { collectionId, found, now: epochNow(clock) }),
    knownIds: (collectionId) => readKnownIds(db, collectionId, () => clock.wait(0)),
    createKey: (key) => insertKey(db, key, dialect),
    keyByHash: (hash) => selectKeyByHash(db, hash),
    keys: () => selectKeys(db),
    revokeKey: (id) => markRevoked(db, { id, dialect, nowMs: epochNow(clock) }),
    setUp: (first) => setUpOnce(db, first, dialect),
    checkPart: (asked) => checkPart({ db, dialect, pages: file?.pages }, asked),
    asideEntries: (page) => selectAside(db, page),
    claimScrub: (asked) => takeScrub(db, asked),
    keepScrub: (owner, progress) => putScrub(db, owner, progress),
    replaceScrub: (result) => putResult(db, result)
  }
}
