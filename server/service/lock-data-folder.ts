import { join } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import { toSystemFault } from '../../src/snapshot/file/to-system-fault.ts'
import { buildRemovalHint, type LockWorld, withLock } from '../../src/snapshot/file/with-lock.ts'

/** How long a server waits for the previous one to end, in milliseconds. */
const WAIT_MS = 2000

/** Returns the path of the embedded database. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'server.db')
}

/** Returns the path of the file with the keys that encrypt stored credentials. */
export function keyFilePath({
  dataDir,
  secretKeyFile
}: {
  dataDir: string
  secretKeyFile: string | undefined
}): string {
  return secretKeyFile ?? join(dataDir, 'server.key')
}

/**
 * Runs `work` while this process alone uses the data folder, which is created if it is missing. The lock names its owner, so
 * that the lock of a killed process is taken over at once.
 *
 * @throws Fault `locked` if another server uses it, saying which.
 */
export async function lockDataFolder<T>(world: LockWorld, dataDir: string, work: () => Promise<T>): Promise<T> {
  return await withFolderLock(world, { dataDir, waitMs: WAIT_MS }, work)
}

/**
 * Runs `work` in a data folder that several servers may share, since they store nothing in it. The first server locks it; `work` gets
 * whether this one did. If the folder cannot be created or written to, no server locks it.
 */
export async function shareDataFolder<T>(
  world: LockWorld,
  dataDir: string,
  work: (holds: boolean) => Promise<T>
): Promise<T> {
  let hasBegun = false
  try {
    return await withFolderLock(world, { dataDir, waitMs: 0 }, () => {
      hasBegun = true
      return work(true)
    })
  } catch (error) {
    const isRefused = error instanceof Fault && ['locked', 'system_refused'].includes(error.code)
    if (hasBegun || !isRefused) throw error
  }
  return await work(false)
}

async function withFolderLock<T>(
  world: LockWorld,
  { dataDir, waitMs }: { dataDir: string; waitMs: number },
  work: () => Promise<T>
): Promise<T> {
  let hasBegun = false
  try {
    world.files.makeFolders(dataDir)
    const path = databasePath(world.files.realPath(dataDir))
    return await withLock(world, { path, waitMs }, () => {
      hasBegun = true
      return work()
    })
  } catch (error) {
    if (hasBegun) throw error
    if (error instanceof Fault && error.code === 'locked') throw inUseFault(world, dataDir, error)
    throw toSystemFault(error, `use the data folder ${dataDir}`)
  }
}

function inUseFault(world: LockWorld, dataDir: string, locked: Fault): Fault {
  const who = /\(.*\)/.exec(locked.message)?.[0] ?? ''
  const removal = buildRemovalHint(world, databasePath(world.files.realPath(dataDir)))
  const stop = `memctl server stop --data-dir '${dataDir}'`
  return new Fault('locked', `another server is using the data folder ${dataDir} ${who}`, {
    hint: `${stop}; ${removal ?? 'or start this server with another --data-dir and --port'}`,
    next: [stop, `memctl server status --data-dir '${dataDir}'`],
    cause: locked
  })
}
