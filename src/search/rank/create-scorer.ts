import type { IndexReader } from '../index/index-reader.ts'
import {
  addCueToDocuments,
  computeLengthFactors,
  computePart,
  computeRestBounds,
  countMentions,
  createCueBound,
  type Ground,
  type LengthFactors
} from './add-cue-to-documents.ts'
import { createNewerFirst } from './create-top-documents.ts'
import { countMentionsIn, createMentions, type FoldedMentions, foldMentions } from './folded-mentions.ts'
import { findLongTurns } from './long-turns.ts'
import { type MatchList, MENTION, type WeighedCue } from './match-list.ts'
import { clearBoard, computeKeptScores, createBoard, type ScoreBoard, type ScoreLoss } from './score-board.ts'

/** The cues of a search, and which documents may match. */
export type Demand = {
  cues: readonly WeighedCue[]
  loss?: ScoreLoss | undefined
  /** By document: 1 if it must not be among the best. */
  excluded?: Uint8Array | undefined
}

/** The best documents, best first. Ties go to the newer one, then to the smaller id. */
export type Best = { documents: number[]; scores: number[] }

export type Scorer = {
  /** Returns the best documents. Scores are above 0 and at most the sum of the cues' weights. */
  findBest(demand: Demand, limit: number): Best
  /** Returns the number of mentions of a cue that count for a document. */
  mentions(cue: WeighedCue, document: number): number
  /** Returns how often some documents, ascending, mention the lists' terms, in hundredths. */
  mentionsOfEach(lists: readonly MatchList[], documents: Uint32Array): Uint32Array
  /** Returns a cue's contribution to a document's score before any loss. */
  part(cue: WeighedCue, document: number): number
}

/**
 * Scores documents with BM25 over cues; the mentions and lengths of neighbouring turns count in part. Cues are added in
 * descending order of weight, so that equal documents get exactly equal scores.
 *
 * Not every document is scored. As soon as the remaining cues cannot lift a document that has none of the earlier ones
 * into the result, they are looked up only for documents that have an earlier cue and may still reach it.
 */
export function createScorer(index: IndexReader): Scorer {
  const neighbours = findLongTurns(index).neighbours
  const factors = computeLengthFactors(index)
  const ground = { neighbours, factors }
  const folded = createMentions(index.count)
  const board = createBoard(index.count)
  const scoring: Scoring = { index, ground, folded, board, bound: createCueBound(ground, folded) }
  const mentions = ({ lists }: WeighedCue, document: number): number => countMentionsIn(document, lists, neighbours)
  return {
    findBest: (demand, limit) => findBest(scoring, demand, limit),
    mentions: (cue, document) => mentions(cue, document) / MENTION,
    mentionsOfEach: (lists, documents) => countMentions(lists, documents, ground),
    part: (cue, document) => computePart({ weight: cue.weight, mentions: mentions(cue, document), document }, factors)
  }
}

type Scoring = {
  index: IndexReader
  ground: Ground
  folded: FoldedMentions
  board: ScoreBoard
  bound: (cue: WeighedCue) => number
}

/**
 * Cues in descending order of weight, the maximum that those from each one on may give, and the number of documents
 * requested.
 */
type Plan = { cues: readonly WeighedCue[]; rest: Float64Array; limit: number }

function findBest(scoring: Scoring, demand: Demand, limit: number): Best {
  const { board, index } = scoring
  clearBoard(board, demand)
  const cues = demand.cues
    .filter(({ lists }) => lists.some(({ documents, worth }) => documents.length > 0 && worth > 0))
    .sort((left, right) => right.weight - left.weight)
  if (limit <= 0 || cues.length === 0) return { documents: [], scores: [] }
  const plan = { cues, rest: computeRestBounds(cues, scoring.bound), limit }
  const { next, floor } = scoreAll(scoring, plan)
  const candidates = scoreCandidates(scoring, plan, { next, floor })
  return selectTop(index, board, { candidates, limit })
}

/** The progress of scoring, and a score that at least the requested number of documents reaches. */
type Stage = { next: number; floor: number }

/**
 * Adds cues for all documents until the remaining ones are not enough for a document without any of the earlier ones.
 */
