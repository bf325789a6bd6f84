import type { StoredSegments } from './column-reader.ts'
import { decodedPart, keepList } from './decoded.ts'
import type { SegmentRow } from './index-store.ts'
import { findInBlock, type Postings } from './posting-block.ts'
import { unpackTexts } from './text-list.ts'

/** Which documents have a term: ascending within each segment, segment by segment. */
export function createPostingsReader({ store, segments, decoded }: StoredSegments): (term: string) => Postings {
  const joined = new Map<string, Postings>()
  let joinedPostings = 0
  const inSegment = (row: SegmentRow, base: number, term: string): Postings | undefined => {
    const part = decodedPart(decoded, row.segment)
    if (part.lists.has(term)) return part.lists.get(term)
    part.directory ??= unpackTexts(row.directory)
    const block = lastAtMost(part.directory, term)
    const bytes = block < 0 ? undefined : store.block(row.segment, block)
    const list = bytes && findInBlock(bytes, Buffer.from(term, 'utf8'), base)
    keepList(decoded, row.segment, { term, list })
    return list
  }
  return (term) => {
    const known = joined.get(term)
    if (known !== undefined) return known
    const lists: Postings[] = []
    let base = 0
    for (const row of segments) {
      const list = inSegment(row, base, term)
      if (list !== undefined) lists.push(list)
      base += row.documents
    }
    const postings = joinLists(lists)
    joinedPostings += 1 + (lists.length > 1 ? postings.documents.length : 0)
    if (joinedPostings > JOINED_POSTINGS_MAX) {
      joined.clear()
      joinedPostings = 0
    }
    joined.set(term, postings)
    return postings
  }
}

/** Postings of several segments that are kept as one list, at most: 20 MB. */
const JOINED_POSTINGS_MAX = 4_000_000

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
