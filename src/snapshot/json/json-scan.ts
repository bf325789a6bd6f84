import { isUtf8 } from 'node:buffer'
import { NESTING_MAX } from '../file/limits.ts'
import { scanNumber, scanString, stringNotes } from './json-tokens.ts'

/**
 * The result of one pass over the bytes of a JSON value, without building it: whether it is JSON; whether every reader
 * understands it alike (I-JSON, RFC 7493: no duplicate keys, no lone surrogates, no numbers that a double cannot hold);
 * whether it is canonical (RFC 8785); and where the members of the outermost object are.
 *
 * `JSON.parse` is not strict enough: it silently accepts duplicate keys, 1e400 and lone surrogates. This scan comes
 * first, so that the lines of a snapshot are checked, hashed and read in place.
 */
export type JsonScan = {
  /** Why the value is rejected; undefined if it is valid. */
  fault: string | undefined
  /** The bytes are exactly the canonical form of the value. */
  canonical: boolean
  /** Number of members of an outermost object. */
  memberCount: number
  /** Four numbers per member: start and end of the key without quotes, start and end of the value. */
  members: number[]
}

/** Scans `bytes` from `start` to `end`. Always returns the same object, which the next call overwrites. */
export function scanJson(bytes: Buffer, start: number, end: number): JsonScan {
  limit = end
  keyCount = 0
  stringNotes.wide = false
  stringNotes.loose = false
  result.fault = undefined
  result.canonical = true
  result.memberCount = 0
  let at = scanValue(bytes, skipSpace(bytes, start), 0)
  if (at >= 0) {
    at = skipSpace(bytes, at)
    if (at < limit) refuseFor(MORE_FOLLOWS)
  }
  if (stringNotes.loose) result.canonical = false
  if (stringNotes.wide && result.fault === undefined && !isUtf8(bytes.subarray(start, end))) refuseFor('not UTF-8')
  return result
}

/** The reason for a value that is followed by anything else. */
export const MORE_FOLLOWS = 'something follows the JSON value'

const result: JsonScan = { fault: undefined, canonical: true, memberCount: 0, members: [] }
let limit = 0

/** Start and end of the keys of all open objects. Never truncated, because setting the length of an array is slow. */
const keys: number[] = []
let keyCount = 0

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OBJECT_END = 0x7d
const ARRAY_END = 0x5d

/** Returned by the functions below instead of the position after what they scanned. */
const REFUSED = -1

function refuseFor(reason: string): -1 {
  result.fault ??= reason
  return REFUSED
}

function refuseAt(at: number): -1 {
  return refuseFor(at < limit ? 'not JSON' : 'ends too early')
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < limit) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
    result.canonical = false
    at++
  }
  return at
}

function scanValue(bytes: Buffer, at: number, depth: number): number {
  if (at >= limit) return refuseFor('ends too early')
  switch (bytes[at]) {
    case QUOTE:
      return scanStringValue(bytes, at)
    case 0x7b:
      return depth < NESTING_MAX ? scanObject(bytes, at, depth + 1) : refuseFor(`nested deeper than ${NESTING_MAX}`)
    case 0x5b:
      return depth < NESTING_MAX ? scanArray(bytes, at, depth + 1) : refuseFor(`nested deeper than ${NESTING_MAX}`)
    case 0x74:
      return scanWord(bytes, at, 'true')
    case 0x66:
      return scanWord(bytes, at, 'false')
    case 0x6e:
      return scanWord(bytes, at, 'null')
    default:
      return scanNumberValue(bytes, at)
  }
}

function scanWord(bytes: Buffer, at: number, word: string): number {
  const end = at + word.length
  return end <= limit && bytes.toString('latin1', at, end) === word ? end : refuseFor('not JSON')
}

function scanNumberValue(bytes: Buffer, at: number): number {
  const scanned = scanNumber(bytes, at, limit)
  if (scanned.fault !== undefined) return refuseFor(scanned.fault)
  if (!scanned.canonical) result.canonical = false
  return scanned.end
}

function scanStringValue(bytes: Buffer, at: number): number {
  const end = scanString(bytes, at, limit)
  return end >= 0 ? end : refuseFor(stringNotes.fault)
}

function scanArray(bytes: Buffer, start: number, depth: number): number {
  let at = skipSpace(bytes, start + 1)
  if (at < limit && bytes[at] === ARRAY_END) return at + 1
  for (;;) {
    at = scanValue(bytes, at, depth)
    if (at < 0) return REFUSED
    at = skipSpace(bytes, at)
    if (at >= limit) return refuseFor('ends too early')
    const byte = bytes[at++]
    if (byte === ARRAY_END) return at
    if (byte !== COMMA) return refuseFor('not JSON')
    at = skipSpace(bytes, at)
  }
}

/** An open object: where its keys begin in `keys`, and what is known about them. One per depth, reused. */
type OpenObject = { firstKey: number; isDisordered: boolean; hasEscapes: boolean; known: Set<string> | undefined }

const opens: OpenObject[] = Array.from({ length: NESTING_MAX + 1 }, () => ({
  firstKey: 0,
  isDisordered: false,
  hasEscapes: false,
  known: undefined
}))

