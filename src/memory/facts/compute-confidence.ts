import type { FactDraft, Parse, Words } from '../clauses/clause.ts'

/**
 * Estimates how likely the text is to state this fact: a logistic sum of its features, between 0 and 1. `talk` is a text
 * with a speaker, `prose` any other.
 */
export function computeConfidence(draft: FactDraft, parse: Parse, manner: 'talk' | 'prose'): number {
  let sum = CONFIDENCE_WEIGHTS.get('base') ?? 0
  sum += CONFIDENCE_WEIGHTS.get(draft.rule) ?? 0
  sum += CONFIDENCE_WEIGHTS.get(classifyValueSize(draft)) ?? 0
  for (const [name, holds] of FEATURES) if (holds(draft, parse)) sum += CONFIDENCE_WEIGHTS.get(name) ?? 0
  return Math.round(1000 / (1 + Math.exp(-(CALIBRATION_OFFSETS[manner] + CALIBRATION_SLOPE * sum)))) / 1000
}

/**
 * Map the sum of the weights, which only orders facts, to the share of facts that two readers found true to their text
 * (`test/bench/reader-verdicts.jsonl`). Sentences of talk are short, and what is doubtful there is left out.
 */
const CALIBRATION_OFFSETS = { talk: 2.1, prose: 0.75 }
const CALIBRATION_SLOPE = 0.42

/**
 * Lists the features from which the confidence is computed: the rule, and what makes its reading more or less likely.
 */
export function listFeatures(draft: FactDraft, parse: Parse): string[] {
  const features = [draft.rule, classifyValueSize(draft)]
  for (const [name, holds] of FEATURES) if (holds(draft, parse)) features.push(name)
  return features
}

function classifyValueSize({ value }: FactDraft): string {
  const size = value.reduce((sum, words) => sum + words.to - words.from, 0)
  if (size <= 2) return 'value.short'
  return size <= 6 ? 'value.middle' : size <= 12 ? 'value.long' : 'value.longest'
}

type Feature = (draft: FactDraft, parse: Parse) => boolean

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

/**
 * Weights of a logistic sum, by feature; `test/bench/extraction-fit.mjs` prints them. All except the base and the rules
 * for conversation (`belief.`, `opinion.`, `speaker.`) are fitted on CaRB's development set, to the share of a fact's words that
 * its best gold tuple has. That set counts a surplus word as an error, which a reader does not; the calibration
 * accounts for the difference.
 */
const CONFIDENCE_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['base', 1.6],
  ['apposition.is', -0.28],
  ['apposition.role', -0.33],
  ['belief.holds', 0.4],
  ['clause.adjunct', -0.38],
  ['clause.adverbial', 0.11],
  ['clause.coordinate', 0.08],
  ['clause.first', 0.05],
  ['clause.opening', 0.38],
  ['clause.participle', -0.42],
  ['clause.passive', 0.67],
  ['clause.plain', 0.49],
  ['clause.relative', -0.14],
  ['copula.is', -0.03],
  ['copula.seems', 0.36],
  ['existence.there-is', -0.12],
  ['opinion.finds', 0.3],
  ['possessive.has', -1.53],
  ['predicate.modal', -0.18],
  ['predicate.next', -0.1],
  ['report.said', 1.21],
  ['sentence.long', -0.34],
  ['sentence.short', 0.12],
  ['speaker.experience', 0.2],
  ['speaker.feels', 0.6],
  ['speaker.left-out', 0.0],
  ['speaker.shows', 0.6],
  ['speaker.values', 0.6],
  ['subject.long', -0.22],
  ['subject.name', 0.18],
  ['subject.opens', 0.15],
  ['subject.pronoun', -0.09],
  ['value.comma', -0.67],
  ['value.determined', 0.14],
  ['value.long', 0.08],
  ['value.longest', -0.47],
  ['value.middle', 0.25],
  ['value.short', -0.19],
  ['value.verb', -0.36]
])
