import type { FactRecord } from '../../contract/snapshot.ts'
import type { StatedFact } from './fact-over-time.ts'
import { createFactReader, type FactReading } from './fact-reading.ts'
import { memoize } from './memoize.ts'
import type { PredicateClass } from './predicate-class.ts'
import { splitSpokenNames } from './read-names.ts'
import { parseStatedTime, type StatedTime } from './stated-time.ts'
import { toEntityKey } from './to-entity-key.ts'
import { isNamed } from './value-kind.ts'

/** What a stated fact claims, in keys: equal for claims that mean one thing. */
export type Claim = {
  subject: string
  /** Key of the predicate's class. */
  predicate: string
  value: string
  meaning: PredicateClass
  isDenied: boolean
  modality: FactRecord['modality']
  /** The value is written as a name. */
  isName: boolean
  /** When it began or was said, in UTC; undefined where nobody knows. */
  from: string | undefined
  /** When it was said to be so still, where that is another time. */
  until: string | undefined
  /** It was over when it was said, UTC; undefined where nobody says so. `began` is undefined where nobody knows. */
  over: { began: string | undefined; by: string } | undefined
  stated: StatedFact
}

type ReadClaim = (stated: StatedFact) => Claim

/** How names become keys; the graph puts the aliases of an entity together here. */
export type KeyOf = (name: string) => string

/** Reads what facts claim. Predicates and names recur: what was worked out for one is kept, as much as is sensible. */
export function createClaimReader(keyOf: KeyOf = toEntityKey): ReadClaim {
  const read = createFactReader()
  const nameKey = memoize((name) => keyOf(splitSpokenNames(name)?.name ?? name))
  return (stated) => {
    const { fact, source } = stated
    const { subject, value: said, meaning } = read(fact)
    const at = source.undated ? undefined : source.at
    const time = readTime({ value: said, meaning }, at)
    const value = time?.rest ?? said
    const from = time?.from ?? at
    return {
      subject: nameKey(subject),
      predicate: meaning.key,
      value: nameKey(value),
      meaning,
      isDenied: fact.negated === true || meaning.isNegated,
      modality: fact.modality ?? (meaning.isHedged ? 'possible' : undefined),
      isName: isNamed(value),
      from,
      until: time?.isLasting && at !== undefined && from !== at ? at : undefined,
      over: meaning.isOver ? { began: time?.from, by: source.at } : undefined,
      stated
    }
  }
}

/** Only where the time says when something began or ended is it no part of the value. */
function readTime(
  { value, meaning }: Pick<FactReading, 'value' | 'meaning'>,
  at: string | undefined
): StatedTime | undefined {
  return meaning.isSingle || meaning.ends.length > 0 ? parseStatedTime(value, at) : undefined
}

/** The most confident claim first, then the earliest; the rest only so that any order of claims is sorted alike. */
export function compareClaims(a: Claim, b: Claim): number {
  const [one, other] = [a.stated, b.stated]
  return (
    getConfidence(b) - getConfidence(a) ||
    compareText(one.source.at, other.source.at) ||
    compareText(one.source.id, other.source.id) ||
    one.fact.span[0] - other.fact.span[0] ||
    one.fact.span[1] - other.fact.span[1] ||
    compareText(formatWording(a), formatWording(b))
  )
}

/** Where a rule says nothing of itself. */
const CONFIDENCE_OTHERWISE = 0.5

/** 0..1. */
export function getConfidence({ stated }: Claim): number {
  return stated.fact.confidence ?? CONFIDENCE_OTHERWISE
}

/** Texts by their UTF-16 code units, which is the same everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function formatWording({ stated: { fact } }: Claim): string {
  return [fact.subject, fact.predicate, fact.value, fact.rule].join('\u0000')
}