function scanObject(bytes: Buffer, start: number, depth: number): number {
  const open = opens[depth] as OpenObject
  open.firstKey = keyCount
  open.isDisordered = false
  open.hasEscapes = false
  open.known = undefined
  let at = skipSpace(bytes, start + 1)
  if (at < limit && bytes[at] === OBJECT_END) return at + 1
  for (;;) {
    at = scanKey(bytes, at, open)
    if (at < 0) return REFUSED
    const valueStart = at
    at = scanValue(bytes, at, depth)
    if (at < 0) return REFUSED
    if (depth === 1) noteMember(valueStart, at)
    at = skipSpace(bytes, at)
    if (at >= limit) return refuseFor('ends too early')
    const byte = bytes[at++]
    if (byte === OBJECT_END) break
    if (byte !== COMMA) return refuseFor('not JSON')
    at = skipSpace(bytes, at)
  }
  keyCount = open.firstKey
  return at
}

/** Scans a key and its colon, and returns where the value starts. */
function scanKey(bytes: Buffer, start: number, open: OpenObject): number {
  if (start >= limit || bytes[start] !== QUOTE) return refuseAt(start)
  let at = scanStringValue(bytes, start)
  if (at < 0) return REFUSED
  keys[keyCount++] = start + 1
  keys[keyCount++] = at - 1
  if (stringNotes.escaped) open.hasEscapes = true
  if (open.isDisordered || !isKeyInOrder(bytes, open)) {
    open.isDisordered = true
    if (isDuplicateKey(bytes, open)) return refuseFor('has a key twice')
  }
  if (isProto(bytes, start + 1, at - 1)) return refuseFor('has a key `__proto__`')
  at = skipSpace(bytes, at)
  if (at >= limit || bytes[at] !== COLON) return refuseAt(at)
  return skipSpace(bytes, at + 1)
}

/** Records a member of the outermost object, whose key is the last scanned key that is still open. */
function noteMember(valueStart: number, valueEnd: number): void {
  const at = result.memberCount++ * 4
  result.members[at] = keys[keyCount - 2] as number
  result.members[at + 1] = keys[keyCount - 1] as number
  result.members[at + 2] = valueStart
  result.members[at + 3] = valueEnd
}

/**
 * Checks whether the last key follows the previous one in canonical order. A byte comparison suffices if both are ASCII
 * and no key of the object has escapes, which may hide equality. Canonical order is that of UTF-16 code units, which
 * otherwise differs from the order of UTF-8 bytes.
 */
function isKeyInOrder(bytes: Buffer, { firstKey, hasEscapes }: OpenObject): boolean {
  if (keyCount === firstKey + 2) return true
  const before = keys[keyCount - 4] as number
  const beforeEnd = keys[keyCount - 3] as number
  const start = keys[keyCount - 2] as number
  const end = keys[keyCount - 1] as number
  const length = Math.min(end - start, beforeEnd - before)
  let i = 0
  while (i < length && bytes[before + i] === bytes[start + i]) i++
  const a = i < beforeEnd - before ? (bytes[before + i] as number) : 0
  const b = i < end - start ? (bytes[start + i] as number) : 0
  const plain = !hasEscapes && (a | b) <= 0x7f
  const after = plain ? a < b : readKey(bytes, before, beforeEnd) < readKey(bytes, start, end)
  if (!after) result.canonical = false
  return after
}

/** Up to this number of keys, comparing each one is faster than a set. */
const FEW_KEYS = 16

function isDuplicateKey(bytes: Buffer, open: OpenObject): boolean {
  if (!open.hasEscapes && keyCount - open.firstKey < FEW_KEYS * 2) return isAmongFewKeys(bytes, open.firstKey)
  const last = keyCount - 2
  open.known ??= collectKeys(bytes, open.firstKey, last)
  const scanStringValue = readKey(bytes, keys[last] as number, keys[last + 1] as number)
  if (open.known.has(scanStringValue)) return true
  open.known.add(scanStringValue)
  return false
}

/** Checks whether the last key repeats an earlier one of its object, if none of them has escapes. */
function isAmongFewKeys(bytes: Buffer, firstKey: number): boolean {
  const start = keys[keyCount - 2] as number
  const length = (keys[keyCount - 1] as number) - start
  for (let k = firstKey; k < keyCount - 2; k += 2) {
    const other = keys[k] as number
    if ((keys[k + 1] as number) - other !== length) continue
    let i = length - 1
    while (i >= 0 && bytes[other + i] === bytes[start + i]) i--
    if (i < 0) return true
  }
  return false
}

function collectKeys(bytes: Buffer, first: number, end: number): Set<string> {
  const known = new Set<string>()
  for (let i = first; i < end; i += 2) known.add(readKey(bytes, keys[i] as number, keys[i + 1] as number))
  return known
}

function readKey(bytes: Buffer, start: number, end: number): string {
  return JSON.parse(bytes.toString('utf8', start - 1, end + 1))
}

function isProto(bytes: Buffer, start: number, end: number): boolean {
  if (stringNotes.escaped) return readKey(bytes, start, end) === '__proto__'
  return end - start === 9 && bytes[start] === 0x5f && bytes.toString('latin1', start, end) === '__proto__'
}
