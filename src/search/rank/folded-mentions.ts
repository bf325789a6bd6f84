import type { IndexReader } from '../index/index-reader.ts'
import type { Postings } from '../index/posting-block.ts'
import type { CueMatches } from './cue-matches.ts'
import { RANKING } from './ranking-constants.ts'

/**
 * How often each document mentions one cue, with what its neighbours say folded in. Mentions are whole tenths while
 * they are summed, so that the sum is the same in whatever order documents are numbered.
 */
export type FoldedMentions = {
  /** Documents that have the cue themselves. */
  having: number
  /** Documents with any mention, in no particular order; `touched` of them. */
  documents: Uint32Array
  touched: number
  /** Tenths, by document. */
  tenths: Uint32Array
}

export const SELF_TENTHS = 10
export const NEAR_TENTHS = Math.round(RANKING.NEIGHBOUR_WEIGHTS[0] * SELF_TENTHS)
export const FAR_TENTHS = Math.round(RANKING.NEIGHBOUR_WEIGHTS[1] * SELF_TENTHS)
const SPEAKER_TENTHS = Math.round(RANKING.SPEAKER_MENTIONS * SELF_TENTHS)
const ABOUT_TENTHS = Math.round(RANKING.ABOUT_MENTIONS * SELF_TENTHS)
const DATE_TENTHS = Math.round(RANKING.DATE_MENTIONS * SELF_TENTHS)

/** Room for the mentions of one cue after another: each `foldMentions` forgets what the one before left. */
export function createMentions(documents: number): FoldedMentions {
  return { having: 0, documents: new Uint32Array(documents), touched: 0, tenths: new Uint32Array(documents) }
}

/** Takes in the documents of one cue. The loops are plain, so that they are fast in the first search of a process. */
export function foldMentions(
  mentions: FoldedMentions,
  index: IndexReader,
  { text, speaker, about, date }: CueMatches
): void {
  const { tenths, documents } = mentions
  for (let at = 0; at < mentions.touched; at++) tenths[documents[at] ?? 0] = 0
  mentions.touched = 0
  addOwn(mentions, text.documents, { counts: text.counts, tenths: SELF_TENTHS })
  addOwn(mentions, speaker.documents, { counts: undefined, tenths: SPEAKER_TENTHS })
  addOwn(mentions, about.documents, { counts: undefined, tenths: ABOUT_TENTHS })
  addOwn(mentions, date, { counts: undefined, tenths: DATE_TENTHS })
  mentions.having = mentions.touched
  const { after, before } = index.neighbours()
  addAround(mentions, text, after)
  addAround(mentions, text, before)
}

type Worth = { counts: Uint8Array | undefined; tenths: number }

function addOwn(mentions: FoldedMentions, found: Uint32Array, worth: Worth): void {
  const { tenths, documents } = mentions
  let touched = mentions.touched
  for (let at = 0; at < found.length; at++) {
    const document = found[at] ?? 0
    const known = tenths[document] ?? 0
    if (known === 0 && worth.tenths > 0) documents[touched++] = document
    tenths[document] = known + worth.tenths * (worth.counts?.[at] ?? 1)
  }
  mentions.touched = touched
}

/**
 * What is mentioned in a text counts in part for the turns that lie one and two steps away. A document is touched once it
 * has mentions: with a weight of nothing it would be listed, and scored, again and again.
 */
function addAround(mentions: FoldedMentions, text: Postings, way: Int32Array): void {
  const { tenths, documents } = mentions
  let touched = mentions.touched
  for (let at = 0; at < text.documents.length; at++) {
    const near = way[text.documents[at] ?? 0] ?? -1
    if (near < 0) continue
    const count = text.counts[at] ?? 0
    const known = tenths[near] ?? 0
    if (known === 0 && NEAR_TENTHS > 0) documents[touched++] = near
    tenths[near] = known + NEAR_TENTHS * count
    const far = way[near] ?? -1
    if (far < 0) continue
    const knownFar = tenths[far] ?? 0
    if (knownFar === 0 && FAR_TENTHS > 0) documents[touched++] = far
    tenths[far] = knownFar + FAR_TENTHS * count
  }
  mentions.touched = touched
}
