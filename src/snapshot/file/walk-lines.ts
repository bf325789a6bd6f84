import { BLOCK_BYTES, LINE_BYTES_MAX } from './limits.ts'
import type { Source } from './source.ts'

/** One line in a buffer that the next line may overwrite. */
export type Line = {
  bytes: Buffer
  start: number
  /** End without the LF. */
  end: number
  /** Byte offset of the line in the file. */
  offset: number
  /** Counted from 1. */
  number: number
  /** Length with the LF. For a line over the limit, the full length, although no bytes are provided. */
  length: number
  /** Whether the line ends with an LF. Only the last line may lack it, and is then the tail. */
  terminated: boolean
  tooLong: boolean
}

export type LinePlace = { offset: number; number: number }

/** Returns false to stop the walk. */
export type LineVisit = (line: Line) => boolean | undefined

/**
 * Walks the lines of a file, from the one that starts at `from.offset`, block by block. Memory use is one block, or one
 * line if that is longer. `visit` always receives the same object. A file that grows meanwhile is read up to its
 * initial size.
 */
export function walkLines(source: Source, from: LinePlace, visit: LineVisit): void {
  const walk: Walk = {
    source,
    buffer: Buffer.allocUnsafe(BLOCK_BYTES),
    base: from.offset,
    filled: 0,
    start: 0,
    skipped: 0
  }
  const line = {
    bytes: walk.buffer,
    start: 0,
    end: 0,
    offset: 0,
    number: from.number,
    length: 0,
    terminated: true,
    tooLong: false
  }
  const emitLine = (end: number, terminated: boolean): boolean => {
    fillLine(line, walk, { end, terminated })
    const goOn = visit(line) !== false
    line.number++
    walk.skipped = 0
    walk.start = end + 1
    return goOn
  }
  for (;;) {
    let searchFrom = walk.filled
    const got = fillBuffer(walk)
    for (;;) {
      const lf = walk.buffer.indexOf(LF, searchFrom)
      if (lf < 0 || lf >= walk.filled) break
      if (!emitLine(lf, true)) return
      searchFrom = walk.start
    }
    if (got === 0) break
    makeRoom(walk)
  }
  if (walk.filled > walk.start || walk.skipped > 0) emitLine(walk.filled, false)
}

const LF = 0x0a

type Walk = {
  source: Source
  buffer: Buffer
  /** Offset of the buffer in the file. */
  base: number
  filled: number
  /** Offset in the buffer of the line that is being read. */
  start: number
  /** Number of bytes of that line that were discarded because it exceeds the limit. */
  skipped: number
}

function fillBuffer(walk: Walk): number {
  const left = walk.source.facts.size - walk.base - walk.filled
  const room = Math.min(walk.buffer.length - walk.filled, left)
  if (room <= 0) return 0
  const got = walk.source.read(walk.buffer.subarray(walk.filled, walk.filled + room), walk.base + walk.filled)
  walk.filled += got
  return got
}

function fillLine(line: Line, walk: Walk, { end, terminated }: { end: number; terminated: boolean }): void {
  line.bytes = walk.buffer
  line.tooLong = walk.skipped > 0
  line.start = line.tooLong ? end : walk.start
  line.end = end
  line.offset = walk.base + walk.start - walk.skipped
  line.length = end - walk.start + walk.skipped + (terminated ? 1 : 0)
  line.terminated = terminated
}

/** Makes room in the buffer: moves the current line to the front, grows the buffer, or discards the line's bytes. */
function makeRoom(walk: Walk): void {
  const isFull = walk.start === 0 && walk.filled === walk.buffer.length
  if (isFull && walk.filled < LINE_BYTES_MAX) {
    walk.buffer = Buffer.concat([walk.buffer, Buffer.allocUnsafe(walk.buffer.length)])
    return
  }
  const kept = isFull ? walk.filled : walk.start
  if (isFull) walk.skipped += walk.filled
  walk.buffer.copyWithin(0, kept, walk.filled)
  walk.base += kept
  walk.filled -= kept
  walk.start = 0
}
