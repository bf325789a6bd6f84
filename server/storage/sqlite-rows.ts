import { Buffer, isUtf8 } from 'node:buffer'
import type Database from 'libsql'

type Statement = Database.Statement<unknown[]>

/** What reads rows. */
export type RowReader = { all(parameters: readonly unknown[]): unknown[] }

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

/**
 * Prepares a statement that reads, so that a text that is no UTF-8 is a `BrokenText`: libsql ends the process where it reads one, and
 * one flipped bit makes one of a text or of a column of bytes. So texts are read as bytes, and decoded here. Undefined for a statement
 * that reads nothing, or cannot be part of another one.
 */
export function rowReader(database: Database.Database, statement: Statement, sql: string): RowReader | undefined {
  if (!statement.reader || !SELECTS.test(sql)) return undefined
  const names = statement.columns().map(({ name }) => name)
  const reading = database.prepare(asBytes(sql, names.length)).raw()
  return {
    all: (parameters) => reading.all([...parameters]).map((values) => toRow(names, values as unknown[]))
  }
}

/** One that changes something cannot be part of another one. */
const SELECTS = /^\s*(select\b|with\b(?![\s\S]*\b(insert|update|delete)\b))/i

/** The same rows with their texts as bytes, and in a last column which of the values are texts, a bit each. */
function asBytes(sql: string, count: number): string {
  const names = Array.from({ length: count }, (_, at) => `c${at}`)
  const values = names.map((name) => `case typeof(${name}) when 'text' then cast(${name} as blob) else ${name} end`)
  const texts = names.map((name, at) => `((typeof(${name}) = 'text') << ${at})`)
  return `with rows_read(${names.join(', ')}) as (${sql}) select ${values.join(', ')}, ${texts.join(' | ')} from rows_read`
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const texts = values[names.length] as number
  const row: Record<string, unknown> = {}
  for (const [at, name] of names.entries()) {
    const isText = texts !== 0 && Math.floor(texts / 2 ** at) % 2 === 1
    row[name] = isText ? textFrom(values[at]) : values[at]
  }
  return row
}

/** libsql gives bytes as an ArrayBuffer or a Buffer. */
function textFrom(value: unknown): string | BrokenText {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : (value as Buffer)
  return isUtf8(bytes) ? bytes.toString('utf8') : new BrokenText(bytes)
}
