import { Fault } from '../contract/faults.ts'
import type { SnapshotHeader } from '../contract/snapshot.ts'
import { HEADER_BYTES_MAX, LINE_BYTES_MAX } from './file/limits.ts'
import type { Source } from './file/source.ts'
import { type Line, type LinePlace, walkLines } from './file/walk-lines.ts'
import { describeJsonFault, parseExact } from './json/json.ts'
import type { ParsedLine, SeenRecord } from './record/check-record-shape.ts'
import { parseHeader } from './record/create-header.ts'
import { parseLine, toRecord } from './record/parse-line.ts'
import { walkObject } from './walk-object.ts'

export type Form = 'jsonl' | 'json'

/** `bytes` excludes the LF. */
export type DamagedLine = { line: number; offset: number; bytes: number; reason: string }

/** What was found in a file besides its records. */
export type SnapshotReading = {
  form: Form
  headers: SnapshotHeader[]
  /** Number of all lines, including blank and damaged ones and headers; in object form, number of records. */
  lines: number
  /** Position after the last LF: what an index covers, and where the tail begins. In object form, the file size. */
  end: number
  damaged: DamagedLine[]
  /** Number of damaged lines that are not listed. */
  unlisted: number
  /**
   * The bytes after the last LF. If valid, they are a record that lacks its LF; otherwise they were never acknowledged.
   */
  tail: { offset: number; bytes: number; sound: boolean } | undefined
  odd: Oddities
  /** The first line, or record, that is not in canonical form. */
  notCanonicalAt: number | undefined
}

/** Deviations that are tolerated, with the number of lines for each. */
export type Oddities = { byteOrderMarks: number; carriageReturns: number; blank: number; notCanonical: number }

export type ReadFrom = LinePlace & { form: Form }

const DAMAGE_LISTED_MAX = 100_000

/**
 * Reads a snapshot in either form, detected by its content, and passes every valid record to `visit`. With `from`,
 * continues an earlier reading.
 *
 * @throws Fault `not_a_snapshot` if the first line is not a valid header, `unsupported_version` for another version.
 */
export function readSnapshot(source: Source, visit: (seen: SeenRecord) => void, from?: ReadFrom): SnapshotReading {
  const start = from ?? { form: detectForm(source), offset: 0, number: 1 }
  const reading: SnapshotReading = {
    form: start.form,
    headers: [],
    lines: 0,
    end: start.offset,
    damaged: [],
    unlisted: 0,
    tail: undefined,
    odd: createOddities(),
    notCanonicalAt: undefined
  }
  if (start.form === 'json') readObject(source, reading, visit)
  else walkLines(source, start, (line) => void readLine({ source, reading, visit }, line))
  return reading
}

function createOddities(): Oddities {
  return { byteOrderMarks: 0, carriageReturns: 0, blank: 0, notCanonical: 0 }
}

type Reader = { source: Source; reading: SnapshotReading; visit: (seen: SeenRecord) => void }

const HINT = 'a snapshot starts with a header line; to create one: memctl device init FILE'

/** Detects the form and validates the header, before the rest of the file is read. */
export function detectForm(source: Readable): Form {
  const head = Buffer.alloc(Math.min(source.facts.size, HEADER_BYTES_MAX))
  const bytes = head.subarray(0, source.read(head, 0))
  const [start, end] = findFirstLine(bytes)
  const parsed = end - start > 0 ? parseExact(bytes.subarray(start, end)) : { fault: 'is blank' }
  const isCut = end === bytes.length && bytes.length < source.facts.size
  if ('value' in parsed && !isCut) {
    const value = parsed.value
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && value.records === undefined && end - start < HEADER_BYTES_MAX) {
      const header = parseHeader(value, source.path)
      if (typeof header !== 'string') return 'jsonl'
      throw createNotASnapshotFault(source, `invalid header in the first line: ${header}`)
    }
    if (isObject) return 'json'
  }
  if (bytes[start] === 0x7b && 'fault' in parsed && (isCut || parsed.fault.startsWith('ends'))) return 'json'
  throw createNotASnapshotFault(
    source,
    sniffContent(bytes) ??
      `expected a header in the first line, but ${'fault' in parsed ? `it ${describeJsonFault(parsed.fault)}` : 'found no object'}`
  )
}

