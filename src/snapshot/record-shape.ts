import { MEMBERS, type Member, memberText, type RecordView } from './record-view.ts'

/**
 * What a record must look like, tested on the bytes of its members. The schemas in `src/contract/snapshot.ts` say the same
 * (a test holds the two together); these cost a tenth of them and load no package.
 */
export type RecordKind = 'memory' | 'forget' | 'header' | 'unknown'

/** Which kind of record a line is, or why it is none. */
export function kindOf(view: RecordView): RecordKind | string {
  if (!has(view, 'type')) return has(view, 'format') ? 'header' : 'has neither `type` nor `format`'
  if (is(view, 'type', MEMORY)) return shapeFault(view, MEMORY_SHAPE) ?? 'memory'
  if (is(view, 'type', FORGET)) return shapeFault(view, FORGET_SHAPE) ?? 'forget'
  return isString(view, 'type') ? 'unknown' : '`type` must be a string'
}

export function has(view: RecordView, member: Member): boolean {
  return view.at[MEMBERS[member] * 2] !== 0
}

type Rule = { member: Member; required: boolean; must: string; holds: (view: RecordView, member: Member) => boolean }

const MEMORY = Buffer.from('"memory"')
const FORGET = Buffer.from('"forget"')

const MEMORY_SHAPE: readonly Rule[] = [
  { member: 'id', required: true, must: 'be mem_ and 32 lower-case hex digits', holds: isId('"mem_') },
  { member: 'at', required: true, must: 'be a time like 2026-01-02T03:04:05.000Z', holds: isTime },
  { member: 'text', required: true, must: 'be a string', holds: isString },
  { member: 'extractor', required: true, must: 'be a whole number from 0', holds: isCount },
  { member: 'speaker', required: false, must: 'be a string', holds: isString },
  { member: 'conversation', required: false, must: 'be a string', holds: isString },
  { member: 'position', required: false, must: 'be a whole number', holds: isWhole },
  { member: 'copy', required: false, must: 'be a whole number from 2', holds: isCopy },
  { member: 'undated', required: false, must: 'be true', holds: (view, member) => is(view, member, TRUE) },
  { member: 'metadata', required: false, must: 'be an object', holds: (view, member) => starts(view, member, 0x7b) },
  { member: 'facts', required: false, must: 'be an array', holds: isArray },
  { member: 'procedures', required: false, must: 'be an array', holds: isArray },
  { member: 'events', required: false, must: 'be an array', holds: isArray }
]

const FORGET_SHAPE: readonly Rule[] = [
  { member: 'id', required: true, must: 'be fgt_ and 32 lower-case hex digits', holds: isId('"fgt_') },
  { member: 'at', required: true, must: 'be a time like 2026-01-02T03:04:05.000Z', holds: isTime },
  { member: 'target', required: true, must: 'be mem_ and 32 lower-case hex digits', holds: isId('"mem_') },
  { member: 'reason', required: false, must: 'be a string', holds: isString }
]

const TRUE = Buffer.from('true')

function shapeFault(view: RecordView, shape: readonly Rule[]): string | undefined {
  for (const rule of shape) {
    if (!has(view, rule.member)) {
      if (rule.required) return `has no \`${rule.member}\``
    } else if (!rule.holds(view, rule.member)) return `\`${rule.member}\` must ${rule.must}`
  }
  return undefined
}

function is(view: RecordView, member: Member, bytes: Buffer): boolean {
  const start = view.at[MEMBERS[member] * 2] as number
  if ((view.at[MEMBERS[member] * 2 + 1] as number) - start !== bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (view.bytes[start + i] !== bytes[i]) return false
  return true
}

function starts(view: RecordView, member: Member, byte: number): boolean {
  return view.bytes[view.at[MEMBERS[member] * 2] as number] === byte
}

function isString(view: RecordView, member: Member): boolean {
  return starts(view, member, 0x22)
}

function isArray(view: RecordView, member: Member): boolean {
  return starts(view, member, 0x5b)
}

function isId(prefix: string): (view: RecordView, member: Member) => boolean {
  return (view, member) => {
    const start = view.at[MEMBERS[member] * 2] as number
    if ((view.at[MEMBERS[member] * 2 + 1] as number) - start !== ID_BYTES) return false
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

const TIME = /^"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z"$/

function isTime(view: RecordView, member: Member): boolean {
  return TIME.test(memberText(view, member) ?? '')
}

function isWhole(view: RecordView, member: Member): boolean {
  const start = view.at[MEMBERS[member] * 2] as number
  const first = view.bytes[start] as number
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return false
  return Number.isSafeInteger(Number(memberText(view, member)))
}

function isCount(view: RecordView, member: Member): boolean {
  return isWhole(view, member) && !starts(view, member, 0x2d)
}

function isCopy(view: RecordView, member: Member): boolean {
  return isWhole(view, member) && Number(memberText(view, member)) >= 2
}
