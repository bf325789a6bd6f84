import type { FactRecord } from '../../contract/snapshot.ts'
import type { Clause, FactDraft } from '../clauses/clause.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'

/**
 * Moves `now` from the value of a fact to its predicate (`now lives in | Bray`), and returns what its value denies as
 * a fact of its own: `is | 4417, not 7714` becomes `is | 4417` and `is not | 7714`.
 */
export function splitCorrection(fact: FactRecord, { clause }: FactDraft): FactRecord[] {
  const { value, predicate, negated } = fact
  const contrast = negated ? CONTRAST.exec(value)?.groups : undefined
  if (contrast !== undefined && DENIED_BE.test(predicate)) return [splitContrast(fact, contrast)]
  if (negated || clause === undefined || value.length > CORRECTION_UNITS_MAX) return []
  if (!CORRECTED.test(value)) return []
  const moved = MOVED.exec(value)?.groups
  if (moved !== undefined) fact.predicate = `${predicate} ${moved.joint}`
  const { kept = value, other } = moved ?? CORRECTION.exec(value)?.groups ?? {}
  const plain = isPresent(fact, clause) ? kept.replace(NOW, '') : kept
  fact.value = plain
  if (plain !== kept)
    fact.predicate = /^(?:is|are)(?= |$)/.test(predicate)
      ? predicate.replace(/^\S+/, '$& now')
      : `now ${fact.predicate}`
  const denial = other === undefined ? undefined : denyPredicate(predicate, clause)
  if (denial === undefined || other === undefined) return []
  const denied = moved === undefined ? denial : `${denial} ${moved.joint}`
  return [{ ...fact, predicate: denied, value: other, negated: true }]
}

/** A longer value contains more than one statement. In UTF-16 code units. */
const CORRECTION_UNITS_MAX = 80

/** A quick test for the words of corrections. */
const CORRECTED = /not |instead of|rather than|now/
const CORRECTION =
  /^(?<kept>(?:\S+ ){0,4}\S+?)(?:(?:,| -| –| —) (?:and )?not|,? (?:instead of|rather than)) (?<other>(?!because|when|if|only|just|to |in |at |that|so |very|too |even|really|always|yet|sure|\p{L}+ing\b)(?:\S+ ){0,3}[^\s,]+)$/u

/** `lives | not in Rome but in Paris` */
const MOVED = /^not (?<joint>in|at|on|from) (?<other>(?:\S+ ){0,3}[^\s,]+),? but \k<joint> (?<kept>(?:\S+ ){0,4}\S+)$/u
const NOW = /(?:^now |(?<!\b(?:right|for|until|till|by|just|even|than|to|from)),? now| from now on)$|^now (?=\S)/u

/** The value of a denied copula that continues with the right value: `Rome but in Paris`. */
const CONTRAST =
  /^(?<other>(?!only\b|just\b|always\b)(?:\S+ ){0,3}[^\s,]+),? but (?!also\b|not\b|it\b|still\b)(?:(?:in|at|on|from) )?(?<kept>(?:\S+ ){0,4}\S+)$/u
const DENIED_BE = /^(?<be>is|are|was|were)(?: not|n['’]t)(?<rest>(?: (?:in|at|on|from))?)$/

/** Keeps what `is not in | Rome but in Paris` denies, and returns `is in | Paris`. */
function splitContrast(fact: FactRecord, { other = '', kept = '' }: Record<string, string>): FactRecord {
  const { negated: _, ...plain } = fact
  fact.value = other
  return { ...plain, predicate: fact.predicate.replace(DENIED_BE, '$<be>$<rest>'), value: kept }
}

function isPresent({ predicate, modality }: FactRecord, { verb }: Clause): boolean {
  if (/^(?:is|are|am)(?: |$)/.test(predicate)) return true
  const form = classifyVerbForm(verb.opens)
  return !verb.hasAuxiliary && modality === undefined && (form === 'base' || form === 'present')
}

/** Writes a predicate as denied: `is not`, `does not live in`. Returns undefined for a verb with auxiliaries. */
function denyPredicate(predicate: string, { verb }: Clause): string | undefined {
  const [first = '', ...rest] = predicate.split(' ')
  if (/^(?:is|are|was|were)$/.test(first)) return [first, 'not', ...rest].join(' ')
  if (verb.hasAuxiliary || verb.first !== verb.base || first.endsWith('ly') || rest.length > 1) return undefined
  return [first.endsWith('s') ? 'does not' : 'did not', verb.base, ...rest].join(' ')
}
