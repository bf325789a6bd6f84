import { ENDS_IN_QUESTION } from '../analyse/detect-traits.ts'
import { buildEventTerm } from '../index/collect-about-terms.ts'
import { SPEAKER_MARK, TOLD_MARK } from '../index/index-writer.ts'
import { addMeaning, computeSimilarity } from '../index/meaning.ts'
import type { Neighbours } from '../index/neighbours.ts'
import { DIMENSIONS } from '../related/word-vectors.ts'
import { createNewerFirst, createTopDocuments } from './create-top-documents.ts'
import { roundScore } from './exact-numbers.ts'
import { findLongTurns } from './long-turns.ts'
import { computeListShares, createBrevity, type Evidence, type Pool } from './pool.ts'
import { RANKING } from './ranking-constants.ts'
import { createDatePartReader, type FoundCue } from './weigh-cue.ts'

/**
 * A kind of evidence with the name used in explanations, and its weight relative to the score by words. A deduction has a
 * negative weight.
 */
export type WeighedEvidence = { name: string; weight: number; valuesOf: Evidence }

/** Lists all kinds of evidence beyond words. */
export function listEvidence(): WeighedEvidence[] {
  const { EVIDENCE } = RANKING
  const all: WeighedEvidence[] = [
    { name: 'covered_words', weight: EVIDENCE.COVERED_WORDS, valuesOf: rateCoveredWords },
    { name: 'covered_nearby', weight: EVIDENCE.COVERED_NEARBY, valuesOf: rateCoveredNearby },
    { name: 'nearby_turns', weight: EVIDENCE.NEARBY_TURNS, valuesOf: rateNearbyTurns },
    { name: 'answered_question', weight: EVIDENCE.ANSWERED_QUESTION, valuesOf: rateAnsweredQuestion },
    { name: 'asked_next', weight: EVIDENCE.ASKED_NEXT, valuesOf: rateAskedNext },
    { name: 'plain_statement', weight: EVIDENCE.PLAIN_STATEMENT, valuesOf: ratePlainStatement },
    { name: 'opens_conversation', weight: EVIDENCE.OPENS_CONVERSATION, valuesOf: rateOpeningTurns },
    { name: 'asked_traits', weight: EVIDENCE.ASKED_TRAITS, valuesOf: rateAskedTraits },
    { name: 'about_names', weight: EVIDENCE.ABOUT_NAMES, valuesOf: rateAboutNames },
    { name: 'said_by_named', weight: EVIDENCE.SAID_BY_NAMED, valuesOf: rateNamedSpeakers },
    { name: 'dated_then', weight: EVIDENCE.DATED_THEN, valuesOf: rateDate },
    { name: 'tells_of_then', weight: EVIDENCE.TELLS_OF_THEN, valuesOf: rateEventDates },
    { name: 'similar_meaning', weight: EVIDENCE.SIMILAR_MEANING, valuesOf: rateMeaning }
  ]
  return all.filter(({ weight }) => weight !== 0)
}

/** Distance around a turn that is examined, in turns: about as long as a subject lasts. */
const TURNS = 8

/** Number of best turns that count, including the turn itself. */
const BEST = 5

/**
 * Rates how well the conversation around a turn, or the rest of a long text, answers: the probability that one of the
 * best neighbouring turns or passages does, if their scores were independent probabilities (noisy-or). A short text
 * without neighbours is treated as if it had equal ones; otherwise every document with neighbours would rank above it.
 */
function rateNearbyTurns(pool: Pool): Float64Array {
  const { index, documents, base, others } = pool
  const { neighbours } = findLongTurns(index)
  return Float64Array.from(documents, (document, place) => {
    const own = base[place] ?? 0
    const near = findPlacesAround(pool, document, { neighbours, distance: TURNS }).map((one) => base[one] ?? 0)
    const around = [own, ...others(document), ...near]
    if (around.length === 1 && neighbours.reach[document] === 0) around.push(own)
    return combineChances(around)
  })
}

/** The turns around a turn, up to a number of turns away. */
type Reach = { neighbours: Neighbours; distance: number }

/** Returns the positions of the turns in the pool within reach of a turn. */
function findPlacesAround({ placeOf }: Pool, document: number, { neighbours, distance }: Reach): number[] {
  const { before, after } = neighbours
  const places: number[] = []
  for (const next of [before, after]) {
    let near = next(document)
    for (let step = 0; step < distance && near >= 0; step++) {
      const place = placeOf(near)
      if (place !== undefined) places.push(place)
      near = next(near)
    }
  }
  return places
}

