import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { Fault } from '../../../src/contract/faults.ts'
import type { Bytes } from './tables.ts'

/**
 * Serializes a value that may contain untrusted text so that a column can hold it. PostgreSQL refuses NUL, libsql
 * truncates text at NUL, and neither stores a lone surrogate. JSON escapes these characters, so the value is read back
 * unchanged.
 */
export function toStored(value: unknown): string {
  return JSON.stringify(value)
}

/**
 * Parses a value that `toStored` wrote. The caller knows its type from the column.
 *
 * @throws Fault `damaged_storage` if the value is not JSON.
 */
export function fromStored<Value>(stored: string): Value {
  try {
    return JSON.parse(stored) as Value
  } catch {
    throw damagedValueError('a value that should be JSON is not')
  }
}

/**
 * Parses an object that `toStored` wrote.
 *
 * @throws Fault `damaged_storage` if the value is not an object.
 */
export function objectFrom<Value extends object>(stored: string, column: string): Value {
  const value = fromStored<Value>(stored)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw damagedValueError(`${column} is not an object`)
  return value
}

/**
 * Parses a text that `toStored` wrote.
 *
 * @throws Fault `damaged_storage` if the value is not a text.
 */
export function textFrom(stored: string): string {
  const value = fromStored<unknown>(stored)
  if (typeof value !== 'string') throw damagedValueError('a value that should be a text is not')
  return value
}

/**
 * Returns the value as one of the options of a column.
 *
 * @throws Fault `damaged_storage` if it is not one of them.
 */
export function toOption<Value extends string>(values: readonly Value[], stored: Value, column: string): Value {
  if (values.includes(stored)) return stored
  throw damagedValueError(`${column} is not one of ${values.join(', ')}`)
}

/** Serializes an optional text for a nullable column. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStored(text)
}

/** Parses an optional text that `textOrNull` wrote. */
export function textOrUndefined(stored: string | null): string | undefined {
  return stored === null ? undefined : textFrom(stored)
}

/** Returns a 32-byte hash, by which texts of any length are looked up. */
export function hashTexts(...texts: readonly string[]): Uint8Array {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(texts)).digest())
}

/**
 * Copies the bytes of a column into their own buffer. The driver's bytes may be part of a larger buffer, which would be
 * transferred to another thread as a whole.
 */
export function copyColumn(value: Bytes): Uint8Array {
  return new Uint8Array(toBytes(value))
}

/** Encodes an id as UTF-8 bytes, which both engines order in the same way. */
export function encodeId(id: string): Uint8Array {
  return new TextEncoder().encode(id)
}

/** Decodes an id that `encodeId` encoded. */
export function decodeId(bytes: Bytes): string {
  return DECODER.decode(toBytes(bytes))
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** Splits a list into parts of at most `size` elements, in order. */
export function* splitIntoParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** The bytes of a text that is not UTF-8. */
export class BrokenText {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** The text with U+FFFD instead of invalid bytes. */
  get text(): string {
    return this.bytes.toString('utf8')
  }
}

/**
 * Returns the bytes of a column without copying them.
 *
 * @throws Fault `damaged_storage` if the column holds another type, as a damaged row may.
 */
export function toBytes(value: Bytes): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw damagedValueError('a column of bytes has another type')
}

/** Builds the error for a value that the storage cannot have written. */
export function damagedValueError(what: string): Fault {
  return new Fault('damaged_storage', `the database of the server is damaged: ${what}`, {
    hint: 'to list the damaged rows, run memctl server check; --repair repairs what can be repaired'
  })
}
