import type { IndexReader } from '../index/index-reader.ts'
import { cueMatches } from './cue-matches.ts'
import { documentsIn, type MatchList, type WeighedCue } from './match-list.ts'
import type { Cue } from './query-cues.ts'
import type { createRelatedMatches } from './related-matches.ts'

/** A cue that was looked up. `having` is the number of documents that have it themselves, those in another form of the word by their weight. */
export type FoundCue = WeighedCue & { cue: Cue; having: number; said: readonly MatchList[] }

/**
 * Looks a cue up and says what it weighs: how often the query says it, and how few documents have it, in whatever form of
 * the word. Related words count as part of a mention and change no weight. Without `looking`, other words are left out.
 */
export function weighCue(
  index: IndexReader,
  cue: Cue,
  looking?: { query: ReadonlySet<string>; relatedTo: ReturnType<typeof createRelatedMatches> }
): FoundCue {
  const own = cueMatches(index, cue)
  const havingOwn = documentsHaving(index, cue, own)
  if (cue.kind === 'date' || looking === undefined) {
    return { cue, having: havingOwn, lists: own, said: own, weight: cue.weight * rarity(index.count, havingOwn) }
  }
  const { forms, related, having: inForms } = looking.relatedTo(cue.name, looking.query)
  const having = Math.min(index.count, Math.round(havingOwn + inForms))
  const said = [...own, ...forms]
  return { cue, having, said, lists: [...said, ...related], weight: cue.weight * rarity(index.count, having) }
}

/** Counted once for each index: words of questions repeat. */
function documentsHaving(index: IndexReader, { name }: Cue, lists: readonly MatchList[]): number {
  const known = COUNTED.get(index) ?? new Map<string, number>()
  COUNTED.set(index, known)
  const having = known.get(name) ?? documentsIn(lists)
  if (known.size >= COUNTED_MAX) known.clear()
  known.set(name, having)
  return having
}

const COUNTED = new WeakMap<IndexReader, Map<string, number>>()
const COUNTED_MAX = 20_000

/** How telling a cue is that so many of all documents have: ln(1 + (N - n + ½) / (n + ½)), never negative. */
function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}
