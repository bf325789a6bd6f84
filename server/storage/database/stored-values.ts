import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { Fault } from '../../../src/contract/faults.ts'
import type { Bytes } from './tables.ts'

/**
 * A value with text from outside as a column can hold it: PostgreSQL refuses NUL, libsql cuts at it, and neither keeps half a
 * surrogate pair. JSON escapes them, so all comes back as it was.
 */
export function toStored(value: unknown): string {
  return JSON.stringify(value)
}

/**
 * The value that `toStored` was given. What it is the caller knows by the column.
 *
 * @throws Fault `damaged_storage` where it is something else.
 */
export function fromStored<Value>(stored: string): Value {
  try {
    return JSON.parse(stored) as Value
  } catch {
    throw damagedValueError('a value that is stored as JSON is none')
  }
}

/**
 * The object that `toStored` was given.
 *
 * @throws Fault `damaged_storage` where it is something else.
 */
export function objectFrom<Value extends object>(stored: string, column: string): Value {
  const value = fromStored<Value>(stored)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw damagedValueError(`${column} is no object`)
  return value
}

/**
 * The text that `toStored` was given.
 *
 * @throws Fault `damaged_storage` where it is something else.
 */
export function textFrom(stored: string): string {
  const value = fromStored<unknown>(stored)
  if (typeof value !== 'string') throw damagedValueError('a value that is stored as a text is none')
  return value
}

/**
 * One of the values that a column can have.
 *
 * @throws Fault `damaged_storage` where it is another one.
 */
export function toOption<Value extends string>(values: readonly Value[], stored: Value, column: string): Value {
  if (values.includes(stored)) return stored
  throw damagedValueError(`${column} is none of ${values.join(', ')}`)
}

/** A text as a column can hold it that may have none. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStored(text)
}

/** The text that `textOrNull` was given. */
export function textOrUndefined(stored: string | null): string | undefined {
  return stored === null ? undefined : textFrom(stored)
}

/** 32 bytes by which texts of any length are found. */
export function hashTexts(...texts: readonly string[]): Uint8Array {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(texts)).digest())
}

/** The bytes of a column in memory of their own: a driver's may be part of a larger buffer, which would go along to another thread. */
export function copyColumn(value: Bytes): Uint8Array {
  return new Uint8Array(toBytes(value))
}

/** An id as the bytes of its UTF-8, by which both engines order alike. */
export function encodeId(id: string): Uint8Array {
  return new TextEncoder().encode(id)
}

/** The id that `idBytes` was given. */
export function decodeId(bytes: Bytes): string {
  return DECODER.decode(toBytes(bytes))
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** A list in parts of `size` at most, in its order. */
export function* splitIntoParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** The bytes of a text that is no UTF-8. */
export class BrokenText {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** With U+FFFD in the place of what is none. */
  get text(): string {
    return this.bytes.toString('utf8')
  }
}

/** The bytes of a column without copying them. A damaged row may have anything else there. */
export function toBytes(value: Bytes): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw damagedValueError('a column of bytes holds something else')
}

/** The fault of a value that the storage cannot have been given. */
export function damagedValueError(what: string): Fault {
  return new Fault('damaged_storage', `the database of the server is damaged: ${what}`, {
    hint: 'memctl server check names the damaged rows; with --repair it repairs what can be repaired'
  })
}
