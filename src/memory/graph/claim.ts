import type { FactRecord } from '../../contract/snapshot.ts'
import type { StatedFact } from './fact-over-time.ts'
import { createFactReader, type FactReading } from './fact-reading.ts'
import { memoize } from './memoize.ts'
import type { PredicateClass } from './predicate-class.ts'
import { splitSpokenNames } from './read-names.ts'
import { parseStatedTime, type StatedTime } from './stated-time.ts'
import { toEntityKey } from './to-entity-key.ts'
import { isNamed } from './value-kind.ts'

/** A stated fact as keys, which are equal for claims with the same meaning. */
export type Claim = {
  subject: string
  /** Key of the predicate's class. */
  predicate: string
  value: string
  meaning: PredicateClass
  isDenied: boolean
  modality: FactRecord['modality']
  /** Whether the value is written as a name. */
  isName: boolean
  /** Whether its words, or those of its memory, say that something else held before. */
  isChange: boolean
  /** When it began or was stated, UTC; undefined if unknown. */
  from: string | undefined
  /** When it was stated to still hold, UTC, if that differs from `from`. */
  until: string | undefined
  /** Set if it was over when it was stated, with the time of the statement, UTC. `began` is undefined if unknown. */
  over: { began: string | undefined; by: string } | undefined
  stated: StatedFact
}

type ReadClaim = (stated: StatedFact) => Claim

/** Maps a name to its key; the graph merges the aliases of an entity here. */
export type KeyOf = (name: string) => string

/** Creates a reader of facts. Results for recurring predicates and names are cached, up to a limit. */
export function createClaimReader(keyOf: KeyOf = toEntityKey): ReadClaim {
  const read = createFactReader()
  const nameKey = memoize((name) => keyOf(splitSpokenNames(name)?.name ?? name))
  return (stated) => {
    const { fact, source } = stated
    const { subject, value: said, meaning, isChange = false, isAffirmed } = read(fact)
    const at = source.undated ? undefined : source.at
    const time = readTime({ value: said, meaning }, at)
    const value = time?.rest ?? said
    const from = fact.valid_from ?? time?.from ?? at
    return {
      subject: nameKey(subject),
      predicate: meaning.key,
      value: nameKey(value),
      meaning,
      isDenied: (fact.negated === true && isAffirmed !== true) || meaning.isNegated,
      modality: fact.modality ?? (meaning.isHedged ? 'possible' : undefined),
      isName: isNamed(value),
      isChange: isChange || source.isCorrection === true,
      from,
      until: time?.isLasting && at !== undefined && from !== at ? at : undefined,
      over: meaning.isOver ? { began: time?.from, by: source.at } : findEnd(stated, from),
      stated
    }
  }
}

/** Finds the end that the source states beside the fact, or that a memory gives it which supersedes the source. */
function findEnd({ fact, source }: StatedFact, began: string | undefined): Claim['over'] {
  const ends = [fact.valid_to, source.superseded?.at].filter((end) => end !== undefined)
  const by = ends.sort()[0]
  return by === undefined ? undefined : { began, by }
}

/** Removes a time from the value only if it states a start or an end. */
function readTime(
  { value, meaning }: Pick<FactReading, 'value' | 'meaning'>,
  at: string | undefined
): StatedTime | undefined {
  return meaning.isSingle || meaning.ends.length > 0 ? parseStatedTime(value, at) : undefined
}

/** Sorts the most confident claim first, then the earliest; further criteria make the order total. */
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

/** Confidence of facts that do not state one. */
const CONFIDENCE_OTHERWISE = 0.5

/** 0..1. */
export function getConfidence({ stated }: Claim): number {
  return stated.fact.confidence ?? CONFIDENCE_OTHERWISE
}

/** Compares texts by UTF-16 code units, which is independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function formatWording({ stated: { fact } }: Claim): string {
  return [fact.subject, fact.predicate, fact.value, fact.rule].join('\u0000')
}
