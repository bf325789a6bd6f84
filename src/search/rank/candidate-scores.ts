import { LINKED, type Neighbours, turnsAfter, turnsBefore } from '../index/neighbours.ts'
import { mentionsIn } from './folded-mentions.ts'
import type { LengthFactors } from './length-factors.ts'
import { type MatchList, seek, type WeighedCue } from './match-list.ts'
import { neighbourShares, OWN } from './neighbour-shares.ts'

export type Ground = { neighbours: Neighbours; factors: LengthFactors }

/** Adds what a cue gives to each of some documents, ascending, to their scores, which are all documents'. */
export function addToEach(
  scores: Float64Array,
  documents: Uint32Array,
  { cue: { weight, lists }, ground }: { cue: WeighedCue; ground: Ground }
): void {
  const { lengths, base, slope } = ground.factors
  const mentions = mentionsOfEach(lists, documents, ground)
  for (let place = 0; place < documents.length; place++) {
    const sum = mentions[place] ?? 0
    if (sum === 0) continue
    const document = documents[place] ?? 0
    scores[document] = (scores[document] ?? 0) + (weight * sum) / (sum + (base + slope * (lengths[document] ?? 0)))
  }
}

/** In hundredths of a mention, how often each of some documents, ascending, mentions what lists are of. */
export function mentionsOfEach(
  lists: readonly MatchList[],
  documents: Uint32Array,
  ground: Pick<Ground, 'neighbours'>
): Uint32Array {
  const mentions = new Uint32Array(documents.length)
  for (const list of lists) if (list.documents.length > 0) countEach(mentions, documents, { list, ground })
  return mentions
}

function countEach(
  mentions: Uint32Array,
  wanted: Uint32Array,
  { list, ground: { neighbours } }: { list: MatchList; ground: Pick<Ground, 'neighbours'> }
): void {
  const { documents, counts, worth, folds } = list
  const shares = neighbourShares(worth, folds)
  let at = 0
  for (let place = 0; place < wanted.length; place++) {
    const document = wanted[place] ?? 0
    const around = folds ? (neighbours.reach[document] ?? 0) : 0
    if ((around & LINKED) !== 0) {
      mentions[place] = (mentions[place] ?? 0) + mentionsIn(document, [list], neighbours)
      continue
    }
    const last = document + turnsAfter(around)
    at = seek(documents, document - turnsBefore(around), at)
    let sum = 0
    for (let near = at; near < documents.length && (documents[near] ?? 0) <= last; near++) {
      sum += (shares[OWN + (documents[near] ?? 0) - document] ?? 0) * (counts?.[near] ?? 1)
    }
    mentions[place] = (mentions[place] ?? 0) + sum
  }
}
