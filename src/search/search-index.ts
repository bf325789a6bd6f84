import type { Assets } from '../ports.ts'
import { appendSegment, rewriteSegments } from './index/append-segment.ts'
import { createDecoded, type Decoded, keepDecoded } from './index/decoded.ts'
import { createIndexReader, findDocumentsWithId, type IndexReader } from './index/index-reader.ts'
import { createIndexStore, type IndexStore, openIndexStore, type SegmentRow } from './index/index-store.ts'
import {
  addDocument,
  createIndexWriter,
  findDocument,
  type IndexDocument,
  type IndexWriter,
  type KnownDocument,
  listLiveIds,
  readKnownDocument,
  removeDocument
} from './index/index-writer.ts'
import { INDEX_VERSION, readVersion, sealBytes, UnusableIndex, unsealBytes } from './index/seal-bytes.ts'
import { loadSqlite, type Sqlite } from './index/sqlite.ts'
import { type Listed, type ListRequest, listNewest, listTurns } from './rank/browse.ts'
import { createRanker, type Hit, type LineBytes, type Ranker, type RankOptions } from './rank/create-ranker.ts'
import { type Examined, examine } from './rank/examine.ts'
import { createInquiry, type Inquiry } from './rank/inquiry.ts'
import { openRelatedTerms, type RelatedTerms } from './related/related-terms.ts'
import { openWordVectors, type WordVectors } from './related/word-vectors.ts'

/**
 * A searchable index of one snapshot's memories. The ranking depends only on the set of documents, not on their order
 * or on the steps in which they were added.
 */
export type SearchIndex = {
  /** Number of memories, including those not committed yet. */
  readonly count: number
  /** Adds a memory. It replaces one with the same id. */
  add(document: IndexDocument): void
  /** Returns false if the id does not exist. */
  remove(id: Uint8Array): boolean
  find(id: Uint8Array): KnownDocument | undefined
  /** Yields every id; each is a view that is valid until the next change. */
  ids(): Iterable<Uint8Array>
  meta(key: string): unknown
  /** Stores a JSON value; undefined removes it. */
  setMeta(key: string, value: unknown): void
  /** Writes additions and removals into the database. Afterwards, no byte of a removed document remains. */
  commit(): void
  /** Commits and returns the index as bytes. */
  toBytes(): Uint8Array
  /** Commits and returns the hits, best first. */
  search(query: string, options: RankOptions): Hit[]
  /** Searches and also returns lookups that stay valid until the next change. */
  inquire(query: string, options: RankOptions): Inquiry
  /** Commits and returns where a query ranks a memory, and why; undefined if no memory has the id. */
  examine(query: string, id: Uint8Array, options: Omit<RankOptions, 'limit'>): Examined | undefined
  /** Commits and returns the ids that begin with these 6 or more hex digits, in no particular order. */
  idsFrom(digits: string): string[]
  /** Commits and lists the memories that pass a filter, newest first. */
  list(request: ListRequest): Listed
  /**
   * Commits and returns the place of a memory with those of up to `around` turns before and after it; undefined if no
   * memory has the id.
   */
  turns(id: Uint8Array, around: number): LineBytes[] | undefined
  close(): void
}

/** Creates an empty index. */
export async function createIndex(assets: Assets): Promise<SearchIndex> {
  const sqlite = await loadSqlite(assets)
  return createSearchIndex(
    { sqlite, related: () => openRelatedTerms(assets), vectors: () => openWordVectors(assets) },
    createIndexStore(sqlite(), INDEX_VERSION)
  )
}

/**
 * Opens an index. Throws `UnusableIndex` if the bytes are damaged or were made by another version of index or analyser.
 */
export async function openIndex(assets: Assets, bytes: Uint8Array): Promise<SearchIndex> {
  const file = unsealBytes(bytes)
  const version = readVersion(file)
  if (version !== INDEX_VERSION) {
    throw new UnusableIndex('other_version', `unsupported index version ${version}: expected ${INDEX_VERSION}`)
  }
  const sqlite = await loadSqlite(assets)
  return createSearchIndex(
    { sqlite, related: () => openRelatedTerms(assets), vectors: () => openWordVectors(assets) },
    openIndexStore(sqlite(file))
  )
}

/** Maximum number of segments: every term of a search is looked up in each. */
const SEGMENTS_MAX = 8

/** A segment smaller than this multiple of the new documents is merged with them. */
const JOINED_GROWTH = 4

type Opened = {
  store: IndexStore
  segments: SegmentRow[]
  decoded: Decoded
  writer: IndexWriter | undefined
  /** Reads and ranks the segments. */
  reading: { index: IndexReader; ranker: Ranker } | undefined
}

