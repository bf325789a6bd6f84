import { PREDICATE_ROWS, type PredicateRow } from './predicate-classes.ts'
import { predicateWords } from './predicate-words.ts'
import type { ValueKind } from './value-kind.ts'

export type PredicateClass = {
  /** Equal for predicates that mean one thing. */
  key: string
  /** Holds one value at a time: a later one ends the one before. */
  isSingle: boolean
  /** The words deny it: `no longer works at`. */
  isNegated: boolean
  /** The words do not claim it: `would live in`. */
  isHedged: boolean
  /** The words say that it was so and is no longer: `used to live in`. */
  isOver: boolean
  /** Said the other way round: the value is what has the attribute, the subject is its value (`is the owner of`). */
  isInverse: boolean
  /** Another value contradicts the first, whenever it was said. */
  isFixed: boolean
  /** Only values that are names end each other. */
  ofNames: boolean
  /** Values are places, of which one may lie in the other. */
  ofPlaces: boolean
  /** What it means of a value that is no name, where that is something else: `joined` a choir. */
  otherwise?: PredicateClass
  /** Keys of the classes whose claims about the same subject and value this one ends: `left` ends `works_at`. */
  ends: readonly string[]
  /** It ends them only where no more is said than when, or for what: who left Acme at six comes back. */
  isLeaving: boolean
  /** What its values look like where something simply `is` so; undefined where nothing is known of that. */
  kind: ValueKind | undefined
}

/**
 * What a predicate means, whatever its words: `lives in`, `moved to` and `is living in` are `lives_in`. One that is not
 * listed in `predicate-classes.ts` is its own key and holds many values. Where it is ambiguous nothing is assumed: what
 * `is at` a place neither lives nor works there.
 */
export function predicateClass(predicate: string): PredicateClass {
  const { words, isNegated, isHedged, plain } = predicateWords(predicate)
  const phrase = words.join(' ')
  const row = SAID.get(phrase) ?? saidInOtherForm(phrase) ?? NAMED.get(plain.join(' '))
  const done = phrase.replace(PERFECT, '')
  const ends = ENDS.get(phrase) ?? ENDS.get(done) ?? []
  const spoken = { isNegated, isHedged, ends, isLeaving: LEAVING.has(done), isOver: USED_TO.test(phrase) }
  if (row === undefined) return { ...own(words, predicate), ...spoken, isInverse: false }
  const { key, isSingle, isFixed = false, ofNames = false, ofPlaces = false, kind } = row.row
  const meaning = { key, isSingle, ...spoken, isInverse: row.isInverse, isFixed, ofNames, ofPlaces, kind }
  return row.isIfNamed ? { ...meaning, otherwise: { ...own(words, predicate), ...spoken, isInverse: false } } : meaning
}

/** `residing in` lost its `e`; what `has moved` moved. */
function saidInOtherForm(phrase: string): Entry | undefined {
  return SAID.get(phrase.replace(/^\S+/, '$&e')) ?? SAID.get(phrase.replace(PERFECT, ''))
}

const PERFECT = /^have /
const USED_TO = /^used to \S/

/** The class of an attribute by its name, as in `Ann's e-mail is …`; undefined where there is none such. */
export function attributeClass(name: string): string | undefined {
  const { plain } = predicateWords(name)
  if (plain[0] === 'favorite' && plain.length > 1) return plain.join('_')
  const phrase = plain.join(' ')
  return NOUNS.has(phrase) ? NAMED.get(phrase)?.row.key : undefined
}

type Entry = { row: PredicateRow; isInverse: boolean; isIfNamed?: boolean }

const NOUNS = new Set(PREDICATE_ROWS.flatMap(({ nouns = [] }) => nouns))
const KEYS = new Set(PREDICATE_ROWS.map(({ key }) => key))
const SAID: ReadonlyMap<string, Entry> = new Map(PREDICATE_ROWS.flatMap(saidOf))
const NAMED: ReadonlyMap<string, Entry> = new Map(PREDICATE_ROWS.flatMap(namedOf))

const ENDS: ReadonlyMap<string, readonly string[]> = PREDICATE_ROWS.reduce((ends, row) => {
  const { key, endedBy = [], leftBy = [] } = row
  for (const phrase of [...endedBy, ...leftBy]) ends.set(phrase, [...(ends.get(phrase) ?? []), key])
  return ends
}, new Map<string, readonly string[]>())

const LEAVING = new Set(PREDICATE_ROWS.flatMap(({ leftBy = [] }) => leftBy))

/** What verbs say. */
function saidOf(row: PredicateRow): [string, Entry][] {
  const { verbs = [], ifNamed = [], nouns = [], inverse = [] } = row
  const forwards = [...verbs, ...nouns.flatMap((noun) => [`have ${noun} of`, `${noun} be`, `have ${noun}`])]
  const backwards = [...inverse, ...nouns.map((noun) => `be ${noun} of`)]
  return [
    ...forwards.map((phrase): [string, Entry] => [phrase, { row, isInverse: false }]),
    ...ifNamed.map((phrase): [string, Entry] => [phrase, { row, isInverse: false, isIfNamed: true }]),
    ...backwards.map((phrase): [string, Entry] => [phrase, { row, isInverse: true }])
  ]
}

/** What is named, as keys are. */
function namedOf(row: PredicateRow): [string, Entry][] {
  return [row.key.replaceAll('_', ' '), ...(row.nouns ?? [])].map((noun) => [noun, { row, isInverse: false }])
}

/** The key of what is not listed. Never that of a class: who `emails` somebody has no address by that. */
function own(
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
