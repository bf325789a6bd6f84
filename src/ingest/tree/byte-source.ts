import { join } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { Files, World } from '../../ports.ts'
import { TreeError } from '../port/file-tree.ts'

/** Bytes that can be read at any place: a file, or a part of one. */
export type ByteSource = {
  size: number
  /** Returns the bytes at `at`, fewer than `length` only at the end. */
  read(at: number, length: number): Uint8Array
  close(): void
}

export type SpoolWorld = Pick<World, 'files' | 'folders' | 'ids'>

/** Bytes that are read at once. */
const CHUNK_BYTES = 256 * 1024

/** Opens a regular file. */
export function openFileSource(files: Files, path: string): ByteSource {
  const fd = files.open(path, 'read')
  const { size } = files.facts(fd)
  return { size, read: (at, length) => readAt(files, fd, { at, length }), close: () => files.close(fd) }
}

/** Returns a part of a source. Closing it does nothing. */
export function sliceSource(source: ByteSource, from: number, size: number): ByteSource {
  return {
    size,
    read: (at, length) => source.read(from + at, Math.max(0, Math.min(length, size - at))),
    close: () => undefined
  }
}

/** Yields a part of a source in chunks. */
export function* readChunks(source: ByteSource, from: number, size: number): Generator<Uint8Array> {
  for (let at = from; at < from + size; ) {
    const chunk = source.read(at, Math.min(CHUNK_BYTES, from + size - at))
    if (chunk.length === 0) throw new TreeError('damaged', 'the file ends early')
    yield chunk
    at += chunk.length
  }
}

/**
 * Writes a stream to a temporary file and opens it. The file has a random name, is readable by the user only, and is
 * removed when the source is closed.
 */
export async function spoolSource(
  { files, folders, ids }: SpoolWorld,
  stream: AsyncIterable<Uint8Array>
): Promise<ByteSource> {
  const path = join(folders.temporary, `memctl-${ids.randomHex(8)}.part`)
  const fd = files.open(path, 'create', 0o600)
  try {
    let size = 0
    for await (const chunk of stream) {
      for (let done = 0; done < chunk.length; ) done += files.write(fd, chunk.subarray(done))
      size += chunk.length
    }
    files.close(fd)
    const source = openFileSource(files, path)
    return {
      ...source,
      size,
      close() {
        source.close()
        files.unlink(path)
      }
    }
  } catch (error) {
    if (files.findEntry(path) !== undefined) files.unlink(path)
    throw error
  }
}

/** Limits for the unpacked size of an archive. A larger archive is refused before anything is read. */
const UNPACKED = { RATIO_MAX: 200, FREE_BYTES: 100 * 1024 * 1024 } as const

/** The maximum number of members of an archive, including those of archives inside it. */
export const MEMBERS_MAX = 500_000

/**
 * Checks that an archive does not unpack to much more than it has.
 * @throws Fault `too_large`
 */
export function checkUnpackedSize(unpacked: number, packed: number): void {
  if (unpacked <= UNPACKED.FREE_BYTES || unpacked <= packed * UNPACKED.RATIO_MAX) return
  throw new Fault(
    'too_large',
    `the archive unpacks to ${Math.round(unpacked / 2 ** 20)} MiB, more than ${UNPACKED.RATIO_MAX} times its size`,
    { hint: 'unpack it yourself if you trust it, and ingest the folder' }
  )
}

function readAt(files: Files, fd: number, { at, length }: { at: number; length: number }): Uint8Array {
  const bytes = new Uint8Array(length)
  let have = 0
  while (have < length) {
    const count = files.read(fd, bytes.subarray(have), at + have)
    if (count === 0) break
    have += count
  }
  return bytes.subarray(0, have)
}
