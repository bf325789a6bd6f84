import type { Files } from '../ports.ts'
import { putAside } from './aside.ts'
import { headerOf } from './header.ts'
import { judgeLine, recordOf } from './judge.ts'
import { LINE_BYTES_MAX } from './limits.ts'
import { readFully } from './source.ts'

/** How a file's end was found, and what was done about it. */
export type Settled = {
  /** The file's size now: where the next line goes. */
  end: number
  /** The last line is sound and lacks only its LF: the next append begins with one. */
  needsLf: boolean
  /** Bytes of an unfinished line that were put into `NAME.aside`. */
  asideBytes: number
}

/**
 * Settles what stands after the last LF, under the lock, in a file that begins with a sound header. A sound line there is a record that lost its LF. Anything else
 * was cut off in the middle of a write and never acknowledged: it goes to `NAME.aside`, and the file is cut.
 */
export function settleTail(files: Files, path: string, fd: number): Settled {
  const { size } = files.facts(fd)
  const start = afterLastLf(files, fd, size)
  const bytes = size - start
  if (bytes === 0) return { end: size, needsLf: false, asideBytes: 0 }
  // The first line has been found to be a header, whatever mark stands before it.
  if (start === 0 || isSoundLine(files, fd, { start, bytes })) return { end: size, needsLf: true, asideBytes: 0 }
  putAside(files, path, { fd, ranges: [{ offset: start, bytes }] })
  files.truncate(fd, start)
  return { end: start, needsLf: false, asideBytes: bytes }
}

const STEP_BYTES = 64 * 1024
const LF = 0x0a

/** Reads backwards: a finished file costs one byte, whatever its size. */
function afterLastLf(files: Files, fd: number, size: number): number {
  const last = Buffer.alloc(1)
  if (size === 0 || (files.read(fd, last, size - 1) === 1 && last[0] === LF)) return size
  const block = Buffer.allocUnsafe(STEP_BYTES)
  for (let end = size; end > 0; end -= STEP_BYTES) {
    const start = Math.max(0, end - STEP_BYTES)
    const got = readFully(files, { fd, into: block.subarray(0, end - start), at: start })
    const lf = block.subarray(0, got).lastIndexOf(LF)
    if (lf >= 0) return start + lf + 1
  }
  return 0
}

function isSoundLine(files: Files, fd: number, { start, bytes }: { start: number; bytes: number }): boolean {
  if (bytes >= LINE_BYTES_MAX) return false
  const line = Buffer.alloc(bytes)
  if (readFully(files, { fd, into: line, at: start }) < bytes) return false
  const judged = judgeLine(line, 0, bytes)
  if (typeof judged === 'string') return false
  return judged.kind !== 'header' || typeof headerOf(recordOf(judged.view), 'the last line') !== 'string'
}
