import { LINKED, type Neighbours, turnsAfter, turnsBefore } from '../index/neighbours.ts'
import { type MatchList, seek } from './match-list.ts'
import { neighbourShares, OWN, WINDOW } from './neighbour-shares.ts'

/** How often each document mentions one cue, with what its neighbours say folded in. */
export type FoldedMentions = {
  /** Documents with any mention, in no particular order; `touched` of them. */
  documents: Uint32Array
  touched: number
  /** Hundredths of a mention, by document. */
  sums: Uint32Array
}

/** Room for the mentions of one cue after another: whoever reads them sets the sums back to nothing. */
export function createMentions(documents: number): FoldedMentions {
  return { documents: new Uint32Array(documents), touched: 0, sums: new Uint32Array(documents) }
}

/** Sums up the mentions of a cue in all documents. The loops are plain: they are fast in the first search of a process. */
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

/** What is mentioned in a text counts in part for the turns that lie one and two steps away. */
function addFolded(into: FoldedMentions, list: MatchList, neighbours: Neighbours): void {
  const { documents, counts } = list
  const { sums } = into
  const shares = neighbourShares(list.worth)
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
    const last = document + turnsAfter(around)
    for (let turn = document - turnsBefore(around); turn <= last; turn++) {
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
  for (const { turn, place } of windowOf(document, neighbours)) {
    const more = (shares[WINDOW - 1 - place] ?? 0) * count
    const known = into.sums[turn] ?? 0
    if (known === 0 && more > 0) into.documents[into.touched++] = turn
    into.sums[turn] = known + more
  }
}

/** The turns around a document and itself, each with its place in the window. */
export function* windowOf(document: number, { before, after }: Neighbours): Generator<{ turn: number; place: number }> {
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

/** The same sum for one document, in hundredths of a mention. */
export function mentionsIn(document: number, lists: readonly MatchList[], neighbours: Neighbours): number {
  let sum = 0
  for (const { documents, counts, worth, folds } of lists) {
    const countOf = (turn: number): number => {
      const at = seek(documents, turn, 0)
      return documents[at] === turn ? (counts?.[at] ?? 1) : 0
    }
    if (!folds) {
      sum += worth * countOf(document)
      continue
    }
    const shares = neighbourShares(worth)
    for (const { turn, place } of windowOf(document, neighbours)) sum += (shares[place] ?? 0) * countOf(turn)
  }
  return sum
}
