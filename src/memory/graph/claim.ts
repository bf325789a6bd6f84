import type { FactRecord } from '../../contract/snapshot.ts'
import { entityKey } from './entity-key.ts'
import type { StatedFact } from './fact-over-time.ts'
import { attributeClass, type PredicateClass, predicateClass } from './predicate-class.ts'
import { remembering } from './remembering.ts'
import { spokenNames } from './spoken-names.ts'
import { STATE_WORDS } from './state-words.ts'
import { statedTime } from './stated-time.ts'

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
  stated: StatedFact
}

export type ReadClaim = (stated: StatedFact) => Claim

/** How names become keys; the graph puts the aliases of an entity together here. */
export type KeyOf = (name: string) => string

/** Reads what facts claim. Predicates and names recur: what was worked out for one is kept, as much as is sensible. */
export function createClaimReader(keyOf: KeyOf = entityKey): ReadClaim {
  const meaningOf = remembering(predicateClass)
  const nameKey = remembering((name) => keyOf(spokenNames(name)?.name ?? name))
  return (stated) => {
    const { fact, source } = stated
    const said = understood({ subject: fact.subject, value: fact.value, meaning: meaningOf(fact.predicate) }, meaningOf)
    const at = source.undated ? undefined : source.at
    const time = said.meaning.isSingle ? statedTime(said.value, at) : undefined
    const value = time?.rest ?? said.value
    const from = time?.from ?? at
    return {
      subject: nameKey(said.subject),
      predicate: said.meaning.key,
      value: nameKey(value),
      meaning: said.meaning,
      isDenied: fact.negated === true || said.meaning.isNegated,
      modality: fact.modality ?? (said.meaning.isHedged ? 'possible' : undefined),
      isName: NAME.test(value),
      from,
      until: time?.isLasting && at !== undefined && from !== at ? at : undefined,
      stated
    }
  }
}

const NAME = /^(?:[Tt]he )?["'“]?[\p{Lu}\p{N}]/u

type Said = { subject: string; value: string; meaning: PredicateClass }
type MeaningOf = (predicate: string) => PredicateClass

/** The attribute that is spoken of, whichever way round: `Ann's phone is 12`, `Ann is the owner of the shop`. */
function understood(said: Said, meaningOf: MeaningOf): Said {
  const plain = said.meaning.key === 'be' ? ofCopula(said, meaningOf) : said
  if (!plain.meaning.isInverse) return plain
  if (isDefinite(plain.value)) {
    return { subject: plain.value, value: plain.subject, meaning: { ...plain.meaning, isInverse: false } }
  }
  const meaning = { ...plain.meaning, key: `${plain.meaning.key}_of`, isSingle: false }
  return { ...plain, meaning }
}

/** `owns the shop` says whose the shop is; `owns a car` does not say of any car that it has no other owner. */
function isDefinite(value: string): boolean {
  return /^(?:the |this |that |["'“]?\p{Lu})/u.test(value) && !/^An? /.test(value)
}

function ofCopula(said: Said, meaningOf: MeaningOf): Said {
  const { subject, value, meaning } = said
  const owned = attributeOf(subject)
  if (owned !== undefined) return { subject: owned.of, value, meaning: denied(meaningOf(owned.attribute), meaning) }
  const owning = value.startsWith('the ') ? attributeOf(value) : undefined
  if (owning !== undefined) {
    return { subject: owning.of, value: subject, meaning: denied(meaningOf(owning.attribute), meaning) }
  }
  if (/^\d{1,3} years?(?: |-)old$/.test(value)) return { ...said, meaning: denied(meaningOf('age'), meaning) }
  const state = value.length < STATE_UNITS ? STATE_WORDS.get(value.toLowerCase()) : undefined
  return state === undefined ? said : { ...said, meaning: denied(meaningOf(state), meaning) }
}

const STATE_UNITS = 20

function denied(meaning: PredicateClass, { isNegated, isHedged }: PredicateClass): PredicateClass {
  return isNegated || isHedged ? { ...meaning, isNegated, isHedged } : meaning
}

/** `Ann's phone number`, `the phone number of Ann`. */
function attributeOf(name: string): { attribute: string; of: string } | undefined {
  const match = /^(?<of>.{1,80})['’]s (?<attribute>.{1,30})$/u.exec(name) ?? PART_OF.exec(name)
  const { attribute = '', of = '' } = match?.groups ?? {}
  const key = match === null ? undefined : attributeClass(attribute)
  return key === undefined ? undefined : { attribute: key, of }
}

const PART_OF = /^(?:the )?(?<attribute>.{1,30}?) of (?<of>.{1,80})$/i
