import type { Tag, Token } from '../language/token.ts'
import { NOMINATIVES, POSSESSIVES, TIME_NOUNS } from './word-classes.ts'

type Place = { tokens: readonly Token[]; tags: readonly Tag[]; at: number }

/**
 * Returns the end of the noun phrase that starts at a token, or the token itself if none does. The phrase extends to
 * its head noun: "the two old dogs", "my sister's new flat", "$ 4 million", "12 July 2006". A pronoun stands alone.
 */
export function findNounPhraseEnd(place: Place): number {
  const { tokens, tags, at } = place
  let to = at
  let nouns = 0
  while (to < tokens.length && to - at < PHRASE_TOKENS_MAX) {
    if (!continuesPhrase({ tokens, tags, at: to }, { isInside: to > at, hasNoun: nouns > 0 })) break
    if (isHead(tags[to])) nouns++
    to++
    if (tags[at] === 'PRON' && to === at + 1 && !opensPhrase({ tokens, tags, at })) return to
  }
  return hasHead(place, to) ? to : at
}

/** A longer run of nouns is a list of words, not a phrase. */
const PHRASE_TOKENS_MAX = 24

type Reached = { isInside: boolean; hasNoun: boolean }
type Step = (place: Place, reached: Reached) => boolean

/** Recognises the hyphen of a compound: "a get**-**together", "a hands**-**on cook", "Route Nine**-**Ten". */
function isHyphen({ tokens }: Place, at: number): boolean {
  const hyphen = tokens[at]
  if (hyphen?.text !== '-') return false
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  if (before === undefined || next === undefined) return false
  return before.end === hyphen.start && hyphen.end === next.start && /^\p{L}/u.test(before.text + next.text)
}

/** Checks whether the phrase includes the next token. */
function continuesPhrase(place: Place, reached: Reached): boolean {
  const { tokens, tags, at } = place
  const lower = (tokens[at] as Token).lower
  if (reached.isInside && (isHyphen(place, at) || isHyphen(place, at - 1))) return true
  const step = BY_WORD.get(lower) ?? BY_TAG.get(tags[at] as Tag)
  return step?.(place, reached) === true
}

const lowerAt = ({ tokens, at }: Place, offset: number) => tokens[at + offset]?.lower ?? ''
const isPredetermined = (place: Place) => PREDETERMINERS.has(lowerAt(place, -1))

const BY_WORD = new Map<string, Step>([
  ['%', (_, { isInside }) => isInside],
  ['+', (_, { isInside }) => isInside],
  ['-', (place, { isInside }) => isInside && joins(place)],
  [',', (place, { isInside }) => isInside && isDateComma(place)],
  ['to', () => false],
  ['not', () => false]
])

const BY_TAG = new Map<Tag, Step>([
  ['NOUN', () => true],
  ['PROPN', (place, { hasNoun }) => !startsAnew(place, hasNoun)],
  ['NUM', (place, { isInside, hasNoun }) => !isInside || !hasNoun || isNumberAfter(place)],
  ['SYM', (place) => CURRENCIES.has(lowerAt(place, 0))],
  ['DET', (place, { isInside }) => !isInside || isPredetermined(place)],
  ['PRON', (place, { isInside }) => !isInside || (POSSESSIVES.has(lowerAt(place, 0)) && isPredetermined(place))],
  ['ADJ', (place, { hasNoun }) => (hasNoun ? adjectiveInside(place) : reachesNoun(place) || isNominal(place))],
  ['ADV', (place, reached) => !reached.hasNoun && adverbInside(place, reached)],
  ['PART', (place, { isInside, hasNoun }) => isInside && hasNoun && isPossessive(place)],
  ['CCONJ', (place, { isInside }) => isInside && isInnerAnd(place)],
  [
    'VERB',
    (place, { isInside, hasNoun }) => isInside && !hasNoun && isHead(place.tags[place.at + 1]) && isDeterminer(place)
  ]
])

/** "the **very** old dog", "**nearly** two hundred". */
function adverbInside(place: Place, { isInside }: Reached): boolean {
  const next = place.tags[place.at + 1]
  return (isInside || next === 'NUM' || next === 'DET') && reachesNoun(place)
}

/** Signs that precede a number and form a noun with it. */
const CURRENCIES = new Set(['$', '£', '€', '¥', '#'])

const PREDETERMINERS = new Set([
  'all',
  'both',
  'half',
  'such',
  'what',
  'quite',
  'only',
  'just',
  'even',
  'nearly',
  'almost'
])

const isHead = (tag: Tag | undefined) => tag === 'NOUN' || tag === 'PROPN'

/** Recognises a name after a number or a time as a new phrase: "In 1991 **Bob** …", "last week **Ann** …". */
function startsAnew({ tokens, tags, at }: Place, hasNoun: boolean): boolean {
  if (tags[at] !== 'PROPN') return false
  const before = (tokens[at - 1] as Token | undefined)?.lower ?? ''
  if (TIME_NOUNS.has((tokens[at] as Token).lower)) return false
  // "the songs **Ann** and I wrote"
  const isPair = tokens[at + 1]?.lower === 'and' && NOMINATIVES.has(tokens[at + 2]?.lower ?? '')
  if (hasNoun && isPair && tags[at + 3] === 'VERB' && /^\p{Ll}/u.test(tokens[at - 1]?.text ?? '')) return true
  if (tags[at - 1] === 'NUM') return /^(?:1[0-9]|20)\d\d$/.test(before)
  return hasNoun && tags[at - 1] === 'NOUN' && TIME_NOUNS.has(before)
}

