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
import { createRanker, type Hit, type Ranker, type RankOptions } from './rank/create-ranker.ts'
import { type Examined, examine } from './rank/examine.ts'
import { createInquiry, type Inquiry } from './rank/inquiry.ts'
import { openRelatedTerms, type RelatedTerms } from './related/related-terms.ts'

/**
 * The memories of one snapshot, searchable. The ranking depends on which documents are in it and on nothing else: not
 * on their order, nor on how many steps they came in.
 */
export type SearchIndex = {
  /** Memories in it, those not yet committed included. */
  readonly count: number
  /** Takes a memory in. An id that is there already is replaced. */
  add(document: IndexDocument): void
  /** False where the id is not there. */
  remove(id: Uint8Array): boolean
  find(id: Uint8Array): KnownDocument | undefined
  /** Every id; each is a view that is good until the next change. */
  ids(): Iterable<Uint8Array>
  meta(key: string): unknown
  /** Keeps a value that JSON can hold; undefined takes it out. */
  setMeta(key: string, value: unknown): void
  /** Writes what was added and removed into the database. After it nothing of a removed document is in the bytes. */
  commit(): void
  /** The index as bytes, committed first. */
  toBytes(): Uint8Array
  /** Best first. Commits first. */
  search(query: string, options: RankOptions): Hit[]
  /** The same, and what may be asked about the hits until the next change. */
  inquire(query: string, options: RankOptions): Inquiry
  /** Where a memory stands among all that a query finds, and why; undefined where no memory has that id. Commits first. */
  examine(query: string, id: Uint8Array, options: Omit<RankOptions, 'limit'>): Examined | undefined
  /** The ids that begin with these hex digits, 6 or more, in no order. Commits first. */
  idsFrom(digits: string): string[]
  close(): void
}

/** An index of nothing yet. */
export async function createIndex(assets: Assets): Promise<SearchIndex> {
  const sqlite = await loadSqlite(assets)
  return createSearchIndex(
    { sqlite, related: () => openRelatedTerms(assets) },
    createIndexStore(sqlite(), INDEX_VERSION)
  )
}

/** Throws `UnusableIndex` where the bytes are not whole, or were made by another version of index or analyser. */
export async function openIndex(assets: Assets, bytes: Uint8Array): Promise<SearchIndex> {
  const file = unsealBytes(bytes)
  const version = readVersion(file)
  if (version !== INDEX_VERSION) {
    throw new UnusableIndex('other_version', `the index has version ${version}, not ${INDEX_VERSION}`)
  }
  const sqlite = await loadSqlite(assets)
  return createSearchIndex({ sqlite, related: () => openRelatedTerms(assets) }, openIndexStore(sqlite(file)))
}

/** Segments that there may be: each costs every term of a search a look-up of its own. */
const SEGMENTS_MAX = 8

/** Segments that are not so many times as large as what comes are written anew with it. */
const JOINED_GROWTH = 4

type Opened = {
  store: IndexStore
  segments: SegmentRow[]
  decoded: Decoded
  writer: IndexWriter | undefined
  /** Reads the segments, and ranks what is in them. */
  reading: { index: IndexReader; ranker: Ranker } | undefined
}

/** What is loaded from outside: `related` at the first search. */
type Tools = { sqlite: Sqlite; related: () => RelatedTerms }

function createSearchIndex({ sqlite, related }: Tools, store: IndexStore): SearchIndex {
  const opened: Opened = {
    store,
    segments: store.segments(),
    decoded: createDecoded(),
    writer: undefined,
    reading: undefined
  }
  const writer = (): IndexWriter => {
    opened.writer ??= createIndexWriter(opened)
    return opened.writer
  }
  const remove = (id: Uint8Array): boolean => removeMemory(writer(), id)
  const commit = (): void => {
    if (opened.writer !== undefined) commitChanges(sqlite, opened, opened.writer)
  }
  const startRanking = (): { index: IndexReader; ranker: Ranker } => {
    commit()
    opened.reading ??= startReading(opened, related)
    return opened.reading
  }
  const inquire = (query: string, options: RankOptions): Inquiry => {
    const { index, ranker } = startRanking()
    const relationsOf: Inquiry['relationsOf'] = (term) => related().of(term)
    return createInquiry({ index, relationsOf }, ranker.rank(query, options), options.until)
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
      return examine({ index, id, until: options.until }, ranker.order(query, { ...options, limit: index.count }))
    },
    idsFrom(digits) {
      const { index } = startRanking()
      const ids = findDocumentsWithId(index, digits).map((document) =>
        Buffer.from(index.idOf(document)).toString('hex')
      )
      return [...new Set(ids)]
    },
    close: () => opened.store.close()
  }
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

function startReading(opened: Opened, related: () => RelatedTerms): { index: IndexReader; ranker: Ranker } {
  const index = createIndexReader(opened)
  return { index, ranker: createRanker(index, related) }
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

/** How many of the segments stay as they are when so many documents come: small ones at the end are joined with those. */
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
