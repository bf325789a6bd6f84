import { Fault } from '../contract/faults.ts'
import { BLOCK_BYTES, HEADER_BYTES_MAX, LINE_BYTES_MAX } from './limits.ts'
import type { Line } from './lines.ts'
import type { Source } from './source.ts'

/**
 * Walks the object form: one JSON object with the header's fields and `records`, however it is spaced, in bounded
 * memory. `visit` is given each record as a line whose number is the record's, from 1.
 *
 * @returns the header's fields as the text of a JSON object, a character a byte, not yet tested.
 * @throws Fault `not_a_snapshot` where the outermost object is no JSON.
 */
export function walkObject(source: Source, visit: (line: Line) => void): string {
  const scan = createByteScan(source)
  const fields: string[] = []
  let fieldBytes = 0
  let recordLists = 0
  scan.expect(BRACE_OPEN)
  if (scan.peekPastSpace() === BRACE_CLOSE) scan.expect(BRACE_CLOSE)
  else {
    do {
      const key = scan.value(HEADER_BYTES_MAX).text
      scan.expect(COLON)
      if (isRecords(key)) {
        if (recordLists++ > 0) throw scan.refuse('has `records` twice')
        walkRecords(scan, visit)
        continue
      }
      const { text } = scan.value(HEADER_BYTES_MAX)
      fieldBytes += key.length + text.length
      if (fieldBytes > HEADER_BYTES_MAX) throw scan.refuse(`has more than ${HEADER_BYTES_MAX} bytes of header fields`)
      fields.push(`${key}:${text}`)
    } while (scan.expectOneOf(COMMA, BRACE_CLOSE) === COMMA)
  }
  if (scan.peekPastSpace() !== undefined) throw scan.refuse('has something after its end')
  if (recordLists === 0) throw scan.refuse('has no `records`')
  return `{${fields.join(',')}}`
}

/** Also where letters of it are written as escapes. */
function isRecords(key: string): boolean {
  if (!key.includes('\\u')) return key === '"records"'
  return key.replace(/\\u00([67][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) === '"records"'
}

const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c

type Value = { bytes: Buffer; start: number; end: number; offset: number; length: number; tooLong: boolean; text: string }

type ByteScan = {
  peekPastSpace(): number | undefined
  expect(byte: number): void
  expectOneOf(a: number, b: number): number
  /** The bytes of the next value, of which only the outline is looked at; over `max` bytes they are passed over. */
  value(max: number): Value
  refuse(reason: string): Fault
}

function walkRecords(scan: ByteScan, visit: (line: Line) => void): void {
  scan.expect(BRACKET_OPEN)
  if (scan.peekPastSpace() === BRACKET_CLOSE) {
    scan.expect(BRACKET_CLOSE)
    return
  }
  let number = 0
  do {
    if (scan.peekPastSpace() !== BRACE_OPEN) throw scan.refuse(`has something that is no object as record ${number + 1}`)
    const { bytes, start, end, offset, length, tooLong } = scan.value(LINE_BYTES_MAX - 1)
    visit({ bytes, start, end, offset, length, tooLong, number: ++number, terminated: true })
  } while (scan.expectOneOf(COMMA, BRACKET_CLOSE) === COMMA)
}

function createByteScan(source: Source): ByteScan {
  let buffer = Buffer.allocUnsafe(BLOCK_BYTES)
  let base = 0
  let filled = 0
  let at = 0
  /** Bytes from here on are kept when the buffer is filled again; -1 for none. */
  let mark = -1

  const refuse = (reason: string): Fault =>
    new Fault('not_a_snapshot', `${source.path} ${reason} (at byte ${base + at})`, { hint: 'get the file anew from where it came from' })

  const more = (): boolean => {
    const kept = mark < 0 ? at : mark
    if (filled - kept > buffer.length / 2) buffer = Buffer.concat([buffer.subarray(kept, filled), Buffer.allocUnsafe(buffer.length * 2)])
    else buffer.copyWithin(0, kept, filled)
    base += kept
    at -= kept
    filled -= kept
    if (mark >= 0) mark = 0
    const room = Math.min(buffer.length - filled, source.facts.size - base - filled)
    const got = room > 0 ? source.read(buffer.subarray(filled, filled + room), base + filled) : 0
    filled += got
    return got > 0
  }

  const peek = (): number | undefined => (at < filled || more() ? buffer[at] : undefined)

  const peekPastSpace = (): number | undefined => {
    for (;;) {
      const byte = peek()
      const isBom = base === 0 && at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)
      if (!isBom && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      at++
    }
  }

  const expectOneOf = (a: number, b: number): number => {
    const byte = peekPastSpace()
    if (byte !== a && byte !== b) throw refuse(byte === undefined ? 'ends too early' : 'is neither lines nor one object of JSON')
    at++
    return byte
  }

  const value = (max: number): Value => {
    peekPastSpace()
    const offset = base + at
    const outline = createOutline()
    let tooLong = false
    mark = at
    for (;;) {
      const byte = peek()
      if (byte === undefined) throw refuse('ends too early')
      if (outline.isOver(byte)) break
      at++
      if (mark >= 0 && at - mark > max) {
        tooLong = true
        mark = -1
      }
    }
    const length = base + at - offset
    if (length === 0) throw refuse('is neither lines nor one object of JSON')
    if (tooLong && max === HEADER_BYTES_MAX) throw refuse('has a header field that is too long')
    const start = tooLong ? at : mark
    mark = -1
    const text = max === HEADER_BYTES_MAX ? buffer.toString('latin1', start, at) : ''
    return { bytes: buffer, start, end: at, offset, length, tooLong, text }
  }

  return { peekPastSpace, expect: (byte) => void expectOneOf(byte, byte), expectOneOf, value, refuse }
}

/** Follows brackets and quotes to where a value ends. Whether it is JSON inside is for the judge to say. */
function createOutline(): { isOver(byte: number): boolean } {
  let depth = 0
  let inString = false
  let escaped = false
  let done = false
  return {
    isOver(byte) {
      if (done) return true
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) {
          inString = false
          done = depth === 0
        }
        return false
      }
      if (byte === QUOTE) inString = true
      else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) depth++
      else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) {
        if (depth === 0) return true
        depth--
        done = depth === 0
      } else if (depth === 0) return byte === COMMA || byte === COLON || byte <= 0x20
      return false
    }
  }
}
