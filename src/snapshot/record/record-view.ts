import { scanJson } from '../json/json-scan.ts'
import { findCheckSuffix, hideSuffix, restoreSuffix } from './compute-check.ts'

/**
 * A line of a snapshot, read in place: positions of its members in the buffer, without building values. The same view
 * is reused for every line: copy what must be kept before viewing the next.
 */
export type RecordView = {
  bytes: Buffer
  start: number
  end: number
  /** The line is canonical with its check at the end, so its bytes can be hashed and copied unchanged. */
  canonical: boolean
  /** Where `,"check":` starts, if `canonical`. */
  suffix: number
  /** For each of `MEMBERS`, the start and end of its value; 0 and 0 if absent. */
  at: Int32Array
  /** Fills `at` when a member is first read, because most lines never need it. */
  place: ((view: RecordView) => void) | undefined
}

/** The members that readers use, with their indexes in a view's `at`. In canonical order. */
export const MEMBERS = {
  at: 0,
  check: 2,
  conversation: 4,
  copy: 6,
  events: 8,
  extractor: 10,
  facts: 12,
  format: 14,
  given: 16,
  id: 18,
  metadata: 20,
  position: 22,
  procedures: 24,
  reason: 26,
  records: 28,
  speaker: 30,
  supersedes: 32,
  target: 34,
  text: 36,
  type: 38,
  undated: 40,
  version: 42
} as const

/** An index of `MEMBERS`. A number, because members are looked up for every line. */
export type Member = number

/** Views the line between `start` and `end` (without LF). Returns the view, or why the bytes are not a JSON object. */
export function viewRecord(bytes: Buffer, start: number, end: number): RecordView | string {
  resetView(bytes, start, end)
  view.suffix = findCheckSuffix(bytes, start, end)
  if (view.suffix >= 0) {
    hideSuffix(bytes, view.suffix)
    const fault = scanMembers(start, view.suffix + 1)
    restoreSuffix(bytes, view.suffix)
    if (fault === undefined && view.canonical && view.at[MEMBERS.check] === 0) {
      view.at[MEMBERS.check] = view.suffix + 9
      view.at[MEMBERS.check + 1] = end - 1
      return view
    }
  }
  view.suffix = -1
  const fault = scanMembers(start, end)
  view.canonical = false
  return fault ?? view
}

/** Resets the view to a line about which nothing is known. */
export function resetView(bytes: Buffer, start: number, end: number): RecordView {
  view.bytes = bytes
  view.start = start
  view.end = end
  view.place = undefined
  return view
}

/** Checks whether a record has this member. */
export function hasMember(view: RecordView, member: Member): boolean {
  return locateMembers(view)[member] !== 0
}

function locateMembers(view: RecordView): Int32Array {
  if (view.place !== undefined) {
    view.at.fill(0)
    view.place(view)
    view.place = undefined
  }
  return view.at
}

/** Returns the bytes of a member's value as text, or undefined if it is absent. */
export function readMemberText(view: RecordView, member: Member): string | undefined {
  const places = locateMembers(view)
  const start = places[member] as number
  return start === 0 ? undefined : view.bytes.toString('utf8', start, places[member + 1])
}

/** Returns the value of a string member. */
export function readMemberString(view: RecordView, member: Member): string | undefined {
  const text = readMemberText(view, member)
  if (text === undefined) return undefined
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
}

/** Returns the value of a number member. */
export function readMemberNumber(view: RecordView, member: Member): number | undefined {
  const places = locateMembers(view)
  const start = places[member] as number
  if (start === 0) return undefined
  const end = places[member + 1] as number
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = (view.bytes[at] as number) - 0x30
    if (digit < 0 || digit > 9 || end - start > 15) return Number(view.bytes.toString('latin1', start, end))
    value = value * 10 + digit
  }
  return value
}

const view: RecordView = {
  bytes: Buffer.alloc(0),
  start: 0,
  end: 0,
  canonical: false,
  suffix: -1,
  at: new Int32Array(Object.keys(MEMBERS).length * 2),
  place: undefined
}

const NAME_BYTES = Object.keys(MEMBERS).map((name) => Buffer.from(name))

/** In a canonical line both names and keys are in order, so each search starts where the last one ended. */
function scanMembers(start: number, end: number): string | undefined {
  view.at.fill(0)
  const scan = scanJson(view.bytes, start, end)
  view.canonical = scan.canonical
  if (scan.fault !== undefined) return scan.fault
  if (view.bytes[start] !== 0x7b && scan.memberCount === 0) return 'is not a JSON object'
  let from = 0
  for (let i = 0; i < scan.memberCount * 4; i += 4) {
    const place = findName(scan.members[i] as number, scan.members[i + 1] as number, from)
    if (place < 0) continue
    view.at[place * 2] = scan.members[i + 2] as number
    view.at[place * 2 + 1] = scan.members[i + 3] as number
    from = place + 1
  }
  return undefined
}

function findName(start: number, end: number, from: number): number {
  for (let n = 0; n < NAME_BYTES.length; n++) {
    const place = (from + n) % NAME_BYTES.length
    if (equalsName(NAME_BYTES[place] as Buffer, start, end)) return place
  }
  return -1
}

function equalsName(name: Buffer, start: number, end: number): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (name[i] !== view.bytes[start + i]) return false
  return true
}
