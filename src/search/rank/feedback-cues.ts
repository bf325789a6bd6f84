import { analyse } from '../analyse/analyse.ts'
import type { IndexReader } from '../index/index-reader.ts'
import { FEEDBACK, type FeedbackSource, feedbackShare, feedbackTerms } from './feedback-terms.ts'
import type { Best } from './score-documents.ts'
import { type FoundCue, weighCue } from './weigh-cue.ts'

/** What was searched for and found. `textOf` reads a document's text; undefined where it cannot be read. */
export type FirstSearch = {
  cues: readonly FoundCue[]
  best: Best
  textOf: (document: number) => string | undefined
}

/**
 * What to search for in a second search: the same cues with other weights, and terms of the best documents. Undefined
 * where that would change nothing. Reads no more than `FEEDBACK.SOURCES` texts, and none where what was found is short.
 */
export function feedbackCues(index: IndexReader, { cues, best, textOf }: FirstSearch): FoundCue[] | undefined {
  const lengths = index.terms()
  const sources = best.documents.slice(0, FEEDBACK.SOURCES).map((document, place) => ({
    document,
    score: best.scores[place] ?? 0,
    length: lengths[document] ?? 0
  }))
  if (feedbackShare(sources) === 0) return undefined
  const own = cues.flatMap(({ cue, weight }) => (cue.kind === 'term' ? [{ name: cue.name, weight }] : []))
  const read = sources.map((source) => readSource(source, textOf))
  const look = createLookUp(index, cues)
  const rarityOf = (term: string): number | undefined => {
    const { having, weight } = look(term)
    return having < 2 ? undefined : weight
  }
  const terms = feedbackTerms(own, { sources: read, rarityOf })
  if (terms.length === own.length) return undefined
  const others = cues.filter(({ cue }) => cue.kind !== 'term')
  return [...terms.map(({ name, weight }) => ({ ...look(name), weight })), ...others]
}

type ReadSource = FeedbackSource & { terms: string[] }

/** A document with its terms. */
function readSource(
  { document, score, length }: FeedbackSource & { document: number },
  textOf: FirstSearch['textOf']
): ReadSource {
  const text = length > FEEDBACK.SHORT_TERMS ? textOf(document) : undefined
  if (text === undefined) return { score, length: 0, terms: [] }
  return { score, length, terms: analyse(text) }
}

/** Looks terms up, each once, weighed as if the query said them once. */
function createLookUp(index: IndexReader, cues: readonly FoundCue[]): (term: string) => FoundCue {
  const found = new Map<string, FoundCue>()
  for (const one of cues)
    if (one.cue.kind === 'term') found.set(one.cue.name, { ...one, weight: one.weight / one.cue.weight })
  return (name) => {
    const known = found.get(name) ?? weighCue(index, { kind: 'term', name, weight: 1 })
    found.set(name, known)
    return known
  }
}
