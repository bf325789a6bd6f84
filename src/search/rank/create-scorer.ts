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
import { type MatchList, MENTION, type WeighedCue } from './match-list.ts'
import { clearBoard, computeKeptScores, createBoard, type ScoreBoard, type ScoreLoss } from './score-board.ts'

/** What is looked for, and among what. */
export type Demand = {
  cues: readonly WeighedCue[]
  loss?: ScoreLoss | undefined
  /** Documents from after this time, ms since 1970, are not among the best. */
  until?: number | undefined
}

/** The best documents, best first: of equal ones the newer, then that with the smaller id. */
export type Best = { documents: number[]; scores: number[] }

export type Scorer = {
  /** Scores are from over 0 to the sum of the cues' weights. */
  findBest(demand: Demand, limit: number): Best
  /** How many mentions of a cue count for a document. */
  mentions(cue: WeighedCue, document: number): number
  /** How often some documents, ascending, mention what lists are of, in hundredths. */
  mentionsOfEach(lists: readonly MatchList[], documents: Uint32Array): Uint32Array
  /** What a cue gives to a document's score before any loss. */
  part(cue: WeighedCue, document: number): number
}

/**
 * BM25 over cues, with mentions and lengths of neighbouring turns folded in. Cues are added up from the weightiest down,
 * so that equal documents get equal scores to the last bit.
 *
 * Not every document is scored. Once the cues that are left cannot lift a document among the best that has none of those
 * before, they are looked up only for the documents that have some and may still come among the best.
 */
export function createScorer(index: IndexReader): Scorer {
  const neighbours = index.neighbours()
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

/** Cues from the weightiest down, what they may give at most from each on, and how many documents are wanted. */
type Plan = { cues: readonly WeighedCue[]; rest: Float64Array; limit: number }

function findBest(scoring: Scoring, demand: Demand, limit: number): Best {
  const { board, index } = scoring
  clearBoard(board, index, demand)
  const cues = demand.cues
    .filter(({ lists }) => lists.some(({ documents, worth }) => documents.length > 0 && worth > 0))
    .sort((left, right) => right.weight - left.weight)
  if (limit <= 0 || cues.length === 0) return { documents: [], scores: [] }
  const plan = { cues, rest: computeRestBounds(cues, scoring.bound), limit }
  const { next, floor } = scoreAll(scoring, plan)
  const candidates = scoreCandidates(scoring, plan, { next, floor })
  return selectTop(index, board, { candidates, limit })
}

/** How far scoring came, and a score that so many documents reach as are wanted. */
type Stage = { next: number; floor: number }

/** Adds up cues for all documents until the cues left are not enough for a document that has none of those before. */
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

/** Each of the first few, then ever more seldom: of a thousand cues a dozen times. */
function isProbed(done: number): boolean {
  return done <= 4 || (done & (done - 1)) === 0
}

type Adding = {
  weight: number
  factors: LengthFactors
  /** With less than that a document cannot come among the best any more, and is left as it is. */
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

/** Mentions below which no document gets that part of a cue's weight. */
function computeFewestMentions(part: number, shortest: number): number {
  return part < 1 ? Math.floor((part / (1 - part)) * shortest) : Infinity
}

/** Twice as many as wanted: some with many of the cues before have few of those left. */
const PROBED = 2

/** Looking a cue up for one document costs about as much as adding it up for so many. */
const LOOK_UP_COST = 8

/**
 * A score that as many documents reach as are wanted. Where that is too little to stop, what is left is looked up for
 * the best so far, unless adding it up for all is as cheap.
 */
function findFloor({ board, ground }: Scoring, { cues, rest, limit }: Plan, next: number): number {
  const documents = board.documents.subarray(0, board.found)
  const floor = findScoreFloor(computeKeptScores(board, documents), limit)
  const left = cues.slice(next)
  if (floor > (rest[next] ?? 0) || estimateCost(left) < left.length * limit * PROBED * LOOK_UP_COST) return floor
  return Math.max(floor, probeFloor({ board, ground }, left, { documents, limit }))
}

/** A score that as many documents reach as are wanted, when what is left is looked up for the best of them so far. */
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

/** Of documents those whose values are not under `least`, ascending. */
function selectAtLeast(documents: Uint32Array, values: Float64Array, least: number): Uint32Array {
  let count = 0
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) >= least) count++
  const some = new Uint32Array(count)
  count = 0
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) >= least) some[count++] = documents[at] ?? 0
  return some.sort()
}

/** The scores of some documents go on the board with what is left, are looked at, and come back to what they were. */
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

/** Looks up the cues left for the documents that may still be among the best, and gives those that may in the end. */
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

/** Of documents those that reach the floor with what they may still get. */
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

/** Only those that reach a floor are put in order: a few more than are wanted. */
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

/** Steps in which scores are counted: a floor is at most one step too low. */
const STEPS = 2048

/** Scores are multiplied and divided on the way to a floor: it must not come out higher than they are. */
const ROUNDING = 1e-12

/** A score that at least `limit` of these have, the highest that can be told by counting; 0 where there are not so many. */
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
