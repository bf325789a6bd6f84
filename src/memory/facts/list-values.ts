import {
  type Chunk,
  type Clause,
  type Parse,
  type Phrase,
  type Sight,
  toWords,
  trimPhrase,
  type Words
} from '../clauses/clause.ts'
import { TIME_NOUNS } from '../clauses/word-classes.ts'
import { findFirstStop } from './find-value-break.ts'

/**
 * Lists the values of a clause: the words from the chunk `reach` on, one value per item of a list, or one empty value.
 * In talk, a value includes the relative clause about its last noun, and most lists stay whole.
 */
export function listValues(
  sight: Sight,
  clause: Clause,
  { reach, isTalk }: { reach: number; isTalk: boolean }
): Words[][] {
  const { parse } = sight
  // "I was learning **and** taking part in projects": the object belongs to the second verb.
  if (isTalk && parse.chunks[reach]?.kind === 'and') return [[]]
  // "the steps we took, and the prizes we won"
  if (isTalk && clause.kind === 'relative' && parse.chunks[reach]?.kind === 'comma') return [[]]
  const end = isTalk ? findRelativeEnd(parse, clause) : clause.end
  const own = findValuePhrase(sight, { ...clause, end }, reach)
  const whole = isTalk ? addCircumstance(sight, { clause, end, reach }, own) : own
  const isShort = isTalk && (clause.kind === 'relative' || tellsName(sight, clause))
  const phrase = isShort ? cutAtNext(parse, whole) : whole
  if (phrase.to <= phrase.from) return [[]]
  if (isTalk && lacksVerb(sight, clause, phrase)) return []
  const isWhole =
    clause.kind === 'participle' ||
    clause.kind === 'adjunct' ||
    JOINING_VERBS.has(clause.verb.base) ||
    sight.lower((parse.chunks[reach - 1]?.to ?? 0) - 1) === 'between' ||
    opensComplement(parse, clause, phrase)
  const items = isWhole ? [phrase] : splitValue(parse, phrase)
  const parts = isTalk && !isListing(clause) ? [{ from: phrase.from, to: items.at(-1)?.to ?? phrase.to }] : items
  return parts.map((part) => [toWords(parse, part) as Words])
}

/** Checks whether talk tells a list item by item: what a person has or likes. Other lists often belong together. */
export function isListing({ verb: { base, isNegated, modal } }: Clause): boolean {
  return SEPARATING_VERBS.has(base) && !isNegated && modal === undefined
}

const SEPARATING_VERBS = new Set('have own keep like love enjoy adore prefer hate speak play know'.split(' '))

/** Verbs whose objects belong together: "I **balance** work and study". */
const JOINING_VERBS = new Set(
  'balance combine compare mix merge unite alternate juggle distinguish differ connect match'.split(' ')
)

/** Recognises "my name is …", which other statements often follow without a full stop. */
function tellsName({ parse: { chunks }, lower }: Sight, { subject, verb }: Clause): boolean {
  return verb.base === 'be' && subject !== undefined && lower(chunks[subject.to - 1]?.head ?? -1) === 'name'
}

/** Ends a phrase at a comma, or at a verb that no clause has: "the help I got | **was** useful". */
function cutAtNext({ chunks, clauses }: Parse, { from, to }: Phrase): Phrase {
  for (let at = from; at < to; at++) {
    const { kind, verb } = chunks[at] as Chunk
    const isUnread = verb?.form === 'finite' && verb.hasAuxiliary && !clauses.some((clause) => clause.at === at)
    if (kind === 'comma' || isUnread)
      return trimPhrase({ chunks }, { from, to: chunks[at - 1]?.kind === 'relative' ? at - 1 : at })
  }
  return { from, to }
}

