import { termSpans } from '../analyse/term-spans.ts'
import { type Passage, textPassages } from '../analyse/text-passages.ts'
import type { WeighedTerm } from './rank-documents.ts'

/** What is looked for in a text, and how long the text is. */
export type PassageDemand = {
  cues: readonly WeighedTerm[]
  /** Terms of the whole text. */
  length: number
  /** K1 times BM25's length normalisation for a text of so many terms. */
  factorOf: (terms: number) => number
}

/** A passage, and BM25's score for it as if it were a document of its own. */
export type ScoredPassage = Passage & { score: number }

/**
 * The passage of a text where most of what is looked for stands together: of equal ones the first. In a long text this
 * tells far more than all of it does, in which words stand that have nothing to do with each other.
 */
export function bestPassage(text: string, { cues, length, factorOf }: PassageDemand): ScoredPassage {
  const passages = textPassages(text)
  const mentions = mentionsByPassage(text, passages, new Set(cues.map(({ name }) => name)))
  let best: ScoredPassage = { start: 0, end: passages[0]?.end ?? 0, score: 0 }
  passages.forEach((passage, place) => {
    const counts = mentions[place]
    if (counts === undefined) return
    const terms = (length * (passage.end - passage.start)) / Math.max(1, text.length)
    const score = scoreOf(counts, cues, factorOf(terms))
    if (score > best.score) best = { ...passage, score }
  })
  return best
}

/** How often each term stands in each passage. A term that lies over a cut counts for where it begins. */
function mentionsByPassage(
  text: string,
  passages: readonly Passage[],
  terms: ReadonlySet<string>
): (Map<string, number> | undefined)[] {
  const mentions: (Map<string, number> | undefined)[] = passages.map(() => undefined)
  let place = 0
  for (const { term, start } of termSpans(text, terms, { spansMax: SPANS_MAX })) {
    while (place > 0 && start < (passages[place]?.start ?? 0)) place--
    while (place + 1 < passages.length && start >= (passages[place]?.end ?? 0)) place++
    const counts = mentions[place] ?? new Map<string, number>()
    mentions[place] = counts
    counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return mentions
}

/** Mentions that are looked at in one text. */
const SPANS_MAX = 20_000

function scoreOf(counts: ReadonlyMap<string, number>, cues: readonly WeighedTerm[], factor: number): number {
  return cues.reduce((sum, { name, weight }) => {
    const mentions = counts.get(name) ?? 0
    return mentions === 0 ? sum : sum + (weight * mentions) / (mentions + factor)
  }, 0)
}