/** Dependencies. Words are loaded at the first search, and their vectors also with the first new memory. */
type Tools = { sqlite: Sqlite; related: () => RelatedTerms; vectors: () => WordVectors }

function createSearchIndex({ sqlite, related, vectors }: Tools, store: IndexStore): SearchIndex {
  const opened: Opened = {
    store,
    segments: store.segments(),
    decoded: createDecoded(),
    writer: undefined,
    reading: undefined
  }
  const writer = (): IndexWriter => {
    opened.writer ??= createIndexWriter(opened, vectors)
    return opened.writer
  }
  const remove = (id: Uint8Array): boolean => removeMemory(writer(), id)
  const commit = (): void => {
    if (opened.writer !== undefined) commitChanges(sqlite, opened, opened.writer)
  }
  const startRanking = (): { index: IndexReader; ranker: Ranker } => {
    commit()
    opened.reading ??= startReading(opened, { related, vectors })
    return opened.reading
  }
  const inquire = (query: string, options: RankOptions): Inquiry => {
    const { index, ranker } = startRanking()
    const relationsOf: Inquiry['relationsOf'] = (term) => related().of(term)
    return createInquiry({ index, relationsOf }, ranker.rank(query, options), options.filter)
  }
  return {
    get count() {
      return writer().memories
    },
    add(document) {
      remove(document.id)
      addDocument(writer(), document)
    },
    remove,
    find: (id) => findMemory(writer(), id),
    ids: () => listLiveIds(writer()),
    meta: (key) => parseMeta(opened.store.meta(key)),
    setMeta: (key, value) => opened.store.setMeta(key, value === undefined ? undefined : JSON.stringify(value)),
    commit,
    toBytes() {
      commit()
      return sealBytes(opened.store.bytes())
    },
    search: (query, options) => inquire(query, options).hits,
    inquire,
    examine(query, id, options) {
      const { index, ranker } = startRanking()
      return examine({ index, id, filter: options.filter }, ranker.order(query, { ...options, limit: index.count }))
    },
    idsFrom: (digits) => findIdsFrom(startRanking().index, digits),
    list: (request) => listNewest(startRanking().index, request),
    turns: (id, around) => listTurns(startRanking().index, id, around),
    close: () => opened.store.close()
  }
}

function findIdsFrom(index: IndexReader, digits: string): string[] {
  const ids = findDocumentsWithId(index, digits).map((document) => Buffer.from(index.idOf(document)).toString('hex'))
  return [...new Set(ids)]
}

function removeMemory(writer: IndexWriter, id: Uint8Array): boolean {
  const document = findDocument(writer, id)
  if (document === undefined) return false
  removeDocument(writer, document)
  return true
}

function findMemory(writer: IndexWriter, id: Uint8Array): KnownDocument | undefined {
  const document = findDocument(writer, id)
  return document === undefined ? undefined : readKnownDocument(writer, document)
}

function parseMeta(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}

function startReading(
  opened: Opened,
  words: Pick<Tools, 'related' | 'vectors'>
): { index: IndexReader; ranker: Ranker } {
  const index = createIndexReader(opened)
  return { index, ranker: createRanker(index, words) }
}

function commitChanges(sqlite: Sqlite, opened: Opened, writer: IndexWriter): void {
  const { stored, table, removed } = writer
  if (table.count === 0 && removed.size === 0) return
  const losesStored = [...removed].some((document) => document < stored)
  const added = table.count - removed.size
  const kept = losesStored ? 0 : countKeptSegments(opened.segments, added)
  if (kept > 0) {
    if (added > 0) appendSegment(opened, writer, kept)
    keepDecoded(opened.decoded, opened.segments.slice(0, kept))
  } else {
    const fresh = createIndexStore(sqlite(), INDEX_VERSION)
    rewriteSegments(opened, writer, fresh)
    opened.store.close()
    opened.store = fresh
    opened.decoded = createDecoded()
  }
  opened.segments = opened.store.segments()
  opened.writer = undefined
  opened.reading = undefined
}

/**
 * Returns how many segments stay unchanged when `added` documents are appended: small ones at the end are merged with
 * those.
 */
function countKeptSegments(segments: readonly SegmentRow[], added: number): number {
  let kept = segments.length
  let joined = added
  for (const { documents } of segments.toReversed()) {
    if (kept < SEGMENTS_MAX && documents >= joined * JOINED_GROWTH) break
    joined += documents
    kept--
  }
  return kept
}
