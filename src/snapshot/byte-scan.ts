import { Fault } from '../contract/faults.ts'
import { createJsonOutline } from './json-outline.ts'
import { BLOCK_BYTES } from './limits.ts'
import type { Source } from './source.ts'

/** The bytes of one JSON value, in a buffer that the next one may overwrite. Of one over the limit, none. */
export type ScannedValue = {
  bytes: Buffer
  start: number
  end: number
  /** Where it starts in the file. */
  offset: number
  length: number
  tooLong: boolean
}

/** Walks the bytes of one large JSON object, a block at a time. */
export type ByteScan = {
  source: Source
  buffer: Buffer
  /** Where in the file the buffer starts. */
  base: number
  filled: number
  at: number
  /** Bytes from here on are kept when the buffer is filled again; -1 for none. */
  mark: number
}

/** A scan that stands before the first byte, or after the byte order mark. */
export function createByteScan(source: Source): ByteScan {
  const scan: ByteScan = { source, buffer: Buffer.allocUnsafe(BLOCK_BYTES), base: 0, filled: 0, at: 0, mark: -1 }
  peek(scan)
  if (scan.filled >= 3 && scan.buffer.toString('latin1', 0, 3) === '\u00ef\u00bb\u00bf') scan.at = 3
  return scan
}

/** What is wrong with the file, and where. */
export function scanFault({ source, base, at }: ByteScan, reason: string): Fault {
  return new Fault('not_a_snapshot', `${source.path} ${reason} (at byte ${base + at})`, {
    hint: 'get the file anew from where it came from'
  })
}

/** The next byte that is no white space, not yet taken; undefined at the end. */
export function peekPastSpace(scan: ByteScan): number | undefined {
  for (;;) {
    const byte = peek(scan)
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
    scan.at++
  }
}

/** Takes the next byte past white space, which must be one of these. */
export function expectByte(scan: ByteScan, ...wanted: number[]): number {
  const byte = peekPastSpace(scan)
  if (byte === undefined) throw scanFault(scan, 'ends too early')
  if (!wanted.includes(byte)) throw scanFault(scan, 'is neither lines nor one object of JSON')
  scan.at++
  return byte
}

/** Takes the next value, of which only the outline is looked at. Over `max` bytes it is passed over. */
export function scanValue(scan: ByteScan, max: number): ScannedValue {
  peekPastSpace(scan)
  const offset = scan.base + scan.at
  scan.mark = scan.at
  const tooLong = !passValue(scan, max)
  const length = scan.base + scan.at - offset
  if (length === 0) throw scanFault(scan, 'is neither lines nor one object of JSON')
  const start = tooLong ? scan.at : scan.mark
  scan.mark = -1
  return { bytes: scan.buffer, start, end: scan.at, offset, length, tooLong }
}

/** Moves to the end of a value; false where it was too long to be kept. */
function passValue(scan: ByteScan, max: number): boolean {
  const outline = createJsonOutline()
  for (let byte = peek(scan); byte === undefined || !outline.isOver(byte); byte = peek(scan)) {
    if (byte === undefined) throw scanFault(scan, 'ends too early')
    scan.at++
    if (scan.mark >= 0 && scan.at - scan.mark > max) scan.mark = -1
  }
  return scan.mark >= 0
}

function peek(scan: ByteScan): number | undefined {
  return scan.at < scan.filled || fill(scan) ? scan.buffer[scan.at] : undefined
}

/** Reads on, the bytes that are still needed moved to the front, in a larger buffer where they take up half of it. */
function fill(scan: ByteScan): boolean {
  const kept = scan.mark < 0 ? scan.at : scan.mark
  const { buffer, source } = scan
  if (scan.filled - kept > buffer.length / 2) {
    scan.buffer = Buffer.concat([buffer.subarray(kept, scan.filled), Buffer.allocUnsafe(buffer.length * 2)])
  } else buffer.copyWithin(0, kept, scan.filled)
  scan.base += kept
  scan.at -= kept
  scan.filled -= kept
  if (scan.mark >= 0) scan.mark = 0
  const room = Math.min(scan.buffer.length - scan.filled, source.facts.size - scan.base - scan.filled)
  if (room <= 0) return false
  const got = source.read(scan.buffer.subarray(scan.filled, scan.filled + room), scan.base + scan.filled)
  scan.filled += got
  return got > 0
}
