import type { FactRecord } from '../../contract/snapshot.ts'

/**
 * Recognises a fact of a speaker that hardly anybody would ask for: `got | curious`. Facts about others are kept,
 * because nearly all that readers judged are about speakers.
 */
export function isSeldomUseful(fact: FactRecord, speaker: string | undefined): boolean {
  if (speaker === undefined || fact.subject !== speaker || !/^(?:clause|copula)\./.test(fact.rule ?? '')) return false
  return estimateUsefulness(fact, speaker) < USEFULNESS_MIN
}

/** At this limit, 3 in 100 facts of conversations are left out. */
const USEFULNESS_MIN = 0.3

/**
 * Estimates how likely a fact answers a question that a user might ask later: a logistic sum of its features, between
 * 0 and 1. A fact that says much, or names or counts something, is useful more often.
 */
function estimateUsefulness(fact: FactRecord, speaker: string): number {
  const sum = listUseFeatures(fact, speaker).reduce((total, feature) => total + (USE_WEIGHTS.get(feature) ?? 0), 0)
  return 1 / (1 + Math.exp(-sum))
}

/** Lists the features from which the usefulness of a fact is estimated. */
export function listUseFeatures(fact: FactRecord, speaker: string): string[] {
  const told: Told = { fact, speaker, others: fact.value.replace(findNamePattern(speaker), ' ') }
  const words = countContentWords(told.others)
  const features = ['base', ...WORD_COUNTS.filter((count) => words >= count).map((count) => `words.${count}`)]
  for (const [name, holds] of FEATURES) if (holds(told)) features.push(name)
  return features
}

/** A fact with its value in which the speaker's name is left out, because it replaces `I` and `my`. */
type Told = { fact: FactRecord; speaker: string; others: string }

/** The feature `words.3` holds for values of at least three content words. */
const WORD_COUNTS = [2, 3, 8]

/** Returns a pattern for a speaker's name. The last one is kept, because a text has few speakers. */
function findNamePattern(speaker: string): RegExp {
  if (last?.speaker === speaker) return last.pattern
  const name = speaker.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const pattern = new RegExp(`(?<!\\p{L})${name}(?:['’]s)?(?!\\p{L})`, 'giu')
  last = { speaker, pattern }
  return pattern
}

let last: { speaker: string; pattern: RegExp } | undefined

function countContentWords(text: string): number {
  const words = text.toLowerCase().match(WORD) ?? []
  return words.filter((word) => !FUNCTION_WORDS.has(word)).length
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu
const FUNCTION_WORDS = new Set(
  [
    "a an the and or but nor of to in on at for with by from as about into over after before up out off down no not n't 's s",
    'through between during without under around if because while when which who what how where why whether than then',
    'is are was were be been being am has have had having do does did will would can could may might must should shall',
    'i you he she it we they me him her us them my your his its our their this that these those there here one ones',
    'so very really just also too quite pretty kind sort more most less much many some any all each every both few other',
    'another else such own same now again ever never always often still even only already yet back well',
    'thing things stuff something anything everything nothing someone anyone everyone people lot lots bit way time times day',
    'today get gets got go goes going make makes made'
  ].flatMap((line) => line.split(' '))
)

type Feature = (told: Told) => boolean

/** A capitalised word, but not after the end of a sentence. */
const NAME = /(?:^|[^.!?\p{L}]\s*)\p{Lu}\p{L}/u

const isOwn: Feature = ({ fact, speaker }) => fact.subject === speaker
const hasName: Feature = ({ others }) => NAME.test(others)
const hasNumber: Feature = ({ others }) => /\d/.test(others)

const FEATURES: readonly (readonly [string, Feature])[] = [
  ['subject.speaker', isOwn],
  ['subject.owned', (told) => !isOwn(told) && told.fact.subject.startsWith(`${told.speaker}'s`)],
  ['copula', ({ fact }) => fact.rule?.startsWith('copula.') === true],
  ['predicate.light', ({ fact }) => LIGHT_VERB.test(fact.predicate)],
  ['predicate.progressive', ({ fact }) => PROGRESSIVE.test(fact.predicate)],
  ['preference', ({ fact }) => PREFERENCE.test(`${fact.subject} ${fact.predicate} ${fact.value}`)],
  ['mood', ({ fact }) => MOOD.test(`${fact.predicate} ${fact.value.split(' ').slice(0, 4).join(' ')}`)],
  ['value.name', hasName],
  ['value.number', hasNumber],
  ['value.indefinite', ({ fact }) => /^(?:an?|one|two|three|\d+)\b/i.test(fact.value)],
  ['value.definite', (told) => /^the\b/i.test(told.fact.value) && !hasName(told) && !hasNumber(told)],
  ['value.pronoun', ({ fact }) => PRONOUN.test(fact.value)]
]

/** Verbs that say little without their object, or what a person notices or wants at the moment. */
const LIGHT_VERB =
  /(?:^| )(?:gets?|got|did|does|do|saw|knows?|knew|heard|hears?(?: about)?|feels?|felt|thinks?|thought|finds?|found|realized|remembers?|wonder(?:s|ed)?|lets?|slept|needs|wants)$/
const PROGRESSIVE = /^(?:is|are|was|were)(?: \p{L}+)* \p{L}+ing\b|been \p{L}+ing\b/u
const PREFERENCE = /(?:^| )(?:loves?|loved|likes?|liked|prefers?|enjoys?|enjoyed|hates?|hated|favou?rites?)(?: |$)/i
const MOOD =
  /\b(?:worried|excited|glad|happy|sure|afraid|proud|looking forward|hoping|hopes?|feels?|felt|feeling|curious|swamped|able|nervous|sorry|grateful|thankful|positive|trouble|confused|struggling)\b/i
/** Not `it will snow` or `the shop that closed`. */
const PRONOUN = /\b(?:it(?! (?:will|would|is|was)\b)|this|these|those|them|there|here|him|her|ones?)\b/i

/**
 * Weights of a logistic sum, by feature, fitted to the facts that readers found true to their text, and whether they
 * found them useful (`test/bench/reader-verdicts.jsonl`, samples 3 to 5). `test/bench/extraction-fit.mjs` prints them.
 */
const USE_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['base', -0.55],
  ['copula', -0.4],
  ['mood', -0.84],
  ['predicate.light', -0.83],
  ['predicate.progressive', 0.71],
  ['preference', 0.64],
  ['subject.owned', 0.4],
  ['subject.speaker', 0.41],
  ['value.definite', -0.31],
  ['value.indefinite', 0.53],
  ['value.name', 1.0],
  ['value.number', 0.56],
  ['value.pronoun', -1.0],
  ['words.2', 0.42],
  ['words.3', 0.6],
  ['words.8', 0.55]
])
