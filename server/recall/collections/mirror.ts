import { Fault } from '../../../src/contract/faults.ts'
import type { SystemError, World } from '../../../src/ports.ts'
import { readFully } from '../../../src/snapshot/file/source.ts'

/** The lines of an index, one after another: what is shown of a memory is read from here. Memory, then a file without a name. */
export type Mirror = {
  /** Bytes in it, of lines that are gone too; and those of lines that are gone. */
  readonly bytes: number
  readonly wasted: number
  /** Where the line came to stand. */
  append(line: Uint8Array): number
  /** Overwrites a line that is gone. */
  wipe(place: MirrorRange): void
  /** Bytes read into the start of `into`; fewer than asked only at the end. */
  read(into: Uint8Array, at: number): number
  close(): void
}

export type MirrorRange = { offset: number; length: number }

export type MirrorWorld = Pick<World, 'files' | 'ids'> & { folder: string }

/**
 * Lines stay in memory up to so many bytes, some hundred thousand of them: an answer reads dozens, each of which would be a
 * call of the system.
 */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024

/** An empty mirror. Its file, in the folder for temporary ones, has no name any more once it is open: it goes with us. */
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

/** In chunks, so that growing copies nothing. */
function createMemoryLines(bytesMax: number): Lines {
  const chunks: Buffer[] = []
  /** Each stretch of these bytes that lies in one chunk, with its place in it. */
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

/** Made and opened for writing only first: there is no way to open that makes a file and reads it. */
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

/** A full disk is no bug: what was asked for can be had when there is room again. */
function withoutFullDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code } = error as SystemError
    if (code === undefined) throw error
    throw new Fault('unavailable', `the server cannot write to its folder for temporary files (${code})`, {
      cause: error,
      hint: 'make room there, or name another folder in TMPDIR',
      retryAfter: 30
    })
  }
}
