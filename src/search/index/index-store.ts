import type { Database } from 'sql.js'
import { type PreparedSql, prepareSql } from './sqlite.ts'

/** The tables of an index. Each list and column is a blob, so that SQLite is asked seldom and reads in long strides. */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE segments (segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL,
    memories INTEGER NOT NULL, directory BLOB NOT NULL, conversations BLOB NOT NULL);
  CREATE TABLE columns (segment INTEGER NOT NULL, name TEXT NOT NULL, chunk INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (segment, name, chunk));
  CREATE TABLE postings (block INTEGER PRIMARY KEY, data BLOB NOT NULL);
`

/** One immutable part of the index. `directory` names the first term of each of its blocks. */
export type SegmentRow = {
  segment: number
  /** Rows: a long memory has several. */
  documents: number
  memories: number
  directory: Uint8Array
  /** Conversation names that appear here first. */
  conversations: Uint8Array
}

/** Where a part of a column is kept. What belongs to no segment has segment -1. */
export type ChunkPlace = { segment: number; name: string; chunk: number }

/** Links between segments. */
export const LINKS: ChunkPlace = { segment: -1, name: 'links', chunk: 0 }

/** Where the rows of turns are that have several. */
export const locateLongTurns = (segment: number): ChunkPlace => ({ segment, name: 'long_turns', chunk: 0 })

/** Plain access to the tables; every question of the index to SQLite is asked here. */
export type IndexStore = {
  segments(): SegmentRow[]
  addSegment(row: SegmentRow): void
  /** Takes out a segment with all that belongs to it. */
  removeSegment(segment: number): void
  /** A part of a column. Absent ones are empty. */
  chunk(place: ChunkPlace): Uint8Array
  setChunk(place: ChunkPlace, data: Uint8Array): void
  block(segment: number, block: number): Uint8Array
  addBlock(segment: number, block: number, data: Uint8Array): void
  meta(key: string): string | undefined
  setMeta(key: string, value: string | undefined): void
  metas(): { key: string; value: string }[]
  transaction: PreparedSql['transaction']
  bytes(): Uint8Array
  close(): void
}

/** An empty store: its tables are made in the database. `version` is kept in the database's header. */
export function createIndexStore(database: Database, version: number): IndexStore {
  database.run(`PRAGMA user_version = ${version};${SCHEMA}`)
  return openIndexStore(database)
}

/** A store whose tables are there already. Nothing is read before it is asked for. */
export function openIndexStore(database: Database): IndexStore {
  const { rows, write, transaction } = prepareSql(database)
  return {
    segments: () =>
      rows('SELECT segment, documents, memories, directory, conversations FROM segments ORDER BY segment').map(
        toSegmentRow
      ),
    addSegment: (row) =>
      write('INSERT INTO segments VALUES (?, ?, ?, ?, ?)', [
        row.segment,
        row.documents,
        row.memories,
        row.directory,
        row.conversations
      ]),
    removeSegment(segment) {
      write('DELETE FROM segments WHERE segment = ?', [segment])
      write('DELETE FROM columns WHERE segment = ?', [segment])
      const first = segment * SEGMENT_BLOCKS_MAX
      write('DELETE FROM postings WHERE block >= ? AND block < ?', [first, first + SEGMENT_BLOCKS_MAX])
    },
    chunk: ({ segment, name, chunk }) => toBlob(rows(READ_CHUNK, [segment, name, chunk])[0]?.[0]),
    setChunk: ({ segment, name, chunk }, data) =>
      write('REPLACE INTO columns VALUES (?, ?, ?, ?)', [segment, name, chunk, data]),
    block: (segment, block) =>
      toBlob(rows('SELECT data FROM postings WHERE block = ?', [segment * SEGMENT_BLOCKS_MAX + block])[0]?.[0]),
    addBlock: (segment, block, data) =>
      write('INSERT INTO postings VALUES (?, ?)', [segment * SEGMENT_BLOCKS_MAX + block, data]),
    meta: (key) => rows('SELECT value FROM meta WHERE key = ?', [key]).map(([value]) => String(value))[0],
    setMeta(key, value) {
      if (value === undefined) write('DELETE FROM meta WHERE key = ?', [key])
      else write('REPLACE INTO meta VALUES (?, ?)', [key, value])
    },
    metas: () =>
      rows('SELECT key, value FROM meta').map(([key, value]) => ({ key: String(key), value: String(value) })),
    transaction,
    bytes: () => database.export(),
    close: () => database.close()
  }
}

const READ_CHUNK = 'SELECT data FROM columns WHERE segment = ? AND name = ? AND chunk = ?'
/** Blocks a segment has room for in the numbering. */
const SEGMENT_BLOCKS_MAX = 100_000_000

function toSegmentRow([segment, documents, memories, directory, conversations]: unknown[]): SegmentRow {
  return {
    segment: Number(segment),
    documents: Number(documents),
    memories: Number(memories),
    directory: toBlob(directory),
    conversations: toBlob(conversations)
  }
}

function toBlob(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0)
}
