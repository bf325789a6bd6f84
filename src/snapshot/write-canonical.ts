import { Fault } from '../contract/faults.ts'
import type { SnapshotHeader } from '../contract/snapshot.ts'
import { BLOCK_BYTES, HEADER_BYTES_MAX } from './file/limits.ts'
import type { Sink } from './file/replace-file.ts'
import type { Source } from './file/source.ts'
import type { JsonObject } from './json/json.ts'
import type { Form } from './read-snapshot.ts'
import { serializeRecord } from './record/compute-check.ts'
import { joinHeaders } from './record/create-header.ts'
import { hashSorted } from './table/hash-sorted.ts'
import { CHECK_BYTES, FORGET, ID_BYTES, MEMORY, type RecordColumns } from './table/record-columns.ts'
import type { RecordTable } from './table/record-table.ts'
import { createRowReader, type RowReader } from './table/row-reader.ts'

export type CanonicalOptions = {
  table: RecordTable
  /** By the source number used in the table. */
  sources: readonly Source[]
  headers: readonly SnapshotHeader[]
  form: Form
  /** Known ids to drop permanently, with their forget lines and the memories these hide. */
  isDropped?: (id: Buffer) => boolean
  /** Returns a new record for a memory, or undefined to keep the line unchanged. */
  remake?: ((record: JsonObject) => JsonObject | undefined) | undefined
}

export type Canonical = { rootHash: string; memories: number; forgotten: number; remade: number }

/**
 * Writes canonical form: one header, then winners, one forget line per target and unknown lines, in order; each line as
 * memctl writes it. The same set of lines gives the same bytes, whatever files it came from.
 */
export function writeCanonical(sink: Sink, options: CanonicalOptions): Canonical {
  const { table, sources, remake } = options
  const frame = buildFrame(options.form, buildHeader(options))
  const rows = selectRows(options)
  const { columns } = table.part
  const checks = remake === undefined ? columns.check : Buffer.from(columns.check)
  const writer = createRowWriter({ sink, sources, columns, checks, between: frame.between, remake })
  const counts = [0, 0, 0]
  sink.write(frame.before)
  for (const row of rows) {
    writer.put(row)
    const kind = columns.kind[row] as number
    counts[kind] = (counts[kind] as number) + 1
  }
  writer.flush()
  sink.write(rows.length > 0 ? frame.after : frame.afterNone)
  return {
    rootHash: hashSorted({ bytes: checks, width: CHECK_BYTES }, rows),
    memories: counts[MEMORY] as number,
    forgotten: counts[FORGET] as number,
    remade: writer.remade
  }
}

function selectRows({ table, isDropped }: CanonicalOptions): Uint32Array {
  const kept = table.listKept()
  if (isDropped === undefined) return kept
  return kept.filter((row) => {
    const { id } = table.row(row)
    return id === undefined || !isDropped(id)
  })
}

/** `count` and `ids_hash` describe the known ids of the file that is written. */
function buildHeader({ table, headers, isDropped }: CanonicalOptions): JsonObject {
  const joined = joinHeaders(headers)
  const { size, keys } = table.ids
  if (isDropped === undefined) return { ...joined, count: size, ids_hash: table.idsHash() }
  const known = Uint32Array.from({ length: size }, (_, id) => id).filter(
    (id) => !isDropped(keys.subarray(id * ID_BYTES, (id + 1) * ID_BYTES))
  )
  return { ...joined, count: known.length, ids_hash: hashSorted({ bytes: keys, width: ID_BYTES }, known) }
}

type Frame = { before: string; between: string; after: string; afterNone: string }

/**
 * In object form `records` comes first and each record has a line of its own, so that this form can be compared line by
 * line too.
 */
function buildFrame(form: Form, header: JsonObject): Frame {
  const line = serializeRecord(header)
  if (Buffer.byteLength(line) >= HEADER_BYTES_MAX) {
    throw new Fault('invalid_snapshot', `the merged header has more than ${HEADER_BYTES_MAX} bytes of fields`)
  }
  if (form === 'jsonl') return { before: `${line}\n`, between: '\n', after: '\n', afterNone: '' }
  return {
    before: '{"records":[\n',
    between: ',\n',
    after: `\n],${line.slice(1)}\n`,
    afterNone: `],${line.slice(1)}\n`
  }
}

type RowWriting = {
  sink: Sink
  sources: readonly Source[]
  columns: RecordColumns
  /** 32 bytes per row, for the checks of recreated memories. */
  checks: Buffer
  /** The separator of two lines. */
  between: string
  /** Returns a new record for a memory, or undefined to keep the line unchanged. */
  remake: ((record: JsonObject) => JsonObject | undefined) | undefined
}

/** Copies records in the given order, each as memctl writes it. */
type RowWriter = {
  put(row: number): void
  readonly remade: number
  /** Writes what is still buffered. */
  flush(): void
}

/**
 * Canonical lines that are adjacent in both the old and the new file, which is the usual case, are copied as one range
 * of bytes without parsing.
 */
function createRowWriter({ sink, sources, columns, checks, between, remake }: RowWriting): RowWriter {
  const readers = sources.map(createRowReader)
  const run = { source: -1, start: 0, end: 0 }
  const areLines: boolean[] = []
  let isFirst = true
  let remade = 0

  const flush = (): void => {
    const source = sources[run.source]
    if (source !== undefined) copyBytes(source, sink, run)
    run.source = -1
  }

  const separate = (): void => {
    if (!isFirst) sink.write(between)
    isFirst = false
  }

  const putText = (row: number): void => {
    const record = readRecord(readers, columns, row)
    const made = columns.kind[row] === MEMORY ? remake?.(record) : undefined
    const line = serializeRecord(made ?? record)
    if (made !== undefined) {
      remade++
      checks.write(line.slice(-66, -2), row * CHECK_BYTES, 'hex')
    }
    separate()
    sink.write(line)
  }

  return {
    get remade() {
      return remade
    },
    flush,
    put(row) {
      const isCopied = columns.canonical[row] === 1 && (remake === undefined || columns.kind[row] !== MEMORY)
      if (!isCopied) {
        flush()
        putText(row)
        return
      }
      const source = columns.source[row] as number
      const offset = columns.offset[row] as number
      const isNext = between === LF && source === run.source && offset === run.end + 1
      if (isNext) areLines[source] ??= hasLf(sources[source], run.end)
      const goesOn = isNext && areLines[source]
      if (!goesOn) {
        flush()
        separate()
        run.source = source
        run.start = offset
      }
      run.end = offset + (columns.length[row] as number)
    }
  }
}

function readRecord(readers: readonly RowReader[], columns: RecordColumns, row: number): JsonObject {
  const place = { offset: columns.offset[row] as number, length: columns.length[row] as number }
  return readers[columns.source[row] as number]?.record(place) ?? {}
}

const LF = '\n'

/**
 * A single byte between two records is an LF between lines, and a comma in object form. One look per source suffices.
 */
function hasLf(source: Source | undefined, at: number): boolean {
  const byte = Buffer.alloc(1)
  return source?.read(byte, at) === 1 && byte.toString() === LF
}

/** Copies a range of a file. Throws a fault if the file has been truncated since it was opened. */
export function copyBytes(source: Source, sink: Sink, { start, end }: { start: number; end: number }): void {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, end - start))
  for (let at = start; at < end; ) {
    const got = source.read(block.subarray(0, Math.min(block.length, end - at)), at)
    if (got === 0) throw new Fault('invalid_snapshot', `${source.path} was truncated while it was being read`)
    sink.write(block.subarray(0, got))
    at += got
  }
}
