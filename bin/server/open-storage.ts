import { databasePath } from '../../server/service/lock-data-folder.ts'
import type { ServerSettings } from '../../server/service/server-settings.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { threadStorage } from '../../server/storage/thread-storage.ts'
import { coalesceAppends, coalesceReads } from '../../server/storage/wrap-storage.ts'
import type { Clock, StartThread } from '../../src/ports.ts'

export type OpenStorageParts = {
  startThread: StartThread
  clock: Clock
  settings: Pick<ServerSettings, 'dataDir' | 'databaseUrl' | 'databaseConnections'>
  /** Only a store that is there is opened; none is made. */
  mustExist?: boolean | undefined
  /** Nothing is changed in it: a server may use it meanwhile. */
  isReader?: boolean | undefined
}

/**
 * The storage that the settings name: PostgreSQL, or a file of the data folder in a thread of its own, so that waiting for
 * the disk stops nobody. Resolves when it can be used.
 *
 * @throws Fault `not_found` where there is no store and `mustExist`, and what opening either engine throws.
 */
export async function openStorage(parts: OpenStorageParts): Promise<Storage> {
  const { startThread, clock, settings, mustExist = false, isReader = false } = parts
  const { databaseUrl: url, databaseConnections: connections, dataDir } = settings
  if (url !== undefined) {
    const { openPostgresStorage } = await import('../../server/storage/open-postgres-storage.ts')
    return together(await openPostgresStorage({ url, connections, clock, mustExist, isReader }))
  }
  const storage = threadStorage(startThread('storage', { path: databasePath(dataDir), mustExist, isReader }))
  try {
    await storage.ping()
  } catch (error) {
    await storage.close().catch(() => undefined)
    throw error
  }
  return together(storage)
}

/** What many ask for at once is asked and written together. */
function together(storage: Storage): Storage {
  return coalesceReads(coalesceAppends(storage))
}
