import { openSqliteStorage } from '../../server/storage/open-sqlite-storage.ts'
import { serveStorage } from '../../server/storage/thread-storage.ts'
import type { ThreadHandlers } from '../../src/ports.ts'
import { nodeClock } from '../node/node-clock.ts'
import { nodeFiles } from '../node/node-files.ts'
import { nodeMachine } from '../node/node-machine.ts'

/** The main function of the storage thread: opens the given file and answers calls. */
export async function storageMain(options: {
  path: string
  mustExist?: boolean
  isReader?: boolean
}): Promise<ThreadHandlers> {
  return serveStorage(
    await openSqliteStorage({ ...options, files: nodeFiles, clock: nodeClock, freeBytes: nodeMachine.freeBytes })
  )
}
