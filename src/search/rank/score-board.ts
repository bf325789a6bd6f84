import type { IndexReader } from '../index/index-reader.ts'
import { RANKING } from './ranking-constants.ts'

/** The scores of documents while they grow, and what part of them each document keeps. */
export type ScoreBoard = {
  /** By document, before any loss. 0 but for those in `documents`. */
  scores: Float64Array
  /** Documents with a score; `found` of them. */
  documents: Uint32Array
  found: number
  /** By document: the place in `kept` of the part that it keeps. */
  grades: Uint8Array
  kept: Float64Array
  /** Grades where none is given: all 0. */
  ungraded: Uint8Array
}

/** Documents that keep but a part of their score: the part that stands at their grade's place, at most 1. */
export type ScoreLoss = { grades: Uint8Array; kept: readonly number[] }

/** A board of no scores. */
export function createBoard(documents: number): ScoreBoard {
  const ungraded = new Uint8Array(documents)
  return {
    scores: new Float64Array(documents),
    documents: new Uint32Array(documents),
    found: 0,
    grades: ungraded,
    kept: new Float64Array(GRADES),
    ungraded
  }
}

/** Takes all scores off. From now on documents keep what `loss` leaves them, and those from after `until` nothing. */
export function clearBoard(
  board: ScoreBoard,
  index: IndexReader,
  { loss, until }: { loss?: ScoreLoss | undefined; until?: number | undefined }
): void {
  const { scores, documents, kept } = board
  for (let at = 0; at < board.found; at++) scores[documents[at] ?? 0] = 0
  board.found = 0
  kept.fill(0)
  kept.set(loss?.kept ?? [1])
  const grades = loss?.grades ?? board.ungraded
  board.grades = until === undefined ? grades : excludeLater(grades, index.times(), until)
}

/** What of their scores these documents keep as they stand. */
export function computeKeptScores({ scores, grades, kept }: ScoreBoard, documents: Uint32Array): Float64Array {
  const values = new Float64Array(documents.length)
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0
    values[at] = (scores[document] ?? 0) * (kept[grades[document] ?? 0] ?? 0)
  }
  return values
}

const GRADES = 256

/** The grade that keeps nothing. */
const NOTHING = GRADES - 1

function excludeLater(grades: Uint8Array, times: Float64Array, until: number): Uint8Array {
  const left = grades.slice()
  for (let document = 0; document < times.length; document++) {
    if ((times[document] ?? 0) > until) left[document] = NOTHING
  }
  return left
}

/**
 * What turns of a conversation lose that are questions themselves. A question kept on its own loses nothing: nothing
 * answers it.
 */
export function computeQuestionLoss(index: IndexReader): ScoreLoss {
  const { reach } = index.neighbours()
  const grades = index.asks().slice()
  for (let document = 0; document < grades.length; document++) if (reach[document] === 0) grades[document] = 0
  return { grades, kept: [0, 1, 2, 3].map((grade) => 1 - RANKING.ASKING_LOSS * grade) }
}
