import { type Bucket, buildPeriods, type Period } from './build-periods.ts'
import { type Claim, compareClaims, compareText, createClaimReader, getConfidence, type KeyOf } from './claim.ts'
import type { FactOverTime, StatedFact } from './fact-over-time.ts'
import { toEntityKey } from './to-entity-key.ts'

/**
 * Merges the claims of memories over time: equal claims become one with all their sources, and a later value of a
 * single-valued predicate ends the previous one. Denied and unclaimed facts are kept; of these, only denials end
 * others. Neither the order nor repetition of facts matters. `keyOf` maps names to the keys by which they are compared.
 * Time and memory grow with the number of facts.
 */
export function resolveFacts(facts: readonly StatedFact[], keyOf: KeyOf = toEntityKey): FactOverTime[] {
  const read = createClaimReader(keyOf)
  const claims = resolveJoinedPeople(continueRestated(facts.map(read)))
  return [...groupIntoBuckets(claims)]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, bucket]) => buildPeriods(letCompete(bucket)).map(toFactOverTime).sort(compareByTime))
}

/**
 * Selects the facts that hold at a time (UTC), or without one, those that nothing has ended. Excludes denied and
 * unclaimed facts.
 */
export function selectCurrent(facts: readonly FactOverTime[], time?: string): FactOverTime[] {
  return facts.filter((fact) => isCurrentAt(fact, time))
}

/** Checks whether a fact holds at a time (UTC), or without one, whether nothing has ended it. */
export function isCurrentAt({ negated, modality, valid_from, valid_to }: FactOverTime, time?: string): boolean {
  if (negated || modality !== undefined) return false
  if (time === undefined) return valid_to === null
  return (valid_from === null || valid_from <= time) && (valid_to === null || time < valid_to)
}

/**
 * Lets a claim of a superseded memory hold on if the memory that supersedes it states the same. An edited note repeats
 * most of what it said before.
 */
function continueRestated(claims: readonly Claim[]): readonly Claim[] {
  if (!claims.some(({ stated }) => stated.source.superseded !== undefined)) return claims
  const toKey = ({ subject, predicate, value, isDenied, modality }: Claim, id: string): string =>
    [id, subject, predicate, value, isDenied, modality].join('\u0000')
  const known = new Set(claims.map((claim) => toKey(claim, claim.stated.source.id)))
  return claims.map((claim) => {
    const { superseded } = claim.stated.source
    const isRestated = superseded !== undefined && known.has(toKey(claim, superseded.by))
    return isRestated && claim.over?.by === superseded.at ? { ...claim, over: undefined } : claim
  })
}

/**
 * Lets values compete that otherwise hold side by side, if one of the claims says that it replaces another: `Ann's
 * dentist is Dr. Novak now`. Names replace names, and what has a number replaces what has one.
 */
function letCompete(bucket: Bucket): Bucket {
  const changed = new Set(bucket.claims.filter(isReplacing).map(toSort))
  if (changed.size === 0) return bucket
  const claims = bucket.claims.map((claim) =>
    changed.has(toSort(claim)) && !claim.meaning.isSingle
      ? { ...claim, meaning: { ...claim.meaning, isSingle: true } }
      : claim
  )
  return { ...bucket, claims }
}

function isReplacing({ isChange, isDenied, modality, meaning, isName, value }: Claim): boolean {
  if (!isChange || isDenied || modality !== undefined || meaning.isSingle) return false
  return meaning.key === 'be' ? isName || /\d/.test(value) : REPLACING.has(meaning.key)
}

/** Verbs of which a person does one at a time. */
const REPLACING: ReadonlySet<string> = new Set(['drive', 'use', 'ride', 'prefer', 'wear'])

function toSort({ isName, value }: Claim): string {
  return /\d/.test(value) ? 'number' : isName ? 'name' : 'other'
}

/** Groups claims by subject and predicate class, with the claims that end them. */
function groupIntoBuckets(claims: readonly Claim[]): Map<string, Bucket> {
  const buckets = new Map<string, Bucket>()
  for (const claim of claims) {
    const key = toBucketKey(claim.subject, claim.predicate)
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, { claims: [claim], endings: [] })
    else bucket.claims.push(claim)
  }
  for (const claim of claims) {
    if (claim.isDenied || claim.modality !== undefined) continue
    for (const ended of claim.meaning.ends) buckets.get(toBucketKey(claim.subject, ended))?.endings.push(claim)
  }
  return buckets
}

function toBucketKey(subject: string, predicate: string): string {
  return `${subject}\u0000${predicate}`
}

