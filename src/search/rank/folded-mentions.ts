import { countTurnsAfter, countTurnsBefore, LINKED, type Neighbours } from '../index/neighbours.ts'
import { type MatchList, seekDocument } from './match-list.ts'
import { RANKING } from './ranking-constants.ts'

/** The number of mentions of one cue in each document, including those of neighbouring turns in part. */
export type FoldedMentions = {
  /** Documents with any mention, in no particular order; `touched` of them. */
  documents: Uint32Array
  touched: number
  /** Hundredths of a mention, by document. */
  sums: Uint32Array
}

/** Allocates mentions for one cue after another. The reader must reset the sums to 0. */
export function createMentions(documents: number): FoldedMentions {
  return { documents: new Uint32Array(documents), touched: 0, sums: new Uint32Array(documents) }
}

/** Sums the mentions of a cue in all documents. Plain loops are fast even in the first search of a process. */
export function foldMentions(into: FoldedMentions, lists: readonly MatchList[], neighbours: Neighbours): void {
  into.touched = 0
  for (const list of lists) {
    if (list.folds) addFolded(into, list, neighbours)
    else addOwn(into, list)
  }
}

function addOwn(into: FoldedMentions, { documents, counts, worth }: MatchList): void {
  if (worth <= 0) return
  const { sums } = into
  let touched = into.touched
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0
    const known = sums[document] ?? 0
    if (known === 0) into.documents[touched++] = document
    sums[document] = known + worth * (counts?.[at] ?? 1)
  }
  into.touched = touched
}

/** Adds mentions, which count in part for turns at a distance of one and two. */
function addFolded(into: FoldedMentions, list: MatchList, neighbours: Neighbours): void {
  const { documents, counts } = list
  const { sums } = into
  const shares = computeNeighbourShares(list.worth)
  let touched = into.touched
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0
    const count = counts?.[at] ?? 1
    const around = neighbours.reach[document] ?? 0
    if ((around & LINKED) !== 0) {
      into.touched = touched
      addLinked(into, document, { shares, count, neighbours })
      touched = into.touched
      continue
    }
    const last = document + countTurnsAfter(around)
    for (let turn = document - countTurnsBefore(around); turn <= last; turn++) {
      const more = (shares[OWN + document - turn] ?? 0) * count
      const known = sums[turn] ?? 0
      if (known === 0 && more > 0) into.documents[touched++] = turn
      sums[turn] = known + more
    }
  }
  into.touched = touched
}

type Mentioned = { shares: Uint32Array; count: number; neighbours: Neighbours }

function addLinked(into: FoldedMentions, document: number, { shares, count, neighbours }: Mentioned): void {
  for (const { turn, place } of walkWindow(document, neighbours)) {
    const more = (shares[WINDOW - 1 - place] ?? 0) * count
    const known = into.sums[turn] ?? 0
    if (known === 0 && more > 0) into.documents[into.touched++] = turn
    into.sums[turn] = known + more
  }
}

/** Yields a turn and the turns around it, each with its position in the window. */
export function* walkWindow(
  document: number,
  { before, after }: Neighbours
): Generator<{ turn: number; place: number }> {
  yield { turn: document, place: OWN }
  const left = before(document)
  if (left >= 0) yield { turn: left, place: OWN - 1 }
  const farLeft = left < 0 ? -1 : before(left)
  if (farLeft >= 0) yield { turn: farLeft, place: OWN - 2 }
  const right = after(document)
  if (right >= 0) yield { turn: right, place: OWN + 1 }
  const farRight = right < 0 ? -1 : after(right)
  if (farRight >= 0) yield { turn: farRight, place: OWN + 2 }
}

/** Counts the mentions in one document, in hundredths. */
export function countMentionsIn(document: number, lists: readonly MatchList[], neighbours: Neighbours): number {
  let sum = 0
  for (const { documents, counts, worth, folds } of lists) {
    const countAt = (turn: number): number => {
      const at = seekDocument(documents, turn, 0)
      return documents[at] === turn ? (counts?.[at] ?? 1) : 0
    }
    if (!folds) {
      sum += worth * countAt(document)
      continue
    }
    const shares = computeNeighbourShares(worth)
    for (const { turn, place } of walkWindow(document, neighbours)) sum += (shares[place] ?? 0) * countAt(turn)
  }
  return sum
}

/** The positions of a window of five turns: two before, the turn itself, two after. */
const WINDOW = 5
export const OWN = 2

/**
 * Computes what a mention of this worth counts for a turn, by where it occurs: two turns before, the turn before, the
 * turn itself, the turn after, two turns after. Integers, so that the sum does not depend on the order.
 */
export function computeNeighbourShares(worth: number, folds = true): Uint32Array {
  const { before, after } = RANKING.NEIGHBOUR_WEIGHTS
  const weights = folds ? [before[1], before[0], 1, after[0], after[1]] : [0, 0, 1, 0, 0]
  return Uint32Array.from(weights, (weight) => Math.round(worth * weight))
}
