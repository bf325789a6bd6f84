import { LAYOUT } from './related-terms-layout.ts'

/** Documents that have a related term, ascending, and the term's value as a part of a mention: from 1/4 to 1. */
export type RelatedList = { documents: Uint32Array; weight: number }

/** For each document in any list, ascending, its greatest weight in quarters. `most` is the highest of them. */
export type StrongestMentions = { documents: Uint32Array; counts: Uint8Array; most: number }

/**
 * Merges lists of related terms. Only the strongest related word of a document counts, and only once, because several
 * related words do not make a stronger match. Long texts, which have some of every word, thus gain nothing.
 */
export function mergeStrongest(lists: readonly RelatedList[]): StrongestMentions {
  return lists.map(toQuarters).reduce(mergeTwo, { documents: new Uint32Array(), counts: new Uint8Array(), most: 0 })
}

function toQuarters({ documents, weight }: RelatedList): StrongestMentions {
  const quarters = Math.round(weight * LAYOUT.WEIGHTS)
  return {
    documents,
    counts: new Uint8Array(documents.length).fill(quarters),
    most: documents.length > 0 ? quarters : 0
  }
}

function mergeTwo(left: StrongestMentions, right: StrongestMentions): StrongestMentions {
  if (left.documents.length === 0) return right
  const size = left.documents.length + right.documents.length
  const documents = new Uint32Array(size)
  const counts = new Uint8Array(size)
  let atLeft = 0
  let atRight = 0
  let count = 0
  while (atLeft < left.documents.length || atRight < right.documents.length) {
    const ofLeft = left.documents[atLeft] ?? Infinity
    const ofRight = right.documents[atRight] ?? Infinity
    documents[count] = Math.min(ofLeft, ofRight)
    counts[count++] = Math.max(
      ofLeft <= ofRight ? (left.counts[atLeft++] ?? 0) : 0,
      ofRight <= ofLeft ? (right.counts[atRight++] ?? 0) : 0
    )
  }
  const most = Math.max(left.most, right.most)
  return { documents: documents.subarray(0, count), counts: counts.subarray(0, count), most }
}
