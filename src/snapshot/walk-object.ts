import { Fault } from '../contract/faults.ts'
import { BLOCK_BYTES, HEADER_BYTES_MAX, LINE_BYTES_MAX } from './file/limits.ts'
import type { Source } from './file/source.ts'
import type { Line } from './file/walk-lines.ts'

/** Where `records` ends: the next record is inserted before its bracket. */
type RecordsEnd = { offset: number; isEmpty: boolean }

/**
 * Walks the object form: one JSON object with the header's fields and `records`, in any spacing, in bounded memory.
 * `visit` receives each record as a line whose number is that of the record, from 1.
 *
 * @returns the header's fields as the text of a JSON object, one character per byte, not yet validated; and where the
 * records end.
 * @throws Fault `not_a_snapshot` if the outermost object is not valid JSON.
 */
export function walkObject(source: Source, visit: (line: Line) => void): { fields: string; records: RecordsEnd } {
  const scan = createByteScan(source)
  const fields: string[] = []
  let fieldBytes = 0
  let records: RecordsEnd | undefined
  expectByte(scan, BRACE_OPEN)
  let next = peekPastSpace(scan) === BRACE_CLOSE ? expectByte(scan, BRACE_CLOSE) : COMMA
  while (next === COMMA) {
    const key = readField(scan)
    expectByte(scan, COLON)
    if (isRecordsKey(key)) {
      if (records !== undefined) throw createScanFault(scan, 'has a key twice: `records`')
      records = walkRecords(scan, visit)
    } else {
      const field = `${key}:${readField(scan)}`
      fieldBytes += field.length
      if (fieldBytes > HEADER_BYTES_MAX)
        throw createScanFault(scan, `has more than ${HEADER_BYTES_MAX} bytes of header fields`)
      fields.push(field)
    }
    next = expectByte(scan, COMMA, BRACE_CLOSE)
  }
  if (peekPastSpace(scan) !== undefined) throw createScanFault(scan, 'has text that follows the end of the JSON object')
  if (records === undefined) throw createScanFault(scan, 'has no `records`')
  return { fields: `{${fields.join(',')}}`, records }
}

const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const COMMA = 0x2c
const COLON = 0x3a

