import { analyse } from '../analyse/analyse.ts'
import type { IndexReader } from '../index/index-reader.ts'
import type { Best } from './create-scorer.ts'
import { raiseToPower } from './exact-numbers.ts'
import { RANKING } from './ranking-constants.ts'
import type { WeighedTerm } from './term-match.ts'
import { type FoundCue, weighCue } from './weigh-cue.ts'

/** The cues and results of a first search. `textOf` reads a document's text; it returns undefined if that fails. */
type FirstSearch = {
  cues: readonly FoundCue[]
  best: Best
  textOf: (document: number) => string | undefined
}

/**
 * Returns the cues of a second search: the same cues with other weights, and terms of the best documents. Returns
 * undefined if nothing would change. Reads at most `FEEDBACK.SOURCES` texts, and none if the results are short.
 */
export function findFeedbackCues(index: IndexReader, { cues, best, textOf }: FirstSearch): FoundCue[] | undefined {
  const lengths = index.terms()
  const { reach } = index.neighbours()
  const sources = best.documents.slice(0, FEEDBACK.SOURCES).map((document, place) => ({
    document,
    score: best.scores[place] ?? 0,
    // A turn of a conversation is not a text about a subject, however long it is.
    length: reach[index.firstOf(document)] === 0 ? (lengths[document] ?? 0) : 0
  }))
  if (computeFeedbackRatio(sources) === 0) return undefined
  const own = cues.flatMap(({ cue, weight }) => (cue.kind === 'term' ? [{ name: cue.name, weight }] : []))
  const read = sources.map((source) => readSource(source, textOf))
  const look = createLookUp(index, cues)
  const rarityOf = (term: string): number | undefined => {
    const { having, weight } = look(term)
    return having < 2 ? undefined : weight
  }
  const terms = weighFeedbackTerms(own, { sources: read, rarityOf })
  if (terms.length === own.length) return undefined
  const others = cues.filter(({ cue }) => cue.kind !== 'term')
  return [...terms.map(({ name, weight }) => ({ ...look(name), weight })), ...others]
}

type ReadSource = FeedbackSource & { terms: string[] }

/** Reads a document with its terms. */
function readSource(
  { document, score, length }: FeedbackSource & { document: number },
  textOf: FirstSearch['textOf']
): ReadSource {
  const text = length > FEEDBACK.SHORT_TERMS ? textOf(document) : undefined
  if (text === undefined) return { score, length: 0, terms: [] }
  return { score, length, terms: analyse(text) }
}

/** Creates a function that looks up terms, each once, with the weight of a single mention in the query. */
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

/** A document or passage among the best of a first search. */
type FeedbackSource = {
  /** Score in the first search; above 0. */
  score: number
  /** Number of terms. */
  length: number
}

/** The input of feedback. Only documents listed in `sources` take part. */
type FeedbackGround = {
  /** The terms of each source, in any order, with repeats. */
  sources: readonly (FeedbackSource & { terms: readonly string[] })[]
  /**
   * Returns how rare a term is among all documents, 0 or more; undefined if only one document has it, so that it can
   * find no other.
   */
  rarityOf: (term: string) => number | undefined
}

/**
 * Constants of feedback, equal for all collections. Chosen on two public collections of abstracts, where feedback adds
 * 4.5 and 6.4 points of MAP, the same on either half of the queries; chats are unchanged. Half or double of any one
 * constant costs up to 2.3 of these points, mostly less than one.
 */
export const FEEDBACK = {
  /** Maximum number of best documents used as sources. */
  SOURCES: 10,
  /** Exponent of a source's score: documents far behind the best seldom have the same subject. */
  SHARPNESS: 4,
  /** Up to this number of terms, about a line of chat, a text says nothing about its subject beyond the match. */
  SHORT_TERMS: 20,
  /** Number of additional terms at which a text is trusted by half. */
  HALF_TERMS: 100,
  /** Minimum weight of feedback, relative to the query's own terms, that justifies a second search. */
  RATIO_LEAST: 0.2,
  /**
   * Maximum weight of feedback. Beyond it, the query's own terms no longer dominate; without this limit, questions with
   * a single answer lose.
   */
  RATIO_MOST: 1.25,
  /** Number of terms weighed, those most used by the sources, and number of them that are added. */
  CANDIDATES: 60,
  TERMS: 24,
  /** Exponent of a term's rarity, which is multiplied by its share of the sources. */
  RARITY_POWER: 1.5,
  /**
   * Increase of the exponent of rarity for the query's own terms, per share of feedback, because long texts have common
   * words anyway.
   */
  TILT: 0.25
} as const

