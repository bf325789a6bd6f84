import type { SeenRecord } from '../record/check-record-shape.ts'
import { computeForgetId } from '../record/identity.ts'
import { type ByteTable, createByteTable } from './byte-table.ts'
import { hashSorted } from './hash-sorted.ts'
import {
  CHECK_BYTES,
  compareChecks,
  copyRows,
  createColumns,
  FIRST,
  FORGET,
  fillRow,
  growColumns,
  ID_BYTES,
  isBetterRow,
  MEMORY,
  REPEATED,
  type RecordColumns,
  ROW_KINDS,
  UNKNOWN
} from './record-columns.ts'

/**
 * The records of one or more files, with their places: about 100 bytes per valid line, without its text. Winners,
 * forgotten memories, canonical order and both hashes are derived from it.
 */
export type RecordTable = {
  readonly rows: number
  /** The known ids: one per distinct memory id or forget target, 16 bytes each. */
  readonly ids: ByteTable
  add(seen: SeenRecord, source: number): void
  /** The content of the table, for `absorb`. Must not be changed. */
  readonly part: TablePart
  /** Absorbs the content of another table as source number `source`, whose lines follow `lines` others. */
  absorb(part: TablePart, place: { source: number; lines: number }): void
  row(row: number): RecordRow
  /** 64 hex digits. */
  check(row: number): string
  /** Counts the lines of other kinds that would no longer count if these memories, by number, were forgotten too. */
  countFalling(ids: ReadonlySet<number>): number
  /**
   * Lists the rows that canonical form keeps, in its order: winners that are not forgotten, one forget line per target,
   * and unknown lines.
   */
  listKept(): Uint32Array
  /** Returns the winning row of a known id, or -1; and the row of its forget line, or -1. */
  winner(id: number): number
  forget(id: number): number
  counts(): RecordCounts
  idsHash(): string
  rootHash(): string
}

export type RecordRow = {
  source: number
  offset: number
  length: number
  line: number
  canonical: boolean
  kind: 'memory' | 'forget' | 'unknown'
  /** 16 bytes: the memory's id, or the forget line's target. Undefined for an unknown line. */
  id: Buffer | undefined
}

/** The content of a table as plain arrays that can be transferred between threads. */
export type TablePart = {
  columns: RecordColumns
  rows: number
  /** The known ids, 16 bytes each, in the order of their numbers. */
  ids: Buffer
  idCount: number
  unknownIds: Map<number, string>
  unknownTargets: Map<number, readonly string[]>
}

export type RecordCounts = { memories: number; forgotten: number; unknown: number; surplus: number }

type State = {
  columns: RecordColumns
  rows: number
  /** Hex of the checks and ids of the last rows, which are not settled yet. A block of them is decoded at once. */
  checksAhead: string[]
  idsAhead: string[]
  ids: ByteTable
  /** By the number of a known id: the row of its best memory line and of its best forget line, or -1. */
  winners: number[]
  forgets: number[]
  /** Checks of unknown lines; equal ones count once. */
  unknowns: ByteTable
  /** The `id` of an unknown line, which may be any text. */
  unknownIds: Map<number, string>
  /** The memories that an unknown line is about, by row. */
  unknownTargets: Map<number, readonly string[]>
  /** The hash for this number of ids, which only grows. */
  idsHash: { size: number; hash: string } | undefined
  /** Ids of forget lines, computed once and only if the order depends on them. */
  forgetIds: Map<number, string>
}

