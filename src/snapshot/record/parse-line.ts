import type { MemoryRecord } from '../../contract/snapshot.ts'
import { LINE_BYTES_MAX } from '../file/limits.ts'
import type { JsonObject } from '../json/json.ts'
import {
  checkRecordShape,
  isString,
  isTime,
  type ParsedLine,
  type RecordKind,
  toTimeKey
} from './check-record-shape.ts'
import { computeCheck, readCheck, serializeRecord, sha256 } from './compute-check.ts'
import { computeForgetId, MEMORY_TAG } from './identity.ts'
import { parsePlainMemory } from './parse-plain-memory.ts'
import {
  hasMember,
  MEMBERS,
  type Member,
  type RecordView,
  readMemberNumber,
  readMemberString,
  readMemberText,
  viewRecord
} from './record-view.ts'

/**
 * Validates the bytes of one line: JSON that every reader understands alike, the shape of its kind, its check, its id.
 * Returns the line, or why it is damaged.
 */
export function parseLine(bytes: Buffer, start: number, end: number): ParsedLine | string {
  return parsePlainMemory(bytes, start, end) ?? parseAnyLine(bytes, start, end)
}

/** Validates any line without the fast path for plain memories, which must give the same result. */
export function parseAnyLine(bytes: Buffer, start: number, end: number): ParsedLine | string {
  const view = viewRecord(bytes, start, end)
  if (typeof view === 'string') return view
  return view.canonical ? parseView(view, findCheckFault) : parseByCanonicalLine(view)
}

function parseView(view: RecordView, check: (view: RecordView) => string | undefined): ParsedLine | string {
  const kind = checkRecordShape(view)
  if (!KINDS.has(kind)) return kind
  parsed.kind = kind as RecordKind
  parsed.view = view
  parsed.id = readId(view, kind === 'forget' ? MEMBERS.target : MEMBERS.id)
  parsed.at = isTime(view, MEMBERS.at) ? toTimeKey(readMemberString(view, MEMBERS.at) ?? '') : -1
  parsed.position = readMemberNumber(view, MEMBERS.position)
  parsed.extractor = readMemberNumber(view, MEMBERS.extractor) ?? 0
  parsed.targets = kind === 'unknown' ? readTargets(view) : undefined
  return check(view) ?? findIdFault(parsed) ?? parsed
}

function readId(view: RecordView, member: Member): string {
  return hasMember(view, member) && isString(view, member) ? (readMemberString(view, member) ?? '') : ''
}

/**
 * Reads the `target` of a line of another kind: the id of a memory, or an array of such ids. A `target` with anything
 * else in it belongs to a later version and is not interpreted.
 */
function readTargets(view: RecordView): readonly string[] | undefined {
  const text = readMemberText(view, MEMBERS.target)
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value]
  return ids.every(isMemoryId) && ids.length > 0 ? ids : undefined
}

function isMemoryId(id: unknown): id is string {
  return typeof id === 'string' && MEMORY_ID.test(id)
}

const MEMORY_ID = /^mem_[0-9a-f]{32}$/

/**
 * Parses a line with other key order, spacing, escapes or number forms as the canonical line of the same value. The
 * view then shows that line, so that the result applies to what `compact` will write.
 */
function parseByCanonicalLine(other: RecordView): ParsedLine | string {
  const record = toRecord(other)
  const line = Buffer.from(serializeRecord(record))
  if (line.length >= LINE_BYTES_MAX) return `is longer than ${LINE_BYTES_MAX} bytes in canonical form`
  const view = viewRecord(line, 0, line.length)
  if (typeof view === 'string') return view
  view.canonical = false
  return parseView(view, () => {
    parsed.check = line.toString('latin1', line.length - 66, line.length - 2)
    if (record.check === undefined) return 'has no `check`'
    return record.check === parsed.check ? undefined : WRONG_CHECK
  })
}

/** Returns the record as a value, with its check. */
export function toRecord(view: RecordView): JsonObject {
  return JSON.parse(view.bytes.toString('utf8', view.start, view.end))
}

/** Returns the record of a line that was parsed as a memory, whose shape is already validated. */
export function toMemory(view: RecordView): MemoryRecord {
  return toRecord(view) as MemoryRecord
}

const KINDS: ReadonlySet<string> = new Set(['memory', 'forget', 'header', 'unknown'])
const parsed = { check: '' } as ParsedLine

/** Hashes a canonical line in place. */
function findCheckFault(view: RecordView): string | undefined {
  parsed.check = computeCheck(view.bytes, view.start, view.suffix)
  return readCheck(view.bytes, view.suffix) === parsed.check ? undefined : WRONG_CHECK
}

const WRONG_CHECK = '`check` does not match: the line was changed or damaged'

function findIdFault({ kind, view, id }: ParsedLine): string | undefined {
  if (kind === 'memory') {
    return isId(view, computeRawMemoryId(view))
      ? undefined
      : '`id` does not belong to this text, speaker, time and conversation'
  }
  if (kind === 'forget') {
    return isId(view, computeForgetId(id)) ? undefined : '`id` does not belong to this `target`'
  }
  return undefined
}

/** The shape of the id is already validated: it has no escapes, so its bytes are its characters. */
function isId(view: RecordView, id: string): boolean {
  const start = (view.at[MEMBERS.id] as number) + 1
  for (let i = 0; i < id.length; i++) if (view.bytes[start + i] !== id.charCodeAt(i)) return false
  return true
}

let scratch = Buffer.alloc(4096)
const PREFIX = `["${MEMORY_TAG}",`

/** The members of an identity in order, and the text for an absent one. */
const PARTS = [
  { member: MEMBERS.text, absent: 'null,' },
  { member: MEMBERS.speaker, absent: 'null,' },
  { member: MEMBERS.at, absent: 'null,' },
  { member: MEMBERS.conversation, absent: 'null,' },
  { member: MEMBERS.copy, absent: '1,' }
] as const

/** In a canonical line, the bytes of the values equal those of the canonical identity, so no value is built. */
function computeRawMemoryId(view: RecordView): string {
  const needed = view.end - view.start + 128
  if (scratch.length < needed) scratch = Buffer.alloc(needed * 2)
  const isUndated = hasMember(view, MEMBERS.undated)
  let at = scratch.write(PREFIX, 0, 'latin1')
  for (const { member, absent } of PARTS) {
    const isAbsent = !hasMember(view, member) || (isUndated && member === MEMBERS.at)
    at = isAbsent ? at + scratch.write(absent, at, 'latin1') : copyMember(view, member, at)
  }
  scratch[at - 1] = 0x5d
  return `mem_${sha256(scratch.subarray(0, at)).slice(0, 32)}`
}

/** A manual loop, because calling `copy` costs more than the few bytes of most members. */
function copyMember({ bytes, at: places }: RecordView, member: Member, at: number): number {
  const into = scratch
  const end = places[member + 1] as number
  let to = at
  for (let from = places[member] as number; from < end; from++) into[to++] = bytes[from] as number
  into[to] = 0x2c
  return to + 1
}
