import type { FactRecord } from '../../contract/snapshot.ts'
import { classifyPredicate } from '../../memory/graph/predicate-class.ts'
import { PREDICATE_ROWS } from '../../memory/graph/predicate-rows.ts'
import { isAnnotation } from '../../memory/structure/find-annotations.ts'
import { detectTraits } from '../analyse/detect-traits.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { QueryWords } from './query-words.ts'

/**
 * The part of a fact that is scored. `confidence` is 0 to 1; `source` is the score of its memory, 0 if the memory was
 * not found.
 */
export type ScoredFact = Pick<FactRecord, 'subject' | 'predicate' | 'value' | 'modality'> & {
  confidence: number
  source: number
}

/** How well a fact answers, 0 to 1, with the parts of that score. */
export type FactScore = {
  score: number
  words: number
  subject: number
  source: number
  confidence: number
  /** Factor below 1 for a fact without the kind of information asked for, or without anything new. */
  fit: number
}

/** The query that facts are scored against. */
type Asked = Pick<Answering, 'words' | 'intent' | 'inquiry'>

export type ScoreFact = (fact: ScoredFact) => FactScore

/**
 * Creates a function that scores facts against one query; a fact without a query term gets 0. A fact that contains the
 * answer counts as much as a memory that does: in proportion to the query weight it covers, it is treated as nearly as
 * good as the best source, wherever it occurs.
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

/** Combines the parts of a score, each from 0 to 1. */
export function blendScore({ words, subject, source, confidence, fit }: Omit<FactScore, 'score'>): number {
  return (
    (ANSWER.FACT_WORDS_PART * words + (1 - ANSWER.FACT_WORDS_PART) * source) *
    (ANSWER.OTHER_SUBJECT + (1 - ANSWER.OTHER_SUBJECT) * subject) *
    (ANSWER.UNSURE_FACT + (1 - ANSWER.UNSURE_FACT) * confidence) *
    fit
  )
}

/**
 * Returns a factor below 1 for a text without what such a question asks for, such as a time for `when` or a name for
 * `who`.
 */
export function rateTraitsFit(said: string, traits: number): number {
  return traits === 0 || (detectTraits(said) & traits) !== 0 ? 1 : ANSWER.OTHER_TRAITS
}

/** The query terms that a fact has. */
type FactWords = {
  /** The terms it contains, in any form, by position in the query. */
  found: ReadonlySet<number>
  /** The terms among them that the predicate contains or implies. */
  inPredicate: ReadonlySet<number>
  /** The part of the query's weight that the fact covers, 0 to 1; related words count in part. */
  covered: number
  /** Whether the fact adds anything to the query. */
  isNews: boolean
}

export type ReadFactWords = (fact: Pick<FactRecord, 'subject' | 'predicate' | 'value'>) => FactWords

/** Creates a function that returns which terms of one query a fact has. */
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

/** A form counts as the word if that is more likely than not. */
const LIKELY = 0.5

function selectLikely(near: ReadonlyMap<number, number>): number[] {
  return [...near].flatMap(([place, worth]) => (worth >= LIKELY ? [place] : []))
}

/** Returns, for terms that the texts express only with related words, the highest value of a mention. */
function findNearest(words: QueryWords, texts: readonly string[]): Map<number, number> {
  const near = new Map<number, number>()
  for (const text of texts) {
    for (const [place, worth] of words.near(text)) near.set(place, Math.max(near.get(place) ?? 0, worth))
  }
  return near
}

/** Returns the value of related words for terms that were not found, as a part of the query's weight. */
function computeNearWeight(words: QueryWords, near: ReadonlyMap<number, number>, found: ReadonlySet<number>): number {
  let weight = 0
  for (const [place, worth] of near) if (!found.has(place)) weight += worth * words.weightOf([place])
  return weight
}

/**
 * Creates a function that returns a predicate's words with those of its meaning: `moved to` matches a question about
 * where someone lives. If the query uses no such word, which is usual, meanings are not computed.
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

/** Names of attributes as single words: `husband` asks for the person someone married. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  PREDICATE_ROWS.map(({ key, nouns = [] }) => [key, nouns.filter((noun) => !noun.includes(' '))])
)

/**
 * Length of the beginning of a meaning word that no inflection changes. A query without any of these beginnings needs
 * no meanings.
 */
const START_UNITS = 3
const MEANING_STARTS: ReadonlySet<string> = new Set(
  PREDICATE_ROWS.flatMap(({ key }) => [...key.split('_'), ...(NAMES.get(key) ?? [])]).map((word) =>
    word.slice(0, START_UNITS)
  )
)
