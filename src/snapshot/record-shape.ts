import { MEMBERS, type Member, memberNumber, type RecordView } from './record-view.ts'
import { timeKey } from './time-key.ts'

/**
 * What a record must look like, tested on the bytes of its members. The schemas in `src/contract/snapshot.ts` say the same
 * (a test holds the two together); these cost a tenth of them and load no package.
 */
export type RecordKind = 'memory' | 'forget' | 'header' | 'unknown'

/** Which kind of record a line is, or why it is none. */
export function kindOf(view: RecordView): RecordKind | string {
  if (!has(view, MEMBERS.type)) return has(view, MEMBERS.format) ? 'header' : 'has neither `type` nor `format`'
  if (is(view, MEMBERS.type, MEMORY)) return shapeFault(view, MEMORY_SHAPE) ?? 'memory'
  if (is(view, MEMBERS.type, FORGET)) return shapeFault(view, FORGET_SHAPE) ?? 'forget'
  return isString(view, MEMBERS.type) ? 'unknown' : '`type` must be a string'
}

/** Whether a record has this member. */
export function has(view: RecordView, member: Member): boolean {
  return view.at[member] !== 0
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
  { member: MEMBERS.extractor, name: 'extractor', required: true, must: 'be a whole number from 0', holds: isCount },
  { member: MEMBERS.speaker, name: 'speaker', required: false, must: 'be a string', holds: isString },
  { member: MEMBERS.conversation, name: 'conversation', required: false, must: 'be a string', holds: isString },
  { member: MEMBERS.position, name: 'position', required: false, must: 'be a whole number', holds: isWhole },
  { member: MEMBERS.copy, name: 'copy', required: false, must: 'be a whole number from 2', holds: isCopy },
  {
    member: MEMBERS.undated,
    name: 'undated',
    required: false,
    must: 'be true',
    holds: (view, member) => is(view, member, TRUE)
  },
  {
    member: MEMBERS.metadata,
    name: 'metadata',
    required: false,
    must: 'be an object',
    holds: (view, member) => starts(view, member, 0x7b)
  },
  { member: MEMBERS.facts, name: 'facts', required: false, must: 'be an array', holds: isArray },
  { member: MEMBERS.procedures, name: 'procedures', required: false, must: 'be an array', holds: isArray },
  { member: MEMBERS.events, name: 'events', required: false, must: 'be an array', holds: isArray }
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

function shapeFault(view: RecordView, shape: readonly Rule[]): string | undefined {
  for (const rule of shape) {
    if (!has(view, rule.member)) {
      if (rule.required) return `has no \`${rule.name}\``
    } else if (!rule.holds(view, rule.member)) return `\`${rule.name}\` must ${rule.must}`
  }
  return undefined
}

function is(view: RecordView, member: Member, bytes: Buffer): boolean {
  const start = view.at[member] as number
  if ((view.at[member + 1] as number) - start !== bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (view.bytes[start + i] !== bytes[i]) return false
  return true
}

function starts(view: RecordView, member: Member, byte: number): boolean {
  return view.bytes[view.at[member] as number] === byte
}

function isString(view: RecordView, member: Member): boolean {
  return starts(view, member, 0x22)
}

function isArray(view: RecordView, member: Member): boolean {
  return starts(view, member, 0x5b)
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

/** With the quotes. */
const ID_BYTES = 38

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
}

/** `"2026-01-02T03:04:05.000Z"`, every field within its bounds. */
export function isTime(view: RecordView, member: Member): boolean {
  const start = view.at[member] as number
  const end = view.at[member + 1] as number
  if (timeKey(view.bytes, start, end) < 0) return false
  for (let i = 0; i < TIME_MARKS.length; i++) {
    if (view.bytes[start + (TIME_MARKS[i] as Mark).at] !== (TIME_MARKS[i] as Mark).byte) return false
  }
  for (const { at, least, most } of TIME_BOUNDS) {
    const value = ((view.bytes[start + at] as number) - 0x30) * 10 + (view.bytes[start + at + 1] as number) - 0x30
    if (value < least || value > most) return false
  }
  return true
}

type Mark = { at: number; byte: number }

const TIME_MARKS: readonly Mark[] = Array.from('"0000-00-00T00:00:00.000Z"', (letter, at) => ({
  at,
  byte: letter.charCodeAt(0)
})).filter(({ byte }) => byte !== 0x30)

const TIME_BOUNDS = [
  { at: 6, least: 1, most: 12 },
  { at: 9, least: 1, most: 31 },
  { at: 12, least: 0, most: 23 },
  { at: 15, least: 0, most: 59 },
  { at: 18, least: 0, most: 59 }
] as const

function isWhole(view: RecordView, member: Member): boolean {
  const start = view.at[member] as number
  const first = view.bytes[start] as number
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return false
  return Number.isSafeInteger(memberNumber(view, member))
}

function isCount(view: RecordView, member: Member): boolean {
  return isWhole(view, member) && !starts(view, member, 0x2d)
}

function isCopy(view: RecordView, member: Member): boolean {
  return isWhole(view, member) && (memberNumber(view, member) ?? 0) >= 2
}
