import type { Chunk, Parse } from '../clauses/clause.ts'
import { LAUGHTER } from '../clauses/find-chunks.ts'
import {
  COPULAS,
  EVALUATIONS,
  NOMINATIVES,
  REPORTING_VERBS,
  STATES_OF_MIND,
  TIME_NOUNS
} from '../clauses/word-classes.ts'

/** Finds the end of a value: a mark or a new clause, and before them a last noun that is the subject of what follows. */
export function findFirstStop(parse: Parse, from: number, to: number): number {
  const stop = findBreak(parse, from, to)
  return endsInSubject(parse, from, parse.chunks[stop]?.kind === 'comma' ? stop + 1 : stop) ?? stop
}

/**
 * Finds the dash, semicolon or new clause (", and **I** …") that ends a value. A colon only introduces a list.
 */
function findBreak(parse: Parse, from: number, to: number): number {
  const { chunks, tokens } = parse
  for (let at = from; at < to; at++) {
    const chunk = chunks[at]
    const text = tokens[chunk?.from ?? -1]?.text ?? ''
    if (chunk?.kind === 'stop' && (LAUGHTER.test(text) || breaks(tokens, chunk.from, at === from))) return at
    const aside = findAside(parse, { from, at })
    if (aside !== undefined) return aside
    if (opensOwnClause(parse, { from, at })) return at
    if (chunk?.kind === 'marker' && REASONS.has(text) && !hasVerb(parse, at, to)) return at
  }
  return to
}

function opensOwnClause(parse: Parse, { from, at }: { from: number; at: number }): boolean {
  const kind = parse.chunks[at]?.kind
  if (kind === 'noun') return runsOn(parse, at)
  if (kind !== 'comma' && kind !== 'and') return false
  return opensStatement(parse, at) || opensContrast(parse, { from, at }) || opensQuestion(parse, at)
}

/** Recognises a statement without a mark before it: "the beach today | **it was** lovely", "a walk **it was** great". */
function runsOn({ chunks, tokens, tags, clauses }: Parse, at: number): boolean {
  const [before, chunk, next] = [chunks[at - 1], chunks[at], chunks[at + 1]]
  const word = tokens[chunk?.from ?? -1]?.lower ?? ''
  if (chunk?.kind !== 'noun' || chunk.to !== chunk.from + 1 || next?.verb === undefined) return false
  if (word !== 'it' && !NOMINATIVES.has(word)) return false
  const last = tokens[(before?.to ?? 0) - 1]?.lower ?? ''
  if (ENDING_ADVERBS.has(last)) return !clauses.some(({ marker, start }) => marker !== '' && start === at - 1)
  // "I got too scared **I watched** it at night"
  if (before?.kind === 'adjective' && tokens[before.from]?.lower === 'too' && word !== 'it') return true
  // "I will take your tips **they sound** great"
  const isDescribed = COPULAS.has(next.verb.base) && chunks[at + 2]?.kind === 'adjective'
  const isThing = before?.kind === 'noun' && tags[before.head] === 'NOUN' && !isAsked(clauses, at)
  if (isDescribed && isThing && !SETTINGS.has(last) && !TIME_NOUNS.has(last)) return true
  if (word !== 'it' || next.verb.base !== 'be') return false
  if (before?.kind === 'adjective')
    return EVALUATIONS.has(last) && !STATES_OF_MIND.has(last) && tokens[before.from - 1]?.lower !== 'how'
  return before?.kind === 'noun' && !SETTINGS.has(last)
}

/** Checks for a verb such as `tell` before a chunk: "I told my mum **she is right**". */
function isAsked(clauses: Parse['clauses'], at: number): boolean {
  const told = clauses.findLast((clause) => clause.at < at)
  return told !== undefined && REPORTING_VERBS.has(told.verb.base)
}

/** End a statement: "we met **today**". */
const ENDING_ADVERBS = new Set(
  'today yesterday tomorrow tonight everyday again too lately anymore here there well'.split(' ')
)

/** After these, `it` opens a relative clause: "the **way** it was". */
const SETTINGS = new Set('way thing things place time day moment year reason'.split(' '))

/** Open a clause, and never a phrase without a verb. */
const REASONS = new Set(['since', 'because', 'although', 'whereas', 'so', 'cause'])

/** Checks for a verb in the chunks of a range: "since **she left**", but not "since my friend Ann |". */
function hasVerb({ chunks }: Parse, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (chunks[at]?.verb !== undefined) return true
  return false
}

/**
 * Finds a last noun that is the subject of what follows: "a shop, **and my friend Ann**, who is 60, …", "especially
 * **since my friend Ann**, who is 60, …".
 */