function scoreAll(scoring: Scoring, plan: Plan): Stage {
  const { board, folded, ground } = scoring
  const { cues, rest, limit } = plan
  let floor = 0
  for (const [next, cue] of cues.entries()) {
    if ((rest[next] ?? 0) < floor) return { next, floor }
    foldMentions(folded, cue.lists, ground.neighbours)
    addScores(board, folded, { weight: cue.weight, factors: ground.factors, least: floor - (rest[next + 1] ?? 0) })
    if (board.found >= limit && next + 1 < cues.length && isProbed(next + 1)) {
      floor = Math.max(floor, findFloor(scoring, plan, next + 1))
    }
  }
  return { next: cues.length, floor }
}

/** Returns true for each of the first few cues, then at growing intervals: about a dozen times for a thousand cues. */
function isProbed(done: number): boolean {
  return done <= 4 || (done & (done - 1)) === 0
}

type Adding = {
  weight: number
  factors: LengthFactors
  /** A document with less cannot be among the best any more, and its score is left incomplete. */
  least: number
}

function addScores(
  board: ScoreBoard,
  { sums, documents, touched }: FoldedMentions,
  { weight, factors: { lengths, base, slope, shortest }, least }: Adding
): void {
  const { scores } = board
  const few = least <= 0 ? 0 : computeFewestMentions(least / weight, base + slope * shortest)
  let found = board.found
  for (let at = 0; at < touched; at++) {
    const document = documents[at] ?? 0
    const mentions = sums[document] ?? 0
    sums[document] = 0
    const known = scores[document] ?? 0
    if (known === 0 && mentions < few) continue
    const score = known + (weight * mentions) / (mentions + (base + slope * (lengths[document] ?? 0)))
    if (score < least) continue
    if (known === 0) board.documents[found++] = document
    scores[document] = score
  }
  board.found = found
}

/** Returns the number of mentions below which no document gets this part of a cue's weight. */
function computeFewestMentions(part: number, shortest: number): number {
  return part < 1 ? Math.floor((part / (1 - part)) * shortest) : Infinity
}

/** Twice the requested number, because some documents with many of the earlier cues have few of the later ones. */
const PROBED = 2

/** Looking up a cue for one document costs about as much as adding it for this many. */
const LOOK_UP_COST = 8

/**
 * Returns a score that the requested number of documents reaches. If it is too low to stop, looks up the remaining cues
 * for the best documents so far, unless adding them for all documents costs no more.
 */
function findFloor({ board, ground }: Scoring, { cues, rest, limit }: Plan, next: number): number {
  const documents = board.documents.subarray(0, board.found)
  const floor = findScoreFloor(computeKeptScores(board, documents), limit)
  const left = cues.slice(next)
  if (floor > (rest[next] ?? 0) || estimateCost(left) < left.length * limit * PROBED * LOOK_UP_COST) return floor
  return Math.max(floor, probeFloor({ board, ground }, left, { documents, limit }))
}

/**
 * Returns a score that the requested number of documents reaches after looking up the remaining cues for the best of
 * them.
 */
function probeFloor(
  on: Pick<Scoring, 'board' | 'ground'>,
  left: readonly WeighedCue[],
  { documents, limit }: { documents: Uint32Array; limit: number }
): number {
  const values = computeKeptScores(on.board, documents)
  const cut = findScoreFloor(values, limit * PROBED)
  return completeFloor(on, left, { documents: selectAtLeast(documents, values, cut), limit })
}

function estimateCost(cues: readonly WeighedCue[]): number {
  let cost = 0
  for (const { lists } of cues) for (const { documents, folds } of lists) cost += documents.length * (folds ? 5 : 1)
  return cost
}

/** Returns the documents whose values are at least `least`, ascending. */
function selectAtLeast(documents: Uint32Array, values: Float64Array, least: number): Uint32Array {
  let count = 0
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) >= least) count++
  const some = new Uint32Array(count)
  count = 0
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) >= least) some[count++] = documents[at] ?? 0
  return some.sort()
}