/** The part of a source that is needed to read from it. */
export type Readable = Pick<Source, 'path' | 'facts' | 'read'>

function createNotASnapshotFault(source: Readable, why: string): Fault {
  return new Fault('not_a_snapshot', `${source.path} is not a snapshot: ${why}`, { hint: HINT })
}

/** Finds the first line that is not blank, after an optional byte order mark. */
function findFirstLine(bytes: Buffer): [start: number, end: number] {
  let start = hasByteOrderMark(bytes, 0) ? 3 : 0
  while (bytes[start] === 0x0a || bytes[start] === 0x0d) start++
  const lf = bytes.indexOf(0x0a, start)
  const end = lf < 0 ? bytes.length : lf
  return [start, bytes[end - 1] === 0x0d ? Math.max(start, end - 1) : end]
}

function hasByteOrderMark(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf
}

function readObject(source: Source, reading: SnapshotReading, visit: (seen: SeenRecord) => void): void {
  const { fields } = walkObject(source, (line) => readLine({ source, reading, visit }, line))
  const parsed = parseExact(Buffer.from(fields, 'latin1'))
  if (!('value' in parsed)) throw createNotASnapshotFault(source, `a header field ${describeJsonFault(parsed.fault)}`)
  const header = parseHeader(parsed.value as Parameters<typeof parseHeader>[0], source.path)
  if (typeof header === 'string') throw createNotASnapshotFault(source, `invalid header: ${header}`)
  reading.headers.push(header)
  reading.end = source.facts.size
}

function readLine(reader: Reader, line: Line): void {
  const { reading } = reader
  reading.lines++
  if (line.terminated && reading.form === 'jsonl') reading.end = line.offset + line.length
  trimLine(line, reading.odd)
  if (line.start === line.end && !line.tooLong && line.terminated) {
    reading.odd.blank++
    return
  }
  const fault = acceptLine(reader, line)
  if (!line.terminated) reading.tail = { offset: line.offset, bytes: line.length, sound: fault === undefined }
  else if (fault !== undefined && !isSoundNow(reader, line)) noteDamage(reading, line, fault)
}

function trimLine(line: Line, odd: Oddities): void {
  if (line.offset === 0 && hasByteOrderMark(line.bytes, line.start)) {
    odd.byteOrderMarks++
    line.start += 3
  }
  if (line.terminated && line.end > line.start && line.bytes[line.end - 1] === 0x0d) {
    odd.carriageReturns++
    line.end--
  }
}

function noteDamage(reading: SnapshotReading, line: Line, reason: string): void {
  if (reading.damaged.length === DAMAGE_LISTED_MAX) reading.unlisted++
  else {
    const hasLf = line.terminated && reading.form === 'jsonl'
    const bytes = hasLf ? line.length - 1 : line.length
    reading.damaged.push({ line: line.number, offset: line.offset, bytes, reason })
  }
}

const seen = {} as SeenRecord

/** Processes a valid line, or returns why it is damaged. */
function acceptLine(reader: Reader, line: Line): string | undefined {
  if (line.tooLong || line.length + (line.terminated ? 0 : 1) > LINE_BYTES_MAX)
    return `is longer than ${LINE_BYTES_MAX} bytes`
  const parsed = parseLine(line.bytes, line.start, line.end)
  if (typeof parsed === 'string') {
    const marker = findConflictMarker(line.bytes, line.start, line.end)
    return marker === undefined ? parsed : `is a git conflict marker (${marker}): finish the merge first`
  }
  if (parsed.kind === 'header') return acceptHeader(reader, parsed, line)
  if (!parsed.view.canonical) {
    reader.reading.odd.notCanonical++
    reader.reading.notCanonicalAt ??= line.number
  }
  seen.kind = parsed.kind
  seen.view = parsed.view
  seen.check = parsed.check
  seen.id = parsed.id
  seen.at = parsed.at
  seen.position = parsed.position
  seen.extractor = parsed.extractor
  seen.targets = parsed.targets
  seen.offset = line.offset
  seen.length = line.end - line.start
  seen.line = line.number
  reader.visit(seen)
  return undefined
}