function endsInSubject({ chunks, tokens, clauses }: Parse, from: number, to: number): number | undefined {
  const next = chunks[to - 1]?.kind === 'comma' ? clauses.find(({ start }) => start === to) : undefined
  const at = next?.antecedent?.from ?? 0
  if (next?.marker !== 'who' || at <= from) return undefined
  if (chunks[at - 1]?.kind === 'and' && chunks[at - 2]?.kind === 'comma') return at - 2
  return tokens[chunks[at - 1]?.from ?? -1]?.lower === 'since' ? at - 1 : undefined
}

/** Recognises ", and **I** went" and "and **I** went". */
function opensStatement(parse: Parse, from: number): boolean {
  const { chunks, tokens, clauses } = parse
  if (chunks[from]?.kind === 'comma' && opensPair(parse, from)) return true
  const at = chunks[from]?.kind === 'comma' ? from + 1 : from
  if (chunks[at]?.kind !== 'and') return false
  // "… and **other days** I work"
  const isTime = TIME_NOUNS.has(tokens[chunks[at + 1]?.head ?? -1]?.lower ?? '')
  // "… and **in winter** I ski"
  const isPlace = chunks[at + 1]?.kind === 'preposition' && chunks[at + 2]?.kind === 'noun'
  const next = isPlace ? at + 3 : isTime ? at + 2 : at + 1
  const word = tokens[chunks[next]?.from ?? -1]?.lower ?? ''
  if (word === 'it') return chunks[next + 1]?.verb?.base === 'be' && !isAsked(clauses, from)
  return chunks[next + 1]?.kind === 'verb' && NOMINATIVES.has(word)
}

/** Recognises "my plan, **Ann and I made** it". */
function opensPair({ chunks, tokens, tags }: Parse, from: number): boolean {
  const [name, and, person, verb] = chunks.slice(from + 1, from + 5)
  const isName = name?.to === (name?.from ?? 0) + 1 && tags[name?.from ?? -1] === 'PROPN'
  const isPair = and?.kind === 'and' && NOMINATIVES.has(tokens[person?.from ?? -1]?.lower ?? '')
  return isName && isPair && verb?.kind === 'verb'
}

/** Recognises ", **in Oslo I've** been to one" and ", **from what I** know". */
function opensAfterPlace({ chunks, tokens, tags }: Parse, at: number): boolean {
  if (chunks[at]?.kind !== 'comma' || chunks[at + 1]?.kind !== 'preposition') return false
  const [noun, person, verb] = chunks.slice(at + 2, at + 5)
  if (noun?.kind === 'relative') return tokens[noun.from]?.lower === 'what'
  const isPlace = tags[noun?.head ?? -1] === 'PROPN' || TIME_NOUNS.has(tokens[noun?.head ?? -1]?.lower ?? '')
  return isPlace && verb?.kind === 'verb' && NOMINATIVES.has(tokens[person?.from ?? -1]?.lower ?? '')
}

/** Recognises ", **but tea** is better" and ", **but one** that I love", but not "tea, but no milk". */
function opensContrast({ chunks, tokens }: Parse, { from, at: opening }: { from: number; at: number }): boolean {
  const isMarked = chunks[opening]?.kind === 'comma'
  const at = isMarked ? opening + 1 : opening
  const joint = chunks[at]
  if (joint?.kind !== 'and') return false
  if (!isMarked) return joint.isContrast && opensOther({ chunks, tokens }, at + 1)
  // ", but **when** I do", ", but **now that** I am home"
  if (joint.isContrast && (chunks[at + 1]?.kind === 'marker' || chunks[at + 2]?.kind === 'relative')) return true
  let next = at + 1
  while (LEADING.has(chunks[next]?.kind ?? 'stop')) next++
  const isActivity = chunks[next]?.verb?.form === 'ing' && chunks[next]?.verb?.hasAuxiliary === false
  if (chunks[next]?.kind !== 'noun' && !isActivity) return false
  // "tea, cake, **and** the bread Ann made" is a list.
  if (!joint.isContrast && chunks.slice(from, opening).some(({ kind }) => kind === 'comma')) return false
  return hasOwnVerb({ chunks }, next + 1, joint.isContrast)
}

/** Precede the noun of a statement: "but **the most lovely** one is", "but **then** I". */
const LEADING: ReadonlySet<Chunk['kind']> = new Set<Chunk['kind']>(['adjective', 'adverb', 'other'])

/**
 * Checks for a finite verb before the next mark. After `and`, which joins things too, the verb must have a form that
 * only a statement has: ", and the idea **is** good", but not ", and the cats we **met**".
 */
function hasOwnVerb({ chunks }: Pick<Parse, 'chunks'>, from: number, isContrast: boolean): boolean {
  for (let at = from; at < chunks.length; at++) {
    const { kind, verb } = chunks[at] as Chunk
    if (kind === 'comma' || kind === 'stop') return false
    if (!isContrast && (kind === 'relative' || kind === 'marker' || kind === 'opening')) return false
    if (verb?.form === 'finite' || (isContrast && verb?.form === 'bare')) return true
  }
  return false
}

