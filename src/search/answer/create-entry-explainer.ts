import type { EpisodeEntry, ProcedureEntry, SemanticEntry } from '../../contract/memory-response.ts'
import type { FactRecord, MemoryRecord } from '../../contract/snapshot.ts'
import { readFacts, readProcedures } from '../../memory/extracted.ts'
import { createClaimReader } from '../../memory/graph/claim.ts'
import { type FactOverTime, isCorrection, type StatedFact } from '../../memory/graph/fact-over-time.ts'
import { resolveFacts } from '../../memory/graph/resolve-facts.ts'
import { findWrittenTerms } from '../analyse/find-term-spans.ts'
import { createKeyReader } from '../index/collect-about-terms.ts'
import { ANSWER } from './answer-constants.ts'
import { type Answering, type Candidate, readSaidTime } from './answering.ts'
import { createFactWords } from './fact-score.ts'
import type { OtherValue } from './memory-report.ts'
import type { TermPlace } from './term-place.ts'

/** The input of explanations: the query, the context in which it was answered, and the best sources. */
type Explaining = {
  query: string
  answering: Answering
  candidates: readonly Candidate[]
  placesIn: (text: string) => TermPlace[]
}

/** A source of an entry: its rank among the sources found, counted from 1, and its score; null beyond the best. */
type EntryGround = { id: string; rank: number | null; score: number | null }

/** Places of query terms in a text. */
type Spans = { term: string; span: [number, number] }[]

/** Adds to entries how they were found and where they contain query terms. */
type EntryExplainer = {
  fact(entry: SemanticEntry): SemanticEntry
  procedure(entry: ProcedureEntry): ProcedureEntry
  episode(entry: EpisodeEntry): EpisodeEntry
}

/** Creates a function that explains single entries. Their sources are read again, from the cache. */
export function createEntryExplainer(explaining: Explaining): EntryExplainer {
  const { answering, candidates } = explaining
  const ranks = new Map(candidates.map(({ record, score }, place) => [record.id, { rank: place + 1, score }]))
  const toGround = (ids: readonly string[]): EntryGround[] =>
    ids.map((id) => ({ id, rank: ranks.get(id)?.rank ?? null, score: ranks.get(id)?.score ?? null }))
  const saying = createWordFinder(explaining)
  const meant = createMeaningFinder(explaining)
  return {
    fact(entry) {
      const { subject, predicate, value, source_ids } = entry
      const path = findFactPath(entry, answering, candidates)
      const has = {
        in_subject: saying(subject),
        in_predicate: saying(predicate),
        in_meaning: meant(predicate),
        in_value: saying(value)
      }
      const more = {
        ...has,
        sources: toGround(source_ids),
        ...toPathJson(path),
        rule: findRule(path.record, entry),
        memory: toMemoryJson(path.record, entry.span),
        spans: findPathSpans(entry.span, path, explaining)
      }
      return { ...entry, explanation: { ...entry.explanation, ...more } }
    },
    procedure(entry) {
      const { statement, steps = [], kind, source_ids } = entry
      const asked_kind = answering.intent.kinds[kind] ?? []
      const record = candidates.find((one) => one.record.id === source_ids[0])?.record
      const found = record === undefined ? undefined : readProcedures(record).find((one) => one.statement === statement)
      const more = {
        has: saying([statement, ...steps].join(' ')),
        asked_kind,
        sources: toGround(source_ids),
        spans: record === undefined ? [] : findSpans(record.text, found?.span ?? null, explaining)
      }
      return { ...entry, explanation: { ...entry.explanation, ...more } }
    },
    episode(entry) {
      const found = toGround(entry.source_ids).filter(({ rank }) => rank !== null)
      return { ...entry, explanation: { ...entry.explanation, has: saying(entry.summary), sources: found } }
    }
  }
}

/**
 * Creates a function that returns the query terms in a text as the query spells them, and related words as `term:
 * related`.
 */
