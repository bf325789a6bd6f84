import type { IndexReader } from '../index/index-reader.ts'
import { ABOUT_MARK, SPEAKER_MARK } from '../index/index-writer.ts'
import type { DateCue } from './date-cues.ts'
import type { Cue } from './query-cues.ts'

/**
 * The documents that have a cue, in four ways: in their text, in the name of their speaker, in what their facts are about
 * without its being said, in their date.
 */
export type CueMatches = {
  text: Matches
  speaker: Matches
  about: Matches
  date: Uint32Array
}

type Matches = { documents: Uint32Array; counts: Uint8Array }

const NONE: Matches = { documents: new Uint32Array(0), counts: new Uint8Array(0) }

/** Looks a cue up. */
export function cueMatches(index: IndexReader, cue: Cue): CueMatches {
  if (cue.kind === 'date') return { text: NONE, speaker: NONE, about: NONE, date: documentsOfDate(index, cue.date) }
  return {
    text: index.postings(cue.name),
    speaker: index.postings(SPEAKER_MARK + cue.name),
    about: index.postings(ABOUT_MARK + cue.name),
    date: NONE.documents
  }
}

/** Documents whose time, as their source gave it, has that part (in UTC). */
function documentsOfDate(index: IndexReader, cue: DateCue): Uint32Array {
  const times = index.times()
  const dated = index.dated()
  const found: number[] = []
  const partOf = datePartOf(cue.part)
  for (let document = 0; document < times.length; document++) {
    if (dated[document] === 1 && partOf(times[document] ?? 0) === cue.value) found.push(document)
  }
  return Uint32Array.from(found)
}

const DAY_MS = 86_400_000

/** The asked part of a time, worked out once a day's number: turns of one day follow each other. */
function datePartOf(part: DateCue['part']): (time: number) => number {
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
