import type { FactRecord } from '../../contract/snapshot.ts'
import { classifyPredicate } from '../../memory/graph/predicate-class.ts'
import { PREDICATE_ROWS } from '../../memory/graph/predicate-rows.ts'
import { isAnnotation } from '../../memory/structure/find-annotations.ts'
import { detectTraits } from '../analyse/detect-traits.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { QueryWords } from './query-words.ts'

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
    const fit = rateTraitsFit(said, traits) * (isNews ? 1 : ANSWER.NO_NEWS)
    const { confidence } = fact
    const source = Math.max(fact.source, lent * covered)
    const score = covered === 0 ? 0 : blendScore({ words: covered, subject: named, source, confidence, fit })
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
export function blendScore({ words, subject, source, confidence, fit }: Omit<FactScore, 'score'>): number {
  return (
    (ANSWER.FACT_WORDS_PART * words + (1 - ANSWER.FACT_WORDS_PART) * source) *
    (ANSWER.OTHER_SUBJECT + (1 - ANSWER.OTHER_SUBJECT) * subject) *
    (ANSWER.UNSURE_FACT + (1 - ANSWER.UNSURE_FACT) * confidence) *
    fit
  )
}

/** What is left of what says this: it may have nothing that such a question asks for, as a time for `when` or a name for `who`. */
export function rateTraitsFit(said: string, traits: number): number {
  return traits === 0 || (detectTraits(said) & traits) !== 0 ? 1 : ANSWER.OTHER_TRAITS
}

/** What a fact has of a query. */
type FactWords = {
  /** The terms that it says, in whatever form, by their place in the query. */
  found: ReadonlySet<number>
  /** Those of them that the predicate says, or means. */
  inPredicate: ReadonlySet<number>
  /** The part of the query's weight that it has, 0 to 1; other words for a term count as part of it. */
  covered: number
  /** Whether it says anything that the query does not. */
  isNews: boolean
}

export type ReadFactWords = (fact: Pick<FactRecord, 'subject' | 'predicate' | 'value'>) => FactWords

/** Reads what facts have of one query. */
export function createFactWords(words: QueryWords): ReadFactWords {
  const meaningOf = createMeaning(words)
  return ({ subject, predicate, value }) => {
    const [about, does] = [words.in(subject), words.in(meaningOf(predicate))]
    const near = findNearest(words, [predicate, value])
    const found = new Set([...about, ...does, ...words.in(value), ...selectLikely(near)])
    const bonus = ANSWER.PREDICATE_BONUS * words.weightOf(does)
    const covered = words.weightOf(found) + bonus + computeNearWeight(words, near, found)
    return {
      found,
      inPredicate: new Set([...does, ...selectLikely(words.near(predicate))]),
      covered: Math.min(1, covered),
      isNews: words.share(value) < 1 || words.share(subject) < 1
    }
  }
}

/** A form is taken for the word where it is that more likely than not. */
const LIKELY = 0.5

function selectLikely(near: ReadonlyMap<number, number>): number[] {
  return [...near].flatMap(([place, worth]) => (worth >= LIKELY ? [place] : []))
}

/** For terms that texts have in other words how much of a mention each is, at most. */
function findNearest(words: QueryWords, texts: readonly string[]): Map<number, number> {
  const near = new Map<number, number>()
  for (const text of texts) {
    for (const [place, worth] of words.near(text)) near.set(place, Math.max(near.get(place) ?? 0, worth))
  }
  return near
}

/** What other words for terms that are not found are worth, in parts of the query's weight. */
function computeNearWeight(words: QueryWords, near: ReadonlyMap<number, number>, found: ReadonlySet<number>): number {
  let weight = 0
  for (const [place, worth] of near) if (!found.has(place)) weight += worth * words.weightOf([place])
  return weight
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
    const { key, isInverse } = classifyPredicate(predicate)
    const names = isInverse ? [] : (NAMES.get(key) ?? [])
    const meaning = [predicate, key.replaceAll('_', ' '), ...names].join(' ')
    known.set(predicate, meaning)
    return meaning
  }
}

/** What an attribute is called in a single word: what names `husband` asks whom somebody married. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  PREDICATE_ROWS.map(({ key, nouns = [] }) => [key, nouns.filter((noun) => !noun.includes(' '))])
)

/** How words of meanings begin, which no ending changes: enough to tell that a query names none. */
const START_UNITS = 3
const MEANING_STARTS: ReadonlySet<string> = new Set(
  PREDICATE_ROWS.flatMap(({ key }) => [...key.split('_'), ...(NAMES.get(key) ?? [])]).map((word) =>
    word.slice(0, START_UNITS)
  )
)
