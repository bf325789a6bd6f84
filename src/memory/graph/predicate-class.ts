import { splitWords } from '../language/split-words.ts'
import { PREDICATE_ROWS, type PredicateRow } from './predicate-rows.ts'
import type { ValueKind } from './value-kind.ts'

export type PredicateClass = {
  /** Equal for predicates with the same meaning. */
  key: string
  /** Holds one value at a time: a later one ends the previous one. */
  isSingle: boolean
  /** The words deny it: `no longer works at`. */
  isNegated: boolean
  /** The words do not claim it: `would live in`. */
  isHedged: boolean
  /** The words say that it is over: `used to live in`. */
  isOver: boolean
  /** Subject and value are swapped: the subject is the value of the attribute (`is the owner of`). */
  isInverse: boolean
  /** Another value contradicts the first, whatever its time. */
  isFixed: boolean
  /** Only values that are names end each other. */
  ofNames: boolean
  /** Values are places, one of which may contain the other. */
  ofPlaces: boolean
  /** The meaning for a value that is not a name, if it differs: `joined` a choir. */
  otherwise?: PredicateClass
  /** Keys of the classes whose claims about the same subject and value this one ends: `left` ends `works_at`. */
  ends: readonly string[]
  /** Ends them only if nothing but a time or a purpose follows: a person who left Acme at six returns. */
  isLeaving: boolean
  /** Kind of value after a plain copula; undefined if unknown. */
  kind: ValueKind | undefined
}

/**
 * Returns the meaning of a predicate, independent of its wording: `lives in`, `moved to` and `is living in` are
 * `lives_in`. A predicate that `predicate-rows.ts` does not list is its own key and holds many values. Ambiguous
 * predicates get no class: `is at` a place neither means living nor working there.
 */
export function classifyPredicate(predicate: string): PredicateClass {
  const { words, isNegated, isHedged, plain } = splitPredicate(predicate)
  const phrase = words.join(' ')
  const row = SAID.get(phrase) ?? findOtherForm(phrase) ?? NAMED.get(plain.join(' '))
  const done = phrase.replace(PERFECT, '')
  const ends = ENDS.get(phrase) ?? ENDS.get(done) ?? []
  const spoken = { isNegated, isHedged, ends, isLeaving: LEAVING.has(done), isOver: USED_TO.test(phrase) }
  if (row === undefined) return { ...createOwnClass(words, predicate), ...spoken, isInverse: false }
  const { key, isSingle, isFixed = false, ofNames = false, ofPlaces = false, kind } = row.row
  const meaning = { key, isSingle, ...spoken, isInverse: row.isInverse, isFixed, ofNames, ofPlaces, kind }
  return row.isIfNamed
    ? { ...meaning, otherwise: { ...createOwnClass(words, predicate), ...spoken, isInverse: false } }
    : meaning
}

/** Tries related forms: `residing in` with its `e` restored, and `moved` for `has moved`. */
function findOtherForm(phrase: string): Entry | undefined {
  return SAID.get(phrase.replace(/^\S+/, '$&e')) ?? SAID.get(phrase.replace(PERFECT, ''))
}

const PERFECT = /^have /
const USED_TO = /^used to \S/

/** Returns the class of a named attribute, as in `Ann's e-mail is …`; undefined if there is none. */
export function classifyAttribute(name: string): string | undefined {
  const { plain } = splitPredicate(name)
  if (plain[0] === 'favorite' && plain.length > 1) return plain.join('_')
  const phrase = plain.join(' ')
  return NOUNS.has(phrase) ? NAMED.get(phrase)?.row.key : undefined
}

type Entry = { row: PredicateRow; isInverse: boolean; isIfNamed?: boolean }

const NOUNS = new Set(PREDICATE_ROWS.flatMap(({ nouns = [] }) => nouns))
const KEYS = new Set(PREDICATE_ROWS.map(({ key }) => key))
const SAID: ReadonlyMap<string, Entry> = new Map(PREDICATE_ROWS.flatMap(listVerbEntries))
const NAMED: ReadonlyMap<string, Entry> = new Map(PREDICATE_ROWS.flatMap(listNounEntries))

const ENDS: ReadonlyMap<string, readonly string[]> = PREDICATE_ROWS.reduce((ends, row) => {
  const { key, endedBy = [], leftBy = [] } = row
  for (const phrase of [...endedBy, ...leftBy]) ends.set(phrase, [...(ends.get(phrase) ?? []), key])
  return ends
}, new Map<string, readonly string[]>())

const LEAVING = new Set(PREDICATE_ROWS.flatMap(({ leftBy = [] }) => leftBy))

/** Lists the verb phrases of a row. */
function listVerbEntries(row: PredicateRow): [string, Entry][] {
  const { verbs = [], ifNamed = [], nouns = [], inverse = [] } = row
  const forwards = [...verbs, ...nouns.flatMap((noun) => [`have ${noun} of`, `${noun} be`, `have ${noun}`])]
  const backwards = [...inverse, ...nouns.map((noun) => `be ${noun} of`)]
  return [
    ...forwards.map((phrase): [string, Entry] => [phrase, { row, isInverse: false }]),
    ...ifNamed.map((phrase): [string, Entry] => [phrase, { row, isInverse: false, isIfNamed: true }]),
    ...backwards.map((phrase): [string, Entry] => [phrase, { row, isInverse: true }])
  ]
}

/** Lists the nouns of a row, in the form of keys. */
function listNounEntries(row: PredicateRow): [string, Entry][] {
  return [row.key.replaceAll('_', ' '), ...(row.nouns ?? [])].map((noun) => [noun, { row, isInverse: false }])
}

