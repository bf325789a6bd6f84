import { entityKey } from '../../memory/graph/entity-key.ts'
import type { FactOverTime } from '../../memory/graph/fact-over-time.ts'
import { isCurrentAt } from '../../memory/graph/facts-over-time.ts'
import { isAnnotation } from '../../memory/structure/annotations.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { ReadFactWords } from './fact-words.ts'
import { middleName } from './middle-name.ts'

/** A fact that has a part of the query and names whom the rest may be about. */
export type FirstFact = {
  fact: FactOverTime
  /** The name, and how it is compared. */
  name: string
  key: string
  /** The terms of the query that it has, and those that it leaves, by place. */
  found: ReadonlySet<number>
  left: readonly number[]
}

/**
 * The facts, those that say most first, that lead from the query to somebody or something that it does not name: `Ada has
 * sister Eva` of `Where does Ada's sister live?`. One for each name. None where one fact says all that is asked.
 */
export function firstFacts(facts: readonly FactOverTime[], answering: Answering, read: ReadFactWords): FirstFact[] {
  const { words } = answering
  const places = words.terms.map((_, place) => place)
  if (places.length < 2 || places.length > ANSWER.NAMING_TERMS_MAX) return []
  const names = askedNames(answering)
  const firsts = new Map<string, FirstFact & { weight: number }>()
  for (const fact of facts) {
    const { found } = read(fact)
    if (found.size < FIRST_TERMS_MIN || !isTrueThen(fact, answering)) continue
    if (names.length > 0 && !names.some((place) => found.has(place))) continue
    const left = places.filter((place) => !found.has(place))
    if (left.length === 0) return []
    const weight = words.weightOf(found) * fact.confidence
    for (const name of unnamed(fact, answering)) {
      const key = entityKey(name)
      if (weight > (firsts.get(key)?.weight ?? 0)) firsts.set(key, { fact, name, key, found, left, weight })
    }
  }
  const byWeight = [...firsts.values()].sort(
    (left, right) => right.weight - left.weight || (left.key < right.key ? -1 : 1)
  )
  return byWeight.slice(0, ANSWER.MIDDLES_MAX)
}

/** A name alone leads everywhere: something is said of it too. */
const FIRST_TERMS_MIN = 2

/** The terms, by place, that the query writes with a capital and facts are about: what says nothing of them is about others. */
export function askedNames({ words, intent, inquiry }: Answering): number[] {
  const names = intent.spelled.filter((word) => CAPITAL.test(word)).flatMap((word) => [...words.in(word)])
  return [...new Set(names)].filter((place) => inquiry.isName(words.terms[place]?.name ?? ''))
}

const CAPITAL = /^\p{Lu}/u

/** Whether a fact is claimed, and held at the time that the query is about; of any time where it asks by time. */
export function isTrueThen(fact: FactOverTime, { intent, asOf }: Answering): boolean {
  if (fact.negated === true || fact.modality !== undefined || isAnnotation(fact.predicate)) return false
  return asOf === undefined ? intent.asksByTime || fact.valid_to === null : isCurrentAt(fact, asOf)
}

/** Names at either end of a fact that the query does not say itself, reached from what it says of the other. */
function unnamed({ subject, value }: FactOverTime, { words }: Answering): string[] {
  const ends = [
    { end: value, from: subject },
    { end: subject, from: value }
  ]
  return ends.flatMap(({ end, from }) => {
    const name = middleName(end)
    if (name === undefined || words.share(name) === 1) return []
    return words.in(from).size > 0 || (name !== end && words.in(end).size > 0) ? [name] : []
  })
}
