import type { Chunk, Clause, FactDraft, Sight, Words } from '../clauses/clause.ts'
import { EVALUATIONS, TIME_NOUNS } from '../clauses/word-classes.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'

/**
 * Recognises a relative clause or participle of talk about something else than the noun before it: about all that
 * precedes it ("I run on **May 5**, which is great"), about the thing shown ("a photo of **bread** that I baked"), about
 * an open question ("**what colour** I chose"), or about a noun further left ("shops near **the parks** that sell tea").
 */
export function describesOther(sight: Sight, clause: Clause, draft: FactDraft): boolean {
  const { kind, marker, antecedent } = clause
  const noun = sight.parse.chunks[antecedent?.from ?? -1]
  if ((kind !== 'relative' && kind !== 'participle') || antecedent === undefined) return false
  const told = { clause, draft, antecedent, noun: noun as Chunk }
  const before = sight.parse.chunks[antecedent.from - 1]
  if (kind === 'relative' && marker === 'which' && before?.kind === 'preposition') return true
  if (isImagined(clause) || isOfMore(sight, told)) return true
  return kind === 'relative' && (isUnclear(sight, told) || lacksPart(sight, told))
}

type Told = {
  clause: Clause
  draft: FactDraft
  antecedent: { from: number; to: number }
  noun: Chunk
}

/** Recognises a relative clause about what only might be: "the lives **I could be living**". */
function isImagined({ kind, verb: { modal, isNegated } }: Clause): boolean {
  return kind === 'relative' && (modal === 'could' || modal === 'might') && !isNegated
}

/** Recognises a noun that stands for more than itself: a question, a superlative, a picture, a date, a whole statement. */
function isOfMore(sight: Sight, { clause, draft: { subject, value }, antecedent, noun }: Told): boolean {
  const { lower } = sight
  if (QUESTION_WORDS.has(lower(noun.from)) || hasSuperlative(sight, antecedent)) return true
  if (antecedent.to - antecedent.from > 1 && PICTURES.has(lower(noun.head))) return true
  const isAboutNoun = subject.from === noun.from
  if (isAboutNoun && isDate(sight, noun)) return true
  const first = value[0]
  if (lower(first?.from ?? -1) === 'why') return true
  if (clause.marker !== 'which' || !isAboutNoun || first === undefined) return false
  for (let at = first.from; at < Math.min(first.to, first.from + NEAR_TOKENS); at++)
    if (EVALUATIONS.has(lower(at))) return true
  return false
}

/** "**the best soup** I had" does not say that the best one was eaten. */
function hasSuperlative({ parse: { chunks, tags }, lower }: Sight, { from, to }: Told['antecedent']): boolean {
  const end = chunks[to - 1]?.to ?? 0
  for (let at = chunks[from]?.from ?? end; at < end; at++)
    if (SUPERLATIVES.has(lower(at)) || (tags[at] === 'ADJ' && /^\p{L}{2,}[^aeou]est$/u.test(lower(at)))) return true
  return false
}

const SUPERLATIVES = new Set(['best', 'worst', 'only', 'most', 'least'])
const QUESTION_WORDS = new Set(['what', 'which', 'whatever', 'how'])
const PICTURES = new Set(['photo', 'photos', 'picture', 'pictures', 'pic', 'pics', 'video', 'image', 'shot'])

/** An evaluation is among the first words of a value: "is really great". */
const NEAR_TOKENS = 5

/** Recognises a day or month with its number: "May 5", "June 2024". */
function isDate({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  return TIME_NOUNS.has(lower(from)) && tags[to - 1] === 'NUM'
}

/**
 * Recognises a noun that may not be the one described: "shops near **our parks** that sell tea", "the statue of **a
 * poet** who is Irish", "two cats called Tom and **Bo** who fight", or of which the first words are missing: 'the "Not
 * Found" **error** I get'.
 */
function isUnclear({ parse: { chunks, tags, tokens }, lower }: Sight, told: Told): boolean {
  const { clause, draft, antecedent, noun } = told
  const isUsed = draft.subject.from === noun.from || draft.value.some(({ from }) => from === noun.from)
  if (!isUsed) return false
  const isQuoted = QUOTE.test(tokens[noun.to]?.text ?? '')
  if (!isQuoted && QUOTE.test(tokens[noun.from - 1]?.text ?? '')) return true
  const isPerson = clause.marker === 'who'
  const last = chunks[antecedent.to - 1]
  if (isPerson && last !== noun && tags[last?.head ?? -1] === 'PROPN') return true
  const [outer, joint] = [chunks[antecedent.from - 2], chunks[antecedent.from - 1]]
  const isName = tags[noun.head] === 'PROPN'
  if (joint?.kind === 'and' && isName)
    return classifyVerbForm(clause.verb.opens) === 'base' && !clause.verb.hasAuxiliary
  if (joint?.kind !== 'preposition' || (isPerson && isName)) return false
  // "an inn south **of the bay** that looks nice"
  if (lower(joint.from) === 'of') return outer?.kind === 'adverb'
  const isOuterThing = outer?.kind === 'noun' && !POINTING.has(tags[outer.head] ?? 'X')
  const isOwn = draft.subject.from !== noun.from && OWNERS.has(lower(noun.from))
  return isOuterThing && !isOwn && !ARTICLES.has(lower(noun.from))
}

const QUOTE = /^["”`/]$/

const POINTING: ReadonlySet<string> = new Set(['PRON', 'DET'])

/** Open a noun phrase that a relative clause describes, rather than what precedes the phrase. */
const ARTICLES = new Set(['a', 'an', 'the', 'some', 'one', 'two', 'three', 'those', 'this'])

/** Recognises a noun that belongs to a part of the clause: "a slide I thought about **going on**", "the time I spend **reading**". */
function lacksPart({ parse: { chunks, tags }, lower }: Sight, { draft, noun }: Told): boolean {
  const end = draft.predicate.at(-1)?.to ?? 0
  const next = chunks.find(({ from }) => from === end)
  if (next?.verb?.form !== 'ing') return false
  return tags[end - 1] === 'ADP' || TIME_NOUNS.has(lower(noun.head))
}

const OWNERS = new Set(['my', 'our'])