function createWordFinder(explaining: Explaining): (text: string) => string[] {
  const { words } = explaining.answering
  const spoken = createSpeller(explaining)
  return (text) => {
    const own = new Set([...words.in(text)].map((place) => words.terms[place]?.name ?? ''))
    const others = explaining
      .placesIn(text)
      .filter(({ term }) => !own.has(term))
      .map(({ term, start, end }) => `${spoken(term)}: ${text.slice(start, end)}`)
    return [...new Set([...[...own].map(spoken), ...others])]
  }
}

/**
 * Creates a function that returns the query terms that a predicate implies but does not contain: `live` for `moved to`.
 */
function createMeaningFinder(explaining: Explaining): (predicate: string) => string[] {
  const { words } = explaining.answering
  const read = createFactWords(words)
  const spoken = createSpeller(explaining)
  return (predicate) => {
    const { found } = read({ subject: '', predicate, value: '' })
    const [said, near] = [words.in(predicate), words.near(predicate)]
    const meant = [...found].filter((place) => !said.has(place) && !near.has(place))
    return meant.map((place) => spoken(words.terms[place]?.name ?? ''))
  }
}

/** Creates a function that returns terms as the query spells them. */
function createSpeller({ query, answering: { words } }: Explaining): (term: string) => string {
  const names = words.terms.map(({ name }) => name)
  const written = findWrittenTerms(query, names)
  return (term) => written.get(term) ?? term
}

function toPathJson({ found_by, key, supersedes, superseded_by }: FactPath): object {
  return { found_by, key, supersedes, superseded_by }
}

/** Returns the rule that extracted a fact from its memory, or `given`; null if the memory is not available. */
function findRule(record: MemoryRecord | undefined, { subject, predicate, value }: SemanticEntry): string | null {
  const facts = record === undefined ? [] : readFacts(record)
  const found = facts.find((fact) => fact.subject === subject && fact.predicate === predicate && fact.value === value)
  return found?.rule ?? null
}

/** Returns the memory of a fact for quoting: the text around the fact, its speaker, time and place. */
function toMemoryJson(record: MemoryRecord | undefined, span: [number, number] | null): object | undefined {
  if (record === undefined) return undefined
  const { text, speaker = null, metadata = {} } = record
  const from = text.length <= QUOTED_UNITS_MAX ? 0 : Math.max(0, (span?.[0] ?? 0) - QUOTED_UNITS_MAX / 2)
  return {
    text: text.slice(from, from + QUOTED_UNITS_MAX).toWellFormed(),
    speaker,
    timestamp: readSaidTime(record),
    title: typeof metadata.title === 'string' ? metadata.title : null,
    url: typeof metadata.url === 'string' ? metadata.url : null,
    metadata: metadata.source === undefined ? {} : { source: metadata.source }
  }
}

const QUOTED_UNITS_MAX = 1000

function findPathSpans(span: [number, number] | null, { record }: FactPath, explaining: Explaining): Spans {
  return record === undefined ? [] : findSpans(record.text, span, explaining)
}

/** Returns the spans of query terms within a part of a text, as positions in the whole text. */
function findSpans(text: string, span: [number, number] | null, { placesIn }: Explaining): Spans {
  const [from, to] = span ?? [0, text.length]
  return placesIn(text.slice(from, to)).map(({ term, start, end }) => ({ term, span: [from + start, from + end] }))
}

/** How a fact was found, and which facts it was compared with. */
type FactPath = {
  /**
   * `source`: one of the best memories states it. `key`: it was looked up because a best memory, `from`, states another
   * value of the same attribute. `name`: it is about a subject named in the query.
   */
  found_by: { way: 'source'; from: string } | { way: 'key'; from: string } | { way: 'name'; from: null }
  /** The subject and attribute of the fact, if the attribute has one value at a time. */
  key: string | null
  supersedes: OtherValue[]
  superseded_by: OtherValue[]
  /** The memory that states the fact best; undefined if it is not available. */
  record: MemoryRecord | undefined
}

