import type { Database } from 'sql.js'
import { type PreparedSql, prepareSql } from './sqlite.ts'

/** The tables of an index. Each list and column is a blob, so that SQLite needs few reads. */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE segments (segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL,
    memories INTEGER NOT NULL, directory BLOB NOT NULL, conversations BLOB NOT NULL);
  CREATE TABLE columns (segment INTEGER NOT NULL, name TEXT NOT NULL, chunk INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (segment, name, chunk));
  CREATE TABLE postings (block INTEGER PRIMARY KEY, data BLOB NOT NULL);
`

/** One immutable part of the index. `directory` lists the first term of each block. */
export type SegmentRow = {
  segment: number
  /** Number of rows; a long memory has several. */
  documents: number
  memories: number
  directory: Uint8Array
  /** Conversation names that first appear here. */
  conversations: Uint8Array
}

/** The key of a part of a column. Data that belongs to no segment has segment -1. */
export type ChunkPlace = { segment: number; name: string; chunk: number }

/** Links between segments. */
export const LINKS: ChunkPlace = { segment: -1, name: 'links', chunk: 0 }

/** The rows of turns that have several. */
export const locateLongTurns = (segment: number): ChunkPlace => ({ segment, name: 'long_turns', chunk: 0 })

/** Access to the tables. Every SQL query of the index is made here. */
export type IndexStore = {
  segments(): SegmentRow[]
  addSegment(row: SegmentRow): void
  /** Removes a segment with all its data. */
  removeSegment(segment: number): void
  /** Reads a part of a column; an absent one is empty. */
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

/** Creates an empty store with its tables. `version` is kept in the database's header. */
export function createIndexStore(database: Database, version: number): IndexStore {
  database.run(`PRAGMA user_version = ${version};${SCHEMA}`)
  return openIndexStore(database)
}

/** Opens a store whose tables exist. Everything is read on demand. */
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
/** Number of block ids reserved per segment. */
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
