import type { Json } from './canonical-json.ts'
import { MORE_FOLLOWS, scanJson } from './json-scan.ts'

/**
 * JSON from outside: a batch line, metadata, a file, a request body. Gives the value, or the reason why it is refused.
 *
 * Beyond what `scanJson` refuses, whole numbers outside ±(2^53 - 1) are (RFC 7493, 2.2): a double may hold one exactly, but
 * other readers and the next sum will not. Lines of a snapshot are not held to this, only to being exactly a double.
 */
export function parseJson(bytes: Buffer): Parsed {
  const parsed = parseExact(bytes)
  const isUnsafe = 'value' in parsed && hasUnsafeInteger(parsed.value)
  return isUnsafe ? { fault: 'has a whole number over 2^53 (write it as a string)' } : parsed
}

/** The same of a text, with the reason as the end of a sentence about it. */
export function parseJsonText(text: string): Parsed {
  const parsed = parseJson(Buffer.from(text))
  return 'fault' in parsed ? { fault: faultInWords(parsed.fault) } : parsed
}

/** What was read, or why it is refused. */
export type Parsed = { value: Json } | { fault: string }

/** The same without the rule for whole numbers: a header, which is a line. */
export function parseExact(bytes: Buffer): Parsed {
  const { fault } = scanJson(bytes, 0, bytes.length)
  return fault === undefined ? { value: JSON.parse(bytes.toString('utf8')) } : { fault }
}

/** A reason as the end of a sentence about the text: `is not JSON`, `ends too early`. */
export function faultInWords(fault: string): string {
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
