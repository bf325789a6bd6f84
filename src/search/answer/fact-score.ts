import type { FactRecord } from '../../contract/snapshot.ts'
import { predicateClass } from '../../memory/graph/predicate-class.ts'
import { PREDICATE_ROWS } from '../../memory/graph/predicate-classes.ts'
import { isAnnotation } from '../../memory/structure/annotations.ts'
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
  const meaningOf = createMeaning(words)
  return ({ subject, predicate, value, modality, source, confidence }) => {
    const found = new Set([...words.in(subject), ...words.in(meaningOf(predicate)), ...words.in(value)])
    const covered = words.weightOf(found)
    const named = words.share(subject)
    const blend = covered === 0 ? 0 : ANSWER.WORDS_PART * covered + ANSWER.SOURCE_PART * source
    const score =
      blend *
      (ANSWER.OTHER_SUBJECT + (1 - ANSWER.OTHER_SUBJECT) * named) *
      (ANSWER.UNSURE + (1 - ANSWER.UNSURE) * confidence) *
      (modality === undefined ? 1 : ANSWER.UNCLAIMED) *
      (isAnnotation(predicate) ? ANSWER.SHARED : 1)
    return { score, words: covered, subject: named, source, confidence }
  }
}

/**
 * The words of a predicate and of what it means: `moved to` answers what asks where somebody lives. Most queries name no
 * meaning, and then nobody works out what predicates mean.
 */
function createMeaning(words: QueryWords): (predicate: string) => string {
  if (!words.terms.some(({ name }) => MEANING_STARTS.has(name.slice(0, START_UNITS)))) return (predicate) => predicate
  const known = new Map<string, string>()
  return (predicate) => {
    const before = known.get(predicate)
    if (before !== undefined) return before
    const meaning = `${predicate} ${spoken(predicateClass(predicate).key)}`
    known.set(predicate, meaning)
    return meaning
  }
}

/** How words of meanings begin, which no ending changes: enough to tell that a query names none. */
const START_UNITS = 3
const MEANING_STARTS: ReadonlySet<string> = new Set(
  PREDICATE_ROWS.flatMap(({ key }) => key.split('_').map((word) => word.slice(0, START_UNITS)))
)

function spoken(key: string): string {
  return key.replaceAll('_', ' ')
}