/** Completes the scores of some documents on the board, reads them, and restores the board. */
function completeFloor(
  { board, ground }: Pick<Scoring, 'board' | 'ground'>,
  left: readonly WeighedCue[],
  { documents, limit }: { documents: Uint32Array; limit: number }
): number {
  const before = Float64Array.from(documents, (document) => board.scores[document] ?? 0)
  for (const cue of left) addCueToDocuments(board.scores, documents, { cue, ground })
  const floor = findScoreFloor(computeKeptScores(board, documents), limit)
  documents.forEach((document, at) => {
    board.scores[document] = before[at] ?? 0
  })
  return floor
}

/**
 * Looks up the remaining cues for documents that may still be among the best, and returns those that remain possible.
 */
function scoreCandidates(scoring: Scoring, { cues, rest, limit }: Plan, { next, floor }: Stage): Uint32Array {
  const { board, ground } = scoring
  let least = floor
  let candidates = selectHopeful(board, board.documents.subarray(0, board.found), { floor, rest: rest[next] ?? 0 })
  const left = cues.slice(next)
  if (left.length > 0 && candidates.length > limit * PROBED * 2) {
    least = Math.max(floor, probeFloor({ board, ground }, left, { documents: candidates, limit }))
    candidates = selectHopeful(board, candidates, { floor: least, rest: rest[next] ?? 0 })
  }
  if (left.length > 0) candidates.sort()
  for (const [place, cue] of cues.entries()) {
    if (place < next) continue
    addCueToDocuments(board.scores, candidates, { cue, ground })
    least = Math.max(least, findScoreFloor(computeKeptScores(board, candidates), limit))
    candidates = selectHopeful(board, candidates, { floor: least, rest: rest[place + 1] ?? 0 })
  }
  return candidates
}

/** Returns the documents that may reach the floor with the cues that remain. */
function selectHopeful(
  { scores, grades, kept }: ScoreBoard,
  documents: Uint32Array,
  { floor, rest }: { floor: number; rest: number }
): Uint32Array {
  const left = new Uint32Array(documents.length)
  let count = 0
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0
    if (((scores[document] ?? 0) + rest) * (kept[grades[document] ?? 0] ?? 0) >= floor) left[count++] = document
  }
  return left.subarray(0, count)
}

/** Sorts only documents that reach a floor: a few more than requested. */
function selectTop(
  index: IndexReader,
  board: ScoreBoard,
  { candidates, limit }: { candidates: Uint32Array; limit: number }
): Best {
  const { scores } = board
  const passages = index.passages()
  const values = computeKeptScores(board, candidates)
  for (let at = 0; at < values.length; at++) scores[candidates[at] ?? 0] = values[at] ?? 0
  const newer = createNewerFirst(index)
  const better = (left: number, right: number): number =>
    (scores[right] ?? 0) - (scores[left] ?? 0) ||
    newer(left, right) ||
    (passages?.[left] ?? 0) - (passages?.[right] ?? 0)
  const findBest = Array.from(
    selectAtLeast(candidates, values, Math.max(findScoreFloor(values, limit), Number.MIN_VALUE))
  )
  const documents = findBest.sort(better).slice(0, limit)
  return { documents, scores: documents.map((document) => scores[document] ?? 0) }
}

/** Number of buckets in which scores are counted. A floor is at most one bucket too low. */
const STEPS = 2048

/** Computing a floor multiplies and divides scores; the result must not exceed them. */
const ROUNDING = 1e-12

/** Returns the highest score found by counting that at least `limit` documents reach; 0 if there are fewer. */
function findScoreFloor(scores: Float64Array, limit: number): number {
  let highest = 0
  for (let at = 0; at < scores.length; at++) if ((scores[at] ?? 0) > highest) highest = scores[at] ?? 0
  if (highest === 0 || scores.length < limit) return 0
  const counts = new Uint32Array(STEPS + 1)
  const scale = STEPS / highest
  for (let at = 0; at < scores.length; at++) {
    const step = ((scores[at] ?? 0) * scale) | 0
    counts[step] = (counts[step] ?? 0) + 1
  }
  let reached = 0
  let step = STEPS
  for (; step > 0; step--) {
    reached += counts[step] ?? 0
    if (reached >= limit) break
  }
  return (step / scale) * (1 - ROUNDING)
}
