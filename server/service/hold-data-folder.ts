import { join } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import { toSystemFault } from '../../src/snapshot/file/to-system-fault.ts'
import { buildRemovalHint, type LockWorld, withLock } from '../../src/snapshot/file/with-lock.ts'

/** How long a server waits for the one before it to end, in milliseconds. */
const WAIT_MS = 2000

/** The file of the embedded storage. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'server.db')
}

/** The file with the keys that stored credentials are sealed with. */
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
 * Runs `work` while this process alone uses the data folder, which is made where it is missing. The lock names its owner, so
 * that one whose process was killed is taken over at once.
 *
 * @throws Fault `locked` where another server uses it, saying which.
 */
export async function holdDataFolder<T>(world: LockWorld, dataDir: string, work: () => Promise<T>): Promise<T> {
  return await hold(world, { dataDir, waitMs: WAIT_MS }, work)
}

/**
 * The same where several servers may share the folder, since they keep nothing in it: the first one holds it, and `work` is
 * told at once whether that is this one. A folder that cannot be made or written to is held by nobody.
 */
export async function shareDataFolder<T>(
  world: LockWorld,
  dataDir: string,
  work: (holds: boolean) => Promise<T>
): Promise<T> {
  let begun = false
  try {
    return await hold(world, { dataDir, waitMs: 0 }, () => {
      begun = true
      return work(true)
    })
  } catch (error) {
    const isRefused = error instanceof Fault && ['locked', 'system_refused'].includes(error.code)
    if (begun || !isRefused) throw error
  }
  return await work(false)
}

async function hold<T>(
  world: LockWorld,
  { dataDir, waitMs }: { dataDir: string; waitMs: number },
  work: () => Promise<T>
): Promise<T> {
  let begun = false
  try {
    world.files.makeFolders(dataDir)
    const path = databasePath(world.files.realPath(dataDir))
    return await withLock(world, { path, waitMs }, () => {
      begun = true
      return work()
    })
  } catch (error) {
    if (begun) throw error
    if (error instanceof Fault && error.code === 'locked') throw inUse(world, dataDir, error)
    throw toSystemFault(error, `use the data folder ${dataDir}`)
  }
}

function inUse(world: LockWorld, dataDir: string, locked: Fault): Fault {
  const who = /\(.*\)/.exec(locked.message)?.[0] ?? ''
  const removal = buildRemovalHint(world, databasePath(world.files.realPath(dataDir)))
  const stop = `memctl server stop --data-dir '${dataDir}'`
  return new Fault('locked', `another server uses the data folder ${dataDir} ${who}`, {
    hint: `${stop}; ${removal ?? 'or start this one with another --data-dir and --port'}`,
    next: [stop, `memctl server status --data-dir '${dataDir}'`],
    cause: locked
  })
}
