import { toIndexDocument, winsOver } from '../../../src/device/index/create-line-taker.ts'
import type { Assets } from '../../../src/ports.ts'
import type { IndexDocument } from '../../../src/search/index/index-writer.ts'
import { createIndex, type SearchIndex } from '../../../src/search/search-index.ts'
import type { SeenRecord } from '../../../src/snapshot/record/check-record-shape.ts'
import { parseLine } from '../../../src/snapshot/record/parse-line.ts'
import {
  type DamagedLine,
  describeDamagedLine,
  ID_BYTES,
  KEY_BYTES,
  type RecordPage,
  toBuffer,
  verifyRow
} from '../../storage/port/record-batch.ts'

import { answerBytes, type IndexQuestion } from '../engine/answer-bytes.ts'
import type { CollectionHead, PageForIndex } from '../engine/engine-calls.ts'
import { toSeenRecord } from '../engine/to-seen-record.ts'
import { createMirror, type Mirror, type MirrorWorld } from './mirror.ts'

/** A search index over the memories of one or more collections. */
export type CollectionIndex = {
  /** Approximate memory use in bytes. */
  readonly bytes: number
  /** Much of its content belongs to removed lines, so rebuilding it is better. */
  readonly isWorn: boolean
  /**
   * Returns the sequence number up to which it has a collection, or undefined if it has another collection with that
   * id.
   */
  mark(head: CollectionHead): number | undefined
  /**
   * Adds lines and returns the damaged ones, which are omitted. Known lines are skipped; after a gap nothing is added.
   */
  take(part: PageForIndex): DamagedLine[]
  answer(question: IndexQuestion): Uint8Array
  close(): void
}

export type CollectionWorld = MirrorWorld & { assets: Assets }

/** Creates an empty index for these collections. */
export async function createCollectionIndex(world: CollectionWorld, ids: readonly string[]): Promise<CollectionIndex> {
  const index = await createIndex(world.assets)
  const mirror = createMirror(world)
  const lines = ids.length === 1 ? createSoleLines(index, mirror) : createSharedLines(index, mirror)
  const marks = new Map<string, CollectionHead>()
  const mark: CollectionIndex['mark'] = ({ id, snapshotId }) => {
    const known = marks.get(id)
    if (known === undefined) return 0
    return known.snapshotId === snapshotId ? known.seq : undefined
  }
  return {
    get bytes() {
      return mirror.bytes * INDEX_BYTES_PER_BYTE
    },
    get isWorn() {
      return mirror.wasted > Math.max(WASTED_BYTES_MAX, mirror.bytes / 2)
    },
    mark,
    take({ head, after, upTo, page }) {
      const seq = mark(head)
      if (seq === undefined || seq < after) return []
      const damaged = takeRows({ lines, mirror, collection: ids.indexOf(head.id) }, page, seq)
      marks.set(head.id, { ...head, seq: Math.max(seq, upTo) })
      return damaged
    },
    answer: (question) => answerBytes(question, { index, source: mirror }),
    close() {
      index.close()
      mirror.close()
    }
  }
}

/** Approximate memory in bytes that the index, its caches and the lines take for each byte of lines. */
const INDEX_BYTES_PER_BYTE = 4
const WASTED_BYTES_MAX = 16 * 1024 * 1024

type Taking = { lines: IndexLines; mirror: Mirror; collection: number }

/** Adds the changes from the storage, and verifies each line. Lines of an unknown kind cannot be searched. */
function takeRows(taking: Taking, page: RecordPage, after: number): DamagedLine[] {
  const bytes = toBuffer(page.lines)
  const base = taking.mirror.append(page.lines)
  const damaged: DamagedLine[] = []
  for (let row = 0; row < page.count; row++) {
    const start = row === 0 ? 0 : (page.ends[row - 1] ?? 0)
    const length = (page.ends[row] ?? start) - start
    const place = { offset: base + start, length, line: 0 }
    if ((page.seqs[row] ?? 0) <= after) {
      taking.mirror.wipe(place)
      continue
    }
    const verdict = verifyRow(page, bytes, row)
    if (typeof verdict === 'string') damaged.push(describeDamagedLine(page, row, verdict))
    else if (verdict.kind === 'memory') {
      taking.lines.put(taking.collection, toIndexDocument(toSeenRecord(verdict, place)))
      continue
    } else if (verdict.kind === 'forget')
      taking.lines.forget(taking.collection, page.keys.slice(row * KEY_BYTES, row * KEY_BYTES + ID_BYTES))
    taking.mirror.wipe(place)
  }
  return damaged
}

