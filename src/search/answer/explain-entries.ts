import type { EpisodeEntry, ProcedureEntry, SemanticEntry } from '../../contract/memory-response.ts'
import { proceduresOf } from '../../memory/extracted.ts'
import { writtenTerms } from '../analyse/written-terms.ts'
import type { Answering } from './answering.ts'
import type { Candidate } from './candidate.ts'
import { type FactPath, factPath } from './fact-path.ts'
import { createFactWords } from './fact-words.ts'
import type { TermPlace } from './term-place.ts'

/** What entries are explained from: the query, what answering it went by, and the best sources. */
export type Explaining = {
  query: string
  answering: Answering
  candidates: readonly Candidate[]
  placesIn: (text: string) => TermPlace[]
}

/** A memory that an entry rests on: its place among the sources found, from 1, and its score; null beyond the best. */
export type RestsOn = { id: string; rank: number | null; score: number | null }

/** Where a text has terms of the query. */
type Spans = { term: string; span: [number, number] }[]

/** Adds to entries that are shown by which way they were found, and where the query's words stand. */
export type EntryExplainer = {
  fact(entry: SemanticEntry): SemanticEntry
  procedure(entry: ProcedureEntry): ProcedureEntry
  episode(entry: EpisodeEntry): EpisodeEntry
}

/** Explains entries one by one; what they rest on is read again, which costs nothing. */
export function createEntryExplainer(explaining: Explaining): EntryExplainer {
  const { answering, candidates } = explaining
  const ranks = new Map(candidates.map(({ record, score }, place) => [record.id, { rank: place + 1, score }]))
  const restsOn = (ids: readonly string[]): RestsOn[] =>
    ids.map((id) => ({ id, rank: ranks.get(id)?.rank ?? null, score: ranks.get(id)?.score ?? null }))
  const saying = wordsIn(explaining)
  const meant = wordsMeantBy(explaining)
  return {
    fact(entry) {
      const { subject, predicate, value, source_ids } = entry
      const path = factPath(entry, answering, candidates)
      const has = {
        in_subject: saying(subject),
        in_predicate: saying(predicate),
        in_meaning: meant(predicate),
        in_value: saying(value)
      }
      const more = {
        ...has,
        sources: restsOn(source_ids),
        ...pathJson(path),
        spans: spansOf(entry.span, path, explaining)
      }
      return { ...entry, explanation: { ...entry.explanation, ...more } }
    },
    procedure(entry) {
      const { statement, steps = [], kind, source_ids } = entry
      const asked_kind = answering.intent.kinds[kind] ?? []
      const record = candidates.find((one) => one.record.id === source_ids[0])?.record
      const found = record === undefined ? undefined : proceduresOf(record).find((one) => one.statement === statement)
      const more = {
        has: saying([statement, ...steps].join(' ')),
        asked_kind,
        sources: restsOn(source_ids),
        spans: record === undefined ? [] : spansIn(record.text, found?.span ?? null, explaining)
      }
      return { ...entry, explanation: { ...entry.explanation, ...more } }
    },
    episode(entry) {
      const found = restsOn(entry.source_ids).filter(({ rank }) => rank !== null)
      return { ...entry, explanation: { ...entry.explanation, has: saying(entry.summary), sources: found } }
    }
  }
}

/** The words of the query that a text has, as the query writes them, and other words for them as `word: other`. */
function wordsIn(explaining: Explaining): (text: string) => string[] {
  const { words } = explaining.answering
  const spoken = asWritten(explaining)
  return (text) => {
    const own = new Set([...words.in(text)].map((place) => words.terms[place]?.name ?? ''))
    const others = explaining
      .placesIn(text)
      .filter(({ term }) => !own.has(term))
      .map(({ term, start, end }) => `${spoken(term)}: ${text.slice(start, end)}`)
    return [...new Set([...[...own].map(spoken), ...others])]
  }
}

/** The words of the query that a predicate means and does not say: `live` for `moved to`. */
function wordsMeantBy(explaining: Explaining): (predicate: string) => string[] {
  const { words } = explaining.answering
  const read = createFactWords(words)
  const spoken = asWritten(explaining)
  return (predicate) => {
    const { found } = read({ subject: '', predicate, value: '' })
    const [said, near] = [words.in(predicate), words.near(predicate)]
    const meant = [...found].filter((place) => !said.has(place) && !near.has(place))
    return meant.map((place) => spoken(words.terms[place]?.name ?? ''))
  }
}

/** Terms as the query writes them. */
function asWritten({ query, answering: { words } }: Explaining): (term: string) => string {
  const names = words.terms.map(({ name }) => name)
  const written = writtenTerms(query, names)
  return (term) => written.get(term) ?? term
}

function pathJson({ found_by, key, supersedes, superseded_by }: FactPath): object {
  return { found_by, key, supersedes, superseded_by }
}

function spansOf(span: [number, number] | null, { record }: FactPath, explaining: Explaining): Spans {
  return record === undefined ? [] : spansIn(record.text, span, explaining)
}

/** Where a part of a text has the query's words, in the whole text. */
function spansIn(text: string, span: [number, number] | null, { placesIn }: Explaining): Spans {
  const [from, to] = span ?? [0, text.length]
  return placesIn(text.slice(from, to)).map(({ term, start, end }) => ({ term, span: [from + start, from + end] }))
}
