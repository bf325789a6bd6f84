import type { IndexReader } from '../index/index-reader.ts'
import { countTurnsAfter, countTurnsBefore, LINKED, type Neighbours } from '../index/neighbours.ts'
import { RANKING } from './ranking-constants.ts'
import { GRADES_MAX, type ScoreLoss } from './score-board.ts'

/** How a ranking treats long turns of conversations, such as the answers of an assistant. */
export type LongTurns = {
  /**
   * Neighbours among short turns only. A long turn neither gives to its neighbours nor takes from them: it has some of
   * every word, so that its mentions say little about the turn beside it.
   */
  neighbours: Neighbours
  /**
   * What long turns lose, so that they do not outrank the short statements that they answer. Undefined without long
   * turns.
   */
  loss: ScoreLoss | undefined
}

/** Finds the long turns of an index. Results are cached per index. */
export function findLongTurns(index: IndexReader): LongTurns {
  const known = KNOWN.get(index) ?? computeLongTurns(index)
  KNOWN.set(index, known)
  return known
}

const KNOWN = new WeakMap<IndexReader, LongTurns>()

function computeLongTurns(index: IndexReader): LongTurns {
  const neighbours = index.neighbours()
  const lengths = countMemoryTerms(index)
  const { reach } = neighbours
  const grades = new Uint8Array(lengths.length)
  let long = 0
  for (let document = 0; document < lengths.length; document++) {
    const beyond = (lengths[document] ?? 0) - RANKING.LONG_TURN_TERMS
    if (beyond <= 0 || reach[index.firstOf(document)] === 0) continue
    grades[document] = Math.min(Math.ceil(beyond / GRADE_TERMS), GRADES_MAX)
    long++
  }
  if (long === 0) return { neighbours, loss: undefined }
  const kept = Array.from({ length: GRADES_MAX + 1 }, (_, grade) => computeKeptPart(grade * GRADE_TERMS))
  return { neighbours: keepShortNeighbours(neighbours, grades), loss: { grades, kept } }
}

/** Number of terms for each grade of loss. */
const GRADE_TERMS = 20

/** The part of its score that a turn keeps with `beyond` terms more than a short one. A square root is exact everywhere. */
function computeKeptPart(beyond: number): number {
  return 1 / Math.sqrt(1 + beyond / RANKING.LONG_TURN_LOSS_TERMS)
}

/** Counts the terms of each document's memory: those of all its passages. */
function countMemoryTerms(index: IndexReader): Uint32Array {
  const terms = index.terms()
  if (index.passages() === undefined) return terms
  const whole = new Uint32Array(terms.length)
  for (let document = 0; document < terms.length; document++) {
    const first = index.firstOf(document)
    whole[first] = (whole[first] ?? 0) + (terms[document] ?? 0)
  }
  return terms.map((_, document) => whole[index.firstOf(document)] ?? 0)
}

/** Removes turns with a grade from their neighbours, so that the turns on both sides of one are not neighbours either. */
function keepShortNeighbours({ reach: all, before, after }: Neighbours, grades: Uint8Array): Neighbours {
  const step = (document: number, way: (document: number) => number): number => {
    if (grades[document] !== 0) return -1
    const other = way(document)
    return other >= 0 && grades[other] === 0 ? other : -1
  }
  const stepBefore = (document: number): number => step(document, before)
  const stepAfter = (document: number): number => step(document, after)
  const reach = all.slice()
  for (let document = 0; document < reach.length; document++) {
    const around = reach[document] ?? 0
    if (around === 0) continue
    const isAlone = stepBefore(document) < 0 && stepAfter(document) < 0
    if (isAlone) reach[document] = 0
    else if ((around & LINKED) === 0) {
      const left = countSteps(document, stepBefore, countTurnsBefore(around))
      const right = countSteps(document, stepAfter, countTurnsAfter(around))
      reach[document] = left | (right << 2)
    }
  }
  return { reach, before: stepBefore, after: stepAfter }
}

/** Counts how many steps in one direction exist, up to `most`. */
function countSteps(document: number, step: (document: number) => number, most: number): number {
  let steps = 0
  for (let at = step(document); at >= 0 && steps < most; at = step(at)) steps++
  return steps
}
