import type { SourceEntry } from '../../contract/memory-response.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import { findWrittenTerms } from '../analyse/find-term-spans.ts'
import { splitPassages } from '../analyse/split-passages.ts'
import type { Explanation } from '../rank/explanation.ts'
import { type Answering, type Candidate, readSaidTime } from './answering.ts'
import { foldNearDuplicates } from './fold-near-duplicates.ts'
import type { TermPlace } from './term-place.ts'

type PlacesIn = (text: string) => TermPlace[]

/** Maximum number of spans in an explanation. */
const SPANS_MAX = 100

/**
 * Builds entries from the memories themselves, in the given order; near-duplicates become one entry. An explanation
 * also locates the query's terms in the text, and names the passage of a long text that matched best.
 */
export function buildSourceEntries(
  candidates: Iterable<Candidate>,
  { limit, placesIn, supersededBy }: Pick<Answering, 'limit' | 'supersededBy'> & { placesIn: PlacesIn }
): SourceEntry[] {
  return foldNearDuplicates(candidates, limit).map(({ record, score, explanation, ids }) => {
    const metadata = record.metadata ?? {}
    const superseded = supersededBy(record)
    return {
      id: record.id,
      score,
      source_ids: ids,
      text: record.text,
      speaker: record.speaker ?? null,
      timestamp: readSaidTime(record),
      title: typeof metadata.title === 'string' ? metadata.title : null,
      url: typeof metadata.url === 'string' ? metadata.url : null,
      metadata,
      ...(superseded && { superseded_by: superseded.by, superseded_at: superseded.at }),
      ...(explanation === undefined
        ? {}
        : {
            explanation: {
              ...toExplanationJson(addWrittenWords(explanation, record), record.text),
              spans: toSpans(placesIn(record.text))
            }
          })
    }
  })
}

function toExplanationJson({ passage: place = 0, ...explanation }: Explanation, text: string): object {
  const passages = splitPassages(text)
  const passage = passages.length === 1 ? undefined : passages[place]
  return { ...explanation, ...(passage === undefined ? {} : { passage: [passage.start, passage.end] }) }
}

function toSpans(places: readonly TermPlace[]): { term: string; span: [number, number] }[] {
  return places.slice(0, SPANS_MAX).map(({ term, start, end }) => ({ term, span: [start, end] }))
}

/** Adds the terms to an explanation as the memory and its speaker's name spell them. */
export function addWrittenWords(
  explanation: Explanation,
  record: Pick<MemoryRecord, 'text' | 'speaker'> | undefined
): Explanation {
  if (record === undefined) return explanation
  const inside = explanation.cues.flatMap(({ said }) => said.filter(({ turn }) => turn === 0))
  const words = inside.map(({ word }) => word)
  const inText = findWrittenTerms(record.text, words)
  const inName = findWrittenTerms(record.speaker ?? '', words)
  const cues = explanation.cues.map((cue) => ({
    ...cue,
    said: cue.said.map((one) => {
      const written = one.turn === 0 ? (one.as === 'speaker' ? inName : inText).get(one.word) : undefined
      return written === undefined ? one : { ...one, written }
    })
  }))
  return { ...explanation, cues }
}
