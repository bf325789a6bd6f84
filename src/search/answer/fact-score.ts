import type { FactRecord } from '../../contract/snapshot.ts'
import { isAnnotation } from '../../memory/structure/annotations.ts'
import { textTraits } from '../analyse/text-traits.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { ReadFactWords } from './fact-words.ts'

/** What is scored of a fact. `confidence` 0 to 1; `source` is the score of the memory it stands in, 0 for none that was found. */
export type ScoredFact = Pick<FactRecord, 'subject' | 'predicate' | 'value' | 'modality'> & {
  confidence: number
  source: number
}

/** How well a fact answers, 0 to 1, and why: parts of 1. */
export type FactScore = {
  score: number
  words: number
  subject: number
  source: number
  confidence: number
  /** What is left of it where it has nothing of the kind that is asked for, or says only what the query says. */
  fit: number
}

/** What facts are scored against. */
type Asked = Pick<Answering, 'words' | 'intent' | 'inquiry'>

export type ScoreFact = (fact: ScoredFact) => FactScore

/**
 * Scores facts against one query. What shares no word with it gets 0. A fact that says what is asked is as good as a memory
 * that does: for as much as it has of the query it counts as one nearly as good as the best, wherever it stands.
 */
export function createFactScorer({ words, intent: { traits }, inquiry }: Asked, read: ReadFactWords): ScoreFact {
  const lent = ANSWER.LENT * (inquiry.hits[0]?.score ?? 0)
  return (fact) => {
    const { covered, isNews } = read(fact)
    const named = words.share(fact.subject)
    const said = `${fact.predicate} ${fact.value}; ${fact.subject}`
    const fit = traitsFit(said, traits) * (isNews ? 1 : ANSWER.NO_NEWS)
    const { confidence } = fact
    const source = Math.max(fact.source, lent * covered)
    const score = covered === 0 ? 0 : blended({ words: covered, subject: named, source, confidence, fit })
    return {
      score:
        score *
        (fact.modality === undefined ? 1 : ANSWER.UNCLAIMED) *
        (isAnnotation(fact.predicate) ? ANSWER.SHARED : 1),
      words: covered,
      subject: named,
      source,
      confidence,
      fit
    }
  }
}

/** The score that parts of 1 give together. */
export function blended({ words, subject, source, confidence, fit }: Omit<FactScore, 'score'>): number {
  return (
    (ANSWER.FACT_WORDS_PART * words + (1 - ANSWER.FACT_WORDS_PART) * source) *
    (ANSWER.OTHER_SUBJECT + (1 - ANSWER.OTHER_SUBJECT) * subject) *
    (ANSWER.UNSURE_FACT + (1 - ANSWER.UNSURE_FACT) * confidence) *
    fit
  )
}

/** What is left of what says this: it may have nothing that such a question asks for, as a time for `when` or a name for `who`. */
export function traitsFit(said: string, traits: number): number {
  return traits === 0 || (textTraits(said) & traits) !== 0 ? 1 : ANSWER.OTHER_TRAITS
}
