import { Fault, type InputFault } from '../../../src/contract/faults.ts'
import type { SnapshotHeader } from '../../../src/contract/snapshot.ts'
import { LINE_BYTES_MAX } from '../../../src/snapshot/file/limits.ts'
import { createBytesSource, type Source } from '../../../src/snapshot/file/source.ts'
import { type Line, walkLines } from '../../../src/snapshot/file/walk-lines.ts'
import { type JsonObject, parseExact } from '../../../src/snapshot/json/json.ts'
import { detectForm, type Form } from '../../../src/snapshot/read-snapshot.ts'
import type { SeenRecord } from '../../../src/snapshot/record/check-record-shape.ts'
import { parseHeader } from '../../../src/snapshot/record/create-header.ts'
import { parseLine, toRecord } from '../../../src/snapshot/record/parse-line.ts'
import { findLosses } from '../../../src/snapshot/survey.ts'
import { createRecordTable, type RecordTable } from '../../../src/snapshot/table/record-table.ts'
import { walkObject } from '../../../src/snapshot/walk-object.ts'
import type { SnapshotBytes } from '../engine/engine.ts'
import { toSeenRecord } from '../engine/to-seen-record.ts'
import { eachItem, listJsonMembers } from './list-json-members.ts'

/**
 * Maximum number of errors that are reported. Reading stops at the last of them, so that a million errors are refused
 * as fast as ten.
 */
const FAULTS_MAX = 10

/** A valid snapshot that was sent with a request. */
export type SentSnapshot = { source: Source; headers: SnapshotHeader[]; table: RecordTable }

/**
 * Reads a snapshot from a request by the rules for a file on the device. Calls `visit` with each valid record before it
 * is known whether all records are valid.
 *
 * @throws Fault `invalid_snapshot` if its header is invalid, or if lines are damaged or missing, with the first ones by
 * path.
 */
export function readSent(snapshot: SnapshotBytes, visit: (seen: SeenRecord) => void = () => undefined): SentSnapshot {
  try {
    return readSound(snapshot, visit)
  } catch (error) {
    throw error instanceof Fault && error.errors.length === 0 ? headerFault(snapshot, error) : error
  }
}

/** Converts the error of a file that is refused as a whole to an error of the snapshot's header. */
function headerFault({ form }: SnapshotBytes, cause: Fault): Fault {
  const member = cause.code === 'unsupported_version' ? 'snapshot.version' : 'snapshot'
  return new Fault('invalid_snapshot', cause.message, {
    hint: 'send the snapshot unchanged, as it was exported',
    errors: [{ path: form === 'json' ? member : 'line 1', message: cause.message }],
    cause
  })
}

function readSound({ bytes, from, to, form }: SnapshotBytes, visit: (seen: SeenRecord) => void): SentSnapshot {
  const source = createBytesSource(bytes.subarray(from, to), WHERE)
  const table = createRecordTable()
  const take = (seen: SeenRecord): void => {
    table.add(seen, 0)
    visit(seen)
  }
  const reader: Reader = { form: form === 'json' ? form : detectForm(source), headers: [], faults: [], visit: take }
  if (form === 'json') readValue(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from), reader)
  else if (reader.form === 'json') readObject(source, reader)
  else walkLines(source, { offset: 0, number: 1 }, (line) => void readLine(reader, line))
  if (reader.faults.length > 0) throw makeDamageFault(reader.faults)
  refuseLosses(reader, table)
  return { source, headers: reader.headers, table }
}

/** The name of the source in messages. */
const WHERE = 'the snapshot'

type Reader = { form: Form; headers: SnapshotHeader[]; faults: InputFault[]; visit: (seen: SeenRecord) => void }

/**
 * Reads the object form that `readBody` returns. It is valid JSON in memory, so walking its outline is enough. The
 * header is checked first.
 */
