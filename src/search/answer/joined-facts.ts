import type { MemoryRecord } from '../../contract/snapshot.ts'
import { findEntities } from '../../memory/graph/entities.ts'
import type { FactOverTime, StatedFact } from '../../memory/graph/fact-over-time.ts'
import { isFirstName, listFullForms } from '../../memory/graph/list-full-forms.ts'
import { isCurrentAt, resolveFacts } from '../../memory/graph/resolve-facts.ts'
import { toEntityKey } from '../../memory/graph/to-entity-key.ts'
import { isAnnotation } from '../../memory/structure/find-annotations.ts'
import { analyse } from '../analyse/analyse.ts'
import { buildAttributeKey } from '../index/collect-about-terms.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { ReadFactWords } from './fact-score.ts'
import { createFoundMemories, findAskedAttributes } from './find-named-memories.ts'
import { findSameAttributes, readStatedFacts } from './find-relevant-facts.ts'

/** Two facts that answer together: the second is about a name in the first. */
export type JoinedFacts = {
  first: FactOverTime
  second: FactOverTime
  /** The part of the query's weight that they cover together. */
  covered: number
  /** What the second fact says about the name: its other end. */
  answer: string
}

/** The input of joining: the facts that the query found, as stated and over time, and the memories that were read. */
type Ground = { stated: readonly StatedFact[]; facts: readonly FactOverTime[]; records: readonly MemoryRecord[] }

/**
 * Returns the facts, with others that were looked up, and the pairs of them that answer what neither answers alone.
 * Looks nothing up unless some fact leads further.
 */
export function joinFacts(
  { stated, facts, records }: Ground,
  answering: Answering,
  read: ReadFactWords
): { facts: readonly FactOverTime[]; joined: JoinedFacts[] } {
  const firsts = findFirstFacts(facts, answering, read)
  if (firsts.length === 0) return { facts, joined: [] }
  const all = [...records, ...findSecondMemories(firsts, answering, records)]
  const keyOf = collectAliases(all, answering)
  const seconds = all
    .flatMap((record) => readStatedFacts(record, answering))
    .filter(({ fact }) => {
      const { found } = read(fact)
      return firsts.some(
        ({ key, left }) =>
          listEnds(fact).some((end) => keyOf(end) === keyOf(key)) && left.some((place) => found.has(place))
      )
    })
  if (seconds.length === 0) return { facts, joined: [] }
  const known = resolveFacts([...stated, ...seconds, ...findSameAttributes(seconds, answering)])
  return { facts: known, joined: findJoins(known, { answering, read, keyOf }) }
}

type KeyOf = (name: string) => string
type Joining = { answering: Answering; read: ReadFactWords; keyOf: KeyOf }

/** Collects the aliases that these memories define. */
function collectAliases(records: readonly MemoryRecord[], answering: Answering): KeyOf {
  return findEntities(
    records.flatMap((record) => {
      const stated = readStatedFacts(record, answering)
      return stated[0] === undefined ? [] : [{ source: stated[0].source, facts: stated.map(({ fact }) => fact) }]
    })
  ).keyOf
}

type Ends = Pick<FactOverTime, 'subject' | 'value'>

function listEnds({ subject, value }: Ends): string[] {
  return [subject, value].flatMap((end) => findMiddleName(end) ?? [])
}

/**
 * Pairs each second fact with the first fact that leads to it and covers most. Only pairs that cover more than any
 * single fact count.
 */
function findJoins(facts: readonly FactOverTime[], joining: Joining): JoinedFacts[] {
  const { answering, read } = joining
  const { words } = answering
  const claimed = facts.filter((fact) => isTrueThen(fact, answering))
  const alone = claimed.reduce((most, fact) => Math.max(most, words.weightOf(read(fact).found)), 0)
  const firsts = findFirstFacts(facts, answering, read)
  const names = findAskedNames(answering)
  return claimed.flatMap((second) => {
    const joins = firsts.flatMap((first) => {
      const beyond = findRemainder(first, second, joining)
      if (beyond === undefined) return []
      const found = new Set([...first.found, ...read(second).found])
      const covered = words.weightOf(new Set([...first.found, ...beyond.said]))
      const isEnough = covered > alone + ROUNDING && covered >= ANSWER.JOIN_COVERS
      if (!isEnough || !names.every((name) => found.has(name))) return []
      return [{ first: first.fact, second, covered, answer: beyond.answer }]
    })
    const [best, ...others] = joins
    return best === undefined ? [] : [others.reduce((one, other) => (other.covered > one.covered ? other : one), best)]
  })
}

