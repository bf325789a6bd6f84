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
export function featuresOf(draft: Draft, { tags, tokens, clauses }: Parse): string[] {
  const { subject, value, clause } = draft
  const features = [draft.rule]
  const first = tags[subject.from]
  const size = value.reduce((sum, words) => sum + words.to - words.from, 0)
  if (subject.to - subject.from === 1 && first === 'PRON') features.push('subject.pronoun')
  else if (tags[subject.to - 1] === 'PROPN') features.push('subject.name')
  if (subject.to - subject.from > LONG_SUBJECT) features.push('subject.long')
  features.push(size <= 2 ? 'value.short' : size <= 6 ? 'value.middle' : size <= 12 ? 'value.long' : 'value.longest')
  if (has(value, (at) => tokens[at]?.lower === ',')) features.push('value.comma')
  if (has(value, (at) => tags[at] === 'VERB' || tags[at] === 'AUX')) features.push('value.verb')
  if (clause !== undefined && clause === clauses[0]) features.push('clause.first')
  if (clause !== undefined && clause.openings.length > 0) features.push('clause.opening')
  if (tokens.length > LONG_SENTENCE) features.push('sentence.long')
  else if (tokens.length < SHORT_SENTENCE) features.push('sentence.short')
  if (subject.from === 0) features.push('subject.opens')
  if (draft.predicate[0] !== undefined && draft.predicate[0].from === subject.to) features.push('predicate.next')
  if (draft.modality !== undefined) features.push('predicate.modal')
  if (value[0] !== undefined && tags[value[0].from] === 'DET') features.push('value.determined')
  ;(globalThis as any).__features?.push(features)
  return features
}

const LONG_SUBJECT = 6
const LONG_SENTENCE = 32
const SHORT_SENTENCE = 14

function has(ranges: readonly Words[], test: (at: number) => boolean): boolean {
  return ranges.some(({ from, to }) => {
    for (let at = from; at < to; at++) if (test(at)) return true
    return false
  })
}
