import type { Database, Statement } from 'sql.js'
import { UnusableIndex } from './unusable-index.ts'

/** The tables of an index. Each list and column is a blob, so that SQLite is asked seldom and reads in long strides. */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE segments (segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL, terms INTEGER NOT NULL,
    directory BLOB NOT NULL, conversations BLOB NOT NULL);
  CREATE TABLE columns (segment INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, name));
  CREATE TABLE postings (block INTEGER PRIMARY KEY, data BLOB NOT NULL);
`

/** For connections of which only `bytes` is ever kept: no journal, removed bytes overwritten. */
const SETTINGS = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;'

/** Version of the tables and of everything in their blobs. */
export const INDEX_FORMAT = 1

/** One immutable part of the index. `directory` names the first term of each of its blocks. */
export type SegmentRow = {
  segment: number
  documents: number
  /** Terms of all its documents together, repeats counted. */
  terms: number
  directory: Uint8Array
  /** Conversation names that appear here first. */
  conversations: Uint8Array
}

/** Plain access to the tables; every question of the index to SQLite is asked here. */
export type IndexStore = {
  segments(): SegmentRow[]
  addSegment(row: SegmentRow): void
  /** Columns that belong to no segment have segment -1. Absent ones are empty. */
  column(segment: number, name: string): Uint8Array
  setColumn(segment: number, name: string, data: Uint8Array): void
  block(segment: number, block: number): Uint8Array
  addBlock(segment: number, block: number, data: Uint8Array): void
  meta(key: string): string | undefined
  setMeta(key: string, value: string | undefined): void
  metas(): { key: string; value: string }[]
  /** All writes of `work`, or an error. */
  transaction(work: () => void): void
  bytes(): Uint8Array
  close(): void
}

/** Blocks a segment has room for in the numbering. */
const SEGMENT_BLOCKS_MAX = 100_000_000

export function createIndexStore(database: Database, options: { fresh: boolean }): IndexStore {
  if (options.fresh) database.run(`PRAGMA page_size = ${PAGE_BYTES};`)
  database.run(SETTINGS)
  if (options.fresh) database.run(`PRAGMA user_version = ${INDEX_FORMAT};${SCHEMA}`)
  const statements = new Map<string, Statement>()
  const statement = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const rows = (sql: string, values: (string | number)[] = []): unknown[][] => {
    const asked = statement(sql)
    asked.bind(values)
    const found: unknown[][] = []
    while (asked.step()) found.push(asked.get())
    asked.reset()
    return found
  }
  const write = (sql: string, values: (string | number | Uint8Array)[]): void => {
    statement(sql).run(values)
  }
  return {
    segments: () => rows('SELECT segment, documents, terms, directory, conversations FROM segments').map(segmentRow),
    addSegment: (row) =>
      write('INSERT INTO segments VALUES (?, ?, ?, ?, ?)', [
        row.segment,
        row.documents,
        row.terms,
        row.directory,
        row.conversations
      ]),
    column: (segment, name) =>
      blobOf(rows('SELECT data FROM columns WHERE segment = ? AND name = ?', [segment, name])[0]?.[0]),
    setColumn: (segment, name, data) => write('REPLACE INTO columns VALUES (?, ?, ?)', [segment, name, data]),
    block: (segment, block) =>
      blobOf(rows('SELECT data FROM postings WHERE block = ?', [segment * SEGMENT_BLOCKS_MAX + block])[0]?.[0]),
    addBlock: (segment, block, data) =>
      write('INSERT INTO postings VALUES (?, ?)', [segment * SEGMENT_BLOCKS_MAX + block, data]),
    meta: (key) => rows('SELECT value FROM meta WHERE key = ?', [key]).map(([value]) => String(value))[0],
    setMeta(key, value) {
      if (value === undefined) write('DELETE FROM meta WHERE key = ?', [key])
      else write('REPLACE INTO meta VALUES (?, ?)', [key, value])
    },
    metas: () => rows('SELECT key, value FROM meta').map(([key, value]) => ({ key: String(key), value: String(value) })),
    transaction(work) {
      database.run('BEGIN')
      work()
      database.run('COMMIT')
    },
    bytes: () => database.export(),
    close: () => database.close()
  }
}

/** Larger pages than SQLite's own: fewer of them to copy and to find on the way through a long blob. */
const PAGE_BYTES = 4096

/** Throws where a database that is whole was made by another version. */
export function testFormat(database: Database): void {
  const found = database.exec('PRAGMA user_version')[0]?.values[0]?.[0]
  if (found !== INDEX_FORMAT) {
    throw new UnusableIndex('other_version', `the index has format ${String(found)}, not ${INDEX_FORMAT}`)
  }
}

function segmentRow([segment, documents, terms, directory, conversations]: unknown[]): SegmentRow {
  return {
    segment: Number(segment),
    documents: Number(documents),
    terms: Number(terms),
    directory: blobOf(directory),
    conversations: blobOf(conversations)
  }
}

function blobOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0)
}