/** Returns the probability that one of the best candidates answers, 0 to 1. */
function combineChances(chances: number[]): number {
  chances.sort((left, right) => right - left)
  return 1 - chances.slice(0, BEST).reduce((none, chance) => none * (1 - chance), 1)
}

/**
 * Rates how well the previous turn matches if it is a question, because the next turn often answers it in other words.
 */
function rateAnsweredQuestion({ index, query, documents, base, placeOf }: Pool): Float64Array | undefined {
  if (!query.asks) return undefined
  const asks = index.asks()
  const { before } = findLongTurns(index).neighbours
  return Float64Array.from(documents, (document) => {
    const question = before(document)
    if (question < 0 || asks[question] !== ENDS_IN_QUESTION) return 0
    const place = placeOf(question)
    return place === undefined ? 0 : (base[place] ?? 0)
  })
}

/**
 * Rates how far the next turn asks what the query asks: the part of its words that the query has, by weight, if it ends in a
 * question. Someone who asks this has not read the answer yet, so it comes later. The more words of the query a turn
 * itself contains, the less the question counts. As a deduction, the value is at most the score by words.
 */
function rateAskedNext(pool: Pool): Float64Array | undefined {
  const { index, query, documents, base, placeOf } = pool
  const { weights, counts, whole, cues } = countOwnWords(pool)
  if (!query.asks || whole === 0) return undefined
  const [asks, terms] = [index.asks(), index.terms()]
  const { after } = findLongTurns(index).neighbours
  return Float64Array.from(documents, (document, place) => {
    const next = after(document)
    const question = next >= 0 && asks[next] === ENDS_IN_QUESTION ? placeOf(next) : undefined
    const asked = question === undefined ? 0 : (weights[question] ?? 0)
    if (question === undefined || asked === 0) return 0
    const others = Math.max(0, (terms[next] ?? 0) - (counts[question] ?? 0))
    const missing = 1 - (weights[place] ?? 0) / whole
    return Math.min(base[place] ?? 0, (missing * asked) / (asked + (others * whole) / cues))
  })
}

/**
 * Rates how far a turn is not a question, if the query is one, because a question seldom answers another. A document
 * without a conversation is not treated as a question.
 */
function ratePlainStatement({ index, query, documents }: Pool): Float64Array | undefined {
  if (!query.asks) return undefined
  const grades = index.asks()
  const { reach } = findLongTurns(index).neighbours
  return Float64Array.from(documents, (document) => (reach[document] === 0 ? 1 : 1 - (grades[document] ?? 0) / 2))
}

/** Number of first turns of a conversation that open it: one of each person. */
const OPENING_TURNS = 2

/**
 * Rates whether a turn is one of the first of its conversation, because people tell their news there. This does not apply
 * to turns among long ones, such as a request to an assistant.
 */
function rateOpeningTurns({ index, query, documents }: Pool): Float64Array | undefined {
  if (!query.asks) return undefined
  const { before } = index.neighbours()
  const { reach } = findLongTurns(index).neighbours
  return Float64Array.from(documents, (document) => {
    let earlier = document
    for (let turns = 0; turns < OPENING_TURNS && earlier >= 0; turns++) earlier = before(earlier)
    return reach[document] !== 0 && earlier < 0 ? 1 : 0
  })
}

/**
 * Rates how much of the query's words a document has at all, by weight, regardless of count. Names of speakers are left
 * out, because they are everywhere in what these people say.
 */
function rateCoveredWords(pool: Pool): Float64Array | undefined {
  const { index, documents, base } = pool
  const { counted, whole } = weighContent(pool)
  if (whole === 0) return undefined
  const covered = new Float64Array(documents.length)
  for (const cue of counted) {
    const mentions = pool.mentions(cue.said)
    for (let place = 0; place < covered.length; place++) {
      if ((mentions[place] ?? 0) > 0) covered[place] = (covered[place] ?? 0) + cue.weight
    }
  }
  const brief = createBrevity(index)
  return covered.map((weight, place) => {
    const short = brief(documents[place] ?? 0)
    return short * Math.sqrt(Math.min(1, weight / whole)) + (1 - short) * (base[place] ?? 0)
  })
}

/** By position: the weight and the number of the query's words that a document itself has, without its neighbours. */
type OwnWords = { weights: Float64Array; counts: Uint16Array; whole: number; cues: number }

