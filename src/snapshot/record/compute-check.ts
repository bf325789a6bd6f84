import { hash } from 'node:crypto'
import { type JsonObject, toCanonicalObject } from '../json/json.ts'

const SUFFIX_START = Buffer.from(',"check":"')
const CHECK_LETTERS = 64

/** `,"check":"` + 64 hex digits + `"}`: the end of every line that memctl writes. */
export const CHECK_SUFFIX_BYTES = SUFFIX_START.length + CHECK_LETTERS + 2
const COMMA = 0x2c
const BRACE = 0x7d

/** A record as its line, without LF: canonical form with the check put in before the last brace. */
export function serializeRecord(record: JsonObject): string {
  const text = toCanonicalObject(record, 'check')
  return `${text.slice(0, -1)},"check":"${hash('sha256', text)}"}`
}

/** Where the check's suffix starts if a line ends like one of ours, else -1. */
export function findCheckSuffix(bytes: Buffer, start: number, end: number): number {
  const at = end - CHECK_SUFFIX_BYTES
  if (at <= start || bytes[end - 1] !== BRACE || bytes[end - 2] !== 0x22) return -1
  for (let i = 0; i < SUFFIX_START.length; i++) if (bytes[at + i] !== SUFFIX_START[i]) return -1
  return at
}

/**
 * The comma before the check becomes the last brace, so that the line up to there is what the check was made of: saves
 * a copy of every line. `restoreSuffix` must follow.
 */
export function hideSuffix(bytes: Buffer, suffix: number): void {
  bytes[suffix] = BRACE
}

/** Undoes `hideSuffix`. */
export function restoreSuffix(bytes: Buffer, suffix: number): void {
  bytes[suffix] = COMMA
}

/** The check that a line ends with, whose suffix starts at `suffix`: 64 letters, whatever they are. */
export function readCheck(bytes: Buffer, suffix: number): string {
  const start = suffix + SUFFIX_START.length
  return bytes.toString('latin1', start, start + CHECK_LETTERS)
}

/** The check that a canonical line has to have: of what stands between `start` and the check's own suffix. */
export function computeCheck(bytes: Buffer, start: number, suffix: number): string {
  hideSuffix(bytes, suffix)
  const check = sha256(bytes.subarray(start, suffix + 1))
  restoreSuffix(bytes, suffix)
  return check
}

/** SHA-256 of bytes, as 64 hex digits. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes)
}
