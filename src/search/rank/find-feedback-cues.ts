import { analyse } from '../analyse/analyse.ts'
import type { IndexReader } from '../index/index-reader.ts'
import type { Best } from './create-scorer.ts'
import { RANKING } from './ranking-constants.ts'
import type { WeighedTerm } from './term-match.ts'
import { type FoundCue, weighCue } from './weigh-cue.ts'

/** What was searched for and found. `textOf` reads a document's text; undefined where it cannot be read. */
type FirstSearch = {
  cues: readonly FoundCue[]
  best: Best
  textOf: (document: number) => string | undefined
}

/**
 * What to search for in a second search: the same cues with other weights, and terms of the best documents. Undefined
 * where that would change nothing. Reads no more than `FEEDBACK.SOURCES` texts, and none where what was found is short.
 */
export function findFeedbackCues(index: IndexReader, { cues, best, textOf }: FirstSearch): FoundCue[] | undefined {
  const lengths = index.terms()
  const { reach } = index.neighbours()
  const sources = best.documents.slice(0, FEEDBACK.SOURCES).map((document, place) => ({
    document,
    score: best.scores[place] ?? 0,
    // A turn of a conversation is no text about a subject, however long it is.
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

/** A document, or a passage of one, that a first search put on top. */
type FeedbackSource = {
  /** What the first search gave it; over 0. */
  score: number
  /** How many terms it has. */
  length: number
}

/** All that feedback goes by. What is not listed under `sources` has no part in it. */
type FeedbackGround = {
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
  RATIO_LEAST: 0.2,
  /** More than this and the query's own terms are no longer in charge: bare of it, questions with one answer lose. */
  RATIO_MOST: 1.25,
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
export function computeFeedbackRatio(sources: readonly FeedbackSource[]): number {
  const counted = weighSources(sources)
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return 0
  const trusted = counted.reduce((sum, { weight, trust }) => sum + weight * trust, 0)
  const share = (RANKING.FEEDBACK_WEIGHT * trusted) / whole
  return share < FEEDBACK.RATIO_LEAST ? 0 : Math.min(share, FEEDBACK.RATIO_MOST)
}

/**
 * The terms of a query with what the best documents add to it: first its own in their order, then further ones, the
 * weightiest first. Own terms together weigh what they did. Without feedback they are returned as they came.
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

/** What each of the best counts, and how far its words are trusted: the more, the longer it is. */
function weighSources<S extends FeedbackSource>(sources: readonly S[]): WeighedSource<S>[] {
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
function findTellingTerms(sources: FeedbackGround['sources'], rarityOf: FeedbackGround['rarityOf']): WeighedTerm[] {
  const shares = new Map<string, number>()
  for (const { source, weight, trust } of weighSources(sources)) {
    const part = (weight * trust) / Math.max(1, source.terms.length)
    if (part > 0) for (const term of source.terms) shares.set(term, (shares.get(term) ?? 0) + part)
  }
  const used = [...shares].map(([name, weight]) => ({ name, weight })).sort(compareWeights)
  return used
    .slice(0, FEEDBACK.CANDIDATES)
    .map(({ name, weight }) => ({ name, weight: weight * (rarityOf(name) ?? 0) ** FEEDBACK.RARITY_POWER }))
    .filter(({ weight }) => weight > 0)
    .sort(compareWeights)
    .slice(0, FEEDBACK.TERMS)
}

type Tilt = { power: number; rarityOf: FeedbackGround['rarityOf']; total: number }

/** Moves weight from common terms to rare ones; the sum stays. */
function tiltWeights(own: readonly WeighedTerm[], { power, rarityOf, total }: Tilt): WeighedTerm[] {
  const moved = own.map(({ name, weight }) => ({ name, weight: weight * (rarityOf(name) ?? 1) ** power }))
  const sum = sumWeights(moved)
  return sum === 0 ? [...own] : moved.map(({ name, weight }) => ({ name, weight: (weight * total) / sum }))
}

function sumWeights(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

function compareWeights(left: WeighedTerm, right: WeighedTerm): number {
  return right.weight - left.weight || (left.name < right.name ? -1 : 1)
}
