import { Fault } from '../contract/faults.ts'
import type { Metadata } from '../contract/snapshot.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { describeJsonFault, type Json, parseJson } from '../snapshot/json/json.ts'

/**
 * Metadata as its JSON says it. What a program's object says by `toJSON` (a date) is taken at its word; members that are
 * undefined are left out. What JSON would drop or change without a word is refused.
 * @throws Fault `malformed_json`, `too_large`.
 */
export function testMetadata(metadata: Metadata | undefined): Json | undefined {
  if (metadata === undefined) return undefined
  const text = jsonText(metadata)
  if (text.length > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `metadata takes ${text.length} characters, and a line may have ${LINE_BYTES_MAX} bytes`
    )
  }
  const parsed = parseJson(Buffer.from(text))
  if ('fault' in parsed) throw new Fault('malformed_json', `metadata ${describeJsonFault(parsed.fault)}`)
  return parsed.value
}

function jsonText(metadata: Metadata): string {
  try {
    const text: string | undefined = JSON.stringify(metadata, (key, value) =>
      isLossy(value) ? refuse(key, value) : value
    )
    return text ?? refuse('', metadata)
  } catch (cause) {
    const why = cause instanceof Lossy ? cause.message : 'it has a cycle, is nested too deep, or holds what JSON cannot'
    throw new Fault('malformed_json', `metadata cannot be written as JSON: ${why}`, { cause })
  }
}

/** A whole class for it, to be told from what an object of the program throws by itself. */
class Lossy extends Error {}

function refuse(key: string, value: unknown): never {
  throw new Lossy(`${key === '' ? 'it' : `\`${key}\``} is ${nameOf(value)}`)
}

/** What JSON writes as null, as an empty object, or not at all. */
function isLossy(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value === 'object' && value !== null) return !PLAIN.has(nameOf(value))
  return typeof value === 'function' || typeof value === 'symbol'
}

const PLAIN: ReadonlySet<string> = new Set(['Object', 'Array'])

/** Such as `Map`, `Function` or `NaN`. */
function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : Object.prototype.toString.call(value).slice(8, -1)
}
