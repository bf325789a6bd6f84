import type { MemoryRecord } from '../../contract/snapshot.ts'
import { entitiesOf } from '../../memory/graph/entities-of.ts'
import type { FactOverTime, StatedFact } from '../../memory/graph/fact-over-time.ts'
import { factsOverTime } from '../../memory/graph/facts-over-time.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import type { ReadFactWords } from './fact-words.ts'
import { askedNames, type FirstFact, firstFacts, isTrueThen } from './first-facts.ts'
import { middleName } from './middle-name.ts'
import { sameAttributes, statedIn } from './relevant-facts.ts'
import { secondMemories } from './second-memories.ts'

/** Two facts that answer together: the second is about a name that the first one leads to. */
export type JoinedFacts = {
  first: FactOverTime
  second: FactOverTime
  /** The part of the query's weight that they have together. */
  covered: number
  /** What the second says of the name: its other end. */
  answer: string
}

/** What facts are joined from: those that the query found, as stated and over time, and the memories that were read. */
export type Ground = { stated: readonly StatedFact[]; facts: readonly FactOverTime[]; records: readonly MemoryRecord[] }

/**
 * The facts, with others that were looked up, and which of them answer in twos what none answers alone. Without a fact
 * that leads further nothing is looked up.
 */
export function joinedFacts(
  { stated, facts, records }: Ground,
  answering: Answering,
  read: ReadFactWords
): { facts: readonly FactOverTime[]; joined: JoinedFacts[] } {
  const firsts = firstFacts(facts, answering, read)
  if (firsts.length === 0) return { facts, joined: [] }
  const all = [...records, ...secondMemories(firsts, answering, records)]
  const keyOf = aliasesIn(all)
  const seconds = all.flatMap(statedIn).filter(({ fact }) => {
    const { found } = read(fact)
    return firsts.some(
      ({ key, left }) => endsOf(fact).some((end) => keyOf(end) === keyOf(key)) && left.some((place) => found.has(place))
    )
  })
  if (seconds.length === 0) return { facts, joined: [] }
  const known = factsOverTime([...stated, ...seconds, ...sameAttributes(seconds, answering)])
  return { facts: known, joined: joinsIn(known, { answering, read, keyOf }) }
}

type KeyOf = (name: string) => string
type Joining = { answering: Answering; read: ReadFactWords; keyOf: KeyOf }

/** What names stand for, as far as these memories tell. */
function aliasesIn(records: readonly MemoryRecord[]): KeyOf {
  return entitiesOf(
    records.flatMap((record) => {
      const stated = statedIn(record)
      return stated[0] === undefined ? [] : [{ source: stated[0].source, facts: stated.map(({ fact }) => fact) }]
    })
  ).keyOf
}

type Ends = Pick<FactOverTime, 'subject' | 'value'>

function endsOf({ subject, value }: Ends): string[] {
  return [subject, value].flatMap((end) => middleName(end) ?? [])
}

/** Each second fact with the first one that leads to it and says most; only where both say more than any fact alone. */
function joinsIn(facts: readonly FactOverTime[], joining: Joining): JoinedFacts[] {
  const { answering, read } = joining
  const { words } = answering
  const claimed = facts.filter((fact) => isTrueThen(fact, answering))
  const alone = claimed.reduce((most, fact) => Math.max(most, words.weightOf(read(fact).found)), 0)
  const firsts = firstFacts(facts, answering, read)
  const names = askedNames(answering)
  return claimed.flatMap((second) => {
    const joins = firsts.flatMap((first) => {
      const beyond = saidBeyond(first, second, joining)
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
 * What a second fact says of that which the first one leaves, beside the name. Nothing where it is about somebody else, or
 * where its predicate has none of it: that something comes up in what one says is no answer.
 */
function saidBeyond(
  { fact, key, name, left }: FirstFact,
  second: FactOverTime,
  { answering: { words }, read, keyOf }: Joining
): { said: number[]; answer: string } | undefined {
  if (second === fact || !overlaps(fact, second)) return undefined
  const isAbout = (end: string): boolean => keyOf(middleName(end) ?? end) === keyOf(key)
  const answer = isAbout(second.subject) ? second.value : isAbout(second.value) ? second.subject : undefined
  if (answer === undefined || words.share(answer) === 1) return undefined
  const inName = words.in(name)
  const { found, inPredicate } = read(second)
  const said = left.filter((place) => found.has(place) && !inName.has(place))
  return said.some((place) => inPredicate.has(place)) ? { said, answer } : undefined
}

/** Whether there is a time at which both hold. */
function overlaps(one: FactOverTime, other: FactOverTime): boolean {
  const isBefore = (end: string | null, start: string | null): boolean => end !== null && start !== null && end <= start
  return !isBefore(one.valid_to, other.valid_from) && !isBefore(other.valid_to, one.valid_from)
}
