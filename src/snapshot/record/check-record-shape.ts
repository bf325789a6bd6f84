import { TIME_TEXT } from '../../memory/parse-iso-time.ts'
import { hasMember, MEMBERS, type Member, type RecordView, readMemberNumber, readMemberText } from './record-view.ts'

export type RecordKind = 'memory' | 'forget' | 'header' | 'unknown'

/** A valid line: its kind, and the values that order it. Reused for every line. */
export type ParsedLine = {
  kind: RecordKind
  view: RecordView
  /** 64 hex digits. */
  check: string
  /** The id of a memory or the target of a forget line; for other lines, their `id` or ''. */
  id: string
  /** As `toTimeKey` returns it; -1 for none. */
  at: number
  position: number | undefined
  extractor: number
  /**
   * For a line of another kind: the ids of the memories that it describes. The line is deleted when one of them is
   * forgotten.
   */
  targets: readonly string[] | undefined
}

/**
 * Checks the shape of a record on the bytes of its members. The schemas in `src/contract/snapshot.ts` define the same
 * shapes (a test compares the two); this check takes a tenth of the time and loads no package.
 *
 * Returns the kind of record, or why the shape is invalid.
 */
export function checkRecordShape(view: RecordView): RecordKind | string {
  if (!hasMember(view, MEMBERS.type))
    return hasMember(view, MEMBERS.format) ? 'header' : 'has neither `type` nor `format`'
  if (equalsBytes(view, MEMBERS.type, MEMORY)) return findShapeFault(view, MEMORY_SHAPE) ?? 'memory'
  if (equalsBytes(view, MEMBERS.type, FORGET)) return findShapeFault(view, FORGET_SHAPE) ?? 'forget'
  return isString(view, MEMBERS.type) ? 'unknown' : '`type` must be a string'
}

type Rule = {
  member: Member
  name: string
  required: boolean
  must: string
  holds: (view: RecordView, member: Member) => boolean
}

const MEMORY = Buffer.from('"memory"')
const FORGET = Buffer.from('"forget"')

const MEMORY_SHAPE: readonly Rule[] = [
  {
    member: MEMBERS.id,
    name: 'id',
    required: true,
    must: 'be mem_ and 32 lower-case hex digits',
    holds: isId('"mem_')
  },
  { member: MEMBERS.at, name: 'at', required: true, must: 'be a time like 2026-01-02T03:04:05.000Z', holds: isTime },
  { member: MEMBERS.text, name: 'text', required: true, must: 'be a string', holds: isString },
  {
    member: MEMBERS.extractor,
    name: 'extractor',
    required: true,
    must: 'be a whole number of at least 0',
    holds: isCount
  },
  { member: MEMBERS.speaker, name: 'speaker', required: false, must: 'be a string', holds: isString },
  { member: MEMBERS.conversation, name: 'conversation', required: false, must: 'be a string', holds: isString },
  { member: MEMBERS.position, name: 'position', required: false, must: 'be a whole number', holds: isWhole },
  { member: MEMBERS.copy, name: 'copy', required: false, must: 'be a whole number of at least 2', holds: isCopy },
  {
    member: MEMBERS.undated,
    name: 'undated',
    required: false,
    must: 'be true',
    holds: (view, member) => equalsBytes(view, member, TRUE)
  },
  {
    member: MEMBERS.metadata,
    name: 'metadata',
    required: false,
    must: 'be an object',
    holds: (view, member) => startsWithByte(view, member, 0x7b)
  },
  { member: MEMBERS.facts, name: 'facts', required: false, must: 'be an array', holds: isArray },
  { member: MEMBERS.procedures, name: 'procedures', required: false, must: 'be an array', holds: isArray },
  { member: MEMBERS.events, name: 'events', required: false, must: 'be an array', holds: isArray },
  { member: MEMBERS.given, name: 'given', required: false, must: 'be an array', holds: isArray },
  { member: MEMBERS.supersedes, name: 'supersedes', required: false, must: 'be an array', holds: isArray }
]

