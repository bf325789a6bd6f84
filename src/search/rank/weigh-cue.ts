import type { IndexReader } from '../index/index-reader.ts'
import { ABOUT_MARK, SPEAKER_MARK } from '../index/index-writer.ts'
import { roundScore } from './exact-numbers.ts'
import { countDocuments, type MatchList, MENTION, type WeighedCue } from './match-list.ts'
import type { Cue, DateCue } from './query-cues.ts'
import { RANKING } from './ranking-constants.ts'
import type { createRelatedMatches } from './related-matches.ts'

/**
 * A cue with its matches. `having` is the number of documents that have it themselves; other forms count by their
 * weight.
 */
export type FoundCue = WeighedCue & { cue: Cue; having: number; said: readonly MatchList[] }

/**
 * Looks up a cue and computes its weight from how often the query has it and how few documents do, in any form of the
 * word. Related words count as part of a mention and do not change the weight. Without `looking`, other words are left
 * out.
 */
export function weighCue(
  index: IndexReader,
  cue: Cue,
  looking?: { query: ReadonlySet<string>; relatedTo: ReturnType<typeof createRelatedMatches> }
): FoundCue {
  const own = findCueMatches(index, cue)
  const havingOwn = countDocumentsHaving(index, cue, own)
  if (cue.kind === 'date' || looking === undefined) {
    return { cue, having: havingOwn, lists: own, said: own, weight: cue.weight * computeRarity(index.count, havingOwn) }
  }
  const { forms, related, having: inForms } = looking.relatedTo(cue.name, looking.query)
  const having = Math.min(index.count, Math.round(havingOwn + inForms))
  const said = [...own, ...forms]
  return { cue, having, said, lists: [...said, ...related], weight: cue.weight * computeRarity(index.count, having) }
}

/** Counted once per index, because questions repeat words. */
function countDocumentsHaving(index: IndexReader, { name }: Cue, lists: readonly MatchList[]): number {
  const known = COUNTED.get(index) ?? new Map<string, number>()
  COUNTED.set(index, known)
  const having = known.get(name) ?? countDocuments(lists)
  if (known.size >= COUNTED_MAX) known.clear()
  known.set(name, having)
  return having
}

const COUNTED = new WeakMap<IndexReader, Map<string, number>>()
const COUNTED_MAX = 20_000

/** Computes the rarity of a cue that `having` of all documents have: ln(1 + (N - n + ½) / (n + ½)), never negative. */
function computeRarity(documents: number, having: number): number {
  return roundScore(Math.log(1 + (documents - having + 0.5) / (having + 0.5)))
}

/**
 * Finds a cue: a term in texts, in names of speakers, and among subjects of facts that the text does not name; a date
 * in the times of documents.
 */
export function findCueMatches(index: IndexReader, cue: Cue): MatchList[] {
  if (cue.kind === 'date') return [toMetadataList(findDatedDocuments(index, cue.date), RANKING.DATE_MENTIONS)]
  return [
    { ...index.postings(cue.name), worth: MENTION, folds: true },
    toMetadataList(index.postings(SPEAKER_MARK + cue.name).documents, RANKING.SPEAKER_MENTIONS),
    toMetadataList(index.postings(ABOUT_MARK + cue.name).documents, RANKING.ABOUT_MENTIONS)
  ]
}

/** Converts documents to a list in which each counts once and does not affect its neighbours. */
function toMetadataList(documents: Uint32Array, mentions: number): MatchList {
  return { documents, counts: undefined, most: 1, worth: Math.round(mentions * MENTION), folds: false }
}

/** Searched once per index. Few results are cached; together they have each document at most three times. */
function findDatedDocuments(index: IndexReader, date: DateCue): Uint32Array {
  const known = DATED.get(index) ?? new Map<string, Uint32Array>()
  DATED.set(index, known)
  const documents = known.get(date.name) ?? scanDates(index, date)
  if (known.size >= DATED_MAX) known.clear()
  known.set(date.name, documents)
  return documents
}

const DATED = new WeakMap<IndexReader, Map<string, Uint32Array>>()
const DATED_MAX = 64

/** Returns the documents whose source gave a time with this part (in UTC). */
function scanDates(index: IndexReader, { part, value }: DateCue): Uint32Array {
  const times = index.times()
  const dated = index.dated()
  const found: number[] = []
  const partOf = createDatePartReader(part)
  for (let document = 0; document < times.length; document++) {
    if (dated[document] === 1 && partOf(times[document] ?? 0) === value) found.push(document)
  }
  return Uint32Array.from(found)
}

const DAY_MS = 86_400_000

/**
 * Creates a function that reads a part of a time (ms since 1970, in UTC). It computes each day once, because
 * consecutive turns share days.
 */
export function createDatePartReader(part: DateCue['part']): (time: number) => number {
  let day = Number.NaN
  let value = 0
  return (time) => {
    const here = Math.floor(time / DAY_MS)
    if (here === day) return value
    day = here
    const date = new Date(here * DAY_MS)
    value = part === 'year' ? date.getUTCFullYear() : part === 'month' ? date.getUTCMonth() + 1 : date.getUTCDate()
    return value
  }
}
