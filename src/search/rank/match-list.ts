/** One way in which documents have a cue, such as in their text or as their speaker. */
export type MatchList = {
  /** Ascending. */
  documents: Uint32Array
  /** Number of occurrences per document; one each if undefined. */
  counts: Uint8Array | undefined
  /** The highest count. */
  most: number
  /** The value of one occurrence, in hundredths of a mention of the query's own word in a text. An integer. */
  worth: number
  /** True if neighbouring turns share in it. */
  folds: boolean
}

/** Hundredths. Mentions are integers while they are summed, so that the order does not change the sum. */
export const MENTION = 100

/** A cue with its weight. A document gets up to `weight` for it, approaching it with the number of mentions. */
export type WeighedCue = { weight: number; lists: readonly MatchList[] }

/** Counts the documents in any of the lists. */
export function countDocuments(lists: readonly MatchList[]): number {
  const [longest, ...others] = lists
    .map(({ documents }) => documents)
    .filter(({ length }) => length > 0)
    .sort((left, right) => right.length - left.length)
  if (longest === undefined) return 0
  const missing = new Set<number>()
  for (const documents of others) {
    let at = 0
    for (const document of documents) {
      at = seekDocument(longest, document, at)
      if (longest[at] !== document) missing.add(document)
    }
  }
  return longest.length + missing.size
}

/**
 * Returns the position, from `from` on, of the first of ascending documents that is not before `document`. Near ones
 * are found fastest.
 */
export function seekDocument(documents: Uint32Array, document: number, from: number): number {
  let low = from
  let step = 1
  while (low + step <= documents.length && (documents[low + step - 1] ?? 0) < document) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, documents.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((documents[middle] ?? 0) < document) low = middle + 1
    else high = middle
  }
  return low
}
