import type { IndexReader } from '../index/index-reader.ts'
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
const DATE_TENTHS = Math.round(RANKING.DATE_MENTIONS * SELF_TENTHS)

/** Room for the mentions of one cue after another: each `fold` forgets what the one before held. */
export type MentionsRoom = { fold(matches: CueMatches): FoldedMentions }

export function createMentionsRoom(index: IndexReader): MentionsRoom {
  const tenths = new Uint32Array(index.count)
  const documents = new Uint32Array(index.count)
  const { next, previous } = index.neighbours()
  let touched = 0
  const add = (document: number, more: number): void => {
    const before = tenths[document] ?? 0
    if (before === 0) documents[touched++] = document
    tenths[document] = before + more
  }
  const addAround = (document: number, count: number, ways: Int32Array): void => {
    const near = ways[document] ?? -1
    if (near < 0) return
    add(near, NEAR_TENTHS * count)
    const far = ways[near] ?? -1
    if (far >= 0) add(far, FAR_TENTHS * count)
  }
  return {
    fold({ text, speaker, date }) {
      for (let at = 0; at < touched; at++) tenths[documents[at] ?? 0] = 0
      touched = 0
      for (let at = 0; at < text.documents.length; at++) {
        add(text.documents[at] ?? 0, SELF_TENTHS * (text.counts[at] ?? 0))
      }
      for (const document of speaker.documents) add(document, SPEAKER_TENTHS)
      for (const document of date) add(document, DATE_TENTHS)
      const having = touched
      for (let at = 0; at < text.documents.length; at++) {
        addAround(text.documents[at] ?? 0, text.counts[at] ?? 0, next)
        addAround(text.documents[at] ?? 0, text.counts[at] ?? 0, previous)
      }
      return { having, documents, touched, tenths }
    }
  }
}