/** Creates an empty table. `expected` rows fit without growing. */
export function createRecordTable(expected = 0): RecordTable {
  const state: State = {
    columns: createColumns(Math.max(ROWS_MIN, expected)),
    rows: 0,
    checksAhead: [],
    idsAhead: [],
    ids: createByteTable(ID_BYTES, expected),
    winners: [],
    forgets: [],
    unknowns: createByteTable(CHECK_BYTES),
    unknownIds: new Map(),
    unknownTargets: new Map(),
    idsHash: undefined,
    forgetIds: new Map()
  }
  const settleState = (): State => {
    if (state.checksAhead.length > 0) settleRows(state)
    return state
  }
  return {
    get rows() {
      return state.rows
    },
    get ids() {
      return settleState().ids
    },
    get part() {
      const { columns, rows, ids, unknownIds, unknownTargets } = settleState()
      return { columns, rows, ids: ids.keys, idCount: ids.size, unknownIds, unknownTargets }
    },
    add: (seen, source) => addRow(state, seen, source),
    absorb: (part, place) => absorbPart(settleState(), part, place),
    row: (row) => readRow(settleState(), row),
    check: (row) => settleState().columns.check.toString('hex', row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    countFalling: (ids) => countFalling(settleState(), ids),
    listKept: () => sortRows(settleState(), selectKeptRows(state)),
    winner: (id) => settleState().winners[id] ?? -1,
    forget: (id) => settleState().forgets[id] ?? -1,
    counts: () => countRows(settleState()),
    idsHash: () => computeIdsHash(settleState()),
    rootHash: () => computeRootHash(settleState())
  }
}

const ROWS_MIN = 1024
const ROWS_AHEAD = 1024

function addRow(state: State, seen: SeenRecord, source: number): void {
  const row = state.rows++
  if (row === state.columns.at.length) state.columns = growColumns(state.columns, row * 2)
  fillRow(state.columns, row, { seen, source })
  state.checksAhead.push(seen.check)
  if (seen.kind === 'memory' || seen.kind === 'forget') state.idsAhead.push(seen.id.slice(4))
  else {
    if (seen.id !== '') state.unknownIds.set(row, seen.id)
    if (seen.targets !== undefined) state.unknownTargets.set(row, seen.targets)
  }
  if (state.checksAhead.length === ROWS_AHEAD) settleRows(state)
}

/** Sets the checks and id numbers of the last rows, and decides which rows win. */
function settleRows(state: State): void {
  const { columns, rows, checksAhead, idsAhead } = state
  const first = rows - checksAhead.length
  columns.check.write(checksAhead.join(''), first * CHECK_BYTES, 'hex')
  const ids = Buffer.from(idsAhead.join(''), 'hex')
  state.checksAhead = []
  state.idsAhead = []
  for (let row = first, at = 0; row < rows; row++) {
    if (columns.kind[row] === UNKNOWN) columns.id[row] = markUnknown(state, row)
    else {
      columns.id[row] = addId(state, ids, at)
      updateWinner(state, row)
      at += ID_BYTES
    }
  }
}

function markUnknown({ columns, unknowns }: State, row: number): number {
  const before = unknowns.size
  return unknowns.add(columns.check, row * CHECK_BYTES) === before ? FIRST : REPEATED
}

function addId({ ids, winners, forgets }: State, bytes: Uint8Array, at: number): number {
  const id = ids.add(bytes, at)
  if (id === winners.length) {
    winners.push(-1)
    forgets.push(-1)
  }
  return id
}

function updateWinner({ columns, winners, forgets }: State, row: number): void {
  const best = columns.kind[row] === MEMORY ? winners : forgets
  const id = columns.id[row] as number
  const rival = best[id] as number
  if (rival < 0 || isBetterRow(columns, row, rival)) best[id] = row
}

function absorbPart(state: State, part: TablePart, { source, lines }: { source: number; lines: number }): void {
  const first = state.rows
  const end = first + part.rows
  if (end > state.columns.at.length) state.columns = growColumns(state.columns, end)
  const { columns } = state
  copyRows(part.columns, part.rows, { columns, row: first })
  columns.source.fill(source, first, end)
  state.rows = end
  for (let row = first; row < end; row++) {
    columns.line[row] = (columns.line[row] as number) + lines
    if (columns.kind[row] === UNKNOWN) columns.id[row] = markUnknown(state, row)
    else {
      columns.id[row] = addId(state, part.ids, (columns.id[row] as number) * ID_BYTES)
      updateWinner(state, row)
    }
  }
  for (const [row, id] of part.unknownIds) state.unknownIds.set(first + row, id)
  for (const [row, targets] of part.unknownTargets) state.unknownTargets.set(first + row, targets)
}

function readRow({ columns, ids }: State, row: number): RecordRow {
  const id = columns.id[row] as number
  return {
    source: columns.source[row] as number,
    offset: columns.offset[row] as number,
    length: columns.length[row] as number,
    line: columns.line[row] as number,
    canonical: columns.canonical[row] === 1,
    kind: ROW_KINDS[columns.kind[row] as number] as RecordRow['kind'],
    id: id < 0 ? undefined : ids.keys.subarray(id * ID_BYTES, (id + 1) * ID_BYTES)
  }
}

function selectKeptRows(state: State): Uint32Array {
  const { columns, rows, winners, forgets } = state
  const listKept = new Uint32Array(rows)
  let count = 0
  for (let row = 0; row < rows; row++) {
    const id = columns.id[row] as number
    const kind = columns.kind[row]
    const isForget = kind === FORGET && forgets[id] === row
    const isLive = kind === MEMORY && winners[id] === row && (forgets[id] as number) < 0
    const isOther = id === FIRST && !isAboutForgotten(state, row)
    if (isForget || isLive || isOther) listKept[count++] = row
  }
  return listKept.subarray(0, count)
}

function countFalling(state: State, forgotten: ReadonlySet<number>): number {
  const { columns, unknownTargets } = state
  return [...unknownTargets.keys()].filter((row) => {
    if (columns.id[row] !== FIRST || isAboutForgotten(state, row)) return false
    return findTargetIds(state, row).some((id) => forgotten.has(id))
  }).length
}

/** Checks whether a line of another kind is about a memory that is forgotten. */
function isAboutForgotten(state: State, row: number): boolean {
  return findTargetIds(state, row).some((id) => (state.forgets[id] as number) >= 0)
}

/** Returns the numbers of the known ids among the targets of a row. */
function findTargetIds({ ids, unknownTargets }: State, row: number): number[] {
  const targets = unknownTargets.get(row) ?? []
  return targets
    .map((target) => ids.find(Buffer.from(target.slice(MEMORY_PREFIX.length), 'hex'), 0))
    .filter((id) => id >= 0)
}

const MEMORY_PREFIX = 'mem_'

/**
 * Sorts rows into canonical order. Most files are already sorted, or consist of a few sorted runs, which sort fastest.
 */
function sortRows(state: State, rows: Uint32Array): Uint32Array {
  const compare = (a: number, b: number): number => compareRows(state, a, b)
  for (let i = 1; i < rows.length; i++) {
    if (compare(rows[i - 1] as number, rows[i] as number) > 0) return Uint32Array.from([...rows].sort(compare))
  }
  return rows
}

/** Compares time, position, id and check, absent values first. */
function compareRows(state: State, a: number, b: number): number {
  const { at, position } = state.columns
  return (
    (at[a] as number) - (at[b] as number) ||
    compareValues(position[a] as number, position[b] as number) ||
    compareValues(formatId(state, a), formatId(state, b)) ||
    compareChecks(state.columns, a, b)
  )
}

/** Not a subtraction, because -Infinity, which stands for no position, must equal itself. */
function compareValues<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function formatId({ columns, ids, unknownIds, forgetIds }: State, row: number): string {
  if (columns.kind[row] === UNKNOWN) return unknownIds.get(row) ?? ''
  const id = columns.id[row] as number
  const memory = `mem_${ids.keys.toString('hex', id * ID_BYTES, (id + 1) * ID_BYTES)}`
  if (columns.kind[row] === MEMORY) return memory
  const text = forgetIds.get(row) ?? computeForgetId(memory)
  forgetIds.set(row, text)
  return text
}

function countRows(state: State): RecordCounts {
  const counts = [0, 0, 0]
  const listKept = selectKeptRows(state)
  for (const row of listKept) {
    const kind = state.columns.kind[row] as number
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  const [memories = 0, forgotten = 0, unknown = 0] = counts
  return { memories, forgotten, unknown, surplus: state.rows - listKept.length }
}

function computeRootHash(state: State): string {
  return hashSorted({ bytes: state.columns.check, width: CHECK_BYTES }, selectKeptRows(state))
}

/** Needed both to verify the old header and to write the new one. */
function computeIdsHash(state: State): string {
  const { size, keys } = state.ids
  if (state.idsHash?.size !== size) {
    state.idsHash = { size, hash: hashSorted({ bytes: keys, width: ID_BYTES }, size) }
  }
  return state.idsHash.hash
}
