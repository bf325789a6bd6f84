import { type ByteTable, createByteTable, readHex } from './byte-table.ts'
import { forgetId } from './identity.ts'
import type { Seen } from './read-snapshot.ts'
import { has, isTime } from './record-shape.ts'
import { MEMBERS, memberNumber, memberString, type RecordView } from './record-view.ts'
import { hashOfSorted } from './sorted-order.ts'
import { timeKey } from './time-key.ts'

/**
 * Where every record of one or more files stands and which of them count: a row of about 100 bytes for each sound line,
 * nothing of its text. From it follow winners, what is forgotten, canonical order and both hashes.
 */
export type RecordTable = {
  readonly rows: number
  /** One for each distinct id of a memory or target of a forget line, 16 bytes each: the known ids. */
  readonly ids: ByteTable
  add(seen: Seen, source: number): void
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

export type RecordCounts = { memories: number; forgotten: number; unknown: number; surplus: number }

const MEMORY = 0
const FORGET = 1
const UNKNOWN = 2
const KINDS = ['memory', 'forget', 'unknown'] as const

/** An empty table. `expected` rows fit without growing. */
export function createRecordTable(expected = 0): RecordTable {
  let columns = makeColumns(Math.max(1024, expected))
  let rows = 0
  const ids = createByteTable(16, expected)
  const unknowns = createByteTable(32)
  /** The `id` of an unknown line, which may be any text. */
  const unknownIds = new Map<number, string>()
  const forgetIds = new Map<number, string>()
  const winners: number[] = []
  const forgets: number[] = []
  const id16 = Buffer.alloc(16)

  const isBetter = (a: number, b: number): boolean => {
    const c = columns
    const byExtractor = (c.extractor[a] as number) - (c.extractor[b] as number)
    if (byExtractor !== 0) return byExtractor > 0
    const byTime = (c.at[a] as number) - (c.at[b] as number)
    return byTime !== 0 ? byTime < 0 : compareChecks(a, b) < 0
  }

  const compareChecks = (a: number, b: number): number =>
    columns.check.compare(columns.check, b * 32, b * 32 + 32, a * 32, a * 32 + 32)

  const takeId = (view: RecordView, kind: number): number => {
    const member = kind === MEMORY ? MEMBERS.id : MEMBERS.target
    readHex(view.bytes, (view.at[member] as number) + 5, id16)
    const id = ids.add(id16, 0)
    if (id === winners.length) {
      winners.push(-1)
      forgets.push(-1)
    }
    return id
  }

  const idText = (row: number): string => {
    const id = columns.id[row] as number
    if (columns.kind[row] === UNKNOWN) return unknownIds.get(row) ?? ''
    const memory = `mem_${ids.keys.toString('hex', id * 16, id * 16 + 16)}`
    return columns.kind[row] === MEMORY ? memory : forgetIdOf(row, memory)
  }

  /** Worked out only where the order hangs on it, and once. */
  const forgetIdOf = (row: number, target: string): string => {
    const text = forgetIds.get(row) ?? forgetId(target)
    forgetIds.set(row, text)
    return text
  }

  const compare = (a: number, b: number): number => {
    const c = columns
    return (
      (c.at[a] as number) - (c.at[b] as number) ||
      comparePositions(c.position[a] as number, c.position[b] as number) ||
      compareText(idText(a), idText(b)) ||
      compareChecks(a, b)
    )
  }

  const idBytes = (id: number): Buffer | undefined => (id < 0 ? undefined : ids.keys.subarray(id * 16, id * 16 + 16))

  const isKept = (row: number): boolean => {
    const id = columns.id[row] as number
    const kind = columns.kind[row]
    if (kind === UNKNOWN) return true
    return kind === FORGET ? forgets[id] === row : winners[id] === row && (forgets[id] as number) < 0
  }

  const keptRows = (): number[] => {
    const kept: number[] = []
    for (let row = 0; row < rows; row++) if (isKept(row)) kept.push(row)
    return kept
  }

  return {
    get rows() {
      return rows
    },
    ids,
    add(seen, source) {
      const { view } = seen
      const kind = seen.kind === 'memory' ? MEMORY : seen.kind === 'forget' ? FORGET : UNKNOWN
      const before = unknowns.size
      if (kind === UNKNOWN && unknowns.add(Buffer.from(seen.check, 'hex'), 0) < before) return
      if (rows === columns.at.length) columns = grown(columns)
      const row = rows++
      fillRow(columns, row, { seen, source, kind })
      columns.check.write(seen.check, row * 32, 'hex')
      if (kind === UNKNOWN) {
        const text = idOfUnknown(view)
        if (text !== undefined) unknownIds.set(row, text)
        return
      }
      const id = takeId(view, kind)
      columns.id[row] = id
      const best = kind === MEMORY ? winners : forgets
      const rival = best[id] as number
      if (rival < 0 || isBetter(row, rival)) best[id] = row
    },
    row: (row) => ({
      source: columns.source[row] as number,
      offset: columns.offset[row] as number,
      length: columns.length[row] as number,
      line: columns.line[row] as number,
      canonical: columns.canonical[row] === 1,
      kind: KINDS[columns.kind[row] as number] as Row['kind'],
      id: idBytes(columns.id[row] as number)
    }),
    check: (row) => columns.check.toString('hex', row * 32, row * 32 + 32),
    kept() {
      const kept = Uint32Array.from(keptRows())
      for (let i = 1; i < kept.length; i++) {
        if (compare(kept[i - 1] as number, kept[i] as number) > 0) return kept.sort(compare)
      }
      return kept
    },
    winner: (id) => winners[id] ?? -1,
    forget: (id) => forgets[id] ?? -1,
    counts() {
      const kept = keptRows()
      const of = (kind: number): number => kept.filter((row) => columns.kind[row] === kind).length
      return { memories: of(MEMORY), forgotten: of(FORGET), unknown: of(UNKNOWN), surplus: rows - kept.length }
    },
    idsHash: () => hashOfSorted(ids.keys, ids.size, 16),
    rootHash() {
      const kept = keptRows()
      if (kept.length === rows) return hashOfSorted(columns.check, rows, 32)
      const checks = Buffer.alloc(kept.length * 32)
      kept.forEach((row, i) => columns.check.copy(checks, i * 32, row * 32, row * 32 + 32))
      return hashOfSorted(checks, kept.length, 32)
    }
  }
}

type Columns = {
  kind: Uint8Array
  source: Uint16Array
  canonical: Uint8Array
  offset: Float64Array
  length: Uint32Array
  line: Float64Array
  at: Float64Array
  position: Float64Array
  extractor: Float64Array
  id: Int32Array
  check: Buffer
}

function makeColumns(rows: number): Columns {
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

function grown(columns: Columns): Columns {
  const larger = makeColumns(columns.at.length * 2)
  for (const name of Object.keys(columns) as (keyof Columns)[]) larger[name].set(columns[name] as never)
  return larger
}

type NewRow = { seen: Seen; source: number; kind: number }

function fillRow(columns: Columns, row: number, { seen, source, kind }: NewRow): void {
  const { view } = seen
  columns.kind[row] = kind
  columns.source[row] = source
  columns.canonical[row] = view.canonical ? 1 : 0
  columns.offset[row] = seen.offset
  columns.length[row] = seen.length
  columns.line[row] = seen.line
  const isDated = kind !== UNKNOWN || (has(view, MEMBERS.at) && isTime(view, MEMBERS.at))
  columns.at[row] = isDated ? timeKey(view.bytes, view.at[MEMBERS.at] as number, view.at[MEMBERS.at + 1] as number) : -1
  const position = memberNumber(view, MEMBERS.position)
  columns.position[row] = Number.isSafeInteger(position) ? (position as number) : Number.NEGATIVE_INFINITY
  columns.extractor[row] = kind === MEMORY ? (memberNumber(view, MEMBERS.extractor) ?? 0) : 0
  columns.id[row] = -1
}

function idOfUnknown(view: RecordView): string | undefined {
  const isString = view.bytes[view.at[MEMBERS.id] as number] === 0x22 && view.at[MEMBERS.id] !== 0
  return isString ? memberString(view, MEMBERS.id) : undefined
}

/** -Infinity, which stands for no position, is equal to itself and before all others. */
function comparePositions(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
