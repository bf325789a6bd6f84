import { hash } from 'node:crypto'
import { type JsonObject, toCanonicalObject } from '../json/json.ts'

const SUFFIX_START = Buffer.from(',"check":"')
const CHECK_LETTERS = 64

/** Length of `,"check":"` + 64 hex digits + `"}`, the end of every line that memctl writes. */
export const CHECK_SUFFIX_BYTES = SUFFIX_START.length + CHECK_LETTERS + 2
const COMMA = 0x2c
const BRACE = 0x7d

/** Returns the line of a record, without LF: its canonical form with the check inserted before the last brace. */
export function serializeRecord(record: JsonObject): string {
  const text = toCanonicalObject(record, 'check')
  return `${text.slice(0, -1)},"check":"${hash('sha256', text)}"}`
}

/** Returns where the suffix with the check starts if the line ends with one, otherwise -1. */
export function findCheckSuffix(bytes: Buffer, start: number, end: number): number {
  const at = end - CHECK_SUFFIX_BYTES
  if (at <= start || bytes[end - 1] !== BRACE || bytes[end - 2] !== 0x22) return -1
  for (let i = 0; i < SUFFIX_START.length; i++) if (bytes[at + i] !== SUFFIX_START[i]) return -1
  return at
}

/**
 * Replaces the comma before the check with a closing brace, so that the bytes up to there are those that were hashed.
 * This avoids copying every line. `restoreSuffix` must follow.
 */
export function hideSuffix(bytes: Buffer, suffix: number): void {
  bytes[suffix] = BRACE
}

/** Reverts `hideSuffix`. */
export function restoreSuffix(bytes: Buffer, suffix: number): void {
  bytes[suffix] = COMMA
}

/** Returns the 64 characters of the check in the suffix that starts at `suffix`, without validating them. */
export function readCheck(bytes: Buffer, suffix: number): string {
  const start = suffix + SUFFIX_START.length
  return bytes.toString('latin1', start, start + CHECK_LETTERS)
}

/** Computes the check of a canonical line from the bytes between `start` and the suffix. */
export function computeCheck(bytes: Buffer, start: number, suffix: number): string {
  hideSuffix(bytes, suffix)
  const check = sha256(bytes.subarray(start, suffix + 1))
  restoreSuffix(bytes, suffix)
  return check
}

/** Returns the SHA-256 of bytes as 64 hex digits. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes)
}
