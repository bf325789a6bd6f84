import type { Seen } from './read-snapshot.ts'
import { has, isTime } from './record-shape.ts'
import { MEMBERS, memberNumber } from './record-view.ts'
import { timeKey } from './time-key.ts'

/** The kinds of rows, by their number in the `kind` column. */
export const ROW_KINDS = ['memory', 'forget', 'unknown'] as const
export const MEMORY = 0
export const FORGET = 1
export const UNKNOWN = 2

/** What is kept of each record: about 100 bytes a row, a typed array a column. */
export type RecordColumns = {
  kind: Uint8Array
  /** The number of the file. */
  source: Uint16Array
  canonical: Uint8Array
  offset: Float64Array
  length: Uint32Array
  line: Float64Array
  /** As `timeKey` makes it; -1 for none. */
  at: Float64Array
  /** -Infinity for none. */
  position: Float64Array
  extractor: Float64Array
  /** The number of its known id; -1 for an unknown line. */
  id: Int32Array
  /** 32 bytes a row. */
  check: Buffer
}

/** Columns of `rows` empty rows. */
export function makeColumns(rows: number): RecordColumns {
  return {
    kind: new Uint8Array(rows),
    source: new Uint16Array(rows),
    canonical: new Uint8Array(rows),
    offset: new Float64Array(rows),
    length: new Uint32Array(rows),
    line: new Float64Array(rows),
    at: new Float64Array(rows),
    position: new Float64Array(rows),
    extractor: new Float64Array(rows),
    id: new Int32Array(rows),
    check: Buffer.alloc(rows * 32)
  }
}

/** The same rows in columns of twice the room. */
export function grownColumns(columns: RecordColumns): RecordColumns {
  const larger = makeColumns(columns.at.length * 2)
  for (const name of Object.keys(columns) as (keyof RecordColumns)[]) larger[name].set(columns[name] as never)
  return larger
}

/** Copies a row of other columns. */
export function copyRow(
  from: RecordColumns,
  fromRow: number,
  { columns, row }: { columns: RecordColumns; row: number }
): void {
  columns.kind[row] = from.kind[fromRow] as number
  columns.source[row] = from.source[fromRow] as number
  columns.canonical[row] = from.canonical[fromRow] as number
  columns.offset[row] = from.offset[fromRow] as number
  columns.length[row] = from.length[fromRow] as number
  columns.line[row] = from.line[fromRow] as number
  columns.at[row] = from.at[fromRow] as number
  columns.position[row] = from.position[fromRow] as number
  columns.extractor[row] = from.extractor[fromRow] as number
  columns.id[row] = from.id[fromRow] as number
  for (let i = 0; i < 32; i++) columns.check[row * 32 + i] = from.check[fromRow * 32 + i] as number
}

/** Writes what a line says into a row, but for the number of its id. */
export function fillRow(columns: RecordColumns, row: number, { seen, source }: { seen: Seen; source: number }): void {
  const { view } = seen
  const kind = seen.kind === 'memory' ? MEMORY : seen.kind === 'forget' ? FORGET : UNKNOWN
  const isDated = kind !== UNKNOWN || (has(view, MEMBERS.at) && isTime(view, MEMBERS.at))
  const position = memberNumber(view, MEMBERS.position)
  columns.kind[row] = kind
  columns.source[row] = source
  columns.canonical[row] = view.canonical ? 1 : 0
  columns.offset[row] = seen.offset
  columns.length[row] = seen.length
  columns.line[row] = seen.line
  columns.at[row] = isDated ? timeKey(view.bytes, view.at[MEMBERS.at] as number, view.at[MEMBERS.at + 1] as number) : -1
  columns.position[row] = Number.isSafeInteger(position) ? (position as number) : Number.NEGATIVE_INFINITY
  columns.extractor[row] = kind === MEMORY ? (memberNumber(view, MEMBERS.extractor) ?? 0) : 0
  columns.id[row] = -1
  columns.check.write(seen.check, row * 32, 'hex')
}

/** Compares the checks of two rows. */
export function compareChecks({ check }: RecordColumns, a: number, b: number): number {
  return check.compare(check, b * 32, b * 32 + 32, a * 32, a * 32 + 32)
}

/** Whether row `a` wins against row `b` of the same id: newer extractor, then earlier time, then smaller check. */
export function isBetterRow(columns: RecordColumns, a: number, b: number): boolean {
  const byExtractor = (columns.extractor[a] as number) - (columns.extractor[b] as number)
  if (byExtractor !== 0) return byExtractor > 0
  const byTime = (columns.at[a] as number) - (columns.at[b] as number)
  return byTime !== 0 ? byTime < 0 : compareChecks(columns, a, b) < 0
}
