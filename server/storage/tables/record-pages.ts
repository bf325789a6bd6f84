import { Fault } from '../../../src/contract/faults.ts'
import type { TableMethods } from '../database/dialect.ts'
import { toBytes } from '../database/stored-values.ts'
import type { Db, RecordRow } from '../database/tables.ts'
import type { PageRange, RecordStorage } from '../port/collection-storage.ts'
import {
  CHECK_BYTES,
  DAMAGED_KIND,
  type DamagedLine,
  describeDamagedLine,
  findDamagedLines,
  ID_BYTES,
  joinBytes,
  KEY_BYTES,
  RECORD_KINDS,
  type RecordPage
} from '../port/record-batch.ts'
import { missingCollection } from './collections-table.ts'

/** Methods that read lines, one page at a time. */
export const recordPages = {
  /**
   * Reads a page of lines, as documented at `Storage.readPage`. Lines may be removed between measuring and reading. If
   * all of them were, it measures again, so that only the end is an empty page.
   *
   * @throws Fault `not_found` if the collection was deleted, because its lines are then being removed.
   */
  async readPage({ db }, collectionId, range) {
    const page = packPage(await readRows(db, { collectionId, range }))
    await assertCollection(db, collectionId)
    return { ...page, damaged: range.isUnverified === true ? [] : findDamagedLines(page) }
  },

  /**
   * Verifies a page of lines without returning it, as documented at `Storage.verifyLines`, even in a deleted
   * collection.
   */
  async verifyLines({ db }, collectionId, range) {
    const rows = await readRows(db, { collectionId, range })
    const page = packPage(rows)
    const damaged = findDamagedLines(page)
    const known = new Set(damaged.map(({ seq }) => seq))
    for (const [at, row] of rows.entries()) {
      const column = wrongOwnColumn(row)
      if (column === undefined || known.has(row.seq)) continue
      known.add(row.seq)
      damaged.push(describeDamagedLine(page, at, `does not match its column \`${column}\``))
    }
    return {
      upTo: rows.at(-1)?.seq ?? range.upTo,
      isEnd: rows.length === 0,
      lines: rows.length,
      memories: rows.filter(({ kind, seq }) => kind === RECORD_KINDS.memory || known.has(seq)).length,
      damaged: damaged.sort((one, other) => one.seq - other.seq) satisfies DamagedLine[]
    }
  },

  /** Lists the known ids, 16 bytes each, ascending. */
  async listKnownIds({ db, clock }, collectionId) {
    const parts: Uint8Array[] = []
    let after: Uint8Array = new Uint8Array(0)
    for (;;) {
      const rows = await db
        .selectFrom('records')
        .select('key')
        .where('collection_id', '=', collectionId)
        .where('key', '>', after)
        .where('kind', '!=', RECORD_KINDS.unknown)
        .orderBy('key')
        .limit(IDS_AT_ONCE)
        .execute()
      const keys = rows.map((row) => toBytes(row.key))
      parts.push(joinIds(keys))
      const last = keys.at(-1)
      if (last === undefined || keys.length < IDS_AT_ONCE) break
      after = last
      await clock.wait(0)
    }
    await assertCollection(db, collectionId)
    return joinBytes(parts)
  }
} satisfies Partial<TableMethods<RecordStorage>>

/** Maximum number of lines in a page, however short they are. */
const PAGE_LINES_MAX = 8192

/** Known ids that are read at once, so that other calls can run in between. */
const IDS_AT_ONCE = 20_000

export type PageInput = { collectionId: string; range: PageRange }

type LineRow = Awaited<ReturnType<typeof selectRows>>[number]

/** Reads rows. Measures the page first, so that no more is read than fits. */
async function readRows(db: Db, { collectionId, range }: PageInput): Promise<LineRow[]> {
  for (;;) {
    const upTo = await lastThatFits(db, { collectionId, range })
    if (upTo === undefined) return []
    const rows = await selectRows(db, { collectionId, range: { ...range, upTo } })
    if (rows.length === 0) continue
    assertOrder(rows, { collectionId, range })
    return rows
  }
}

function selectRows(db: Db, { collectionId, range }: PageInput) {
  return db
    .selectFrom('records')
    .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash', 'line', 'line_bytes', 'taken_back'])
    .where('collection_id', '=', collectionId)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.upTo)
    .orderBy('seq')
    .execute()
}

/**
 * Checks the order of rows. A reader continues after the last number of each page, so a number out of order would skip
 * lines or never reach the end.
 */
