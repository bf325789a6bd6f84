import type { StoredSegments } from './column-reader.ts'
import type { SegmentRow } from './index-store.ts'
import { findInBlock, type Postings } from './posting-block.ts'
import { unpackTexts } from './text-list.ts'

/** Postings kept decoded between searches, at most: 40 MB. */
const KEPT_POSTINGS_MAX = 8_000_000

/** Which documents have a term: ascending within each segment, segment by segment. */
export function createPostingsReader({ store, segments }: StoredSegments): (term: string) => Postings {
  const directories = new Map<number, string[]>()
  const kept = new Map<string, Postings>()
  let keptPostings = 0
  const inSegment = (row: SegmentRow, base: number, term: string): Postings | undefined => {
    const firsts = directories.get(row.segment) ?? unpackTexts(row.directory)
    directories.set(row.segment, firsts)
    const block = lastAtMost(firsts, term)
    return block < 0 ? undefined : findInBlock(store.block(row.segment, block), Buffer.from(term, 'utf8'), base)
  }
  return (term) => {
    const known = kept.get(term)
    if (known !== undefined) return known
    const lists: Postings[] = []
    let base = 0
    for (const row of segments) {
      const list = inSegment(row, base, term)
      if (list !== undefined) lists.push(list)
      base += row.documents
    }
    const postings = joinLists(lists)
    keptPostings += postings.documents.length + 1
    if (keptPostings > KEPT_POSTINGS_MAX) {
      kept.clear()
      keptPostings = postings.documents.length + 1
    }
    kept.set(term, postings)
    return postings
  }
}

/** The last of sorted texts that is not over `text`; -1 where all are. */
function lastAtMost(texts: readonly string[], text: string): number {
  let low = 0
  let high = texts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((texts[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low - 1
}

function joinLists(lists: readonly Postings[]): Postings {
  const [first, ...rest] = lists
  if (first !== undefined && rest.length === 0) return first
  const size = lists.reduce((sum, { documents }) => sum + documents.length, 0)
  const joined = { documents: new Uint32Array(size), counts: new Uint8Array(size), most: 0 }
  let at = 0
  for (const { documents, counts, most } of lists) {
    joined.most = Math.max(joined.most, most)
    joined.documents.set(documents, at)
    joined.counts.set(counts, at)
    at += documents.length
  }
  return joined
}
