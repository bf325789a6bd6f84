import type { FactRecord } from '../../contract/snapshot.ts'
import { repairTags } from '../language/repair-tags.ts'
import type { Sentence, Token } from '../language/token.ts'
import type { TextSource } from '../text-source.ts'
import { clauseFacts } from './clause-facts.ts'
import { confidenceOf } from './confidence.ts'
import { type Draft, type Sight, sightOf, type Words } from './draft.ts'
import { implySpeaker } from './imply-speaker.ts'
import { type Naming, nameSubject, nameWords } from './naming.ts'
import { nominalFacts } from './nominal-facts.ts'
import { predicateText } from './predicate-text.ts'
import { readClauses } from './read-clauses.ts'
import { claimedClauses } from './reality.ts'

/** So many facts at most are taken from one text. */
export const FACTS_MAX = 200

/**
 * What the sentences of a text claim, as facts in the order of the text. Deterministic, never throws, and takes time that
 * grows with the tokens alone. Questions, conditions, quotes and what somebody is said to have said give no facts of their own.
 */
export function factsOfSentences(sentences: readonly Sentence[], source: TextSource): FactRecord[] {
  const facts: FactRecord[] = []
  for (const sentence of sentences) {
    if (facts.length >= FACTS_MAX) break
    facts.push(...factsOfSentence(sentence, source))
  }
  return facts.slice(0, FACTS_MAX)
}

function factsOfSentence(sentence: Sentence, source: TextSource): FactRecord[] {
  const parse = readClauses(sentence.tokens, repairTags(sentence.tokens))
  const sight = sightOf(parse)
  if (source.speaker !== undefined) implySpeaker(sight)
  const drafts: Draft[] = claimedClauses(sight, () => false).flatMap((clause) => clauseFacts(sight, clause))
  drafts.push(...nominalFacts(sight, () => true))
  const naming: Naming = { source, parse, resolve: () => undefined }
  return drafts.map((draft) => record(draft, sight, naming)).filter((fact) => fact.subject !== '' && fact.value !== '')
}

function record(draft: Draft, { parse }: Sight, naming: Naming): FactRecord {
  const ranges = [draft.subject, ...draft.predicate, ...draft.value].filter((words) => words.to > words.from)
  return {
    subject: nameSubject(naming, draft.subject),
    predicate: predicateText(naming, draft),
    value: draft.value.map((words) => nameWords(naming, words, 'value')).join(' '),
    ...(draft.negated ? { negated: true as const } : {}),
    ...(draft.modality === undefined ? {} : { modality: draft.modality }),
    rule: draft.rule,
    span: spanOf(parse.tokens, ranges),
    confidence: confidenceOf(draft, parse)
  }
}

function spanOf(tokens: readonly Token[], ranges: readonly Words[]): [number, number] {
  const from = Math.min(...ranges.map((words) => words.from))
  const to = Math.max(...ranges.map((words) => words.to))
  return [(tokens[from] as Token).start, (tokens[to - 1] as Token).end]
}
