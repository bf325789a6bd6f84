import { Fault } from '../../../src/contract/faults.ts'
import type { SystemError, World } from '../../../src/ports.ts'
import { readFully } from '../../../src/snapshot/file/source.ts'

/**
 * The lines of an index, one after another. Search results are read from here. Lines are kept in memory first, then in
 * an unnamed file.
 */
export type Mirror = {
  /** Total bytes, including removed lines, and the bytes of removed lines. */
  readonly bytes: number
  readonly wasted: number
  /** Appends a line and returns its offset. */
  append(line: Uint8Array): number
  /** Overwrites a removed line. */
  wipe(place: MirrorRange): void
  /** Reads into the start of `into` and returns the number of bytes. It is less than requested only at the end. */
  read(into: Uint8Array, at: number): number
  close(): void
}

export type MirrorRange = { offset: number; length: number }

export type MirrorWorld = Pick<World, 'files' | 'ids'> & { folder: string }

/**
 * Bytes of lines kept in memory: several hundred thousand lines. An answer reads dozens of lines, and each would need a
 * system call.
 */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024

/**
 * Creates an empty mirror. Its file in the temporary folder is unlinked once it is open, so it disappears with the
 * process.
 */
export function createMirror(world: MirrorWorld, memoryBytesMax = MEMORY_BYTES_MAX): Mirror {
  let lines = createMemoryLines(memoryBytesMax)
  let bytes = 0
  let wasted = 0
  return {
    get bytes() {
      return bytes
    },
    get wasted() {
      return wasted
    },
    append(line) {
      if (lines.isFull(bytes + line.length)) lines = moveToFile(world, lines, bytes)
      const offset = bytes
      lines.write(line, offset)
      bytes += line.length
      return offset
    },
    wipe({ offset, length }) {
      lines.write(new Uint8Array(length), offset)
      wasted += length
    },
    read: (into, at) => lines.read(into.subarray(0, Math.max(0, bytes - at)), at),
    close: () => lines.close()
  }
}

type Lines = Pick<Mirror, 'read' | 'close'> & {
  write(part: Uint8Array, at: number): void
  isFull(bytes: number): boolean
}

const CHUNK_BYTES = 1024 * 1024

/** Stores lines in chunks, so that growing copies nothing. */
function createMemoryLines(bytesMax: number): Lines {
  const chunks: Buffer[] = []
  /** Visits each part of the range that lies in one chunk, with its place in the chunk. */
  const eachPart = (length: number, at: number, take: (part: Part) => void): void => {
    for (let done = 0; done < length; ) {
      const number = Math.floor((at + done) / CHUNK_BYTES)
      const start = (at + done) % CHUNK_BYTES
      const end = Math.min(CHUNK_BYTES, start + length - done)
      chunks[number] ??= Buffer.alloc(CHUNK_BYTES)
      take({ chunk: chunks[number], start, end, from: done })
      done += end - start
    }
  }
  return {
    isFull: (bytes) => bytes > bytesMax,
    write: (part, at) =>
      eachPart(part.length, at, ({ chunk, start, end, from }) =>
        chunk.set(part.subarray(from, from + end - start), start)
      ),
    read(into, at) {
      eachPart(into.length, at, ({ chunk, start, end, from }) => into.set(chunk.subarray(start, end), from))
      return into.length
    },
    close: () => undefined
  }
}

type Part = { chunk: Buffer; start: number; end: number; from: number }

function moveToFile(world: MirrorWorld, lines: Lines, bytes: number): Lines {
  const all = new Uint8Array(bytes)
  lines.read(all, 0)
  const file = createFileLines(world)
  file.write(all, 0)
  return file
}

/**
 * Opens a new file. It is created for writing first, because no open mode both creates a file and allows reading it.
 */
function createFileLines({ files, ids, folder }: MirrorWorld): Lines {
  const fd = withoutFullDisk(() => openNameless({ files, ids, folder }))
  return {
    isFull: () => false,
    write(part, at) {
      withoutFullDisk(() => {
        for (let done = 0; done < part.length; ) done += files.write(fd, part.subarray(done), at + done)
      })
    },
    read: (into, at) => readFully(files, { fd, into, at }),
    close: () => files.close(fd)
  }
}

function openNameless({ files, ids, folder }: MirrorWorld): number {
  const path = `${folder}/memctl-${ids.randomHex(16)}`
  files.close(files.open(path, 'create'))
  try {
    return files.open(path, 'update')
  } finally {
    files.unlink(path)
  }
}

/** Runs `work` and reports a full disk as a Fault, not as a bug. The call can succeed once there is space. */
function withoutFullDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code } = error as SystemError
    if (code === undefined) throw error
    throw new Fault('unavailable', `the server cannot write to its folder for temporary files (${code})`, {
      cause: error,
      hint: 'free space there, or set TMPDIR to another folder',
      retryAfter: 30
    })
  }
}