function assertOrder(rows: readonly LineRow[], { collectionId, range }: PageInput): void {
  let last = range.after
  for (const { seq } of rows) {
    if (!Number.isSafeInteger(seq) || seq <= last || seq > range.upTo) throw disorderedRowsError(collectionId)
    last = seq
  }
}

/** Builds the error for a collection whose rows and indexes disagree. */
export function disorderedRowsError(collectionId: string): Fault {
  return new Fault(
    'damaged_storage',
    `rows and indexes of collection ${collectionId} in the database are inconsistent`,
    {
      hint: 'stop the server, then run: memctl server check --repair'
    }
  )
}

/** Checks the columns that cannot be derived from the line. */
function wrongOwnColumn({ line, line_bytes, kind, taken_back }: LineRow): 'line_bytes' | 'taken_back' | undefined {
  const bytes: unknown = line
  const length = bytes instanceof Uint8Array || bytes instanceof ArrayBuffer ? bytes.byteLength : -1
  if (line_bytes !== length) return 'line_bytes'
  const isSound = taken_back === 0 || (taken_back === 1 && kind === RECORD_KINDS.forget)
  return isSound ? undefined : 'taken_back'
}

/**
 * Returns the last sequence number that fits, or undefined if the range has no line. The first line fits, whatever its
 * length.
 */
async function lastThatFits(db: Db, { collectionId, range }: PageInput): Promise<number | undefined> {
  const rows = await db
    .selectFrom('records')
    .select(['seq', 'line_bytes'])
    .where('collection_id', '=', collectionId)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.upTo)
    .orderBy('seq')
    .limit(PAGE_LINES_MAX)
    .execute()
  let bytes = 0
  let last = rows[0]?.seq
  for (const row of rows) {
    bytes += isLength(row.line_bytes) ? row.line_bytes : range.maxBytes
    if (bytes > range.maxBytes) break
    last = row.seq
  }
  return last
}

/** Reports whether a value is a valid length. A damaged row may hold any type there. */
function isLength(bytes: unknown): bytes is number {
  return Number.isSafeInteger(bytes) && Number(bytes) >= 0
}

async function assertCollection(db: Db, collectionId: string): Promise<void> {
  const row = await db
    .selectFrom('collections')
    .select('id')
    .where('id', '=', collectionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw missingCollection(collectionId)
}

function joinIds(keys: readonly Uint8Array[]): Uint8Array {
  const ids = new Uint8Array(keys.length * ID_BYTES)
  for (const [at, key] of keys.entries()) ids.set(key.subarray(0, ID_BYTES), at * ID_BYTES)
  return ids
}

/** The columns of a row that a page contains. */
type PageRow = Omit<RecordRow, 'collection_id' | 'line_bytes' | 'taken_back'>

/**
 * Packs rows into the plain arrays of a batch, each with its own memory. A damaged row may have values of any type: a
 * value that does not fit is replaced by one that no intact row has, so that verifying the page detects it.
 */
export function packPage(rows: readonly PageRow[]): Omit<RecordPage, 'damaged'> {
  const count = rows.length
  const lines = rows.map((row) => bytesOrNone(row.line))
  const page = {
    count,
    seqs: new Float64Array(count),
    kinds: new Uint8Array(count),
    keys: new Uint8Array(count * KEY_BYTES),
    times: new Float64Array(count),
    extractors: new Float64Array(count),
    checks: new Uint8Array(count * CHECK_BYTES),
    ends: new Uint32Array(count),
    lines: new Uint8Array(lines.reduce((sum, line) => sum + line.byteLength, 0))
  }
  let end = 0
  for (const [at, row] of rows.entries()) {
    const line = lines[at] ?? NO_BYTES
    const [key, check] = [bytesOrNone(row.key), bytesOrNone(row.check_hash)]
    const fits = key.byteLength === KEY_BYTES && check.byteLength === CHECK_BYTES
    page.seqs[at] = numberOrNone(row.seq)
    page.kinds[at] = fits && KNOWN_KINDS.has(row.kind) ? row.kind : DAMAGED_KIND
    page.keys.set(key.subarray(0, KEY_BYTES), at * KEY_BYTES)
    page.times[at] = numberOrNone(row.time)
    page.extractors[at] = numberOrNone(row.extractor)
    page.checks.set(check.subarray(0, CHECK_BYTES), at * CHECK_BYTES)
    page.lines.set(line, end)
    end += line.byteLength
    page.ends[at] = end
  }
  return page
}

const NO_BYTES = new Uint8Array(0)
const KNOWN_KINDS: ReadonlySet<unknown> = new Set([0, 1, 2])

function bytesOrNone(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : NO_BYTES
}

function numberOrNone(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}