/** Indexes one collection. The storage keeps one line of each memory, so the last one received counts. */
function createSoleLines(index: SearchIndex, mirror: Mirror): IndexLines {
  const wipeLine = (id: Uint8Array): void => {
    const known = index.find(id)
    if (known !== undefined) mirror.wipe(known)
  }
  return {
    put(_collection, document) {
      wipeLine(document.id)
      index.add(document)
    },
    forget(_collection, id) {
      wipeLine(id)
      index.remove(id)
    }
  }
}

/** A collection's line of a memory, and the values that decide which of several lines wins. */
type HeldLine = Pick<IndexDocument, 'offset' | 'length' | 'extractor' | 'at' | 'check'> & { collection: number }

/**
 * Indexes several collections as one. Of several lines of a memory, the best one is searched. A memory that one
 * collection forgets stays as long as another has it.
 */
function createSharedLines(index: SearchIndex, mirror: Mirror): IndexLines {
  const held = new Map<string, HeldLine[]>()
  return {
    put(collection, document) {
      const { offset, length, extractor, at, check } = document
      const lines = without(collection, document.id)
      lines.push({ collection, offset, length, extractor, at, check: check.slice() })
      held.set(toKey(document.id), lines)
      settle(document.id, lines)
    },
    forget(collection, id) {
      const lines = without(collection, id)
      if (lines.length === 0) held.delete(toKey(id))
      else held.set(toKey(id), lines)
      settle(id, lines)
    }
  }

  function without(collection: number, id: Uint8Array): HeldLine[] {
    const lines = held.get(toKey(id)) ?? []
    for (const line of lines) if (line.collection === collection) mirror.wipe(line)
    return lines.filter((line) => line.collection !== collection)
  }

  function settle(id: Uint8Array, lines: readonly HeldLine[]): void {
    const best = lines.reduce<HeldLine | undefined>(
      (best, line) => (best === undefined || winsOver(line, best) ? line : best),
      undefined
    )
    if (best === undefined) index.remove(id)
    else if (index.find(id)?.offset !== best.offset) index.add(documentAt(mirror, best))
  }
}

function toKey(id: Uint8Array): string {
  return Buffer.from(id).toString('latin1')
}

function documentAt(mirror: Mirror, { offset, length }: HeldLine): IndexDocument {
  const line = Buffer.alloc(length)
  mirror.read(line, offset)
  const seen = parseSeenRecord(line, { start: 0, end: length, offset })
  if (seen === undefined) throw new Error('a line of the mirror was changed')
  return toIndexDocument(seen)
}

/** The place of a line in a buffer and in the mirror. */
type LineRange = { start: number; end: number; offset: number }

/**
 * Parses a line to the form that the device's index takes, or returns undefined if it is damaged. The result is valid
 * until the next call.
 */
function parseSeenRecord(bytes: Buffer, { start, end, offset }: LineRange): SeenRecord | undefined {
  const parsed = parseLine(bytes, start, end)
  return typeof parsed === 'string' ? undefined : toSeenRecord(parsed, { offset, length: end - start, line: 0 })
}

/** Applies the changes of a collection to an index. `collection` is its number in the index. */
type IndexLines = {
  /** Adds a memory whose line is in the mirror, or replaces the line of a known memory with a better one. */
  put(collection: number, document: IndexDocument): void
  forget(collection: number, id: Uint8Array): void
}
