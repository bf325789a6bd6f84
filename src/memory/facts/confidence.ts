import type { Parse } from './clause.ts'
import type { Draft, Words } from './draft.ts'
import { CONFIDENCE_WEIGHTS } from './words/confidence-weights.ts'

/** How likely it is that the text says so: a logistic sum of what is known about the fact, between 0 and 1. */
export function confidenceOf(draft: Draft, parse: Parse): number {
  let sum = CONFIDENCE_WEIGHTS.get('base') ?? 0
  for (const feature of featuresOf(draft, parse)) sum += CONFIDENCE_WEIGHTS.get(feature) ?? 0
  return Math.round(100 / (1 + Math.exp(-sum))) / 100
}

/** What the confidence is worked out from: the rule, and what makes its reading likely or not. */
export function featuresOf(draft: Draft, parse: Parse): string[] {
  const features = [draft.rule, valueSize(draft)]
  for (const [name, holds] of FEATURES) if (holds(draft, parse)) features.push(name)
  return features
}

function valueSize({ value }: Draft): string {
  const size = value.reduce((sum, words) => sum + words.to - words.from, 0)
  if (size <= 2) return 'value.short'
  return size <= 6 ? 'value.middle' : size <= 12 ? 'value.long' : 'value.longest'
}

type Feature = (draft: Draft, parse: Parse) => boolean

const isPronoun: Feature = ({ subject }, { tags }) => subject.to - subject.from === 1 && tags[subject.from] === 'PRON'

const FEATURES: readonly (readonly [string, Feature])[] = [
  ['subject.pronoun', isPronoun],
  ['subject.name', (draft, parse) => !isPronoun(draft, parse) && parse.tags[draft.subject.to - 1] === 'PROPN'],
  ['subject.long', ({ subject }) => subject.to - subject.from > LONG_SUBJECT],
  ['subject.opens', ({ subject }) => subject.from === 0],
  ['value.comma', ({ value }, { tokens }) => has(value, (at) => tokens[at]?.lower === ',')],
  ['value.verb', ({ value }, { tags }) => has(value, (at) => tags[at] === 'VERB' || tags[at] === 'AUX')],
  ['value.determined', ({ value }, { tags }) => tags[value[0]?.from ?? -1] === 'DET'],
  ['clause.first', ({ clause }, { clauses }) => clause !== undefined && clause === clauses[0]],
  ['clause.opening', ({ clause }) => clause !== undefined && clause.openings.length > 0],
  ['sentence.long', (_, { tokens }) => tokens.length > LONG_SENTENCE],
  ['sentence.short', (_, { tokens }) => tokens.length < SHORT_SENTENCE],
  ['predicate.next', ({ predicate, subject }) => predicate[0]?.from === subject.to],
  ['predicate.modal', ({ modality }) => modality !== undefined]
]

const LONG_SUBJECT = 6
const LONG_SENTENCE = 32
const SHORT_SENTENCE = 14

function has(ranges: readonly Words[], test: (at: number) => boolean): boolean {
  return ranges.some(({ from, to }) => {
    for (let at = from; at < to; at++) if (test(at)) return true
    return false
  })
}