function acceptHeader(reader: Reader, { view }: ParsedLine, line: Line): string | undefined {
  if (line.end - line.start >= HEADER_BYTES_MAX) return `is a header longer than ${HEADER_BYTES_MAX} bytes`
  const header = parseHeader(toRecord(view), reader.source.path)
  if (typeof header === 'string') return header
  reader.reading.headers.push(header)
  return undefined
}

/**
 * Reads a damaged line again with a new descriptor, because a writer may have truncated an unfinished tail while it was
 * being read. Several lines may be there now; the last of them must end where this one did.
 */
function isSoundNow(reader: Reader, line: Line): boolean {
  if (reader.reading.form === 'json' || reader.reading.damaged.length >= SECOND_LOOKS_MAX) return false
  const fresh = reader.source.reopen()
  try {
    const before = reader.source.facts
    const isSame = fresh.facts.ino === before.ino && fresh.facts.dev === before.dev
    const hasChanged = fresh.facts.mtimeNs !== before.mtimeNs || fresh.facts.size !== before.size
    if (!isSame || !hasChanged) return false
    const end = line.offset + line.length
    let soundTo = line.offset
    walkLines(fresh, { offset: line.offset, number: line.number }, (again) => {
      trimLine(again, createOddities())
      if (!again.terminated || acceptLine(reader, again) !== undefined) return false
      soundTo = again.offset + again.length
      return soundTo < end
    })
    return soundTo === end
  } finally {
    fresh.close()
  }
}

const SECOND_LOOKS_MAX = 100

/** Describes bytes that are not a snapshot, for the error message; undefined if they are not recognised. */
function sniffContent(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return 'the file is empty'
  for (const [name, test] of LOOKS) if (test(bytes)) return name
  return undefined
}

const LOOKS: readonly (readonly [name: string, test: (bytes: Buffer) => boolean])[] = [
  ['it is compressed with gzip: unpack it first', beginsWith([0x1f, 0x8b])],
  ['it is compressed with zstd: unpack it first', beginsWith([0x28, 0xb5, 0x2f, 0xfd])],
  ['it is a ZIP archive: unpack it first', beginsWith([0x50, 0x4b, 0x03, 0x04])],
  ['it is a SQLite database', (bytes) => bytes.toString('latin1', 0, 15) === 'SQLite format 3'],
  ['it is a PDF document', (bytes) => bytes.toString('latin1', 0, 5) === '%PDF-'],
  ['it is UTF-16 text: save it as UTF-8', beginsWith([0xff, 0xfe])],
  ['it is UTF-16 text: save it as UTF-8', beginsWith([0xfe, 0xff])],
  [
    'it begins with a git conflict marker: finish the merge first',
    (bytes) => findConflictMarker(bytes, 0, bytes.length) !== undefined
  ],
  ['it has NUL bytes: perhaps UTF-16 text or a binary file', (bytes) => bytes.includes(0)]
]

function beginsWith(magic: readonly number[]): (bytes: Buffer) => boolean {
  return (bytes) => magic.every((byte, i) => bytes[i] === byte)
}

/** Returns the git conflict marker at the start of a line, if there is one. */
function findConflictMarker(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start < 7) return undefined
  const head = bytes.toString('latin1', start, start + 7)
  return /^(?:<{7}|={7}|>{7}|\|{7})$/.test(head) ? head : undefined
}