/** Recognises what is left of a clause without its verb: "I'm worried **that moving the show to May** …". */
function lacksVerb({ parse, lower }: Sight, { start, end }: Clause, { from, to }: Phrase): boolean {
  const [at, next] = [parse.chunks[from - 1], parse.chunks[from]]
  const isThat = at?.kind === 'relative' ? at : next?.kind === 'relative' ? next : undefined
  if (isThat === undefined || lower(isThat.from) !== 'that' || from - 1 < start || to > end) return false
  const opening = parse.chunks[at === isThat ? from : from + 1]
  return opening?.verb?.form === 'ing' && !hasFinite(parse, from, to)
}

function hasFinite({ chunks }: Parse, from: number, to: number): boolean {
  return chunks.slice(from, to).some(({ verb }) => verb?.form === 'finite' || verb?.form === 'bare')
}

/** Checks that a phrase begins with the subject of a clause: "I checked that **my tent and bag** are dry". */
function opensComplement({ clauses }: Parse, clause: Clause, { from }: Phrase): boolean {
  return clauses.some(({ kind, subject, within }) => {
    return kind === 'complement' && within === clause && subject !== undefined && subject.from === from
  })
}

/**
 * Returns the end of a clause with the relative clause about its last noun: "people **who have lost their homes**", "the
 * steps **she explained**".
 */
function findRelativeEnd(parse: Parse, { at, end }: Clause): number {
  const next = parse.clauses.find(({ start, kind }) => start === end && kind === 'relative')
  if (next?.antecedent?.to !== end || next.antecedent.from <= at) return end
  // "It is mild in Porto it is nice": two statements without a mark between them.
  const isRunOn = next.marker === '' && (next.verb.base === 'be' || parse.chunks[next.at + 1]?.kind === 'noun')
  // "I stayed in the tent **that's why** I am dry"
  const isReason = next.verb.base === 'be' && parse.tokens[parse.chunks[next.at]?.to ?? -1]?.lower === 'why'
  if (isRunOn || isReason) return end
  // "people who cook for those **who are ill**"
  const inner = parse.clauses.find(({ start, kind }) => start === next.end && kind === 'relative')
  const isOfThose = inner !== undefined && parse.tokens[parse.chunks[next.end - 1]?.from ?? -1]?.lower === 'those'
  return isOfThose ? inner.end : next.end
}

/**
 * Adds to a value of talk what belongs to it: a participle ("I went hiking, **exploring the coast**"), and a time or
 * reason ("I ran there **when I was stressed and sad**"). `end` is the end of the clause's own words.
 */
function addCircumstance(sight: Sight, { clause, end, reach }: Reached, own: Phrase): Phrase {
  const { clauses, chunks } = sight.parse
  if (own.to <= own.from) return own
  let to = end
  for (let i = clauses.indexOf(clause) + 1; i < clauses.length; i++) {
    const next = clauses[i] as Clause
    if (next.start < to) continue
    const isJoined = next.kind === 'coordinate' && to > end && chunks[next.start]?.isContrast !== true
    const isOpened = next.kind === 'adverbial' || isJoined
    const isCircumstance = next.kind === 'adjunct' || (isOpened && CIRCUMSTANCES.has(next.marker))
    if (next.start > to || !isCircumstance || next.isSpeaker === true) break
    to = next.end
  }
  const size = (chunks[to - 1]?.to ?? 0) - (chunks[clause.at]?.from ?? 0)
  if (to === end || size > CIRCUMSTANCE_TOKENS_MAX) return own
  const { from, to: reached } = findValuePhrase(sight, { ...clause, end: to }, reach)
  return reached < trimPhrase(sight.parse, { from, to }).to ? own : { from, to: reached }
}

type Reached = { clause: Clause; end: number; reach: number }

const CIRCUMSTANCES = new Set(['because', 'when', 'while', 'since', 'after', 'before', 'until', 'whenever'])

const CIRCUMSTANCE_TOKENS_MAX = 30

