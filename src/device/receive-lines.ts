import type { LeftOut } from '../contract/endpoints/device-memory.ts'
import { Fault } from '../contract/faults.ts'
import type { SnapshotHeader } from '../contract/snapshot.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { ParsedLine, SeenRecord } from '../snapshot/record/check-record-shape.ts'
import { parseHeader } from '../snapshot/record/create-header.ts'
import { parseLine, toRecord } from '../snapshot/record/parse-line.ts'
import { findLosses } from '../snapshot/survey.ts'
import { createRecordTable, type RecordTable } from '../snapshot/table/record-table.ts'

/** The content of a complete transfer, as counted by the sender. */
export type Received = { records: number; rootHash: string; leftOut?: LeftOut | undefined }

/**
 * Progress so far; `total` is the number of memories and forgets in the header, which excludes repeats and other lines.
 */
export type ReceiveProgress = { records: number; bytes: number; total: number }

/** Receives the bytes of a transfer. Every method throws `broken_transfer` as soon as an error is found. */
export type LineReceiver = {
  /**
   * Validates the lines that are now complete, and passes their bytes to `keep`, except the line that ends the
   * transfer.
   */
  take(chunk: Uint8Array): void
  progress(): ReceiveProgress
  /** Checks after the last byte that the transfer was ended and that its content matches the end line. */
  finish(): Received
}

/**
 * Validates an export line by line as it arrives: a header, records, and the line `{"type":"end",…}` with their number
 * and root hash, which is not kept. Memory grows by about 100 bytes per line.
 */
export function receiveLines(keep: (bytes: Uint8Array) => void): LineReceiver {
  const state: State = { table: createRecordTable(), parts: [], waiting: 0, lines: 0, bytes: 0, records: 0 }
  return {
    take: (chunk) => {
      state.bytes += chunk.length
      if (chunk.lastIndexOf(LF) < 0) bufferChunk(state, chunk)
      else takeLines(state, Buffer.concat([...state.parts, chunk]), keep)
    },
    progress: () => ({ records: state.records, bytes: state.bytes, total: state.header?.count ?? 0 }),
    finish: () => finish(state)
  }
}

const LF = 0x0a

type State = {
  table: RecordTable
  /** The chunks of the unfinished line, and their total size. */
  parts: Uint8Array[]
  waiting: number
  lines: number
  bytes: number
  records: number
  header?: SnapshotHeader
  end?: Received | undefined
}

function bufferChunk(state: State, chunk: Uint8Array): void {
  state.parts.push(chunk)
  state.waiting += chunk.length
  if (state.waiting > LINE_BYTES_MAX)
    throw createBrokenFault(`line ${state.lines + 1} is longer than ${LINE_BYTES_MAX} bytes`)
}

/** `bytes` start at the beginning of a line and contain an LF. */
function takeLines(state: State, bytes: Buffer, keep: (bytes: Uint8Array) => void): void {
  let start = 0
  let kept = 0
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
    takeLine(state, bytes, { start, end })
    start = end + 1
    if (state.end === undefined) kept = start
  }
  keep(bytes.subarray(0, kept))
  state.parts = []
  state.waiting = 0
  // Copied, so that the memory of the chunk can be freed.
  if (start < bytes.length) bufferChunk(state, Uint8Array.from(bytes.subarray(start)))
}

type Range = { start: number; end: number }

function takeLine(state: State, bytes: Buffer, { start, end }: Range): void {
  state.lines++
  if (state.end !== undefined) throw createBrokenFault(`line ${state.lines} follows the end line`)
  const parsed = parseLine(bytes, start, end)
  if (state.lines === 1) {
    takeHeader(state, parsed)
  } else if (typeof parsed === 'string') {
    state.end = parseEnd(bytes, { start, end })
    if (state.end === undefined) throw createBrokenFault(`line ${state.lines} ${parsed}`)
  } else if (parsed.kind === 'header') {
    throw createBrokenFault(`line ${state.lines} is a second header`)
  } else {
    state.records++
    state.table.add({ ...parsed, offset: start, length: end - start, line: state.lines } as SeenRecord, 0)
  }
}

/** @throws Fault `unsupported_version` for a format that only a newer program reads. */
function takeHeader(state: State, parsed: ParsedLine | string): void {
  if (typeof parsed === 'string' || parsed.kind !== 'header')
    throw createBrokenFault('expected a snapshot header in the first line')
  const header = parseHeader(toRecord(parsed.view), 'the export')
  if (typeof header === 'string') throw createBrokenFault(`invalid header: ${header}`)
  state.header = header
}

/** Maximum length of an end line, including the damaged lines that it lists, in bytes. */
const END_BYTES_MAX = 64 * 1024

function parseEnd(bytes: Buffer, { start, end }: Range): Received | undefined {
  if (end - start > END_BYTES_MAX) return undefined
  try {
    const { type, records, root_hash, left_out } = JSON.parse(bytes.toString('utf8', start, end))
    const isEnd = type === 'end' && Number.isSafeInteger(records) && /^[0-9a-f]{64}$/.test(root_hash)
    return isEnd ? { records, rootHash: root_hash, leftOut: parseLeftOut(left_out) } : undefined
  } catch {
    return undefined
  }
}

/** Parses what the sender says about lines that it left out; undefined if it says nothing. */
function parseLeftOut(value: unknown): LeftOut | undefined {
  const { count, missing, lines } = (value ?? {}) as Partial<LeftOut>
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(missing) || !Array.isArray(lines)) return undefined
  const areNamed = lines.every(
    ({ seq, id, reason }) => Number.isSafeInteger(seq) && typeof id === 'string' && typeof reason === 'string'
  )
  return areNamed ? { count: Number(count), missing: Number(missing), lines } : undefined
}

function finish({ end, records, table, header }: State): Received {
  if (end === undefined || header === undefined)
    throw createBrokenFault(`the transfer ended after ${records} records, without an end line`)
  if (end.records !== records) throw createBrokenFault(`expected ${end.records} records, received ${records}`)
  if (end.rootHash !== table.rootHash())
    throw createBrokenFault('the root hash of the received lines differs from the one that the server computed')
  const { lost, reason } = findLosses([header], table)
  if (lost > 0) throw createBrokenFault(`lines are missing: ${reason}`)
  return end
}

function createBrokenFault(why: string): Fault {
  return new Fault('broken_transfer', `the export is incomplete: ${why}`, {
    hint: 'run the command again; nothing was written'
  })
}
