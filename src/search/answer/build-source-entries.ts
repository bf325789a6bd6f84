import type { SourceEntry } from '../../contract/memory-response.ts'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import { PAUSE_MS_MAX } from '../../memory/episodes/find-episodes.ts'
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

/**
 * Adds to the explanations which sources belong to one exchange: a question with the answer of another person, or a
 * statement with the question of another person and the answer to that. Of several exchanges, the one with the better
 * other source counts.
 */
export function addExchanges(entries: readonly SourceEntry[], answering: Answering): SourceEntry[] {
  const ranks = new Map(entries.map(({ id }, rank) => [id, rank]))
  const best = new Map<string, { turns: MemoryRecord[]; other: number }>()
  const offer = (id: string, turns: MemoryRecord[], other: number | undefined): void => {
    const known = best.get(id)
    if (other !== undefined && (known === undefined || other < known.other)) best.set(id, { turns, other })
  }
  for (const turns of readExchanges(answering, ranks)) {
    const [first, last] = [turns[0]?.id ?? '', turns.at(-1)?.id ?? '']
    offer(first, turns, ranks.get(last))
    offer(last, turns, ranks.get(first))
  }
  return entries.map((entry) => {
    const exchange = best.get(entry.id)?.turns.map(toTurnJson)
    return exchange === undefined ? entry : { ...entry, explanation: { ...entry.explanation, exchange } }
  })
}

/** Yields the exchanges whose first and last turns are sources. */
function* readExchanges(
  { inquiry, read, supersededBy }: Answering,
  ranks: ReadonlyMap<string, number>
): Generator<MemoryRecord[]> {
  let found = 0
  for (const [hit, place] of inquiry.hits.entries()) {
    if (found === ranks.size) return
    if (!ranks.has(read(place)?.id ?? '')) continue
    found++
    for (const places of inquiry.findExchanges(hit, PAUSE_MS_MAX)) {
      const turns = places.flatMap((turn) => read(turn) ?? [])
      const isWhole = turns.length === places.length && ranks.has(turns.at(-1)?.id ?? '')
      if (isWhole && isDialogue(turns) && turns.every((turn) => supersededBy(turn) === undefined)) yield turns
    }
  }
}

/** Reports whether two people take turns. */
function isDialogue(turns: readonly MemoryRecord[]): boolean {
  const [first, second, third = first] = turns.map(({ speaker }) => speaker)
  return first !== undefined && second !== undefined && first !== second && third === first
}

function toTurnJson(record: MemoryRecord): object {
  const { id, text, speaker = null } = record
  return { id, speaker, timestamp: readSaidTime(record), text }
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
