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

const SELF = 10
const [NEAR, FAR] = RANKING.NEIGHBOUR_WEIGHTS.map((weight) => Math.round(weight * SELF)) as [number, number]
const SPEAKER = Math.round(RANKING.SPEAKER_MENTIONS * SELF)
const DATE = Math.round(RANKING.DATE_MENTIONS * SELF)

/** Room for the mentions of one cue after another: `fold` forgets what it held before. */
export function createMentions(index: IndexReader): { fold(matches: CueMatches): FoldedMentions } {
  const mentions = {
    having: 0,
    documents: new Uint32Array(index.count),
    touched: 0,
    tenths: new Uint32Array(index.count)
  }
  const { next, previous } = index.neighbours()
  const add = (document: number, tenths: number): void => {
    const before = mentions.tenths[document] ?? 0
    if (before === 0) mentions.documents[mentions.touched++] = document
    mentions.tenths[document] = before + tenths
  }
  const addAround = (document: number, count: number, ways: Int32Array): void => {
    const near = ways[document] ?? -1
    if (near < 0) return
    add(near, NEAR * count)
    const far = ways[near] ?? -1
    if (far >= 0) add(far, FAR * count)
  }
  return {
    fold({ text, speaker, date }) {
      for (let at = 0; at < mentions.touched; at++) mentions.tenths[mentions.documents[at] ?? 0] = 0
      mentions.touched = 0
      for (let at = 0; at < text.documents.length; at++) add(text.documents[at] ?? 0, SELF * (text.counts[at] ?? 0))
      for (const document of speaker.documents) add(document, SPEAKER)
      for (const document of date) add(document, DATE)
      mentions.having = mentions.touched
      for (let at = 0; at < text.documents.length; at++) {
        const document = text.documents[at] ?? 0
        addAround(document, text.counts[at] ?? 0, next)
        addAround(document, text.counts[at] ?? 0, previous)
      }
      return mentions
    }
  }
}