const ROUNDING = 1e-9

/**
 * Returns the remaining query terms that a second fact covers, besides the name. Returns nothing if it is about another
 * subject or its predicate has none of these terms: a mere mention in a value is not an answer.
 */
function findRemainder(
  { fact, key, name, left }: FirstFact,
  second: FactOverTime,
  { answering: { words }, read, keyOf }: Joining
): { said: number[]; answer: string } | undefined {
  if (second === fact || !isOverlapping(fact, second)) return undefined
  const isAbout = (end: string): boolean => keyOf(findMiddleName(end) ?? end) === keyOf(key)
  const answer = isAbout(second.subject) ? second.value : isAbout(second.value) ? second.subject : undefined
  if (answer === undefined || words.share(answer) === 1) return undefined
  const inName = words.in(name)
  const { found, inPredicate } = read(second)
  const said = left.filter((place) => found.has(place) && !inName.has(place))
  return said.some((place) => inPredicate.has(place)) ? { said, answer } : undefined
}

/** Checks whether both facts hold at some common time. */
function isOverlapping(one: FactOverTime, other: FactOverTime): boolean {
  const isBefore = (end: string | null, start: string | null): boolean => end !== null && start !== null && end <= start
  return !isBefore(one.valid_to, other.valid_from) && !isBefore(other.valid_to, one.valid_from)
}

/** A fact that covers a part of the query and names a possible subject of the rest. */
type FirstFact = {
  fact: FactOverTime
  /** The name, and its key for comparison. */
  name: string
  key: string
  /** The query terms that the fact has, and the remaining ones, by position. */
  found: ReadonlySet<number>
  left: readonly number[]
}

/**
 * Returns the facts, those with most coverage first, that lead from the query to a person or thing that it does not
 * name: `Ada has sister Eva` for `Where does Ada's sister live?`. Returns one per name, and none if a single fact
 * covers the whole query.
 */
function findFirstFacts(facts: readonly FactOverTime[], answering: Answering, read: ReadFactWords): FirstFact[] {
  const { words } = answering
  const places = words.terms.map((_, place) => place)
  if (places.length < 2 || places.length > ANSWER.NAMING_TERMS_MAX) return []
  const names = findAskedNames(answering)
  const firsts = new Map<string, FirstFact & { weight: number }>()
  for (const fact of facts) {
    const { found } = read(fact)
    if (found.size < FIRST_TERMS_MIN || !isTrueThen(fact, answering)) continue
    if (names.length > 0 && !names.some((place) => found.has(place))) continue
    const left = places.filter((place) => !found.has(place))
    if (left.length === 0) return []
    const weight = words.weightOf(found) * fact.confidence
    for (const name of listUnnamed(fact, answering)) {
      const key = toEntityKey(name)
      if (weight > (firsts.get(key)?.weight ?? 0)) firsts.set(key, { fact, name, key, found, left, weight })
    }
  }
  const byWeight = [...firsts.values()].sort(
    (left, right) => right.weight - left.weight || (left.key < right.key ? -1 : 1)
  )
  return byWeight.slice(0, ANSWER.MIDDLES_MAX)
}

/** A name alone leads everywhere, so another term must match too. */
const FIRST_TERMS_MIN = 2

/**
 * Returns the positions of the capitalised query terms that facts are about. A fact without any of them is about
 * another subject.
 */
function findAskedNames({ words, intent, inquiry }: Answering): number[] {
  const names = intent.spelled.filter((word) => CAPITAL.test(word)).flatMap((word) => [...words.in(word)])
  return [...new Set(names)].filter((place) => inquiry.isName(words.terms[place]?.name ?? ''))
}

const CAPITAL = /^\p{Lu}/u

/**
 * Checks whether a fact is claimed and held at the time that the query is about. If the query asks about time, any time
 * qualifies.
 */
function isTrueThen(fact: FactOverTime, { intent, asOf }: Answering): boolean {
  if (fact.negated === true || fact.modality !== undefined || isAnnotation(fact.predicate)) return false
  return asOf === undefined ? intent.asksByTime || fact.valid_to === null : isCurrentAt(fact, asOf)
}

