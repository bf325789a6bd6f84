import { toIndexDocument } from '../../../src/device/index/line-taker.ts'
import type { Assets } from '../../../src/ports.ts'
import { createIndex } from '../../../src/search/search-index.ts'
import { type DamagedLine, ID_BYTES, KEY_BYTES, type RecordPage } from '../../storage/record-batch.ts'
import { bufferOf, damagedLine, verifyRow } from '../../storage/verify-lines.ts'
import { answerBytes } from '../answer-bytes.ts'
import type { EngineQuestion } from '../engine.ts'
import type { CollectionHead, PageForIndex } from '../engine-calls.ts'
import { seenAt } from '../seen-at.ts'
import type { IndexLines } from './index-lines.ts'
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
  /** Takes lines in and returns the damaged ones, which are left out. Those that it has are passed over; after a gap nothing is taken. */
  take(part: PageForIndex): DamagedLine[]
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

/** What an index, what is read of it and the lines themselves take in memory for a byte of the lines, about. */
const INDEX_BYTES_PER_BYTE = 4
const WASTED_BYTES_MAX = 16 * 1024 * 1024

type Taking = { lines: IndexLines; mirror: Mirror; collection: number }

/** Takes in what the storage says changed, after verifying each line. A line of a kind that nobody knows cannot be searched. */
function takeRows(taking: Taking, page: RecordPage, after: number): DamagedLine[] {
  const bytes = bufferOf(page.lines)
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
    if (typeof verdict === 'string') damaged.push(damagedLine(page, row, verdict))
    else if (verdict.kind === 'memory') {
      taking.lines.put(taking.collection, toIndexDocument(seenAt(verdict, place)))
      continue
    } else if (verdict.kind === 'forget')
      taking.lines.forget(taking.collection, page.keys.slice(row * KEY_BYTES, row * KEY_BYTES + ID_BYTES))
    taking.mirror.wipe(place)
  }
  return damaged
}
