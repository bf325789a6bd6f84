import type { WeighedTerm } from './rank-documents.ts'
import { RANKING } from './ranking-constants.ts'

/** A document, or a passage of one, that a first search put on top. */
export type FeedbackSource = {
  /** What the first search gave it; over 0. */
  score: number
  /** How many terms it has. */
  length: number
}

/** All that feedback goes by. What is not listed under `sources` has no part in it. */
export type FeedbackGround = {
  /** The terms of each source, in any order, with repeats. */
  sources: readonly (FeedbackSource & { terms: readonly string[] })[]
  /** How rare a term is among all documents, 0 or more. Undefined where only one has it: it can find nothing else. */
  rarityOf: (term: string) => number | undefined
}

/**
 * Numbers of feedback, the same for every collection. Chosen on two public collections of abstracts, where it brings 4.5
 * and 6.4 points of MAP, as much on either half of the queries; chat is left as it was. Half or double of any one of
 * them costs up to 2.3 of these points, mostly less than one.
 */
export const FEEDBACK = {
  /** So many of the best are looked at, at most. */
  SOURCES: 10,
  /** A source counts by this power of its score: those far behind the best are seldom about the same. */
  SHARPNESS: 4,
  /** Terms below which a text tells nothing of its subject beyond what was found by: no more than a line of chat. */
  SHORT_TERMS: 20,
  /** Terms beyond those of a text that is trusted by half. */
  HALF_TERMS: 100,
  /** Less than this, against the query's own terms, is not worth a second search. */
  SHARE_LEAST: 0.2,
  /** More than this and the query's own terms are no longer in charge: bare of it, questions with one answer lose. */
  SHARE_MOST: 1.25,
  /** Terms that are weighed, those that the sources use most, and of them the ones taken up. */
  CANDIDATES: 60,
  TERMS: 24,
  /** A term counts by its share of the sources and this power of its rarity. */
  RARITY_POWER: 1.5,
  /** By so much, times the share, the power of rarity grows for the query's own terms: long texts have common words anyway. */
  TILT: 0.25
} as const

/**
 * Weight of all feedback against that of the query's own terms: 0 where it would not help, which is so wherever what was
 * found is short. Needs no texts, so that none has to be read for nothing.
 */
export function feedbackShare(sources: readonly FeedbackSource[]): number {
  const counted = weighedSources(sources)
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return 0
  const trusted = counted.reduce((sum, { weight, trust }) => sum + weight * trust, 0)
  const share = (RANKING.FEEDBACK_WEIGHT * trusted) / whole
  return share < FEEDBACK.SHARE_LEAST ? 0 : Math.min(share, FEEDBACK.SHARE_MOST)
}

/**
 * The terms of a query with what the best documents add to it: first its own in their order, then further ones, the
 * weightiest first. Own terms together weigh what they did. Without feedback they are returned as they came.
 */
export function feedbackTerms(own: readonly WeighedTerm[], { sources, rarityOf }: FeedbackGround): WeighedTerm[] {
  const share = feedbackShare(sources)
  const telling = share === 0 ? [] : tellingTerms(sources, rarityOf)
  const given = sumOf(telling)
  const total = sumOf(own)
  if (given === 0 || total === 0) return [...own]
  const added = new Map(telling.map(({ name, weight }) => [name, (share * total * weight) / given]))
  const terms = tilted(own, { power: FEEDBACK.TILT * share, rarityOf, total }).map(({ name, weight }) => ({
    name,
    weight: weight + (added.get(name) ?? 0)
  }))
  for (const { name } of own) added.delete(name)
  for (const [name, weight] of added) terms.push({ name, weight })
  return terms
}

type WeighedSource<S> = { source: S; weight: number; trust: number }

/** What each of the best counts, and how far its words are trusted: the more, the longer it is. */
function weighedSources<S extends FeedbackSource>(sources: readonly S[]): WeighedSource<S>[] {
  const best = sources.reduce((most, { score }) => Math.max(most, score), 0)
  if (best <= 0) return []
  return sources.slice(0, FEEDBACK.SOURCES).map((source) => {
    const long = Math.max(0, source.length - FEEDBACK.SHORT_TERMS)
    return {
      source,
      weight: (Math.max(0, source.score) / best) ** FEEDBACK.SHARPNESS,
      trust: long / (long + FEEDBACK.HALF_TERMS)
    }
  })
}

/** What the sources use most and others seldom, the most telling first. */
function tellingTerms(sources: FeedbackGround['sources'], rarityOf: FeedbackGround['rarityOf']): WeighedTerm[] {
  const shares = new Map<string, number>()
  for (const { source, weight, trust } of weighedSources(sources)) {
    const part = (weight * trust) / Math.max(1, source.terms.length)
    if (part > 0) for (const term of source.terms) shares.set(term, (shares.get(term) ?? 0) + part)
  }
  const used = [...shares].map(([name, weight]) => ({ name, weight })).sort(weightierFirst)
  return used
    .slice(0, FEEDBACK.CANDIDATES)
    .map(({ name, weight }) => ({ name, weight: weight * (rarityOf(name) ?? 0) ** FEEDBACK.RARITY_POWER }))
    .filter(({ weight }) => weight > 0)
    .sort(weightierFirst)
    .slice(0, FEEDBACK.TERMS)
}

type Tilt = { power: number; rarityOf: FeedbackGround['rarityOf']; total: number }

/** Moves weight from common terms to rare ones; the sum stays. */
function tilted(own: readonly WeighedTerm[], { power, rarityOf, total }: Tilt): WeighedTerm[] {
  const moved = own.map(({ name, weight }) => ({ name, weight: weight * (rarityOf(name) ?? 1) ** power }))
  const sum = sumOf(moved)
  return sum === 0 ? [...own] : moved.map(({ name, weight }) => ({ name, weight: (weight * total) / sum }))
}

function sumOf(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

function weightierFirst(left: WeighedTerm, right: WeighedTerm): number {
  return right.weight - left.weight || (left.name < right.name ? -1 : 1)
}
