import { documentOf } from '../../../src/device/index-lines.ts'
import type { Assets } from '../../../src/ports.ts'
import { createIndex } from '../../../src/search/index/search-index.ts'
import { ID_BYTES, KEY_BYTES, RECORD_KINDS, type RecordPage } from '../../storage/record-batch.ts'
import { answerBytes } from '../answer-bytes.ts'
import type { EngineQuestion } from '../engine.ts'
import type { CollectionHead, PageForIndex } from '../engine-calls.ts'
import type { IndexLines } from './index-lines.ts'
import { judgedLine, type LineRange } from './judged-line.ts'
import { createMirror, type Mirror, type MirrorWorld } from './mirror.ts'
import { createSharedLines } from './shared-lines.ts'
import { createSoleLines } from './sole-lines.ts'

/** The memories of a set of collections, searchable as one. */
export type CollectionIndex = {
  /** Memory it takes, about. */
  readonly bytes: number
  /** Much of what it holds is of lines that are gone: it is better made anew. */
  readonly isWorn: boolean
  /** Up to which sequence number it has a collection; undefined where it has another one of that id. */
  mark(head: CollectionHead): number | undefined
  /** Takes lines in. Those that it has are passed over; after a gap nothing is taken. */
  take(part: PageForIndex): void
  answer(question: EngineQuestion): Uint8Array
  close(): void
}

export type CollectionWorld = MirrorWorld & { assets: Assets }

/** An index of nothing yet, for these collections. */
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
      if (seq === undefined || seq < after) return
      takeRows({ lines, mirror, collection: ids.indexOf(head.id) }, page, seq)
      marks.set(head.id, { ...head, seq: Math.max(seq, upTo) })
    },
    answer: (question) => answerBytes(question, { index, source: mirror }),
    close() {
      index.close()
      mirror.close()
    }
  }
}

/** What an index, what is read of it and the lines themselves take in memory for a byte of the lines, about. */
const INDEX_BYTES_PER_BYTE = 4
const WASTED_BYTES_MAX = 16 * 1024 * 1024

type Taking = { lines: IndexLines; mirror: Mirror; collection: number }

/** What the storage says changed. A line of a kind that nobody knows cannot be searched. */
function takeRows(taking: Taking, page: RecordPage, after: number): void {
  const base = taking.mirror.append(page.lines)
  for (let row = 0; row < page.count; row++) {
    const start = row === 0 ? 0 : (page.ends[row - 1] ?? 0)
    const end = page.ends[row] ?? start
    const place = { start, end, offset: base + start }
    const isNew = (page.seqs[row] ?? 0) > after
    if (isNew && page.kinds[row] === RECORD_KINDS.memory) takeMemory(taking, page, place)
    else taking.mirror.wipe({ offset: place.offset, length: end - start })
    if (isNew && page.kinds[row] === RECORD_KINDS.forget) {
      taking.lines.forget(taking.collection, page.keys.slice(row * KEY_BYTES, row * KEY_BYTES + ID_BYTES))
    }
  }
}

/** A line that is not sound any more is passed over: it does not stop the others. */
function takeMemory({ lines, collection }: Taking, page: RecordPage, place: LineRange): void {
  const bytes = Buffer.from(page.lines.buffer, page.lines.byteOffset, page.lines.length)
  const seen = judgedLine(bytes, place)
  if (seen?.kind === 'memory') lines.put(collection, documentOf(seen))
}
