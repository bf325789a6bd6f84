import { Fault } from '../contract/faults.ts'
import type { SnapshotHeader } from '../contract/snapshot.ts'
import type { JsonObject } from './canonical-json.ts'
import { lineOf } from './check.ts'
import { joinHeaders } from './header.ts'
import { HEADER_BYTES_MAX } from './limits.ts'
import type { Form } from './read-snapshot.ts'
import { CHECK_BYTES, FORGET, ID_BYTES, MEMORY } from './record-columns.ts'
import type { RecordTable } from './record-table.ts'
import type { Sink } from './replace-file.ts'
import { createRowWriter } from './row-writer.ts'
import { hashOfSorted } from './sorted-order.ts'
import type { Source } from './source.ts'

export type CanonicalOptions = {
  table: RecordTable
  /** By the number under which each went into the table. */
  sources: readonly Source[]
  headers: readonly SnapshotHeader[]
  form: Form
  /** Known ids to let go for good: their forget lines and what those hide. */
  isDropped?: (id: Buffer) => boolean
  /** A memory's record made anew, or undefined to keep the line as it is. */
  remake?: ((record: JsonObject) => JsonObject | undefined) | undefined
}

export type Canonical = { rootHash: string; memories: number; forgotten: number; remade: number }

/**
 * Writes canonical form: one header; winners, one forget line a target, unknown lines, in order; every line as memctl
 * writes it. The same set of lines gives the same bytes, whatever files they came from.
 */
export function writeCanonical(sink: Sink, options: CanonicalOptions): Canonical {
  const { table, sources, remake } = options
  const frame = frameOf(options.form, headerFor(options))
  const rows = keptRows(options)
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
    rootHash: hashOfSorted({ bytes: checks, width: CHECK_BYTES }, rows),
    memories: counts[MEMORY] as number,
    forgotten: counts[FORGET] as number,
    remade: writer.remade
  }
}

function keptRows({ table, isDropped }: CanonicalOptions): Uint32Array {
  const kept = table.kept()
  if (isDropped === undefined) return kept
  return kept.filter((row) => {
    const { id } = table.row(row)
    return id === undefined || !isDropped(id)
  })
}

/** `count` and `ids_hash` are of the known ids that the written file has. */
function headerFor({ table, headers, isDropped }: CanonicalOptions): JsonObject {
  const joined = joinHeaders(headers)
  const { size, keys } = table.ids
  if (isDropped === undefined) return { ...joined, count: size, ids_hash: table.idsHash() }
  const known = Uint32Array.from({ length: size }, (_, id) => id).filter(
    (id) => !isDropped(keys.subarray(id * ID_BYTES, (id + 1) * ID_BYTES))
  )
  return { ...joined, count: known.length, ids_hash: hashOfSorted({ bytes: keys, width: ID_BYTES }, known) }
}

type Frame = { before: string; between: string; after: string; afterNone: string }

/** In the object form `records` stands first and each record on a line of its own, so that this form can be diffed too. */
function frameOf(form: Form, header: JsonObject): Frame {
  const line = lineOf(header)
  if (Buffer.byteLength(line) >= HEADER_BYTES_MAX) {
    throw new Fault('invalid_snapshot', `the header lines together have more than ${HEADER_BYTES_MAX} bytes of fields`)
  }
  if (form === 'jsonl') return { before: `${line}\n`, between: '\n', after: '\n', afterNone: '' }
  return {
    before: '{"records":[\n',
    between: ',\n',
    after: `\n],${line.slice(1)}\n`,
    afterNone: `],${line.slice(1)}\n`
  }
}
