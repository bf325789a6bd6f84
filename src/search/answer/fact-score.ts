import type { FactRecord } from '../../contract/snapshot.ts'
import { predicateClass } from '../../memory/graph/predicate-class.ts'
import { ANSWER } from './answer-constants.ts'
import type { QueryWords } from './query-words.ts'

/** What is scored of a fact. `confidence` 0 to 1; `source` is the score of the memory it stands in, 0 for none that was found. */
export type ScoredFact = Pick<FactRecord, 'subject' | 'predicate' | 'value' | 'modality'> & {
  confidence: number
  source: number
}

/** How well a fact answers, 0 to 1, and why: parts of 1. */
export type FactScore = { score: number; words: number; subject: number; source: number; confidence: number }

/** Scores facts against one query. What shares no word with it gets 0. */
export function createFactScorer(words: QueryWords): (fact: ScoredFact) => FactScore {
  const meanings = new Map<string, string>()
  /** `moved to` answers what asks where somebody lives: the words of what a predicate means count as its own. */
  const meaningOf = (predicate: string): string => {
    const known = meanings.get(predicate)
    if (known !== undefined) return known
    const meaning = `${predicate} ${predicateClass(predicate).key.replaceAll('_', ' ')}`
    meanings.set(predicate, meaning)
    return meaning
  }
  return ({ subject, predicate, value, modality, source, confidence }) => {
    const found = new Set([...words.in(subject), ...words.in(meaningOf(predicate)), ...words.in(value)])
    const covered = words.weightOf(found)
    const named = words.share(subject)
    const blend = covered === 0 ? 0 : ANSWER.WORDS_PART * covered + ANSWER.SOURCE_PART * source
    const score =
      blend *
      (ANSWER.OTHER_SUBJECT + (1 - ANSWER.OTHER_SUBJECT) * named) *
      (ANSWER.UNSURE + (1 - ANSWER.UNSURE) * confidence) *
      (modality === undefined ? 1 : ANSWER.UNCLAIMED)
    return { score, words: covered, subject: named, source, confidence }
  }
}