/**
 * Creates the class of an unlisted predicate. Its key never equals that of a listed class: `emails` does not state an
 * address.
 */
function createOwnClass(
  words: readonly string[],
  predicate: string
): Pick<PredicateClass, 'key' | 'isSingle' | 'isFixed' | 'ofNames' | 'ofPlaces' | 'kind'> {
  const spoken =
    words[0] === 'have' && words.length > 1 && /(?:ed|en|ne|wn)$/.test(words[1] ?? '') ? words.slice(1) : words
  const key = spoken.join('_') || predicate.trim().toLowerCase().slice(0, KEY_UNITS)
  const isSingle = spoken[0] === 'favorite' && spoken.length > 1
  return {
    key: KEYS.has(key) ? `${key}_` : key,
    isSingle,
    isFixed: false,
    ofNames: false,
    ofPlaces: false,
    kind: undefined
  }
}

const KEY_UNITS = 200

/** A predicate reduced to the words that carry its meaning, with its negation and hedging. */
type PredicateWords = {
  words: string[]
  isNegated: boolean
  /** Contains `would`, `might`, `should` or `is to`, and so does not claim it. */
  isHedged: boolean
  /** The words before verbs were normalised: the verb `addresses` is not the noun `address`. */
  plain: string[]
}

/**
 * Normalises the words of a predicate: lower case, expanded contractions, no articles or adverbs that add nothing.
 * Negation and modals are removed, `am`, `is`, `are` become `be`, and `does` and `be` before `-ing` are dropped. The
 * past tense and `have` stay: `lived in` and `have lived in` differ in what they say about the present.
 *
 *     "is currently living in" -> live in      "doesn't work at" -> work at, negated      "dueDate" -> due date
 */
function splitPredicate(predicate: string): PredicateWords {
  const all = expandPredicate(predicate).split(' ')
  const isNegated = all.some((word, at) => NEGATIONS.has(word) || isEnded(all, at))
  const isHedged = all.some((word) => MODALS.has(word))
  const kept = all.filter((word, at) => !isPassing(word) && !isEnded(all, at))
  const formed = kept.map((word) => FORMS.get(word) ?? word)
  const words = dropSupportVerbs(formed, /^stop/.test(all[0] ?? '') && kept.length < all.length)
  return { words, isNegated, isHedged, plain: formed }
}

const NEGATIONS = new Set(['not', 'never', 'cannot', 'neither', 'nor'])
const MODALS = new Set(['will', 'would', 'might', 'may', 'should', 'could', 'must', 'shall'])

/** Adverbs that do not change the meaning of a predicate. */
const PASSING = new Set(
  splitWords(`
    a, an, the, currently, now, presently, still, also, just, really, recently, already, finally,
    actually, officially, permanently, both, even, then, well, originally, since
  `)
)

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

/** Recognises `no longer`, also without its first word, `no more`, and `stopped` before a verb. */
function isEnded(words: readonly string[], at: number): boolean {
  const [word, next, last] = [words[at] ?? '', words[at + 1] ?? '', words[at - 1] ?? '']
  if (word === 'no') return next === 'longer' || next === 'more'
  if (word === 'longer' && at === 0) return true
  if (word === 'longer' || word === 'more') return last === 'no'
  return (word === 'stopped' || word === 'stops') && next.endsWith('ing')
}

/** Converts to lower case and single spaces, expands contractions, and splits identifiers into words. */
function expandPredicate(predicate: string): string {
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

/** Longer predicates are cut before comparison. In UTF-16 code units. */
const PREDICATE_UNITS = 200

/** Removes auxiliary verbs: `do`, and `be` and `have been` before `-ing`. */
function dropSupportVerbs(words: readonly string[], isStopped: boolean): string[] {
  if (words.length > 1 && (words[0] === 'do' || words[0] === 'does')) return words.slice(1)
  const helpers = words[0] === 'be' ? 1 : words[0] === 'have' && words[1] === 'been' ? 2 : 0
  const verb = words[helpers]
  if ((helpers === 0 && !isStopped) || verb === undefined || !GERUND.test(verb)) return toFirstPerson(words)
  return [stripIng(verb), ...words.slice(helpers + 1)]
}

const GERUND = /^\p{L}{2,}ing$/u

/** Converts `living` to `live`, `running` to `run`, `calling` to `call`: exact enough for comparison. */
function stripIng(verb: string): string {
  const stem = verb.slice(0, -3)
  if (/([^aeiou])\1$/.test(stem) && !/(ll|ss|zz|ff)$/.test(stem)) return stem.slice(0, -1)
  if (/[^aeiou][aeiou][bcgkmpvz]$|[aeiou][dtns]?[csuvz]$|[rlnd][cv]$|urs$/.test(stem)) return `${stem}e`
  return stem
}

/** Converts `lives in` to `live in`. */
function toFirstPerson([verb = '', ...rest]: readonly string[]): string[] {
  if (NO_VERBS.has(verb) || !/[^sui]s$/.test(verb) || verb.length < 4) return [verb, ...rest]
  if (/[^aeiou]ies$/.test(verb) && verb.length > 4) return [`${verb.slice(0, -3)}y`, ...rest]
  if (/(?:ch|sh|x|z|ss|o)es$/.test(verb)) return [verb.slice(0, -2), ...rest]
  return [verb.slice(0, -1), ...rest]
}

const NO_VERBS = new Set(['always', 'sometimes', 'perhaps', 'does', 'besides', 'regards'])