/** Returns the words after the predicate; for `"…", said Bob`, the words before it. */
function findValuePhrase({ parse, lower }: Sight, clause: Clause, reach: number): Phrase {
  if (clause.kind === 'speech') return trimPhrase(parse, { from: 0, to: clause.start })
  const phrase = trimPhrase(parse, { from: reach, to: findFirstStop(parse, reach, clause.end) })
  const opener = parse.chunks[phrase.from]
  const isThat = opener?.kind === 'relative' && lower(opener.from) === 'that'
  // "I am worried **that** I met him too late" names what the worry is about.
  const isOfState = clause.verb.base === 'be' || clause.verb.isPassive
  const from = isThat && !isOfState && opensClause({ parse, lower }, phrase) ? phrase.from + 1 : phrase.from
  return { from, to: excludeVocative(parse, { from, to: trimFocus({ parse, lower }, from, phrase.to) }) }
}

/** Checks that `that` at the start of a phrase opens a clause. */
function opensClause({ parse, lower }: Sight, phrase: Phrase): boolean {
  const next = parse.chunks[phrase.from + 1]
  const isThing = next?.kind === 'preposition'
  // "I will try **that next time**"
  const isAlone = phrase.to - phrase.from < 3 && (next?.kind !== 'noun' || TIME_NOUNS.has(lower(next.head)))
  // "I tried **that particular design** too"
  const [noun, rest] = parse.chunks.slice(phrase.from + 1, phrase.to)
  const isBare = !/^(?:DET|PRON)$/.test(parse.tags[noun?.from ?? -1] ?? '')
  const isPointer = noun?.kind === 'noun' && isBare && (rest?.kind ?? 'adverb') === 'adverb'
  // "I never tried **that special mix** of teas"
  const isMix = noun?.kind === 'noun' && isBare && !hasFinite(parse, phrase.from + 1, phrase.to)
  return !isThing && !isAlone && !isPointer && !isMix
}

/** Excludes what a focus adverb would introduce, which is not part of the value: "trains, **especially** |". */
function trimFocus({ parse: { chunks, tokens }, lower }: Sight, from: number, to: number): number {
  let end = to
  while (end - 1 > from) {
    const last = chunks[end - 1]
    const isFocus = last?.kind === 'adverb' && FOCUS.has(lower(last.to - 1)) && tokens[last.from - 1]?.text === ','
    if (!isFocus && last?.kind !== 'comma') return end
    end--
  }
  return end
}

const FOCUS = new Set(['especially', 'particularly', 'specifically', 'even', 'just', 'mainly', 'mostly', 'maybe'])

/** Excludes a vocative from the value: "That is kind of you, **Ann**!", but not "I live in Oslo, Norway". */
function excludeVocative({ chunks, tags }: Parse, { from, to }: Phrase): number {
  const last = chunks[to - 1]
  const isName = last?.kind === 'noun' && last.to === last.from + 1 && tags[last.from] === 'PROPN'
  const isEnd = to === chunks.length || chunks[to]?.kind === 'stop'
  const isOfName = tags[chunks[to - 3]?.head ?? -1] === 'PROPN'
  return isName && isEnd && !isOfName && chunks[to - 2]?.kind === 'comma' ? Math.max(from, to - 2) : to
}

/**
 * Splits a value that lists things into one part per item: "a dog, two cats and a horse in the barn" gives three, the
 * last with its modifier. Only plain lists with `and` are split; anything else stays whole.
 */
function splitValue(parse: Parse, { from, to }: Phrase): Phrase[] {
  if (hasActivity(parse, { from, to })) return [{ from, to }]
  const items: Phrase[] = []
  let hasAnd = false
  for (let at = from; at < to; ) {
    const end = findItemEnd(parse, at, to)
    if (end === at || isQuoted(parse, from, end)) return [{ from, to }]
    // "I stayed for two hours and **they left** without me"
    const verb = items.length > 0 && end < to ? parse.chunks[end]?.verb : undefined
    if (verb?.form === 'finite' || (verb?.form === 'bare' && hasClause(parse, end))) return items
    const next = findSeparatorEnd(parse, end, to)
    const isLast = hasAnd || next.end === end
    items.push({ from: at, to: isLast ? to : end })
    if (isLast) break
    hasAnd ||= next.isAnd
    at = next.end
  }
  const isSplit = hasAnd && items.length > 1 && !sharesHead(parse, items) && !sharesOf(parse, items)
  return isSplit ? items : [{ from, to }]
}