/** Recognises the pronoun of another statement: "a cake **but it's** dry", "tea **but when** I work". */
function opensOther({ chunks, tokens }: Pick<Parse, 'chunks' | 'tokens'>, from: number): boolean {
  let at = from
  while (chunks[at]?.kind === 'adverb') at++
  const [chunk, next] = [chunks[at], chunks[at + 1]]
  if (chunk?.kind === 'marker') return true
  const word = tokens[chunk?.from ?? -1]?.lower ?? ''
  if (word === 'its') return true
  return (word === 'it' || NOMINATIVES.has(word)) && next?.verb !== undefined
}

/** Returns where an aside or another statement begins, with the words that lead to it: "a film **but honestly** idk". */
function findAside(parse: Parse, { from, at }: { from: number; at: number }): number | undefined {
  const { chunks, tokens } = parse
  const chunk = chunks[at]
  if (chunk === undefined || (chunk.kind !== 'relative' && at === from)) return undefined
  if (!ASIDE_KINDS.has(chunk.kind) && !ASIDE_WORDS.has(tokens[chunk.from]?.lower ?? '')) return undefined
  if (opensAfterPlace(parse, at) || opensResult(parse, at)) return at
  if (!opensAside(parse, at)) return undefined
  return chunks[at - 1]?.kind === 'adverb' && chunks[at - 2]?.isContrast === true ? at - 2 : at
}

/** An aside begins with one of these chunks, or with one of these words. */
const ASIDE_KINDS: ReadonlySet<Chunk['kind']> = new Set<Chunk['kind']>(['comma', 'relative', 'other'])
const ASIDE_WORDS = new Set(['so', 'maybe'])

/**
 * Recognises an aside that no mark separates from a statement: "I stayed in **that's why** I'm dry", "a run
 * **thanks** for asking", "no plans **maybe** a film".
 */
function opensAside({ chunks, tokens, tags }: Parse, at: number): boolean {
  const [before, chunk, next] = [chunks[at - 1], chunks[at], chunks[at + 1]]
  const word = tokens[chunk?.from ?? -1]?.lower ?? ''
  if (chunk?.kind === 'other') return tags[chunk.from] === 'INTJ' && CALLS.has(word)
  if (chunk?.kind === 'relative')
    return word === 'that' && next?.verb?.base === 'be' && CONCLUDING.has(tokens[next.to]?.lower ?? '')
  return word === 'maybe' && (before?.kind === 'noun' || before?.kind === 'adverb')
}

/** Recognises a result: "a break **so the dog** is happy", ", **so that's** a start", but not "I rest **so that** I can row". */
function opensResult({ chunks, tokens }: Parse, at: number): boolean {
  const isMarked = chunks[at]?.kind === 'comma'
  const start = chunks[isMarked ? at + 1 : at]?.from ?? -1
  if (tokens[start]?.lower !== 'so') return false
  const next = tokens[start + 1]?.lower ?? ''
  return isMarked ? next !== 'far' && next !== 'much' && next !== 'many' : RESULTS.has(next)
}

/** After `so`, open a statement. */
const RESULTS = new Set('the a an being maybe while when if there'.split(' '))

const CALLS = new Set('thanks thx idk bye yum wow oh omg ugh aw yeah btw congrats'.split(' '))

/** "that's **why** I left", "that's **all**" */
const CONCLUDING = new Set(['why', 'all', 'how', 'when', 'because'])

function opensQuestion({ chunks, tokens }: Parse, at: number): boolean {
  if (chunks[at]?.kind !== 'comma') return false
  const word = (next: number) => tokens[chunks[next]?.from ?? -1]?.lower ?? ''
  const isAsked = QUESTION_WORDS.has(word(at + 1)) && chunks[at + 2]?.verb?.hasAuxiliary === true
  return isAsked || (chunks[at + 1]?.verb?.hasAuxiliary === true && ASKED.has(word(at + 2)))
}

/** "…, **how** do I get there". */
const QUESTION_WORDS = new Set(['how', 'what', 'when', 'where', 'why', 'who'])

/** "…, **do you** think so". */
const ASKED = new Set([...NOMINATIVES, 'you', 'it'])

/** Recognises a mark that ends a value, but not the hyphen of "some **me-time** each day". */
function breaks(tokens: Parse['tokens'], at: number, isFirst: boolean): boolean {
  const { text, start, end } = tokens[at] ?? { text: '', start: 0, end: 0 }
  const isHyphen =
    text === '-' &&
    /\p{L}$/u.test(tokens[at - 1]?.text ?? '') &&
    tokens[at - 1]?.end === start &&
    tokens[at + 1]?.start === end
  return BREAKS.has(text) && (isFirst || !isHyphen)
}

const BREAKS = new Set(['-', '–', '—', ';', '…', '!', '?', '...'])
