import { suffixStart, withoutSuffix } from './check.ts'
import { scanJson } from './json-scan.ts'

/**
 * One line of a snapshot, looked at in place: positions of the members in the buffer that holds it, no values made.
 * There is one view, used again for every line: take out what is to be kept before looking at the next.
 */
export type RecordView = {
  bytes: Buffer
  start: number
  end: number
  /** The line is written canonically with its check at the end, so its bytes can be hashed and copied as they are. */
  canonical: boolean
  /** Where `,"check":` starts, when `canonical`. */
  suffix: number
  /** For each name of `MEMBERS`, start and end of the value; 0 and 0 where the member is absent. */
  at: Int32Array
}

/** Members that readers look at, by their place in a view. */
export const MEMBERS = {
  at: 0,
  check: 1,
  conversation: 2,
  copy: 3,
  events: 4,
  extractor: 5,
  facts: 6,
  format: 7,
  id: 8,
  metadata: 9,
  position: 10,
  procedures: 11,
  reason: 12,
  records: 13,
  speaker: 14,
  target: 15,
  text: 16,
  type: 17,
  undated: 18,
  version: 19
} as const

export type Member = keyof typeof MEMBERS

/** Looks at the line between `start` and `end` (without LF). Gives the view, or why the bytes are no JSON object. */
export function viewRecord(bytes: Buffer, start: number, end: number): RecordView | string {
  view.bytes = bytes
  view.start = start
  view.end = end
  view.suffix = suffixStart(bytes, start, end)
  view.at.fill(0)
  if (view.suffix >= 0) {
    const fault = withoutSuffix(bytes, view.suffix, (shorter) => look(start, shorter))
    if (fault === undefined && view.canonical && view.at[MEMBERS.check * 2] === 0) {
      put('check', view.suffix + 9, end - 1)
      return view
    }
  }
  view.suffix = -1
  view.at.fill(0)
  const fault = look(start, end)
  view.canonical = false
  return fault ?? view
}

/** The bytes of a member's value as text, or undefined where it is absent. */
export function memberText(view: RecordView, member: Member): string | undefined {
  const place = MEMBERS[member] * 2
  const start = view.at[place] as number
  return start === 0 ? undefined : view.bytes.toString('utf8', start, view.at[place + 1])
}

/** The value of a member that is a string. */
export function memberString(view: RecordView, member: Member): string | undefined {
  const text = memberText(view, member)
  if (text === undefined) return undefined
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
}

/** The value of a member that is a number. */
export function memberNumber(view: RecordView, member: Member): number | undefined {
  const text = memberText(view, member)
  return text === undefined ? undefined : Number(text)
}

const view: RecordView = {
  bytes: Buffer.alloc(0),
  start: 0,
  end: 0,
  canonical: false,
  suffix: -1,
  at: new Int32Array(Object.keys(MEMBERS).length * 2)
}

const NAMES = Object.keys(MEMBERS) as Member[]
const NAME_BYTES = NAMES.map((name) => Buffer.from(name))

function put(member: Member, start: number, end: number): void {
  view.at[MEMBERS[member] * 2] = start
  view.at[MEMBERS[member] * 2 + 1] = end
}

/** Names and keys are both in order in a canonical line: what was looked for last is where the next search starts. */
function look(start: number, end: number): string | undefined {
  const scan = scanJson(view.bytes, start, end)
  view.canonical = scan.canonical
  if (scan.fault !== undefined) return scan.fault
  if (view.bytes[start] !== 0x7b && scan.memberCount === 0) return 'is not a JSON object'
  let from = 0
  for (let i = 0; i < scan.memberCount * 4; i += 4) {
    const place = nameAt(scan.members[i] as number, scan.members[i + 1] as number, from)
    if (place < 0) continue
    view.at[place * 2] = scan.members[i + 2] as number
    view.at[place * 2 + 1] = scan.members[i + 3] as number
    from = place + 1
  }
  return undefined
}

function nameAt(start: number, end: number, from: number): number {
  for (let n = 0; n < NAMES.length; n++) {
    const place = (from + n) % NAMES.length
    if (equals(NAME_BYTES[place] as Buffer, start, end)) return place
  }
  return -1
}

function equals(name: Buffer, start: number, end: number): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (name[i] !== view.bytes[start + i]) return false
  return true
}
