/** One way in which documents have a cue: in their text, say, or by who speaks. */
export type MatchList = {
  /** Ascending. */
  documents: Uint32Array
  /** How often each has it; once where there are no counts. */
  counts: Uint8Array | undefined
  /** The highest of the counts. */
  most: number
  /** What one time counts, in hundredths of a mention of the query's own word in a text: whole. */
  worth: number
  /** True where turns next to a document have a share of it. */
  folds: boolean
}

/** Hundredths. Mentions are whole while they are summed, so that the sum is the same in whatever order they come. */
export const MENTION = 100

/** One thing to look for. A document gets up to `weight` for it, the more the oftener it has it. */
export type WeighedCue = { weight: number; lists: readonly MatchList[] }

/** How many documents are in any of the lists. */
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

/** The place, from `from` on, of the first of ascending documents that is not before `document`. Near ones are found at once. */
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