/** Checks that a verb has its own subject directly before it, unlike "talks **related** to tax". */
function hasClause({ clauses }: Parse, verb: number): boolean {
  return clauses.some(({ at, subject }) => at === verb && subject?.to === verb)
}

/** Checks for an open quotation: "I can't forget "Salt **and** Sand"". */
function isQuoted({ chunks, tokens }: Parse, from: number, to: number): boolean {
  const marks = chunks.slice(Math.max(0, from - 1), to).filter((chunk) => tokens[chunk.from]?.text === '"')
  return marks.length % 2 === 1
}

/**
 * Recognises items that share what they belong to: "a fan of tea and coffee", "a mix of tea, honey and a slice of
 * lemon", but not "a pair of shoes and a hat".
 */
function sharesOf({ chunks, tags, tokens }: Parse, items: readonly Phrase[]): boolean {
  const [first, last] = [items[0], chunks[items.at(-1)?.from ?? -1]]
  if (first === undefined || last === undefined || first.to - first.from < 3) return false
  if (MIXTURES.has(tokens[chunks[first.from]?.head ?? -1]?.lower ?? '')) return true
  return tags[last.from] === 'NOUN' || tags[last.from] === 'ADJ'
}

const MIXTURES = new Set('mix mixture combination blend variety range selection series collection'.split(' '))

/** Recognises items that share the last noun: "leisure and health services", "a tea and honey cake". */
function sharesHead({ chunks, tags, tokens }: Parse, items: readonly Phrase[]): boolean {
  const first = chunks[items[0]?.from ?? -1]
  const last = chunks[items.at(-1)?.from ?? -1]
  if (first === undefined || last === undefined || last.to - last.from < 2 || tags[last.from] === 'DET') return false
  const opener = tokens[first.from]?.lower ?? ''
  const isCounted = (tags[first.from] === 'NUM' && !tokens[first.head]?.lower.endsWith('s')) || ARTICLES.has(opener)
  if (first.to - first.from > 1 && !(isCounted && first.to - first.from === 2)) return false
  const isModifier = tags[first.head] === 'NOUN' || /^\p{Lu}{2,}$/u.test(tokens[first.head]?.text ?? '')
  return isModifier && tags[last.from] === 'NOUN'
}

const ARTICLES = new Set(['a', 'an'])

/** Recognises an activity whose objects are listed: "worried about **balancing** work and life". */
function hasActivity({ chunks, tokens }: Parse, { from, to }: Phrase): boolean {
  return chunks.slice(from, to).some((chunk, at) => {
    const isOpened = chunks[from + at - 1]?.kind === 'preposition' && chunk.kind === 'noun'
    return isOpened && chunk.to - chunk.from > 1 && /^\p{Ll}{3,}ing$/u.test(tokens[chunk.from]?.lower ?? '')
  })
}

/** Returns the end of a plain item: "a dog", "a pair of shoes". */
function findItemEnd({ chunks, tokens, tags }: Parse, at: number, to: number): number {
  const chunk = chunks[at]
  if (chunk?.kind !== 'noun' || chunk.isPronoun || tags[chunk.head] === 'NUM') return at
  const isOf = chunks[at + 1]?.kind === 'preposition' && tokens[chunks[at + 1]?.from ?? -1]?.lower === 'of'
  return isOf && at + 2 < to && chunks[at + 2]?.kind === 'noun' ? at + 3 : at + 1
}

/** Returns the end of a separator: ",", "and" or ", and". */
function findSeparatorEnd({ chunks }: Parse, at: number, to: number): { end: number; isAnd: boolean } {
  let end = at
  if (end < to && chunks[end]?.kind === 'comma') end++
  const isAnd = end < to && chunks[end]?.kind === 'and' && chunks[end]?.isContrast === false
  if (isAnd) end++
  return end < to ? { end, isAnd } : { end: at, isAnd: false }
}
