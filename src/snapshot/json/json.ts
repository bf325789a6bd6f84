import { MORE_FOLLOWS, scanJson } from './json-scan.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject

export type JsonObject = { [key: string]: Json | undefined }

/**
 * Returns the canonical text of a JSON value (RFC 8785): keys in the order of their UTF-16 code units, no spaces,
 * numbers and escapes as ECMAScript prints them. Undefined fields are left out. Strings must be well formed and numbers
 * finite, as `parseJson` guarantees.
 */
export function toCanonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return Array.isArray(value) ? `[${value.map(toCanonicalJson).join(',')}]` : toCanonicalObject(value)
}

/** Returns the canonical text of an object without one of its members. */
export function toCanonicalObject(value: JsonObject, without?: string): string {
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member !== undefined && key !== without)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${toCanonicalJson(member)}`
  }
  return `{${text}}`
}

/**
 * Parses untrusted JSON: a batch line, metadata, a file, a request body. Returns the value, or the reason why it is
 * rejected.
 *
 * Like `scanJson`, and also rejects integers outside ±(2^53 - 1) (RFC 7493, 2.2): a double may hold one exactly, but
 * other readers and calculations may not. Lines of a snapshot may contain them if they are exactly a double.
 */
export function parseJson(bytes: Buffer): JsonResult {
  const parsed = parseExact(bytes)
  const isUnsafe = 'value' in parsed && hasUnsafeInteger(parsed.value)
  return isUnsafe ? { fault: 'has a whole number over 2^53 (write it as a string)' } : parsed
}

/** Parses a JSON text, with the reason as the end of a sentence about it. */
export function parseJsonText(text: string): JsonResult {
  const parsed = parseJson(Buffer.from(text))
  return 'fault' in parsed ? { fault: describeJsonFault(parsed.fault) } : parsed
}

/** The parsed value, or why it is rejected. */
type JsonResult = { value: Json } | { fault: string }

/** Parses JSON without the limit for integers: for a header, which is a line. */
export function parseExact(bytes: Buffer): JsonResult {
  const { fault } = scanJson(bytes, 0, bytes.length)
  return fault === undefined ? { value: JSON.parse(bytes.toString('utf8')) } : { fault }
}

/** Completes a sentence about the text with the reason: `is not JSON`, `ends too early`. */
export function describeJsonFault(fault: string): string {
  if (fault === MORE_FOLLOWS) return 'has text that follows it'
  return fault.startsWith('not ') ? `is ${fault}` : fault
}

/** From this value on, ECMAScript and RFC 8785 print an integer with an exponent. No counter is that large. */
const EXPONENT_FROM = 1e21

function hasUnsafeInteger(value: Json | undefined): boolean {
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < EXPONENT_FROM
  }
  if (typeof value !== 'object' || value === null) return false
  return (Array.isArray(value) ? value : Object.values(value)).some(hasUnsafeInteger)
}