function countOwnWords(pool: Pool): OwnWords {
  const { documents, query } = pool
  const words = pool.cues.filter(({ cue }) => cue.kind === 'term' && !query.names.has(cue.name))
  const weights = new Float64Array(documents.length)
  const counts = new Uint16Array(documents.length)
  for (const { said, weight } of words) {
    const texts = said.filter(({ folds }) => folds).map((list) => list.documents)
    computeListShares(texts, documents).forEach((share, place) => {
      if (share === 0) return
      weights[place] = (weights[place] ?? 0) + weight
      counts[place] = (counts[place] ?? 0) + 1
    })
  }
  return { weights, counts, whole: words.reduce((sum, { weight }) => sum + weight, 0), cues: words.length }
}

/** Returns the query's cues that describe content, which names of speakers do not, with the sum of their weights. */
function weighContent({ cues, query }: Pool): { counted: FoundCue[]; whole: number } {
  const counted = cues.filter(({ cue }) => cue.kind === 'date' || !query.names.has(cue.name))
  return { counted, whole: counted.reduce((sum, { weight }) => sum + weight, 0) }
}

/** Distance around a turn within which words of the query count together, in turns. */
const COVERED_TURNS = 4

/**
 * Rates how much of the query's words, by weight, the turns around a turn have together, because a conversation spreads
 * what it says over several turns. Long turns count as well: an assistant's answer repeats what the question is about.
 */
function rateCoveredNearby(pool: Pool): Float64Array | undefined {
  const { documents } = pool
  const { counted, whole } = weighContent(pool)
  if (whole === 0) return undefined
  const neighbours = pool.index.neighbours()
  const around = Array.from(documents, (document, place) => [
    place,
    ...findPlacesAround(pool, document, { neighbours, distance: COVERED_TURNS })
  ])
  const covered = new Float64Array(documents.length)
  for (const cue of counted) {
    const mentions = pool.mentions(cue.said)
    around.forEach((places, place) => {
      if (places.some((near) => (mentions[near] ?? 0) > 0)) covered[place] = (covered[place] ?? 0) + cue.weight
    })
  }
  return covered.map((weight) => Math.min(1, weight / whole))
}

/**
 * Rates how many of the query's names a document has facts about, whether or not it contains them: `I moved to Porto`
 * is about the speaker, `Porto is beautiful` is an opinion and tells little about them. All documents get the same
 * value if a query names two subjects that no document has together.
 */
function rateAboutNames({ index, query, documents }: Pool): Float64Array | undefined {
  if (query.names.size === 0) return undefined
  return computeListShares(
    [...query.names].map((name) => index.postings(TOLD_MARK + name).documents),
    documents
  )
}

/**
 * Rates how many of the query's names are those of the speaker. It does not apply if another speaker's turn, which has no
 * facts about the named ones, matches the words far better than all of theirs: then the query probably names the wrong
 * person.
 */
function rateNamedSpeakers(pool: Pool): Float64Array | undefined {
  const { index, query, documents, base } = pool
  const lists = [...query.names].map((name) => index.postings(SPEAKER_MARK + name).documents)
  if (lists.every(({ length }) => length === 0)) return undefined
  const shares = computeListShares(lists, documents)
  const about = rateAboutNames(pool)
  const best = { named: 0, other: 0 }
  base.forEach((score, place) => {
    const speaker = (shares[place] ?? 0) > 0 ? 'named' : 'other'
    if (speaker === 'named' || (about?.[place] ?? 0) === 0) best[speaker] = Math.max(best[speaker], score)
  })
  return best.named < NAMED_SHARE * best.other ? undefined : shares
}

/** The share of the best score by words that the best turn of a named speaker needs. */
const NAMED_SHARE = 0.75

/**
 * Rates whether a text has the kind of information that the question asks for: a time for `when`, a name for `who` and
 * `where`.
 */
function rateAskedTraits({ index, query, documents }: Pool): Float64Array | undefined {
  if (query.traits === 0) return undefined
  const traits = index.traits()
  return Float64Array.from(documents, (document) => (((traits[document] ?? 0) & query.traits) === 0 ? 0 : 1))
}

