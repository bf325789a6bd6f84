import { Fault } from '../contract/faults.ts'
import type { JsonObject } from './canonical-json.ts'
import { lineOf } from './check.ts'
import { BLOCK_BYTES } from './limits.ts'
import { CHECK_BYTES, MEMORY, type RecordColumns } from './record-columns.ts'
import type { Sink } from './replace-file.ts'
import { createRowReader } from './row-reader.ts'
import type { Source } from './source.ts'

export type RowWriting = {
  sink: Sink
  sources: readonly Source[]
  columns: RecordColumns
  /** 32 bytes a row: where the checks of memories made anew go. */
  checks: Buffer
  /** What stands between two lines. */
  between: string
  /** A memory's record made anew, or undefined to keep the line as it is. */
  remake: ((record: JsonObject) => JsonObject | undefined) | undefined
}

/** Copies records in the order they are put in, each as memctl writes it. */
export type RowWriter = {
  put(row: number): void
  readonly remade: number
  /** Writes what was put and is not yet written. */
  flush(): void
}

/**
 * Lines that are canonical and follow one another in the old file as they do in the new one, which is the usual case, are
 * copied as one stretch of bytes, unread.
 */
export function createRowWriter({ sink, sources, columns, checks, between, remake }: RowWriting): RowWriter {
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
    const record = recordAt(row)
    const made = columns.kind[row] === MEMORY ? remake?.(record) : undefined
    const line = lineOf(made ?? record)
    if (made !== undefined) {
      remade++
      checks.write(line.slice(-66, -2), row * CHECK_BYTES, 'hex')
    }
    separate()
    sink.write(line)
  }

  const recordAt = (row: number): JsonObject => {
    const place = { offset: columns.offset[row] as number, length: columns.length[row] as number }
    return readers[columns.source[row] as number]?.record(place) ?? {}
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

const LF = '\n'

/** A single byte between two records is an LF between lines, and a comma in the object form: one look a source tells. */
function hasLf(source: Source | undefined, at: number): boolean {
  const byte = Buffer.alloc(1)
  return source?.read(byte, at) === 1 && byte.toString() === LF
}

/** Copies a stretch of a file. Throws where the file has become shorter since it was opened. */
export function copyBytes(source: Source, sink: Sink, { start, end }: { start: number; end: number }): void {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, end - start))
  for (let at = start; at < end; ) {
    const got = source.read(block.subarray(0, Math.min(block.length, end - at)), at)
    if (got === 0) throw new Fault('invalid_snapshot', `${source.path} became shorter while it was read`)
    sink.write(block.subarray(0, got))
    at += got
  }
}
