import type { MemoryRecord } from '../../contract/snapshot.ts'
import { readFacts } from '../../memory/extracted.ts'
import { PREDICATE_ROWS } from '../../memory/graph/predicate-rows.ts'
import { toEntityKey } from '../../memory/graph/to-entity-key.ts'
import { analyse } from '../analyse/analyse.ts'
import { buildAttributeKey, mayBeName } from '../index/collect-about-terms.ts'
import type { LineBytes } from '../rank/create-ranker.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'

/**
 * Finds memories with facts about subjects named in the query that are not among its best sources: those that contain
 * most of its other terms, and those that state the attribute it asks for, in any wording. Their number is bounded.
 */
export function findNamedMemories(answering: Answering, known: readonly MemoryRecord[]): MemoryRecord[] {
  const terms = answering.words.terms.map(({ name }) => name)
  if (terms.length < 2 || terms.length > ANSWER.NAMING_TERMS_MAX) return []
  const found = createFoundMemories(answering, { known, limit: ANSWER.NAMED_MEMORIES_MAX })
  for (const name of terms.filter(answering.inquiry.isName)) {
    const saying = terms.filter((term) => term !== name)
    found.take(answering.inquiry.about({ name: [name], saying, as: 'subject' }, ANSWER.ABOUT_MEMORIES))
  }
  const subjects = findNamedSubjects(answering, [...known, ...found.records()])
  for (const attribute of findAskedAttributes(terms)) {
    for (const subject of subjects) {
      found.take(answering.inquiry.keyed(buildAttributeKey(attribute, subject), ANSWER.ATTRIBUTE_MEMORIES))
    }
  }
  return found.records()
}

/**
 * Returns the keys of subjects of facts that the query names, at least in part. Single-word names must match the
 * query's spelling.
 */
function findNamedSubjects({ words, intent, inquiry }: Answering, records: readonly MemoryRecord[]): string[] {
  const spelled = intent.spelled.filter((word) => words.share(word) === 1 && analyse(word).every(inquiry.isName))
  const keys = new Set(spelled.slice(0, ANSWER.NAMED_SUBJECTS_MAX / 2).map(toEntityKey))
  for (const { subject } of records.flatMap(readFacts)) {
    if (keys.size >= ANSWER.NAMED_SUBJECTS_MAX) break
    if (mayBeName(subject) && words.in(subject).size > 0) keys.add(toEntityKey(subject))
  }
  return [...keys]
}

/**
 * Returns the keys of single-value attributes that any of these terms asks for: `work` and `employer` ask for
 * `works_at`.
 */
export function findAskedAttributes(terms: Iterable<string>): string[] {
  attributes ??= getAttributesByTerm()
  const keys = new Set<string>()
  for (const term of terms) for (const key of attributes.get(term) ?? []) keys.add(key)
  return [...keys]
}

let attributes: ReadonlyMap<string, readonly string[]> | undefined

function getAttributesByTerm(): ReadonlyMap<string, readonly string[]> {
  const byTerm = new Map<string, string[]>()
  for (const { key, isSingle, verbs = [], ifNamed = [], nouns = [], inverse = [] } of PREDICATE_ROWS) {
    if (!isSingle) continue
    const phrases = [key.replaceAll('_', ' '), ...verbs, ...ifNamed, ...nouns, ...inverse]
    for (const term of new Set(phrases.flatMap(analyse))) byTerm.set(term, [...(byTerm.get(term) ?? []), key])
  }
  return new Map([...byTerm].filter(([, keys]) => keys.length <= ATTRIBUTES_MAX))
}

/** A term that belongs to more attributes than this (`start`, `place`) asks for none of them. */
const ATTRIBUTES_MAX = 2

/** A growing collection of found memories. */
type FoundMemories = {
  /** Reads the memories at these places until the limit is reached. */
  take(places: readonly LineBytes[]): void
  records(): MemoryRecord[]
}

/** Creates a collection of memories that were not known before, each once, with at most `limit` in total. */
export function createFoundMemories(
  { read }: Pick<Answering, 'read'>,
  { known, limit }: { known: readonly MemoryRecord[]; limit: number }
): FoundMemories {
  const ids = new Set(known.map(({ id }) => id))
  const records: MemoryRecord[] = []
  return {
    take(places) {
      for (const place of places) {
        if (records.length >= limit) return
        const record = read(place)
        if (record === undefined || ids.has(record.id)) continue
        ids.add(record.id)
        records.push(record)
      }
    },
    records: () => [...records]
  }
}
