import { type ByteTable, createByteTable, readHex } from './byte-table.ts'
import { forgetId } from './identity.ts'
import type { Seen } from './read-snapshot.ts'
import {
  compareChecks,
  copyRow,
  FORGET,
  fillRow,
  grownColumns,
  isBetterRow,
  MEMORY,
  makeColumns,
  type RecordColumns,
  ROW_KINDS,
  UNKNOWN
} from './record-columns.ts'
import { MEMBERS, type Member, memberString, type RecordView } from './record-view.ts'
import { hashOfSorted } from './sorted-order.ts'

/**
 * Where every record of one or more files stands and which of them count: a row of about 100 bytes for each sound line,
 * nothing of its text. From it follow winners, what is forgotten, canonical order and both hashes.
 */
export type RecordTable = {
  readonly rows: number
  /** One for each distinct id of a memory or target of a forget line, 16 bytes each: the known ids. */
  readonly ids: ByteTable
  add(seen: Seen, source: number): void
  /** All that the table holds, for `absorb`. Not to be changed. */
  readonly part: TablePart
  /** Takes in what another table holds, as that of source number `source` whose lines come after `lines` others. */
  absorb(part: TablePart, place: { source: number; lines: number }): void
  row(row: number): Row
  /** 64 hex digits. */
  check(row: number): string
  /** The rows that canonical form keeps, in its order: winners that are not forgotten, one forget line a target, unknown lines. */
  kept(): Uint32Array
  /** The winning row of a known id, or -1; and the row of its forget line, or -1. */
  winner(id: number): number
  forget(id: number): number
  counts(): RecordCounts
  idsHash(): string
  rootHash(): string
}

export type Row = {
  source: number
  offset: number
  length: number
  line: number
  canonical: boolean
  kind: 'memory' | 'forget' | 'unknown'
  /** 16 bytes: the memory's id, or the forget line's target. Undefined for an unknown line. */
  id: Buffer | undefined
}

/** What a table holds, as plain arrays that can be handed from one thread to another. */
export type TablePart = {
  columns: RecordColumns
  rows: number
  /** The known ids, 16 bytes each, in the order of their numbers. */
  ids: Buffer
  idCount: number
  unknownIds: Map<number, string>
}

export type RecordCounts = { memories: number; forgotten: number; unknown: number; surplus: number }

type State = {
  columns: RecordColumns
  rows: number
  ids: ByteTable
  /** By the number of a known id: the row of its best memory line and of its best forget line, or -1. */
  winners: number[]
  forgets: number[]
  /** Checks of unknown lines: each distinct one is one. */
  unknowns: ByteTable
  /** The `id` of an unknown line, which may be any text. */
  unknownIds: Map<number, string>
  /** Ids of forget lines, worked out only where the order hangs on them, and once. */
  forgetIds: Map<number, string>
}

/** An empty table. `expected` rows fit without growing. */
export function createRecordTable(expected = 0): RecordTable {
  const state: State = {
    columns: makeColumns(Math.max(ROWS_MIN, expected)),
    rows: 0,
    ids: createByteTable(16, expected),
    winners: [],
    forgets: [],
    unknowns: createByteTable(32),
    unknownIds: new Map(),
    forgetIds: new Map()
  }
  return {
    get rows() {
      return state.rows
    },
    ids: state.ids,
    get part() {
      const { columns, rows, ids, unknownIds } = state
      return { columns, rows, ids: ids.keys, idCount: ids.size, unknownIds }
    },
    add: (seen, source) => addRow(state, seen, source),
    absorb: (part, place) => absorbPart(state, part, place),
    row: (row) => rowOf(state, row),
    check: (row) => state.columns.check.toString('hex', row * 32, row * 32 + 32),
    kept: () => inOrder(state, Uint32Array.from(keptRows(state))),
    winner: (id) => state.winners[id] ?? -1,
    forget: (id) => state.forgets[id] ?? -1,
    counts: () => countRows(state),
    idsHash: () => hashOfSorted(state.ids.keys, state.ids.size, 16),
    rootHash: () => rootHashOf(state)
  }
}

const ROWS_MIN = 1024
const id16 = Buffer.alloc(16)

function addRow(state: State, seen: Seen, source: number): void {
  if (seen.kind !== 'memory' && seen.kind !== 'forget') {
    const before = state.unknowns.size
    if (state.unknowns.add(Buffer.from(seen.check, 'hex'), 0) < before) return
  }
  if (state.rows === state.columns.at.length) state.columns = grownColumns(state.columns)
  const row = state.rows++
  fillRow(state.columns, row, { seen, source })
  if (seen.kind === 'memory') settle(state, row, { view: seen.view, member: MEMBERS.id, best: state.winners })
  else if (seen.kind === 'forget') settle(state, row, { view: seen.view, member: MEMBERS.target, best: state.forgets })
  else noteUnknownId(state, row, seen.view)
}

type Claim = { view: RecordView; member: Member; best: number[] }

/** Notes the row under its known id, and whether it wins there. */
function settle(state: State, row: number, { view, member, best }: Claim): void {
  readHex(view.bytes, (view.at[member] as number) + 5, id16)
  const id = numberOf(state, id16, 0)
  state.columns.id[row] = id
  contend(state, row, best)
}