const FORGET_SHAPE: readonly Rule[] = [
  {
    member: MEMBERS.id,
    name: 'id',
    required: true,
    must: 'be fgt_ and 32 lower-case hex digits',
    holds: isId('"fgt_')
  },
  { member: MEMBERS.at, name: 'at', required: true, must: 'be a time like 2026-01-02T03:04:05.000Z', holds: isTime },
  {
    member: MEMBERS.target,
    name: 'target',
    required: true,
    must: 'be mem_ and 32 lower-case hex digits',
    holds: isId('"mem_')
  },
  { member: MEMBERS.reason, name: 'reason', required: false, must: 'be a string', holds: isString }
]

const TRUE = Buffer.from('true')

function findShapeFault(view: RecordView, shape: readonly Rule[]): string | undefined {
  for (const rule of shape) {
    if (!hasMember(view, rule.member)) {
      if (rule.required) return `has no \`${rule.name}\``
    } else if (!rule.holds(view, rule.member)) return `\`${rule.name}\` must ${rule.must}`
  }
  return undefined
}

function equalsBytes(view: RecordView, member: Member, bytes: Buffer): boolean {
  const start = view.at[member] as number
  if ((view.at[member + 1] as number) - start !== bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (view.bytes[start + i] !== bytes[i]) return false
  return true
}

function startsWithByte(view: RecordView, member: Member, byte: number): boolean {
  return view.bytes[view.at[member] as number] === byte
}

/** Checks whether a member is present and a string. */
export function isString(view: RecordView, member: Member): boolean {
  return startsWithByte(view, member, 0x22)
}

function isArray(view: RecordView, member: Member): boolean {
  return startsWithByte(view, member, 0x5b)
}

function isId(prefix: string): (view: RecordView, member: Member) => boolean {
  return (view, member) => {
    const start = view.at[member] as number
    if ((view.at[member + 1] as number) - start !== ID_BYTES) return false
    for (let i = 0; i < prefix.length; i++) if (view.bytes[start + i] !== prefix.charCodeAt(i)) return false
    for (let i = start + prefix.length; i < start + ID_BYTES - 1; i++) if (!isHex(view.bytes[i] as number)) return false
    return true
  }
}

/** Length with the quotes. */
const ID_BYTES = 38

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
}

/** Checks whether a member is a time in the format of snapshots. */
export function isTime(view: RecordView, member: Member): boolean {
  return TIME_TEXT.test((readMemberText(view, member) ?? '').slice(1, -1))
}

function isWhole(view: RecordView, member: Member): boolean {
  const start = view.at[member] as number
  const first = view.bytes[start] as number
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return false
  return Number.isSafeInteger(readMemberNumber(view, member))
}

function isCount(view: RecordView, member: Member): boolean {
  return isWhole(view, member) && !startsWithByte(view, member, 0x2d)
}

function isCopy(view: RecordView, member: Member): boolean {
  return isWhole(view, member) && (readMemberNumber(view, member) ?? 0) >= 2
}

/** Converts the text of a time to a number with the same order: its fields in mixed radix, without a calendar. */
export function toTimeKey(text: string): number {
  const year = (parseDigit(text, 0) * 10 + parseDigit(text, 1)) * 100 + parseDigit(text, 2) * 10 + parseDigit(text, 3)
  const days = (year * 13 + parseTwoDigits(text, 5)) * 32 + parseTwoDigits(text, 8)
  const seconds =
    ((days * 24 + parseTwoDigits(text, 11)) * 60 + parseTwoDigits(text, 14)) * 60 + parseTwoDigits(text, 17)
  return seconds * 1000 + parseDigit(text, 20) * 100 + parseTwoDigits(text, 21)
}

function parseDigit(text: string, at: number): number {
  return text.charCodeAt(at) - 0x30
}

function parseTwoDigits(text: string, at: number): number {
  return parseDigit(text, at) * 10 + parseDigit(text, at + 1)
}

/** A valid record that is not a header, and its place. Reused: copy what must be kept. */
export type SeenRecord = ParsedLine & RecordPlace

/** The bytes at `offset`, without LF; `line` counts from 1 (in object form, it is the number of the record). */
export type RecordPlace = { offset: number; length: number; line: number }
