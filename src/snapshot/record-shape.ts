import { TIME_TEXT } from '../memory/iso-time.ts'
import { has, MEMBERS, type Member, memberNumber, memberText, type RecordView } from './record-view.ts'

export type RecordKind = 'memory' | 'forget' | 'header' | 'unknown'

/** A sound line: what it is, and what places and ranks it. One object, used again for every line. */
export type Judged = {
  kind: RecordKind
  view: RecordView
  /** 64 hex digits. */
  check: string
  /** Of a memory; of a forget line the id of its target; of others whatever they have, or ''. */
  id: string
  /** As `timeKey` makes it; -1 for none. */
  at: number
  position: number | undefined
  extractor: number
}

/**
 * What a record must look like, tested on the bytes of its members. The schemas in `src/contract/snapshot.ts` say the same
 * (a test holds the two together); these cost a tenth of them and load no package.
 *
 * Gives which kind of record a line is, or why it is none.
 */
export function kindOf(view: RecordView): RecordKind | string {
  if (!has(view, MEMBERS.type)) return has(view, MEMBERS.format) ? 'header' : 'has neither `type` nor `format`'
  if (is(view, MEMBERS.type, MEMORY)) return shapeFault(view, MEMORY_SHAPE) ?? 'memory'
  if (is(view, MEMBERS.type, FORGET)) return shapeFault(view, FORGET_SHAPE) ?? 'forget'
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

/** Whether a member that is there is a string. */
export function isString(view: RecordView, member: Member): boolean {
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

/** Whether a member is a time as snapshots hold it. */
export function isTime(view: RecordView, member: Member): boolean {
  return TIME_TEXT.test((memberText(view, member) ?? '').slice(1, -1))
}

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