function toFactOverTime(period: Period): FactOverTime {
  const { best, confidence, source_ids } = corroborate(period.claims)
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
    contradicted_by: listOpposingIds(period)
  }
}

/** Maximum number of contradicting memories listed. */
const AGAINST_MAX = 20

function listOpposingIds({ against }: Period): string[] {
  if (against.size === 0) return []
  const ids = [...against].flatMap(({ claims }) => claims.map(({ stated }) => stated.source.id))
  return [...new Set(ids)].sort(compareText).slice(0, AGAINST_MAX)
}

function compareByTime(a: FactOverTime, b: FactOverTime): number {
  return compareText(toSortText(a), toSortText(b))
}

function toSortText({ valid_from, valid_to, keys, negated, modality }: FactOverTime): string {
  return [valid_from ?? '', keys.value, negated ? 'not' : '', modality ?? '', valid_to ?? ''].join('\u0000')
}

type Corroborated = { best: Claim; confidence: number; source_ids: string[] }

/**
 * Combines the confidence of equal claims. The best claim is the most confident, then the earliest. Independent sources
 * multiply their doubts (noisy-or); repetitions by one speaker in one conversation are one source.
 */
function corroborate(claims: readonly Claim[]): Corroborated {
  const [only] = claims
  if (only !== undefined && claims.length === 1) {
    return {
      best: only,
      confidence: Math.min(getConfidence(only), CONFIDENCE_MAX),
      source_ids: [only.stated.source.id]
    }
  }
  const best = claims.reduce((first, second) => (compareClaims(second, first) < 0 ? second : first))
  const surest = new Map<string, number>()
  for (const claim of claims) {
    const key = toVoiceKey(claim)
    surest.set(key, Math.max(surest.get(key) ?? 0, getConfidence(claim)))
  }
  const doubts = [...surest.values()].sort((a, b) => a - b)
  const doubt = doubts.reduce((product, confidence) => product * (1 - confidence), 1)
  const alone = getConfidence(best)
  const confidence = doubts.length === 1 ? alone : Math.min(1 - doubt, CONFIDENCE_MAX)
  return {
    best,
    confidence: Math.max(confidence, Math.min(alone, CONFIDENCE_MAX)),
    source_ids: listSourceIds(best, claims)
  }
}

/** Upper limit for any number of sources, because the same rules read all of them. */
const CONFIDENCE_MAX = 0.99

/** Identifies a source by speaker and conversation. A memory with neither is a source by itself. */
function toVoiceKey({ stated: { source } }: Claim): string {
  const { id, conversation, speaker } = source
  return conversation === undefined && speaker === undefined ? id : `${conversation ?? ''}\u0000${speaker ?? ''}`
}

/** Lists the best claim's source first, then the others by time. */
function listSourceIds(best: Claim, claims: readonly Claim[]): string[] {
  const sources = new Map(claims.map(({ stated: { source } }) => [source.id, source.at]))
  sources.delete(best.stated.source.id)
  const others = [...sources].sort(([a, from], [b, to]) => compareText(from, to) || compareText(a, b))
  return [best.stated.source.id, ...others.map(([id]) => id)]
}

/**
 * Corrects claims such as `joined` where the value is a person: a person who joins Ann does not work at Ann. The claims
 * themselves show who is a person: people live and work somewhere, and nothing employs at them.
 */
function resolveJoinedPeople(claims: readonly Claim[]): readonly Claim[] {
  if (!claims.some(isOfEmployer)) return claims
  const people = new Set(claims.filter(isOfPerson).map(({ subject }) => subject))
  for (const { predicate, meaning, value } of claims)
    if (predicate === EMPLOYER && meaning.otherwise === undefined) people.delete(value)
  return claims.map((claim) => {
    const { otherwise } = claim.meaning
    if (otherwise === undefined || !isOfEmployer(claim) || !people.has(claim.value)) return claim
    return { ...claim, predicate: otherwise.key, meaning: otherwise }
  })
}

const EMPLOYER = 'works_at'

function isOfEmployer({ predicate, meaning }: Claim): boolean {
  return predicate === EMPLOYER && meaning.otherwise !== undefined
}

/** Recognises what only people do; `moved to` and `joined` also apply to things. */
function isOfPerson({ predicate, meaning }: Claim): boolean {
  return OF_PEOPLE.has(predicate) && meaning.otherwise === undefined
}

const OF_PEOPLE = new Set(['lives_in', 'works_at', 'studies_at', 'married_to', 'birthday'])