/** "Route 66", "July 20", "May 2003", "section B 4". */
function isNumberAfter({ tokens, tags, at }: Place): boolean {
  const before = tags[at - 1]
  return (
    before === 'PROPN' ||
    before === 'NUM' ||
    before === 'SYM' ||
    (/^\d/.test((tokens[at] as Token).text) && before === 'NOUN')
  )
}

/** Recognises an adjective used as a noun: "the **latter** was …", "the **poor** are". */
function isNominal({ tokens, tags, at }: Place): boolean {
  return tokens[at - 1]?.lower === 'the' || (tags[at - 1] === 'ADJ' && tokens[at - 2]?.lower === 'the')
}

/** Accepts an adjective after a noun only before another noun: "Acme **annual** report". */
function adjectiveInside(place: Place): boolean {
  const { tags, at } = place
  return (tags[at - 1] === 'PROPN' || tags[at - 1] === 'PART' || tags[at - 1] === 'PUNCT') && reachesNoun(place)
}

/** Checks whether adjectives, adverbs, numbers, commas and `and` lead to a noun. */
function reachesNoun({ tokens, tags, at }: Place): boolean {
  for (let next = at + 1; next < Math.min(tags.length, at + 7); next++) {
    const tag = tags[next]
    if (isHead(tag)) return true
    if (tag === 'NUM' || tag === 'ADJ' || tag === 'SYM') continue
    if (tag === 'ADV' && (tags[next + 1] === 'ADJ' || tags[next + 1] === 'NUM')) continue
    if (
      tag === 'VERB' &&
      isHead(tags[next + 1]) &&
      tags[next - 1] !== 'NOUN' &&
      /(?:ed|ing|en)$/.test((tokens[next] as Token).lower)
    )
      continue
    if ((tag === 'CCONJ' || (tokens[next] as Token).lower === ',') && tags[next + 1] === 'ADJ' && tags[at] === 'ADJ')
      continue
    if ((tokens[next] as Token).lower === '-') continue
    return false
  }
  return false
}

/** "Ann **'s** brother". If no noun phrase follows, `'s` is a verb. */
function isPossessive({ tokens, tags, at }: Place): boolean {
  const lower = (tokens[at] as Token).lower
  if (lower !== "'s" && lower !== "'" && lower !== '’s' && lower !== '’') return false
  const next = tags[at + 1]
  return next === 'NOUN' || next === 'PROPN' || next === 'ADJ' || next === 'NUM' || next === 'ADV' || next === 'VERB'
}

/** Recognises `and` between adjectives before a noun: "cruel **and** unusual punishment". */
function isInnerAnd(place: Place): boolean {
  const { tags, at } = place
  return tags[at - 1] === 'ADJ' && tags[at + 1] === 'ADJ' && reachesNoun({ ...place, at: at + 1 })
}

function isDeterminer({ tokens, tags, at }: Place): boolean {
  return (
    tags[at - 1] === 'DET' ||
    tags[at - 1] === 'ADJ' ||
    tags[at - 1] === 'NUM' ||
    POSSESSIVES.has((tokens[at - 1] as Token).lower) ||
    tags[at - 1] === 'PART'
  )
}

/**
 * Recognises a hyphen between words of the phrase: "state - owned bank", "long-term". Before another verb, a spaced one
 * is a dash: "a bowl - want to see it?".
 */
function joins({ tokens, tags, at }: Place): boolean {
  const next = tags[at + 1]
  const before = tags[at - 1]
  const isSpaced = (tokens[at - 1]?.end ?? 0) < (tokens[at]?.start ?? 0)
  const isModifier =
    tokens[at + 1]?.lower.endsWith('ing') || (isHead(tags[at + 2]) && /e[dn]$/.test(tokens[at + 1]?.lower ?? ''))
  if (next === 'VERB' && isSpaced && !isModifier) return false
  // "my favorite tea - good for sleep"
  if (next === 'ADJ' && isSpaced && !isHead(tags[at + 2])) return false
  const isBefore = isHead(before) || before === 'ADJ' || before === 'NUM' || before === 'VERB'
  return isBefore && (isHead(next) || next === 'ADJ' || next === 'NUM' || next === 'VERB')
}

/** "November 12 **,** 1960". */
function isDateComma({ tokens, tags, at }: Place): boolean {
  return tags[at - 1] === 'NUM' && tags[at + 1] === 'NUM' && /^(?:1\d|20)\d\d$/.test((tokens[at + 1] as Token).text)
}

/** Recognises determiners that are tagged as pronouns: "**my** dog", "**this** …". */
function opensPhrase({ tokens, tags, at }: Place): boolean {
  const lower = (tokens[at] as Token).lower
  const next = tags[at + 1]
  // "I got **this** new lamp", but not "I did this last week"
  if (lower === 'this' && next === 'ADJ') return isHead(tags[at + 2]) && !TIME_NOUNS.has(tokens[at + 2]?.lower ?? '')
  if (!POSSESSIVES.has(lower)) return false
  return isHead(next) || next === 'ADJ' || next === 'NUM' || next === 'ADV' || (next === 'VERB' && lower !== 'her')
}

function hasHead({ tokens, tags, at }: Place, to: number): boolean {
  for (let i = at; i < to; i++) {
    const tag = tags[i]
    if (isHead(tag) || tag === 'NUM' || tag === 'PRON' || tag === 'SYM') return true
    if (tag === 'DET' && to === at + 1) return ALONE.has((tokens[i] as Token).lower)
  }
  return to > at + 1 && tags[at] === 'DET'
}

/** Determiners that can form a whole phrase: "**this** is …", "**some** of them". */
const ALONE = new Set([
  'this',
  'that',
  'these',
  'those',
  'some',
  'any',
  'all',
  'both',
  'each',
  'many',
  'most',
  'none',
  'another',
  'several',
  'few',
  'either',
  'neither',
  'much'
])
