/** The growing scores of documents, and the part of them that each document keeps. */
export type ScoreBoard = {
  /** By document, before any loss. 0 except for those in `documents`. */
  scores: Float64Array
  /** Documents with a score; `found` of them. */
  documents: Uint32Array
  found: number
  /** By document: index into `kept` of the part that it keeps. */
  grades: Uint8Array
  kept: Float64Array
  /** Default grades: all 0. */
  ungraded: Uint8Array
}

/**
 * A loss of score: `kept` has the remaining part for each grade, at most 1, and `grades` the grade of each document.
 */
export type ScoreLoss = { grades: Uint8Array; kept: readonly number[] }

/** Creates an empty board. */
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

/** Resets all scores. From now on, documents keep what `loss` leaves them, and the `excluded` ones (1) nothing. */
export function clearBoard(
  board: ScoreBoard,
  { loss, excluded }: { loss?: ScoreLoss | undefined; excluded?: Uint8Array | undefined }
): void {
  const { scores, documents, kept } = board
  for (let at = 0; at < board.found; at++) scores[documents[at] ?? 0] = 0
  board.found = 0
  kept.fill(0)
  kept.set(loss?.kept ?? [1])
  const grades = loss?.grades ?? board.ungraded
  board.grades = excluded === undefined ? grades : gradeExcluded(grades, excluded)
}

/** Returns the current scores of these documents after losses. */
export function computeKeptScores({ scores, grades, kept }: ScoreBoard, documents: Uint32Array): Float64Array {
  const values = new Float64Array(documents.length)
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0
    values[at] = (scores[document] ?? 0) * (kept[grades[document] ?? 0] ?? 0)
  }
  return values
}

const GRADES = 256

/** The highest grade that a loss may use. */
export const GRADES_MAX = GRADES - 2

/** The grade that keeps nothing. */
const NOTHING = GRADES - 1

function gradeExcluded(grades: Uint8Array, excluded: Uint8Array): Uint8Array {
  return grades.map((grade, document) => (excluded[document] === 1 ? NOTHING : grade))
}
