import type { LeftOut } from '../contract/endpoints/device-memory.ts'
import { Fault } from '../contract/faults.ts'
import type { SnapshotHeader } from '../contract/snapshot.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { ParsedLine, SeenRecord } from '../snapshot/record/check-record-shape.ts'
import { parseHeader } from '../snapshot/record/create-header.ts'
import { parseLine, toRecord } from '../snapshot/record/parse-line.ts'
import { findLosses } from '../snapshot/survey.ts'
import { createRecordTable, type RecordTable } from '../snapshot/table/record-table.ts'

/** What a transfer brought, whole and as the sender counted it. */
export type Received = { records: number; rootHash: string; leftOut?: LeftOut | undefined }

/** So far; `total` is what the header says of memories and forgets, repeats and others not counted. */
export type ReceiveProgress = { records: number; bytes: number; total: number }

/** Takes the bytes of a transfer as they come. Every method throws `broken_transfer` as soon as something is wrong. */
export type LineReceiver = {
  /** Judges the lines that are whole now, and gives their bytes to `keep`, but for the one that ends the transfer. */
  take(chunk: Uint8Array): void
  progress(): ReceiveProgress
  /** After the last byte: tests that the transfer was ended, and holds what it brought to what its end says. */
  finish(): Received
}

/**
 * Judges an export as it comes, line by line: a header, records, and the line `{"type":"end",…}` with their number and root
 * hash, which is not kept. Memory grows by about 100 bytes a line.
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
  /** The line begun, in the chunks that it came in, and their bytes. */
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

/** `bytes` begin with a line and have an LF. */
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
  // Copied, so that the memory of the chunk can go.
  if (start < bytes.length) bufferChunk(state, Uint8Array.from(bytes.subarray(start)))
}

type Range = { start: number; end: number }

function takeLine(state: State, bytes: Buffer, { start, end }: Range): void {
  state.lines++
  if (state.end !== undefined) throw createBrokenFault(`line ${state.lines} comes after the end`)
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
    throw createBrokenFault('it does not begin with a snapshot header')
  const header = parseHeader(toRecord(parsed.view), 'the export')
  if (typeof header === 'string') throw createBrokenFault(`its header is not sound: ${header}`)
  state.header = header
}

/** No end is longer, with the damaged lines that it names. In bytes. */
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

/** What the sender says of lines that it left out; undefined where it says nothing of the kind. */
function parseLeftOut(value: unknown): LeftOut | undefined {
  const { count, missing, lines } = (value ?? {}) as Partial<LeftOut>
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(missing) || !Array.isArray(lines)) return undefined
  const areNamed = lines.every(
    ({ seq, id, reason }) => Number.isSafeInteger(seq) && typeof id === 'string' && typeof reason === 'string'
  )
  return areNamed ? { count: Number(count), missing: Number(missing), lines } : undefined
}

function finish({ end, records, table, header }: State): Received {
  if (end === undefined || header === undefined) throw createBrokenFault(`it broke off after ${records} records`)
  if (end.records !== records) throw createBrokenFault(`${records} records came of ${end.records}`)
  if (end.rootHash !== table.rootHash())
    throw createBrokenFault('the root hash of what came is not the one that the server worked out')
  const { lost, reason } = findLosses([header], table)
  if (lost > 0) throw createBrokenFault(`lines are missing: ${reason}`)
  return end
}

function createBrokenFault(why: string): Fault {
  return new Fault('broken_transfer', `the export is not whole: ${why}`, {
    hint: 'run the command again; nothing was written'
  })
}
