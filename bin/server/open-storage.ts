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
  /** Only an existing store is opened. None is created. */
  mustExist?: boolean | undefined
  /** Nothing is changed: a server may be using it. */
  isReader?: boolean | undefined
}

/**
 * Opens the storage of the settings: PostgreSQL, or a file of the data folder in its own thread, so that disk writes do
 * not block the main thread. Resolves when it is ready.
 *
 * @throws Fault `not_found` if there is no store and `mustExist` is set, and the errors of opening either engine.
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

/** Batches concurrent reads and appends. */
function together(storage: Storage): Storage {
  return coalesceReads(coalesceAppends(storage))
}