function readValue(value: Buffer, reader: Reader): void {
  const members = listJsonMembers(value, 0)
  const records = members.find(({ name, from }) => name === 'records' && value[from] === BRACKET)
  if (records === undefined) throw unsoundHeader('it has no `records`')
  const fields = members.filter((member) => member !== records)
  const texts = fields.map(
    ({ key, from, to }) => `${Buffer.from(key).toString('latin1')}:${value.toString('latin1', from, to)}`
  )
  takeHeader(`{${texts.join(',')}}`, reader)
  let number = 0
  eachItem(value, records.from, (start, end) => {
    number++
    const [offset, length] = [start, end - start]
    readLine(reader, { bytes: value, start, end, offset, length, number, terminated: true, tooLong: false })
  })
}

const BRACKET = 0x5b

/** Reads the object form if lines were expected. It was not checked before. */
function readObject(source: Source, reader: Reader): void {
  const { fields } = walkObject(source, (line) => readLine(reader, line))
  takeHeader(fields, reader)
}

/** Parses the header. Each character of the text represents one byte. */
function takeHeader(fields: string, reader: Reader): void {
  const parsed = parseExact(Buffer.from(fields, 'latin1'))
  const header = 'value' in parsed ? parseHeader(parsed.value as JsonObject, WHERE) : parsed.fault
  if (typeof header === 'string') throw unsoundHeader(header)
  reader.headers.push(header)
}

function unsoundHeader(reason: string): Fault {
  return new Fault('invalid_snapshot', `${WHERE} has an invalid header: ${reason}`)
}

/** Reads a line. Skips a byte order mark, a CR before the LF, and blank lines, as every reader does. */
function readLine(reader: Reader, line: Line): void {
  if (line.offset === 0 && hasMark(line)) line.start += MARK_BYTES
  if (line.terminated && line.end > line.start && line.bytes[line.end - 1] === CR) line.end--
  if (line.start === line.end && !line.tooLong) return
  const message = takeLine(reader, line)
  if (message === undefined) return
  reader.faults.push({ path: toPath(reader, line), message })
  if (reader.faults.length === FAULTS_MAX) throw makeDamageFault(reader.faults)
}

const CR = 0x0d
const MARK_BYTES = 3

function hasMark({ bytes, start }: Line): boolean {
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
}

/** Adds a valid line, or returns what is wrong with it. */
function takeLine({ headers, visit }: Reader, line: Line): string | undefined {
  if (line.tooLong || line.end - line.start >= LINE_BYTES_MAX) return `is longer than ${LINE_BYTES_MAX} bytes`
  const parsed = parseLine(line.bytes, line.start, line.end)
  if (typeof parsed === 'string') return parsed
  if (parsed.kind !== 'header') {
    visit(toSeenRecord(parsed, { offset: line.offset, length: line.end - line.start, line: line.number }))
    return undefined
  }
  const header = parseHeader(toRecord(parsed.view), WHERE)
  if (typeof header === 'string') return header
  headers.push(header)
  return undefined
}

/** Returns the path of a line. Records count from 0, as in the sent value; lines count from 1. */
function toPath({ form }: Reader, { number }: Line): string {
  return form === 'json' ? `snapshot.records[${number - 1}]` : `line ${number}`
}

function makeDamageFault(errors: readonly InputFault[]): Fault {
  const [first = { path: '', message: '' }] = errors
  const more = errors.length === 1 ? '' : `, and ${errors.length === FAULTS_MAX ? 'more are' : 'others are'} damaged`
  return new Fault('invalid_snapshot', `the snapshot is damaged: ${first.path} ${first.message}${more}`, {
    hint: 'send the snapshot as it was exported; to list damaged lines, run: memctl device verify FILE',
    errors
  })
}

function refuseLosses({ form, headers }: Reader, table: RecordTable): void {
  const { reason } = findLosses(headers, table)
  if (reason === null) return
  throw new Fault('invalid_snapshot', `lines of the snapshot are missing: ${reason}`, {
    hint: 'send the snapshot as it was exported',
    errors: [{ path: form === 'json' ? 'snapshot.count' : 'line 1', message: reason }]
  })
}
