import type { IndexReader } from '../index/index-reader.ts'
import { ABOUT_MARK, SPEAKER_MARK } from '../index/index-writer.ts'
import type { DateCue } from './date-cues.ts'
import { datePartOf } from './date-parts.ts'
import { type MatchList, MENTION } from './match-list.ts'
import type { Cue } from './query-cues.ts'
import { RANKING } from './ranking-constants.ts'

/**
 * Where a cue is found: a term in texts, in names of speakers, and in what facts are about without its being said; a date
 * in the times of documents.
 */
export function cueMatches(index: IndexReader, cue: Cue): MatchList[] {
  if (cue.kind === 'date') return [byMetadata(datedDocuments(index, cue.date), RANKING.DATE_MENTIONS)]
  return [
    { ...index.postings(cue.name), worth: MENTION, folds: true },
    byMetadata(index.postings(SPEAKER_MARK + cue.name).documents, RANKING.SPEAKER_MENTIONS),
    byMetadata(index.postings(ABOUT_MARK + cue.name).documents, RANKING.ABOUT_MENTIONS)
  ]
}

/** Documents that are said to have a cue, once each and for themselves alone. */
function byMetadata(documents: Uint32Array, mentions: number): MatchList {
  return { documents, counts: undefined, most: 1, worth: Math.round(mentions * MENTION), folds: false }
}

/** Looked for once for each index. Few are kept: all together have each document three times at most. */
function datedDocuments(index: IndexReader, date: DateCue): Uint32Array {
  const known = DATED.get(index) ?? new Map<string, Uint32Array>()
  DATED.set(index, known)
  const documents = known.get(date.name) ?? documentsOfDate(index, date)
  if (known.size >= DATED_MAX) known.clear()
  known.set(date.name, documents)
  return documents
}

const DATED = new WeakMap<IndexReader, Map<string, Uint32Array>>()
const DATED_MAX = 64

/** Documents whose time, as their source gave it, has that part (in UTC). */
function documentsOfDate(index: IndexReader, { part, value }: DateCue): Uint32Array {
  const times = index.times()
  const dated = index.dated()
  const found: number[] = []
  const partOf = datePartOf(part)
  for (let document = 0; document < times.length; document++) {
    if (dated[document] === 1 && partOf(times[document] ?? 0) === value) found.push(document)
  }
  return Uint32Array.from(found)
}
