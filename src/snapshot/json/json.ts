import { MORE_FOLLOWS, scanJson } from './json-scan.ts'

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject

export type JsonObject = { [key: string]: Json | undefined }

/**
 * The one text of a JSON value that every writer agrees on (RFC 8785): keys in the order of their UTF-16 code units, no
 * spaces, numbers and escapes as ECMAScript prints them. Fields that are undefined are left out.
 * Strings must be well formed and numbers finite: what comes through `parseJson` is.
 */
export function toCanonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return Array.isArray(value) ? `[${value.map(toCanonicalJson).join(',')}]` : toCanonicalObject(value)
}

/** The same of an object, one of its members left out. */
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
 * JSON from outside: a batch line, metadata, a file, a request body. Gives the value, or the reason why it is refused.
 *
 * Beyond what `scanJson` refuses, whole numbers outside ±(2^53 - 1) are (RFC 7493, 2.2): a double may hold one exactly, but
 * other readers and the next sum will not. Lines of a snapshot are not held to this, only to being exactly a double.
 */
export function parseJson(bytes: Buffer): JsonResult {
  const parsed = parseExact(bytes)
  const isUnsafe = 'value' in parsed && hasUnsafeInteger(parsed.value)
  return isUnsafe ? { fault: 'has a whole number over 2^53 (write it as a string)' } : parsed
}

/** The same of a text, with the reason as the end of a sentence about it. */
export function parseJsonText(text: string): JsonResult {
  const parsed = parseJson(Buffer.from(text))
  return 'fault' in parsed ? { fault: describeJsonFault(parsed.fault) } : parsed
}

/** What was read, or why it is refused. */
type JsonResult = { value: Json } | { fault: string }

/** The same without the rule for whole numbers: a header, which is a line. */
export function parseExact(bytes: Buffer): JsonResult {
  const { fault } = scanJson(bytes, 0, bytes.length)
  return fault === undefined ? { value: JSON.parse(bytes.toString('utf8')) } : { fault }
}

/** A reason as the end of a sentence about the text: `is not JSON`, `ends too early`. */
export function describeJsonFault(fault: string): string {
  if (fault === MORE_FOLLOWS) return 'has something that follows it'
  return fault.startsWith('not ') ? `is ${fault}` : fault
}

/** From this on, ECMAScript and RFC 8785 print a whole number with an exponent, and nobody takes it for a counted one. */
const EXPONENT_FROM = 1e21

function hasUnsafeInteger(value: Json | undefined): boolean {
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < EXPONENT_FROM
  }
  if (typeof value !== 'object' || value === null) return false
  return (Array.isArray(value) ? value : Object.values(value)).some(hasUnsafeInteger)
}