/** Also recognises a key written with escapes. */
function isRecordsKey(key: string): boolean {
  const plain = key.replace(/\\u00([67][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return plain === '"records"'
}

function readField(scan: ByteScan): string {
  const { bytes, start, end, tooLong } = scanValue(scan, HEADER_BYTES_MAX)
  if (tooLong) throw createScanFault(scan, 'has a header field that is too long')
  return bytes.toString('latin1', start, end)
}

function walkRecords(scan: ByteScan, visit: (line: Line) => void): RecordsEnd {
  expectByte(scan, BRACKET_OPEN)
  let next = peekPastSpace(scan) === BRACKET_CLOSE ? expectByte(scan, BRACKET_CLOSE) : COMMA
  let number = 0
  while (next === COMMA) {
    number++
    if (peekPastSpace(scan) !== BRACE_OPEN)
      throw createScanFault(scan, `has something other than an object as record ${number}`)
    visit({ ...scanValue(scan, LINE_BYTES_MAX - 1), number, terminated: true })
    next = expectByte(scan, COMMA, BRACKET_CLOSE)
  }
  return { offset: scan.base + scan.at - 1, isEmpty: number === 0 }
}

/** The bytes of one JSON value, in a buffer that the next one may overwrite. A value over the limit has no bytes. */
type ScannedValue = {
  bytes: Buffer
  start: number
  end: number
  /** Byte offset in the file. */
  offset: number
  length: number
  tooLong: boolean
}

/** The state of a scan of one large JSON object, block by block. */
type ByteScan = {
  source: Source
  buffer: Buffer
  /** Offset of the buffer in the file. */
  base: number
  filled: number
  at: number
  /** Bytes from here on are kept when the buffer is refilled; -1 for none. */
  mark: number
}

/** Creates a scan positioned at the first byte, or after the byte order mark. */
function createByteScan(source: Source): ByteScan {
  const scan: ByteScan = { source, buffer: Buffer.allocUnsafe(BLOCK_BYTES), base: 0, filled: 0, at: 0, mark: -1 }
  peekByte(scan)
  if (scan.filled >= 3 && scan.buffer.toString('latin1', 0, 3) === '\u00ef\u00bb\u00bf') scan.at = 3
  return scan
}

/** Creates a fault that names the problem and its position in the file. */
function createScanFault({ source, base, at }: ByteScan, reason: string): Fault {
  return new Fault('not_a_snapshot', `${source.path} ${reason} (at byte ${base + at})`, {
    hint: 'export or download the file again'
  })
}

/** Returns the next byte after white space without consuming it; undefined at the end. */
function peekPastSpace(scan: ByteScan): number | undefined {
  for (;;) {
    const byte = peekByte(scan)
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
    scan.at++
  }
}

/** Consumes white space and the next byte, which must be one of these. */
function expectByte(scan: ByteScan, ...wanted: number[]): number {
  const byte = peekPastSpace(scan)
  if (byte === undefined) throw createScanFault(scan, 'ends too early')
  if (!wanted.includes(byte)) throw createScanFault(scan, 'is neither lines nor one object of JSON')
  scan.at++
  return byte
}

/** Consumes the next value, of which only the outline is checked. A value over `max` bytes is skipped. */
function scanValue(scan: ByteScan, max: number): ScannedValue {
  peekPastSpace(scan)
  const offset = scan.base + scan.at
  scan.mark = scan.at
  const tooLong = !skipValue(scan, max)
  const length = scan.base + scan.at - offset
  if (length === 0) throw createScanFault(scan, 'is neither lines nor one object of JSON')
  const start = tooLong ? scan.at : scan.mark
  scan.mark = -1
  return { bytes: scan.buffer, start, end: scan.at, offset, length, tooLong }
}

/** Moves to the end of a value; returns false if it was too long to be kept. */
function skipValue(scan: ByteScan, max: number): boolean {
  const outline = createJsonOutline()
  for (let byte = peekByte(scan); byte === undefined || !outline.isOver(byte); byte = peekByte(scan)) {
    if (byte === undefined) throw createScanFault(scan, 'ends too early')
    scan.at++
    if (scan.mark >= 0 && scan.at - scan.mark > max) scan.mark = -1
  }
  return scan.mark >= 0
}

function peekByte(scan: ByteScan): number | undefined {
  return scan.at < scan.filled || fillBuffer(scan) ? scan.buffer[scan.at] : undefined
}

/**
 * Refills the buffer. Bytes that are still needed move to the front, into a larger buffer if they take up half of it.
 */
function fillBuffer(scan: ByteScan): boolean {
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

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Follows brackets and quotes to find the end of a value. Whether the content is valid JSON is checked later. */
type JsonOutline = {
  /** Consumes the next byte. Returns true if the value ended before it. */
  isOver(byte: number): boolean
}

/** Creates an outline positioned at the first byte of a value. */
function createJsonOutline(): JsonOutline {
  let depth = 0
  let inString = false
  let escaped = false
  let done = false

  const takeInString = (byte: number): void => {
    if (escaped) escaped = false
    else if (byte === BACKSLASH) escaped = true
    else if (byte === QUOTE) {
      inString = false
      done = depth === 0
    }
  }

  return {
    isOver(byte) {
      if (done) return true
      if (inString) {
        takeInString(byte)
        return false
      }
      if (byte === QUOTE) inString = true
      else if (isOpening(byte)) depth++
      else if (isClosing(byte)) {
        if (depth === 0) return true
        depth--
        done = depth === 0
      } else return depth === 0 && isDelimiter(byte)
      return false
    }
  }
}

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte <= 0x20
}
