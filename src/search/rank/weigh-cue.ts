import type { IndexReader } from '../index/index-reader.ts'
import { cueMatches } from './cue-matches.ts'
import { documentsIn, type WeighedCue } from './match-list.ts'
import type { Cue } from './query-cues.ts'

/** A cue that was looked up. `having` is the number of documents that have it themselves. */
export type FoundCue = WeighedCue & { cue: Cue; having: number }

/** Looks a cue up and says what it weighs: how often the query says it, and how few documents have it. */
export function weighCue(index: IndexReader, cue: Cue): FoundCue {
  const lists = cueMatches(index, cue)
  const having = documentsIn(lists)
  return { cue, having, lists, weight: cue.weight * rarity(index.count, having) }
}

/** How telling a cue is that so many of all documents have: ln(1 + (N - n + ½) / (n + ½)), never negative. */
export function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}