/** Reads what the snapshot says about the fact's attribute. The number of memories is bounded, and most are cached. */
function findFactPath(entry: SemanticEntry, answering: Answering, candidates: readonly Candidate[]): FactPath {
  const { subject, predicate, value, source_ids } = entry
  const fact = { subject, predicate, value, rule: '', span: [0, 0] as [number, number] }
  const keys = createKeyReader()(fact)
  const best = candidates.map(({ record }) => record)
  const keyed = keys.flatMap((key) => readMemoriesOf(key, answering))
  const all = [...new Map([...best, ...keyed].map((record) => [record.id, record])).values()]
  const facts = resolveFacts(all.flatMap(createStatementReader(fact, keys)))
  const own = facts.find((fact) => fact.value === value && fact.valid_from === entry.valid_from)
  const rivals = own === undefined ? [] : findRivals(own, facts)
  const said = source_ids.find((id) => best.some((record) => record.id === id))
  const near = best.find((record) => rivals.some((fact) => fact.source_ids.includes(record.id)))
  return {
    found_by: toFoundBy(said, near?.id),
    key: keys[0] ?? null,
    ...listOtherValues(entry, rivals),
    record: all.find(({ id }) => id === source_ids[0])
  }
}

function toFoundBy(said: string | undefined, near: string | undefined): FactPath['found_by'] {
  if (said !== undefined) return { way: 'source', from: said }
  return near === undefined ? { way: 'name', from: null } : { way: 'key', from: near }
}

function readMemoriesOf(key: string, { inquiry, read }: Answering): MemoryRecord[] {
  return inquiry.keyed(key, ANSWER.KEY_MEMORIES_MAX).flatMap((place) => read(place) ?? [])
}

/** Creates a function that returns what a memory says about the attribute of a fact, or about one with any of these keys. */
function createStatementReader(own: FactRecord, keys: readonly string[]): (record: MemoryRecord) => StatedFact[] {
  const keysOf = createKeyReader()
  const claimOf = createClaimReader()
  const toAttribute = (fact: FactRecord): string => {
    const { subject, predicate } = claimOf({ fact, source: UNTIMED })
    return `${predicate}|${subject}`
  }
  const attribute = toAttribute(own)
  return (record) => {
    const source = { ...record, isCorrection: isCorrection(record.text) }
    return readFacts(record)
      .filter((fact) => toAttribute(fact) === attribute || keysOf(fact).some((key) => keys.includes(key)))
      .map((fact) => ({ fact, source }))
  }
}

/** The subject and attribute of a fact do not depend on its source. */
const UNTIMED = { id: '', at: '', undated: true }

/** Returns the other facts about an attribute that has one value at a time. */
export function findRivals(own: FactOverTime, facts: readonly FactOverTime[]): FactOverTime[] {
  return own.isSingle ? facts.filter((fact) => fact !== own && isSameAttribute(fact, own)) : []
}

/** Returns the values that an attribute had before a fact and after it. */
export function listOtherValues(
  { valid_from, valid_to }: Pick<FactOverTime, 'valid_from' | 'valid_to'>,
  rivals: readonly FactOverTime[]
): { supersedes: OtherValue[]; superseded_by: OtherValue[] } {
  const isBefore = (end: string | null, start: string | null): boolean => end !== null && start !== null && end <= start
  return {
    supersedes: rivals.filter((rival) => isBefore(rival.valid_to, valid_from)).map(toOtherValue),
    superseded_by: rivals.filter((rival) => isBefore(valid_to, rival.valid_from)).map(toOtherValue)
  }
}

function isSameAttribute(left: FactOverTime, right: FactOverTime): boolean {
  return left.keys.predicate === right.keys.predicate && left.keys.subject === right.keys.subject
}

function toOtherValue({ value, valid_from, valid_to, source_ids }: FactOverTime): OtherValue {
  return { value, valid_from, valid_to, source_ids }
}