/**
 * Computes the weight of all feedback relative to the query's own terms: 0 if feedback would not help, as with short
 * results. Needs no texts, so that none are read in vain.
 */
export function computeFeedbackRatio(sources: readonly FeedbackSource[]): number {
  const counted = weighSources(sources)
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return 0
  const trusted = counted.reduce((sum, { weight, trust }) => sum + weight * trust, 0)
  const share = (RANKING.FEEDBACK_WEIGHT * trusted) / whole
  return share < FEEDBACK.RATIO_LEAST ? 0 : Math.min(share, FEEDBACK.RATIO_MOST)
}

/**
 * Weighs the terms of a query with those that the best documents add: first its own in their order, then further ones
 * by descending weight. The total weight of its own terms stays the same. Without feedback, they are returned
 * unchanged.
 */
export function weighFeedbackTerms(own: readonly WeighedTerm[], { sources, rarityOf }: FeedbackGround): WeighedTerm[] {
  const share = computeFeedbackRatio(sources)
  const telling = share === 0 ? [] : findTellingTerms(sources, rarityOf)
  const given = sumWeights(telling)
  const total = sumWeights(own)
  if (given === 0 || total === 0) return [...own]
  const added = new Map(telling.map(({ name, weight }) => [name, (share * total * weight) / given]))
  const terms = tiltWeights(own, { power: FEEDBACK.TILT * share, rarityOf, total }).map(({ name, weight }) => ({
    name,
    weight: weight + (added.get(name) ?? 0)
  }))
  for (const { name } of own) added.delete(name)
  for (const [name, weight] of added) terms.push({ name, weight })
  return terms
}

type WeighedSource<S> = { source: S; weight: number; trust: number }

/** Returns the weight of each source and how far its words are trusted: the longer the text, the more. */
function weighSources<S extends FeedbackSource>(sources: readonly S[]): WeighedSource<S>[] {
  const best = sources.reduce((most, { score }) => Math.max(most, score), 0)
  if (best <= 0) return []
  return sources.slice(0, FEEDBACK.SOURCES).map((source) => {
    const long = Math.max(0, source.length - FEEDBACK.SHORT_TERMS)
    return {
      source,
      weight: raiseToPower(Math.max(0, source.score) / best, FEEDBACK.SHARPNESS),
      trust: long / (long + FEEDBACK.HALF_TERMS)
    }
  })
}

/** Returns terms that the sources use much and other documents seldom, the most distinctive first. */
function findTellingTerms(sources: FeedbackGround['sources'], rarityOf: FeedbackGround['rarityOf']): WeighedTerm[] {
  const shares = new Map<string, number>()
  for (const { source, weight, trust } of weighSources(sources)) {
    const part = (weight * trust) / Math.max(1, source.terms.length)
    if (part > 0) for (const term of source.terms) shares.set(term, (shares.get(term) ?? 0) + part)
  }
  const used = [...shares].map(([name, weight]) => ({ name, weight })).sort(compareWeights)
  return used
    .slice(0, FEEDBACK.CANDIDATES)
    .map(({ name, weight }) => ({ name, weight: weight * raiseToPower(rarityOf(name) ?? 0, FEEDBACK.RARITY_POWER) }))
    .filter(({ weight }) => weight > 0)
    .sort(compareWeights)
    .slice(0, FEEDBACK.TERMS)
}

type Tilt = { power: number; rarityOf: FeedbackGround['rarityOf']; total: number }

/** Shifts weight from common terms to rare ones; the sum stays the same. */
function tiltWeights(own: readonly WeighedTerm[], { power, rarityOf, total }: Tilt): WeighedTerm[] {
  const moved = own.map(({ name, weight }) => ({ name, weight: weight * raiseToPower(rarityOf(name) ?? 1, power) }))
  const sum = sumWeights(moved)
  return sum === 0 ? [...own] : moved.map(({ name, weight }) => ({ name, weight: (weight * total) / sum }))
}

function sumWeights(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

function compareWeights(left: WeighedTerm, right: WeighedTerm): number {
  return right.weight - left.weight || (left.name < right.name ? -1 : 1)
}