/** Lists names at either end of a fact that the query does not contain, reached from a query term at the other end. */
function listUnnamed({ subject, value }: FactOverTime, { words }: Answering): string[] {
  const ends = [
    { end: value, from: subject },
    { end: subject, from: value }
  ]
  return ends.flatMap(({ end, from }) => {
    const name = findMiddleName(end)
    if (name === undefined || words.share(name) === 1) return []
    return words.in(from).size > 0 || (name !== end && words.in(end).size > 0) ? [name] : []
  })
}

/**
 * Finds memories that may say about a name what first facts leave open: those with the attribute that the query asks
 * for, and those with most of the remaining terms. Their number is bounded, in addition to those already known.
 */
function findSecondMemories(
  firsts: readonly FirstFact[],
  answering: Answering,
  known: readonly MemoryRecord[]
): MemoryRecord[] {
  const { inquiry, words } = answering
  const found = createFoundMemories(answering, { known, limit: ANSWER.SECOND_MEMORIES_MAX })
  for (const { name, left } of firsts) {
    const terms = left.flatMap((place) => words.terms[place]?.name ?? [])
    const saying = [...terms, ...terms.flatMap((term) => inquiry.relationsOf(term).forms.map((form) => form.term))]
    for (const other of listOtherNames(name)) {
      for (const attribute of findAskedAttributes(terms)) {
        found.take(inquiry.keyed(buildAttributeKey(attribute, toEntityKey(other)), ANSWER.ATTRIBUTE_MEMORIES))
      }
      found.take(inquiry.about({ name: analyse(other), saying, as: 'anything' }, ANSWER.ABOUT_MEMORIES))
    }
  }
  return found.records()
}

/**
 * Returns the name in the subject or value of a fact by which other facts may be joined to it, or undefined if there is
 * none.
 *
 *     Northwind            -> Northwind
 *     Ada's sister Eva     -> Eva
 *     her sister Eva       -> Eva
 *     Northwind in May     -> Northwind
 *     She, Ada's friends   -> undefined
 */
export function findMiddleName(text: string): string | undefined {
  if (text.length > NAME_UNITS_MAX) return undefined
  const whole = APPOSITION.exec(text)?.groups?.name ?? text
  const name = BEFORE_MORE.exec(whole)?.groups?.name ?? whole
  return NAME.test(name) && !PRONOUN.test(name) && name.split(' ').length <= NAME_WORDS_MAX ? name : undefined
}

const NAME_UNITS_MAX = 80
const NAME_WORDS_MAX = 5

/** A name after its description: `Ada's elder sister Eva`, `the painter Mo Lin`. */
const APPOSITION =
  /^(?:(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur|[Tt]heir|[Tt]he|[Aa]n?)|.{1,60}['’]s?) (?:\p{Ll}[\p{L}-]* ){1,3}(?<name>\p{Lu}.*)$/u

/** A name before a time, place or manner: `Porto last spring`, `Northwind as a driver`. */
const BEFORE_MORE =
  /^(?<name>.*?\p{L}[.'"”’)]?),? (?:in|on|at|as|for|from|to|with|near|since|until|by|into|last|this|next|every|yesterday|today|tomorrow|now|again|too|also|already|recently|soon|together)(?: .*)?$/u

/**
 * Capitalised words or words with digits, with small words between them. Words of scripts without case may be names.
 */
const NAME =
  /^(?=.*\p{L})(?:[Tt]he )?["'“‘]?[\p{Lu}\p{Lo}\p{N}][\p{L}\p{M}\p{N}.'’&+-]*(?: (?:of|the|and|de|del|di|da|la|le|van|von|der|den|al|bin|&|["'“(]?[\p{Lu}\p{Lo}\p{N}][\p{L}\p{M}\p{N}.'’&+-]*))*["'”’)]?$/u
const PRONOUN = /^(?:I|you|he|she|it|we|they|him|her|them|us|this|that|these|those|there|here|who|one)$/iu

/**
 * Lists names under which other facts may mention the same subject: the whole name, the first name, and what a short
 * form may stand for.
 */
function listOtherNames(name: string): string[] {
  const key = toEntityKey(name)
  const [first = key, ...rest] = key.split(' ')
  const names = rest.length > 0 && isFirstName(first) ? [key, first] : [key]
  return [...new Set([...names, ...(isFirstName(first) ? listFullForms(first) : [])])]
}
