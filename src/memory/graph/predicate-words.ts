/** A predicate taken apart: the words that carry its meaning, and whether it is denied or hedged. */
export type PredicateWords = {
  words: string[]
  isNegated: boolean
  /** It would, might, should or is to be: not said to be so. */
  isHedged: boolean
  /** The same before verbs were brought into one form: what `addresses` something is no `address`. */
  plain: string[]
}

/**
 * The words of a predicate in one form: small letters, contractions opened, articles and passing adverbs dropped,
 * negation and modals taken out, `am`, `is`, `are` as `be`, `does` and the `be` before `-ing` dropped. The tense of the
 * past stays, and so does `have`: `lived in` and `have lived in` say different things of today.
 *
 *     "is currently living in" -> live in      "doesn't work at" -> work at, negated      "dueDate" -> due date
 */
export function predicateWords(predicate: string): PredicateWords {
  const all = opened(predicate).split(' ')
  const isNegated = all.some((word, at) => NEGATIONS.has(word) || isEnded(all, at))
  const isHedged = all.some((word) => MODALS.has(word))
  const kept = all.filter((word, at) => !isPassing(word) && !isEnded(all, at))
  const formed = kept.map((word) => FORMS.get(word) ?? word)
  const words = withoutSupport(formed, /^stop/.test(all[0] ?? '') && kept.length < all.length)
  return { words, isNegated, isHedged, plain: formed }
}

const NEGATIONS = new Set(['not', 'never', 'cannot', 'neither', 'nor'])
const MODALS = new Set(['will', 'would', 'might', 'may', 'should', 'could', 'must', 'shall'])

/** Said in passing: what the predicate means is the same without. */
const PASSING = new Set([
  ...['a', 'an', 'the', 'currently', 'now', 'presently', 'still', 'also', 'just', 'really', 'recently', 'already'],
  ...['finally', 'actually', 'officially', 'permanently', 'both', 'even', 'then', 'well', 'originally', 'since']
])

const FORMS: ReadonlyMap<string, string> = new Map([
  ...['am', 'is', 'are'].map((word) => [word, 'be'] as const),
  ['were', 'was'],
  ['has', 'have'],
  ['colour', 'color'],
  ['favourite', 'favorite'],
  ['licence', 'license']
])

function isPassing(word: string): boolean {
  return word === '' || NEGATIONS.has(word) || MODALS.has(word) || PASSING.has(word)
}

/** `no longer`, also with its first word lost, `no more`, and `stopped` before what was done. */
function isEnded(words: readonly string[], at: number): boolean {
  const [word, next, last] = [words[at] ?? '', words[at + 1] ?? '', words[at - 1] ?? '']
  if (word === 'no') return next === 'longer' || next === 'more'
  if (word === 'longer' && at === 0) return true
  if (word === 'longer' || word === 'more') return last === 'no'
  return (word === 'stopped' || word === 'stops') && next.endsWith('ing')
}

/** Small letters, single spaces, contractions as the words that they are; keys of programs as words. */
function opened(predicate: string): string {
  return predicate
    .normalize('NFKC')
    .slice(0, PREDICATE_UNITS)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[’ʼ]/g, "'")
    .replace(/\bwon't\b/g, 'will not')
    .replace(/\bcannot\b|\bcan't\b/g, 'can not')
    .replace(/n't\b/g, ' not')
    .replace(/'ve\b/g, ' have')
    .replace(/'(?:re|m)\b/g, ' be')
    .replace(/'ll\b/g, ' will')
    .replace(/\be-mail/g, 'email')
    .replace(/[^\p{L}\p{M}\p{N}'+#.%&/]+/gu, ' ')
    .replace(/[.\s]+$|^[.\s]+/g, '')
}

/** Longer predicates are cut before they are compared, in UTF-16 code units. */
const PREDICATE_UNITS = 200

/** Without the verbs that only help others: `do`, and `be` and `have been` before `-ing`. */
function withoutSupport(words: readonly string[], isStopped: boolean): string[] {
  if (words.length > 1 && (words[0] === 'do' || words[0] === 'does')) return words.slice(1)
  const helpers = words[0] === 'be' ? 1 : words[0] === 'have' && words[1] === 'been' ? 2 : 0
  const verb = words[helpers]
  if ((helpers === 0 && !isStopped) || verb === undefined || !GERUND.test(verb)) return firstPerson(words)
  return [withoutIng(verb), ...words.slice(helpers + 1)]
}

const GERUND = /^\p{L}{2,}ing$/u

/** `living` -> `live`, `running` -> `run`, `calling` -> `call`: near enough to compare by. */
function withoutIng(verb: string): string {
  const stem = verb.slice(0, -3)
  if (/([^aeiou])\1$/.test(stem) && !/(ll|ss|zz|ff)$/.test(stem)) return stem.slice(0, -1)
  if (/[^aeiou][aeiou][bcgkmpvz]$|[aeiou][dtns]?[csuvz]$|[rlnd][cv]$|urs$/.test(stem)) return `${stem}e`
  return stem
}

/** `lives in` -> `live in`. */
function firstPerson([verb = '', ...rest]: readonly string[]): string[] {
  if (NO_VERBS.has(verb) || !/[^sui]s$/.test(verb) || verb.length < 4) return [verb, ...rest]
  if (/[^aeiou]ies$/.test(verb) && verb.length > 4) return [`${verb.slice(0, -3)}y`, ...rest]
  if (/(?:ch|sh|x|z|ss|o)es$/.test(verb)) return [verb.slice(0, -2), ...rest]
  return [verb.slice(0, -1), ...rest]
}

const NO_VERBS = new Set(['always', 'sometimes', 'perhaps', 'does', 'besides', 'regards'])