function numberOf(state: State, bytes: Uint8Array, at: number): number {
  const id = state.ids.add(bytes, at)
  if (id === state.winners.length) {
    state.winners.push(-1)
    state.forgets.push(-1)
  }
  return id
}

function contend({ columns }: State, row: number, best: number[]): void {
  const id = columns.id[row] as number
  const rival = best[id] as number
  if (rival < 0 || isBetterRow(columns, row, rival)) best[id] = row
}

function absorbPart(state: State, part: TablePart, { source, lines }: { source: number; lines: number }): void {
  const numbers = new Int32Array(part.idCount)
  for (let id = 0; id < part.idCount; id++) numbers[id] = numberOf(state, part.ids, id * 16)
  const isKnown = (row: number): boolean => {
    const before = state.unknowns.size
    return part.columns.kind[row] === UNKNOWN && state.unknowns.add(part.columns.check, row * 32) < before
  }
  for (let from = 0; from < part.rows; from++) {
    if (isKnown(from)) continue
    if (state.rows === state.columns.at.length) state.columns = grownColumns(state.columns)
    const row = state.rows++
    const { columns } = state
    copyRow(part.columns, from, { columns, row })
    columns.source[row] = source
    columns.line[row] = (columns.line[row] as number) + lines
    const id = part.columns.id[from] as number
    columns.id[row] = id < 0 ? -1 : (numbers[id] as number)
    if (columns.kind[row] === MEMORY) contend(state, row, state.winners)
    else if (columns.kind[row] === FORGET) contend(state, row, state.forgets)
    else if (part.unknownIds.has(from)) state.unknownIds.set(row, part.unknownIds.get(from) ?? '')
  }
}

function noteUnknownId(state: State, row: number, view: RecordView): void {
  const start = view.at[MEMBERS.id] as number
  if (start === 0 || view.bytes[start] !== 0x22) return
  state.unknownIds.set(row, memberString(view, MEMBERS.id) ?? '')
}

function rowOf({ columns, ids }: State, row: number): Row {
  const id = columns.id[row] as number
  return {
    source: columns.source[row] as number,
    offset: columns.offset[row] as number,
    length: columns.length[row] as number,
    line: columns.line[row] as number,
    canonical: columns.canonical[row] === 1,
    kind: ROW_KINDS[columns.kind[row] as number] as Row['kind'],
    id: id < 0 ? undefined : ids.keys.subarray(id * 16, id * 16 + 16)
  }
}

function keptRows({ columns, rows, winners, forgets }: State): number[] {
  const kept: number[] = []
  for (let row = 0; row < rows; row++) {
    const id = columns.id[row] as number
    const kind = columns.kind[row]
    const isForget = kind === FORGET && forgets[id] === row
    const isLive = kind === MEMORY && winners[id] === row && (forgets[id] as number) < 0
    if (isForget || isLive || kind === UNKNOWN) kept.push(row)
  }
  return kept
}

/** Sorts rows into canonical order, which most files are in already. */
function inOrder(state: State, rows: Uint32Array): Uint32Array {
  const compare = (a: number, b: number): number => compareRows(state, a, b)
  for (let i = 1; i < rows.length; i++) {
    if (compare(rows[i - 1] as number, rows[i] as number) > 0) return rows.sort(compare)
  }
  return rows
}

/** By time, position, id and check, absent first. */
function compareRows(state: State, a: number, b: number): number {
  const { at, position } = state.columns
  return (
    (at[a] as number) - (at[b] as number) ||
    compareValues(position[a] as number, position[b] as number) ||
    compareValues(idText(state, a), idText(state, b)) ||
    compareChecks(state.columns, a, b)
  )
}

/** Not by subtraction: -Infinity, which stands for no position, is equal to itself. */
function compareValues<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function idText({ columns, ids, unknownIds, forgetIds }: State, row: number): string {
  if (columns.kind[row] === UNKNOWN) return unknownIds.get(row) ?? ''
  const id = columns.id[row] as number
  const memory = `mem_${ids.keys.toString('hex', id * 16, id * 16 + 16)}`
  if (columns.kind[row] === MEMORY) return memory
  const text = forgetIds.get(row) ?? forgetId(memory)
  forgetIds.set(row, text)
  return text
}

function countRows(state: State): RecordCounts {
  const counts = [0, 0, 0]
  const kept = keptRows(state)
  for (const row of kept) {
    const kind = state.columns.kind[row] as number
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  const [memories = 0, forgotten = 0, unknown = 0] = counts
  return { memories, forgotten, unknown, surplus: state.rows - kept.length }
}

function rootHashOf(state: State): string {
  const { check } = state.columns
  const kept = keptRows(state)
  if (kept.length === state.rows) return hashOfSorted(check, state.rows, 32)
  const checks = Buffer.alloc(kept.length * 32)
  for (const [i, row] of kept.entries()) check.copy(checks, i * 32, row * 32, row * 32 + 32)
  return hashOfSorted(checks, kept.length, 32)
}
