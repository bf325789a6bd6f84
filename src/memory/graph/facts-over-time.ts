import { type Claim, createClaimReader, type KeyOf } from './claim.ts'
import { byText } from './claim-order.ts'
import { corroborated } from './corroborated.ts'
import { entityKey } from './entity-key.ts'
import type { FactOverTime, StatedFact } from './fact-over-time.ts'
import { withPeopleJoined } from './people-joined.ts'
import { type Bucket, type Period, periodsOf } from './periods.ts'

/**
 * What memories say, over time: equal claims are one, with all their sources; of predicates that take one value a later
 * one ends the one before. What is denied or not claimed is kept and ends nothing, but for denials. Any order of facts
 * gives the same answer, and a fact that comes twice counts once. `keyOf` says how names are compared. Time and memory
 * grow with the number of facts.
 */
export function factsOverTime(facts: readonly StatedFact[], keyOf: KeyOf = entityKey): FactOverTime[] {
  const read = createClaimReader(keyOf)
  const claims = withPeopleJoined(facts.map(read))
  return [...bucketsOf(claims)]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, bucket]) => periodsOf(bucket).map(factOf).sort(byTime))
}

/** What holds at a time, UTC text; without one, what nothing has ended. Nothing that is denied or not claimed. */
export function currentAt(facts: readonly FactOverTime[], time?: string): FactOverTime[] {
  return facts.filter((fact) => isCurrentAt(fact, time))
}

/** Whether a fact holds at a time, UTC text; without one, whether nothing has ended it. */
export function isCurrentAt({ negated, modality, valid_from, valid_to }: FactOverTime, time?: string): boolean {
  if (negated || modality !== undefined) return false
  if (time === undefined) return valid_to === null
  return (valid_from === null || valid_from <= time) && (valid_to === null || time < valid_to)
}

/** All that is said of one subject by one class of predicates, and what ends it, together. */
function bucketsOf(claims: readonly Claim[]): Map<string, Bucket> {
  const buckets = new Map<string, Bucket>()
  for (const claim of claims) {
    const key = bucketKey(claim.subject, claim.predicate)
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, { claims: [claim], endings: [] })
    else bucket.claims.push(claim)
  }
  for (const claim of claims) {
    if (claim.isDenied || claim.modality !== undefined) continue
    for (const ended of claim.meaning.ends) buckets.get(bucketKey(claim.subject, ended))?.endings.push(claim)
  }
  return buckets
}

function bucketKey(subject: string, predicate: string): string {
  return `${subject}\u0000${predicate}`
}

function factOf(period: Period): FactOverTime {
  const { best, confidence, source_ids } = corroborated(period.claims)
  const { fact } = best.stated
  return {
    subject: fact.subject,
    predicate: fact.predicate,
    value: fact.value,
    keys: { subject: best.subject, predicate: best.predicate, value: best.value },
    isSingle: best.meaning.isSingle,
    ...(best.isDenied && { negated: true as const }),
    ...(best.modality !== undefined && { modality: best.modality }),
    confidence,
    source_ids,
    span: fact.span,
    valid_from: period.from ?? null,
    valid_to: period.to ?? null,
    contradicted_by: idsAgainst(period)
  }
}

/** So many ids of contradicting memories are named. */
const AGAINST_MAX = 20

function idsAgainst({ against }: Period): string[] {
  if (against.size === 0) return []
  const ids = [...against].flatMap(({ claims }) => claims.map(({ stated }) => stated.source.id))
  return [...new Set(ids)].sort(byText).slice(0, AGAINST_MAX)
}

function byTime(a: FactOverTime, b: FactOverTime): number {
  return byText(orderText(a), orderText(b))
}

function orderText({ valid_from, valid_to, keys, negated, modality }: FactOverTime): string {
  return [valid_from ?? '', keys.value, negated ? 'not' : '', modality ?? '', valid_to ?? ''].join('\u0000')
}
