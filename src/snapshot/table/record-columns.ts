import type { SeenRecord } from '../record/check-record-shape.ts'

/** The kinds of rows, by their number in the `kind` column. */
export const ROW_KINDS = ['memory', 'forget', 'unknown'] as const
export const MEMORY = 0
export const FORGET = 1
export const UNKNOWN = 2

/** An unknown line has no known id; these values tell whether it is the first one with its check. */
export const FIRST = -1
export const REPEATED = -2

export const CHECK_BYTES = 32
export const ID_BYTES = 16

/** The data kept of each record, about 100 bytes per row, with a typed array per column. */
export type RecordColumns = {
  kind: Uint8Array
  /** The number of the file. */
  source: Uint16Array
  canonical: Uint8Array
  offset: Float64Array
  length: Uint32Array
  line: Float64Array
  /** As `toTimeKey` returns it; -1 for none. */
  at: Float64Array
  /** -Infinity for none. */
  position: Float64Array
  extractor: Float64Array
  /** The number of its known id; for an unknown line, `FIRST` or `REPEATED`. */
  id: Int32Array
  /** 32 bytes per row. */
  check: Buffer
}

/** Creates columns with `rows` empty rows. */
export function createColumns(rows: number): RecordColumns {
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
    check: Buffer.alloc(rows * CHECK_BYTES)
  }
}

/** Returns columns with the same rows and capacity for `rows`. */
export function growColumns(columns: RecordColumns, rows: number): RecordColumns {
  const larger = createColumns(rows)
  for (const name of Object.keys(columns) as (keyof RecordColumns)[]) larger[name].set(columns[name] as never)
  return larger
}

/** Copies the first `rows` rows of other columns to position `row`. */
export function copyRows(from: RecordColumns, rows: number, into: { columns: RecordColumns; row: number }): void {
  for (const name of Object.keys(from) as (keyof RecordColumns)[]) {
    const width = name === 'check' ? CHECK_BYTES : 1
    into.columns[name].set(from[name].subarray(0, rows * width) as never, into.row * width)
  }
}

/** Writes a line's values into a row, except its check and the number of its id. */
export function fillRow(
  columns: RecordColumns,
  row: number,
  { seen, source }: { seen: SeenRecord; source: number }
): void {
  columns.kind[row] = toKindNumber(seen.kind)
  columns.source[row] = source
  columns.canonical[row] = seen.view.canonical ? 1 : 0
  columns.offset[row] = seen.offset
  columns.length[row] = seen.length
  columns.line[row] = seen.line
  columns.at[row] = seen.at
  columns.position[row] = Number.isSafeInteger(seen.position) ? (seen.position as number) : Number.NEGATIVE_INFINITY
  columns.extractor[row] = seen.kind === 'memory' ? seen.extractor : 0
}

function toKindNumber(kind: SeenRecord['kind']): number {
  return kind === 'memory' ? MEMORY : kind === 'forget' ? FORGET : UNKNOWN
}

/** Compares the checks of two rows. */
export function compareChecks({ check }: RecordColumns, a: number, b: number): number {
  return check.compare(check, b * 32, b * 32 + 32, a * 32, a * 32 + 32)
}

/**
 * Checks whether row `a` wins against row `b` of the same id: higher extractor, then earlier time, then smaller check.
 */
export function isBetterRow(columns: RecordColumns, a: number, b: number): boolean {
  const byExtractor = (columns.extractor[a] as number) - (columns.extractor[b] as number)
  if (byExtractor !== 0) return byExtractor > 0
  const byTime = (columns.at[a] as number) - (columns.at[b] as number)
  return byTime !== 0 ? byTime < 0 : compareChecks(columns, a, b) < 0
}