/** Rates how many parts of the query's dates (year, month, day) match the time that a document's source gave. */
function rateDate({ index, query, documents }: Pool): Float64Array | undefined {
  const parts = query.cues.flatMap((cue) => (cue.kind === 'date' ? [cue.date] : []))
  if (parts.length === 0) return undefined
  const dated = index.dated()
  const times = index.times()
  const values = new Float64Array(documents.length)
  for (const { part, value } of parts) {
    const read = createDatePartReader(part)
    documents.forEach((document, place) => {
      if (dated[document] !== 1 || read(times[document] ?? 0) !== value) return
      values[place] = (values[place] ?? 0) + 1 / parts.length
    })
  }
  return values
}

/**
 * Rates how many parts of the query's dates match the date of an event in a document: `yesterday`, said on 8 May, was
 * the 7th.
 */
function rateEventDates({ index, query, documents }: Pool): Float64Array | undefined {
  const lists = query.cues.flatMap((cue) =>
    cue.kind === 'date' ? [index.postings(buildEventTerm(cue.date.part, cue.date.value)).documents] : []
  )
  return lists.length === 0 ? undefined : computeListShares(lists, documents)
}

/** What the turns before and after count for the meaning of a turn, which itself counts 20. */
const NEIGHBOUR_MEANING = 7
const OWN_MEANING = 20

/**
 * Rates how similar the meaning of a turn, with its neighbours, is to that of the query: the cosine of the sums of their
 * words' vectors. It does not apply after feedback, which has already found words with similar meanings.
 */
function rateMeaning({ index, cues, documents, vectors, hasFeedback }: Pool): Float64Array | undefined {
  const wanted = new Int32Array(DIMENSIONS)
  for (const { cue } of cues) {
    const row = cue.kind === 'term' ? vectors.findRow(cue.name) : -1
    if (row >= 0) vectors.add(wanted, row, cue.weight)
  }
  if (hasFeedback || wanted.every((x) => x === 0)) return undefined
  const { before, after } = findLongTurns(index).neighbours
  const meaning = new Int32Array(DIMENSIONS)
  return Float64Array.from(documents, (document) => {
    meaning.fill(0)
    addMeaning(meaning, index.meaningOf(document), OWN_MEANING)
    for (const turn of [before(document), after(document)]) {
      if (turn >= 0) addMeaning(meaning, index.meaningOf(turn), NEIGHBOUR_MEANING)
    }
    return computeSimilarity(wanted, meaning)
  })
}

/**
 * The contribution of a kind of evidence: its value from 0 to 1, its weight, and the resulting part of the attainable
 * score.
 */
export type EvidencePart = { name: string; value: number; weight: number; part: number }

export type RerankResult = {
  /** Best first. Ties go to the newer document, then to the smaller id. */
  documents: number[]
  /** In the same order: parts of the attainable score, above 0 and at most 1. */
  scores: number[]
  /** The maximum part of the attainable score that words give. */
  wordsShare: number
  /** Returns what the evidence gave to the document at this position of the pool; nothing for a document outside. */
  evidenceFor(place: number | undefined): EvidencePart[]
}

/**
 * Returns the best documents of a pool by words and evidence together, at most `limit`. The score is a weighted sum as
 * a part of the attainable score.
 */
export function rerank(pool: Pool, evidence: readonly WeighedEvidence[], limit: number): RerankResult {
  const { index, documents, base } = pool
  const found = evidence.flatMap(({ name, weight, valuesOf }) => {
    const values = valuesOf(pool)
    return values === undefined ? [] : [{ name, weight, values }]
  })
  const attainable = found.reduce((sum, { weight }) => sum + Math.max(0, weight), 1)
  const scores = base.map((score, place) => {
    let sum = score
    for (const { weight, values } of found) sum += weight * (values[place] ?? 0)
    return roundScore(sum / attainable)
  })
  const newer = createNewerFirst(index)
  const top = createTopDocuments(limit, (left, right) => {
    return (scores[right] ?? 0) - (scores[left] ?? 0) || newer(documents[left] ?? 0, documents[right] ?? 0)
  })
  for (let place = 0; place < documents.length; place++) top.offer(place)
  const best = top.best()
  return {
    documents: best.map((place) => documents[place] ?? 0),
    scores: best.map((place) => scores[place] ?? 0),
    wordsShare: 1 / attainable,
    evidenceFor(place) {
      if (place === undefined) return []
      return found.map(({ name, weight, values }) => {
        const value = values[place] ?? 0
        // A deduction of nothing is 0, not -0.
        return { name, value, weight: weight / attainable, part: value === 0 ? 0 : (weight * value) / attainable }
      })
    }
  }
}
