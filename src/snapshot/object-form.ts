import { type ByteScan, createByteScan, expectByte, peekPastSpace, scanFault, scanValue } from './byte-scan.ts'
import { HEADER_BYTES_MAX, LINE_BYTES_MAX } from './limits.ts'
import type { Line } from './lines.ts'
import type { Source } from './source.ts'

/** Where `records` ends: the next record goes before its bracket. */
export type RecordsEnd = { offset: number; isEmpty: boolean }

/**
 * Walks the object form: one JSON object with the header's fields and `records`, however it is spaced, in bounded
 * memory. `visit` is given each record as a line whose number is the record's, from 1.
 *
 * @returns the header's fields as the text of a JSON object, a character for each byte, not yet tested; and
 * where the records end.
 * @throws Fault `not_a_snapshot` where the outermost object is no JSON.
 */
export function walkObject(source: Source, visit: (line: Line) => void): { fields: string; records: RecordsEnd } {
  const scan = createByteScan(source)
  const fields: string[] = []
  let fieldBytes = 0
  let records: RecordsEnd | undefined
  expectByte(scan, BRACE_OPEN)
  let next = peekPastSpace(scan) === BRACE_CLOSE ? expectByte(scan, BRACE_CLOSE) : COMMA
  while (next === COMMA) {
    const key = fieldText(scan)
    expectByte(scan, COLON)
    if (isRecords(key)) {
      if (records !== undefined) throw scanFault(scan, 'has a key twice: `records`')
      records = walkRecords(scan, visit)
    } else {
      const field = `${key}:${fieldText(scan)}`
      fieldBytes += field.length
      if (fieldBytes > HEADER_BYTES_MAX)
        throw scanFault(scan, `has more than ${HEADER_BYTES_MAX} bytes of header fields`)
      fields.push(field)
    }
    next = expectByte(scan, COMMA, BRACE_CLOSE)
  }
  if (peekPastSpace(scan) !== undefined) throw scanFault(scan, 'has something after its end')
  if (records === undefined) throw scanFault(scan, 'has no `records`')
  return { fields: `{${fields.join(',')}}`, records }
}

const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const COMMA = 0x2c
const COLON = 0x3a

/** Also where its letters are written as escapes. */
function isRecords(key: string): boolean {
  const plain = key.replace(/\\u00([67][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return plain === '"records"'
}

function fieldText(scan: ByteScan): string {
  const { bytes, start, end, tooLong } = scanValue(scan, HEADER_BYTES_MAX)
  if (tooLong) throw scanFault(scan, 'has a header field that is too long')
  return bytes.toString('latin1', start, end)
}

function walkRecords(scan: ByteScan, visit: (line: Line) => void): RecordsEnd {
  expectByte(scan, BRACKET_OPEN)
  let next = peekPastSpace(scan) === BRACKET_CLOSE ? expectByte(scan, BRACKET_CLOSE) : COMMA
  let number = 0
  while (next === COMMA) {
    number++
    if (peekPastSpace(scan) !== BRACE_OPEN) throw scanFault(scan, `has something that is no object as record ${number}`)
    visit({ ...scanValue(scan, LINE_BYTES_MAX - 1), number, terminated: true })
    next = expectByte(scan, COMMA, BRACKET_CLOSE)
  }
  return { offset: scan.base + scan.at - 1, isEmpty: number === 0 }
}
