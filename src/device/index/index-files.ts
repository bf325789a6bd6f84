import { Fault } from '../../contract/faults.ts'
import type { FileFacts, World } from '../../ports.ts'
import type { AppendWitness } from '../../snapshot/append-lines.ts'
import { writeFully } from '../../snapshot/file/replace-file.ts'
import { readFully } from '../../snapshot/file/source.ts'
import { ignoreSystemError, isSystemError } from '../../snapshot/file/to-system-fault.ts'
import { withLock } from '../../snapshot/file/with-lock.ts'
import { sha256 } from '../../snapshot/record/compute-check.ts'

/** What an index and its files need of the world. */
export type IndexWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self' | 'folders' | 'assets'>

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
export function locateIndexFiles(world: IndexWorld, realPath: string): IndexFiles {
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
        await withLock(world, { path: indexPath, waitMs: 0 }, () => replaceCacheFile(files, indexPath, bytes))
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
export function dropIndex(world: IndexWorld, path: string): void {
  ignoreSystemError(() => locateIndexFiles(world, world.files.realPath(path)).remove())
}

type Files = IndexWorld['files']

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
function replaceCacheFile(files: Files, path: string, bytes: Uint8Array): void {
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
    files.write(fd, Buffer.from(formatStamp(stamp), 'latin1'), 0)
  } finally {
    files.close(fd)
  }
}

/**
 * Says that the index called `nonce` fits a file that looks like this: its indexed bytes are still those. All stamps of one
 * `line` are of files that grew out of each other by whole lines of our own. Kept beside the index as 140 bytes, so that it
 * can be written in place by one call.
 */
type Stamp = { nonce: string; line: string; facts: StampFacts }

export type StampFacts = Pick<FileFacts, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

/** So long is the text of every stamp. */
const STAMP_BYTES = 140

/** The 140 bytes of a stamp, as text. */
function formatStamp({ nonce, line, facts }: Stamp): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = facts
  return `2 ${nonce} ${line} ${[dev, ino, size, mtimeNs, ctimeNs].join(' ')}`
    .padEnd(STAMP_BYTES - 1)
    .slice(0, STAMP_BYTES - 1)
    .concat('\n')
}

/** Undefined for anything that is no whole stamp. */
function parseStamp(text: string): Stamp | undefined {
  const match = /^2 ([0-9a-f]{16}) ([0-9a-f]{16}) (\d+) (\d+) (\d+) (-?\d+) (-?\d+) *\n$/.exec(text)
  if (text.length !== STAMP_BYTES || match === null) return undefined
  const [, nonce = '', line = '', dev = '', ino = '', size = '', mtimeNs = '', ctimeNs = ''] = match
  const facts = {
    dev: BigInt(dev),
    ino: BigInt(ino),
    size: Number(size),
    mtimeNs: BigInt(mtimeNs),
    ctimeNs: BigInt(ctimeNs)
  }
  return { nonce, line, facts }
}

/** Whether the stamp is of the index called `nonce` and of a file that looks like this. */
export function isStamped(stamp: Stamp | undefined, nonce: string, facts: StampFacts): boolean {
  return stamp !== undefined && stamp.nonce === nonce && isSameFile(stamp.facts, facts)
}

/** Whether two looks saw the same file, not written to in between. */
export function isSameFile(before: StampFacts | undefined, now: StampFacts): boolean {
  return (
    before !== undefined &&
    before.dev === now.dev &&
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs
  )
}

/**
 * Keeps the stamp of a file's index in step with our own appends: where it fitted before one, the indexed bytes are still
 * the same after it, and the next search needs the new lines only.
 *
 * Not noticed is a program without our lock that changes bytes in place, without changing the size, within the same step
 * of the file system's clock as the append: the file then looks as the stamp says. What a search shows is read and
 * checked even then; only words that were changed so are not found, until the file is next changed.
 */
export function createStampWitness(world: IndexWorld, realPath: string): AppendWitness {
  const files = locateIndexFiles(world, realPath)
  let fitting: Stamp | undefined
  return {
    before(facts) {
      const stamp = files.stamp()
      fitting = stamp !== undefined && isStamped(stamp, stamp.nonce, facts) ? stamp : undefined
    },
    after(facts) {
      if (fitting !== undefined) files.setStamp({ ...fitting, facts })
    }
  }
}
