import { Fault } from '../../contract/faults.ts'
import type { FileFacts, World } from '../../ports.ts'
import type { AppendWitness } from '../../snapshot/append-lines.ts'
import { writeFully } from '../../snapshot/file/replace-file.ts'
import { readFully } from '../../snapshot/file/source.ts'
import { ignoreSystemError, isSystemError } from '../../snapshot/file/to-system-fault.ts'
import { withLock } from '../../snapshot/file/with-lock.ts'
import { sha256 } from '../../snapshot/record/compute-check.ts'

/** The ports that an index and its files need. */
export type IndexWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self' | 'folders' | 'assets'>

/**
 * The files of one snapshot's index in the cache folder. They can be deleted at any time, and their errors never fail a
 * command: a cache that cannot be read or written is treated as absent.
 */
export type IndexFiles = {
  exists(): boolean
  load(): Uint8Array | undefined
  /** Saves a new index, unless another process is doing so at this moment. Returns why it failed, if it did. */
  save(bytes: Uint8Array): Promise<string | undefined>
  remove(): void
  stamp(): Stamp | undefined
  setStamp(stamp: Stamp): void
}

/** Locates the index files of the snapshot at a real path; their name is a hash of that path. */
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

/** Deletes the index of the snapshot at a path from the cache, if the system permits it. */
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

/** Not synced: after a power failure, the seal detects an incomplete file, and the index is rebuilt. */
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

/**
 * Overwrites an existing stamp in place with one write, because a writer updates it after each append. Anything of
 * another size is not a stamp.
 */
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
 * Records that the index with `nonce` matches a file with these facts: its indexed bytes are unchanged. All stamps of
 * one `line` belong to files that grew from each other by our own complete lines. Stored next to the index in 140
 * bytes, so that one call can overwrite it.
 */
type Stamp = { nonce: string; line: string; facts: StampFacts }

export type StampFacts = Pick<FileFacts, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

/** Length of every stamp. */
const STAMP_BYTES = 140

/** Formats a stamp in 140 characters. */
function formatStamp({ nonce, line, facts }: Stamp): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = facts
  return `2 ${nonce} ${line} ${[dev, ino, size, mtimeNs, ctimeNs].join(' ')}`
    .padEnd(STAMP_BYTES - 1)
    .slice(0, STAMP_BYTES - 1)
    .concat('\n')
}

/** Returns undefined for anything but a complete stamp. */
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

/** Checks whether the stamp belongs to the index with `nonce` and to a file with these facts. */
export function isStamped(stamp: Stamp | undefined, nonce: string, facts: StampFacts): boolean {
  return stamp !== undefined && stamp.nonce === nonce && isSameFile(stamp.facts, facts)
}

/** Checks whether both facts belong to the same file without a write in between. */
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
 * Creates a witness that keeps a stamp up to date after our own appends. If the stamp matched before, the indexed bytes
 * are unchanged afterwards, and the next search only needs the new lines.
 *
 * One change is not detected: a program that ignores our lock changes bytes in place, keeps the size, and does so
 * within the same clock step of the file system as the append. The file then matches the stamp. Displayed text is read
 * from the file and verified even then; only the changed words are not found, until the file changes again.
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
