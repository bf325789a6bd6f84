import { Fault } from '../contract/faults.ts'
import { withLock } from '../snapshot/file/lock.ts'
import { writeFully } from '../snapshot/file/replace-file.ts'
import { readFully } from '../snapshot/file/source.ts'
import { ignoreSystemError, isSystemError } from '../snapshot/file/system-fault.ts'
import { sha256 } from '../snapshot/record/check.ts'
import type { DeviceWorld } from './device-world.ts'
import { parseStamp, STAMP_BYTES, type Stamp, stampText } from './stamp.ts'

/**
 * The files of one snapshot's index in the cache folder. They can be deleted at any time, and nothing here ever fails a
 * command: a cache that cannot be read or written is as good as none.
 */
export type IndexFiles = {
  exists(): boolean
  load(): Uint8Array | undefined
  /** Puts a new index in place, unless another process is doing so this moment. Says why where it could not. */
  save(bytes: Uint8Array): Promise<string | undefined>
  remove(): void
  stamp(): Stamp | undefined
  setStamp(stamp: Stamp): void
}

/** The index files of the snapshot at a real path, named by a hash of that path. */
export function indexFiles(world: DeviceWorld, realPath: string): IndexFiles {
  const { files, folders } = world
  const folder = `${folders.cache}/index`
  const base = `${folder}/${sha256(realPath).slice(0, 32)}`
  const indexPath = `${base}.sqlite`
  const stampPath = `${base}.stamp`
  return {
    exists: () => ignoreSystemError(() => files.findEntry(indexPath) !== undefined) === true,
    load: () => ignoreSystemError(() => readWhole(files, indexPath)),
    async save(bytes) {
      try {
        files.makeFolders(folder)
        await withLock(world, { path: indexPath, waitMs: 0 }, () => replaceCache(files, indexPath, bytes))
        return undefined
      } catch (error) {
        if (error instanceof Fault || isSystemError(error)) return error.message
        throw error
      }
    },
    remove() {
      for (const path of [stampPath, indexPath]) {
        ignoreSystemError(() => files.findEntry(path) !== undefined && files.unlink(path))
      }
    },
    stamp: () => ignoreSystemError(() => parseStamp(Buffer.from(readWhole(files, stampPath) ?? []).toString('latin1'))),
    setStamp: (stamp) => ignoreSystemError(() => writeStamp(files, stampPath, stamp))
  }
}

/** Takes the index of the snapshot at a path out of the cache, as far as the system lets it. */
export function dropIndex(world: DeviceWorld, path: string): void {
  ignoreSystemError(() => indexFiles(world, world.files.realPath(path)).remove())
}

type Files = DeviceWorld['files']

function readWhole(files: Files, path: string): Uint8Array | undefined {
  const facts = files.findEntry(path)
  if (facts?.kind !== 'file') return undefined
  const fd = files.open(path, 'read')
  try {
    const bytes = Buffer.allocUnsafe(files.facts(fd).size)
    return bytes.subarray(0, readFully(files, { fd, into: bytes, at: 0 }))
  } finally {
    files.close(fd)
  }
}

/** Not synced: after a power cut the seal shows what is not whole, and the index is made anew. */
function replaceCache(files: Files, path: string, bytes: Uint8Array): void {
  const next = `${path}.new`
  if (files.findEntry(next) !== undefined) files.unlink(next)
  const fd = files.open(next, 'create')
  try {
    writeFully(files, fd, bytes)
  } catch (error) {
    files.unlink(next)
    throw error
  } finally {
    files.close(fd)
  }
  files.rename(next, path)
}

/** In place, in one write, where it exists: a writer keeps it in step with each append. What has another size is no stamp. */
function writeStamp(files: Files, path: string, stamp: Stamp): void {
  const size = files.findEntry(path)?.size
  const isNew = size !== STAMP_BYTES
  if (isNew && size !== undefined) files.unlink(path)
  const fd = files.open(path, isNew ? 'create' : 'update')
  try {
    files.write(fd, Buffer.from(stampText(stamp), 'latin1'), 0)
  } finally {
    files.close(fd)
  }
}
