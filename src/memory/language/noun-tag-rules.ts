import { type Tag, type TokenPlace, tag, word } from './token.ts'
import { classifyVerbForm, MODAL_VERBS, mayBeParticiple } from './verb-forms.ts'

/** `@`, `#` and emoji are not words of a phrase, whatever the tagger returns. */
export function tagMarkedLetters(place: TokenPlace): Tag | undefined {
  if (tag(place) === 'PUNCT' || tag(place) === 'SYM') return undefined
  return WORD.test(word(place)) ? undefined : 'PUNCT'
}

/** Tests for ASCII letters first, which is faster. */
const WORD = /^[a-z]|[\p{L}\p{N}]/u

/** "the players**'** union": an apostrophe between a plural and the thing owned. */
export function tagPossessiveMark(place: TokenPlace): Tag | undefined {
  const mark = word(place)
  if ((mark !== "'" && mark !== '’') || !/s$/.test(word(place, -1)) || word(place, -1) === "'s") return undefined
  const owned = tag(place, 1)
  const isOwner = tag(place, -1) === 'NOUN' || tag(place, -1) === 'PROPN'
  return isOwner && (owned === 'NOUN' || owned === 'ADJ') && !hasQuoteOpen(place) ? 'PART' : undefined
}

/** Checks whether the same mark stands alone earlier and so may be an opening quote. */
function hasQuoteOpen({ tokens, i }: TokenPlace): boolean {
  for (let at = i - 1; at >= Math.max(0, i - 12); at--)
    if (tokens[at]?.lower === "'" || tokens[at]?.lower === '‘' || tokens[at]?.lower === '`') return true
  return false
}

/** "His car is **like** mine, **so** he waits": words with a fixed tag. */
export function tagFixedWord(place: TokenPlace): Tag | undefined {
  return FIXED_TAGS.get(word(place))
}

/** "Maple Street **Crossing** became …": a capitalised word beside a name, inside a sentence, is part of the name. */
export function tagNameInside(place: TokenPlace): Tag | undefined {
  const own = tag(place)
  if (place.i === 0 || (own !== 'VERB' && own !== 'ADJ' && own !== 'ADV' && own !== 'NOUN')) return undefined
  const text = place.tokens[place.i]?.text ?? ''
  if (!/^\p{Lu}\p{Ll}/u.test(text)) return undefined
  const before = tag(place, -1)
  if (own === 'NOUN' || own === 'ADJ')
    return before === 'PROPN' && isCapital(place, -1) && own === 'NOUN' ? 'PROPN' : undefined
  return (before === 'PROPN' && isCapital(place, -1) && place.i > 1) ||
    (tag(place, 1) === 'PROPN' && before !== 'PUNCT' && before !== 'CCONJ')
    ? 'PROPN'
    : undefined
}

function isCapital({ tokens, i }: TokenPlace, offset: number): boolean {
  return /^\p{Lu}/u.test(tokens[i + offset]?.text ?? '')
}

/** "a snow-**covered** roof": a word joined by a hyphen to the previous one is not a verb. */
export function tagHyphenatedWord(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || word(place, -1) !== '-' || place.i < 2) return undefined
  const { tokens, i } = place
  const isTied = tokens[i - 1]?.end === tokens[i]?.start && tokens[i - 2]?.end === tokens[i - 1]?.start
  return isTied || ((tag(place, 1) === 'NOUN' || tag(place, 1) === 'PROPN') && classifyVerbForm(word(place)) !== 'base')
    ? 'ADJ'
    : undefined
}

/** "an **on**-time train", "a **well**-kept garden": the first part of a compound before a noun. */
export function tagCompoundStart(place: TokenPlace): Tag | undefined {
  if ((tag(place) !== 'ADP' && tag(place) !== 'ADV') || word(place, 1) !== '-') return undefined
  const { tokens, i } = place
  const isTied = tokens[i]?.end === tokens[i + 1]?.start && tokens[i + 1]?.end === tokens[i + 2]?.start
  const after = tag(place, 3)
  return isTied && (after === 'NOUN' || after === 'PROPN' || after === 'ADJ') ? 'ADJ' : undefined
}

/** "Small **acts** of kindness": a plural at the start of a sentence, which the tagger takes for a verb. */
export function tagNounBeforeOf(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || place.i !== 1 || word(place, 1) !== 'of' || OF_VERBS.has(word(place))) return undefined
  const before = tag(place, -1)
  return (before === 'ADJ' || before === 'PROPN') && classifyVerbForm(word(place)) === 'present' ? 'NOUN' : undefined
}

const OF_VERBS = new Set('thinks speaks dreams hears consists talks tells knows approves smells tastes'.split(' '))

/** "**That** method works": at the start and before a noun, `that` is a demonstrative. */
export function tagDemonstrative(place: TokenPlace): Tag | undefined {
  const lower = word(place)
  if (lower !== 'that' && lower !== 'this' && lower !== 'such') return undefined
  const next = tag(place, 1)
  if (lower === 'such') return next === 'DET' ? 'DET' : undefined
  // "We went to **that** village meeting", "reading **that** book you recommended"
  if (place.i > 0 && lower === 'that') {
    const isCompound = tag(place, -1) === 'ADP' && tag(place, 2) === 'NOUN'
    const isDescribed = tag(place, -1) === 'VERB' && opensContactClause(place) && !word(place, 1).endsWith('s')
    return next === 'NOUN' && (isCompound || isDescribed) ? 'DET' : undefined
  }
  if (next === 'NOUN' && classifyVerbForm(word(place, 1)) === 'present') return 'PRON'
  return next === 'NOUN' || (next === 'ADJ' && tag(place, 2) === 'NOUN') ? 'DET' : undefined
}

/** "that book **you recommended**": two words further on, a person and a verb. */
function opensContactClause(place: TokenPlace): boolean {
  const next = tag(place, 3)
  return CONTACTS.has(word(place, 2)) && (next === 'VERB' || next === 'AUX')
}

const CONTACTS = new Set(['i', 'you', 'he', 'she', 'we', 'they'])

/** "The **run** was long", "my **drive** home": an article or possessive is never followed by a finite verb. */
export function tagNounAfterDeterminer(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB') return undefined
  const before = word(place, -1)
  const next = tag(place, 1)
  const form = classifyVerbForm(word(place))
  const isBase = form === 'base'
  if (next === 'AUX' && classifyVerbForm(word(place)) === 'present' && tag(place, -1) !== 'PRON') return 'NOUN'
  if (tag(place, -1) === 'ADJ' && isBase && next === 'NOUN' && tag(place, -2) !== 'AUX' && tag(place, -2) !== 'ADV')
    return 'NOUN'
  if (tag(place, -1) === 'ADJ' && (tag(place, -2) === 'DET' || POSSESSIVE.has(word(place, -2))))
    return next === 'NOUN' || next === 'PROPN' ? 'ADJ' : 'NOUN'
  // "He**'s** moving" has no possessive, and "it**'s** empowering to sail" is a judgement.
  if (tag(place, -1) === 'AUX') return word(place, -2) === 'it' && next === 'PART' ? 'ADJ' : undefined
  if (!ARTICLES.has(before) && !POSSESSIVE.has(before)) return undefined
  return tagDetermined(place, form)
}

/** "I loved that **look**": a base form, which no verb of `that` has. */
export function tagNounAfterThat(place: TokenPlace): Tag | undefined {
  if (word(place, -1) !== 'that' || tag(place, -2) !== 'VERB') return undefined
  return classifyVerbForm(word(place)) === 'base' && !OBJECT_TAGS.has(tag(place, 1) ?? 'X') ? 'NOUN' : undefined
}

const OBJECT_TAGS: ReadonlySet<Tag> = new Set<Tag>(['DET', 'PRON', 'NOUN', 'PROPN', 'PART'])

/** "the **winning** team", "my **drive** home" */
function tagDetermined(place: TokenPlace, form: string): Tag | undefined {
  const next = tag(place, 1)
  if (next === 'DET' || next === 'PRON') return undefined
  if (form === 'present') return 'NOUN'
  return next === 'NOUN' || next === 'PROPN' || next === 'ADJ' || (word(place, 1) === '-' && tag(place, 2) === 'NOUN')
    ? 'ADJ'
    : 'NOUN'
}

const ARTICLES = new Set(['the', 'a', 'an', 'this', 'these', 'those', 'every', 'each', 'some', 'any', 'no'])
const POSSESSIVE = new Set(['my', 'your', 'his', 'its', 'our', 'their', "'s"])

/** "She has **travel** anxiety": after `have`, a base form before a noun is a noun. */
export function tagNounAfterHave(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || tag(place, 1) !== 'NOUN' || !HAVE.has(word(place, -1))) return undefined
  return classifyVerbForm(word(place)) === 'base' && !mayBeParticiple(word(place)) ? 'NOUN' : undefined
}

const HAVE = new Set(['has', 'have', 'had', "'ve"])

/** "the 'amount' **key** is missing": an adjective between a noun and an auxiliary, where no other noun can follow. */
export function tagNounBeforeAuxiliary(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'ADJ' || word(place) !== 'key' || tag(place, 1) !== 'AUX') return undefined
  return tag(place, -1) === 'NOUN' || tag(place, -2) === 'NOUN' ? 'NOUN' : undefined
}

/** "in **works** of art": a preposition is never followed by a finite verb. */
export function tagNounAfterPreposition(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB') return undefined
  const form = classifyVerbForm(word(place))
  // "on hot **springs**"
  const back = tag(place, -1) === 'ADJ' && form === 'present' ? 2 : 1
  if (tag(place, -back) !== 'ADP' || !TRUE_PREPOSITIONS.has(word(place, -back))) return undefined
  return form === 'base' || form === 'present' ? 'NOUN' : undefined
}

const TRUE_PREPOSITIONS = new Set([
  'of',
  'in',
  'with',
  'from',
  'at',
  'for',
  'into',
  'on',
  'by',
  'between',
  'during',
  'through',
  'without'
])

/** "**About** forty people came": before a number at the start, `about` is an adverb. */
export function tagAboutBeforeNumber(place: TokenPlace): Tag | undefined {
  const lower = word(place)
  if (tag(place) !== 'ADP' || tag(place, 1) !== 'NUM') return undefined
  return lower === 'about' || (place.i === 0 && (lower === 'over' || lower === 'around' || lower === 'under'))
    ? 'ADV'
    : undefined
}

/** "I left **cause** I was tired": short forms of `because` before a subject. */
export function tagShortBecause(place: TokenPlace): Tag | undefined {
  if (!SHORT_BECAUSE.has(word(place))) return undefined
  const next = word(place, 1)
  if (word(place) === 'cause' && (NOUN_OPENERS.has(tag(place, -1) ?? 'PUNCT') || !CAUSE_SUBJECTS.has(next)))
    return undefined
  return tag(place, 1) === 'PUNCT' ? undefined : 'SCONJ'
}

export const SHORT_BECAUSE = new Set(['cause', 'cuz', 'coz', 'cus', 'bc', 'bcs', 'bcos', 'becuz'])
const CAUSE_SUBJECTS = new Set('i we he she they it my our his her their that there this the'.split(' '))

/** Precede the noun `cause`, or the verb. */
const NOUN_OPENERS: ReadonlySet<Tag> = new Set<Tag>(['DET', 'AUX', 'PART'])

/** "**at least** two people". */
export function tagAtLeast(place: TokenPlace): Tag | undefined {
  if (word(place) === 'at' && (word(place, 1) === 'least' || word(place, 1) === 'most')) return 'ADV'
  return (word(place) === 'least' || word(place) === 'most') && word(place, -1) === 'at' ? 'ADV' : undefined
}

/** "Two **injured** players", "of **frozen** lakes": a participle inside a noun phrase. */
export function tagParticipleBeforeNoun(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || tag(place, 1) !== 'NOUN') return undefined
  const before = tag(place, -1)
  const form = classifyVerbForm(word(place))
  if (form === 'ing')
    return before === 'CCONJ' && tag(place, -2) === 'NOUN' && tag(place, 2) === 'AUX' ? 'ADJ' : undefined
  if (form !== 'either' && form !== 'participle') return undefined
  if (before === 'ADV' && word(place, -1).endsWith('ly'))
    return tag(place, -2) === 'VERB' || tag(place, -2) === 'ADP' ? 'ADJ' : undefined
  if (before === 'AUX' || before === 'NOUN') return tagPartOfThing(place)
  // "a calm and **determined** crew"
  if (before === 'CCONJ' && tag(place, -2) === 'ADJ' && tag(place, -3) === 'DET') return 'ADJ'
  return before === 'NUM' || before === 'DET' || before === 'ADP' || before === 'ADJ' ? 'ADJ' : undefined
}

/** "I don't have **damaged** lungs", "my morning **iced** latte helps me": a participle of a thing, where another verb is. */
function tagPartOfThing(place: TokenPlace): Tag | undefined {
  if (word(place, -1) === 'have') return DENIED_DO.test(word(place, -3)) ? 'ADJ' : undefined
  return POSSESSIVE.has(word(place, -2)) && isVerbAfterNext(place) ? 'NOUN' : undefined
}

const DENIED_DO = /^d(?:o|id|oes)$/

/** Recognises a finite verb behind the next word: "iced **latte really helps**". */
function isVerbAfterNext(place: TokenPlace): boolean {
  const at = tag(place, 2) === 'ADV' ? 3 : 2
  return tag(place, at) === 'VERB' && classifyVerbForm(word(place, at)) === 'present'
}

/** "**According to** her", "**no longer** sells": pairs that act as one word. */
export function tagWordPairs(place: TokenPlace): Tag | undefined {
  if (word(place) === 'all' || word(place) === 'both') {
    const back = tag(place, -1) === 'AUX' && tag(place, 1) !== 'DET' ? 2 : 1
    if (GROUP_PRONOUNS.has(word(place, -back)) && (back === 1 || MODAL_VERBS.has(word(place, -1)))) return 'ADV'
  }
  if (word(place) === 'according' && word(place, 1) === 'to') return 'ADP'
  if (word(place) === 'no' && word(place, 1) === 'longer') return 'ADV'
  return word(place) === 'longer' && word(place, -1) === 'no' ? 'ADV' : undefined
}

/** "**Love** cooking", "**busy** with exams", "my **favourite** is blue": words whose tag depends on their place. */
export function tagByPlace(place: TokenPlace): Tag | undefined {
  const lower = word(place)
  if (FAVORITES.has(lower) && POSSESSIVE.has(word(place, -1)) && !isNounNext(place)) return 'NOUN'
  // "**fast** food"
  if (lower === 'fast' && tag(place, 1) === 'NOUN') return 'ADJ'
  // "taking it **slow** is better"
  if (PACES.has(lower) && word(place, -1) === 'it' && tag(place, -2) === 'VERB') return 'ADJ'
  if (place.i === 0 && LIKINGS.has(lower) && word(place, 1).endsWith('ing')) return 'VERB'
  if (place.i === 0 && tag(place) === 'PROPN' && MOODS.has(lower) && OPENING_NEXT.has(tag(place, 1) ?? 'X'))
    return 'ADJ'
  return undefined
}

/** Words that the tagger reads by their most frequent use: a conjunction, or the adverb of a direction. */
export function tagBetweenWords(place: TokenPlace): Tag | undefined {
  const lower = word(place)
  // "we are considering **either** Bray or Howth"
  if (lower === 'either') return NAMING.has(tag(place, 1) ?? 'X') ? 'DET' : undefined
  // "I have **since** sold it"
  if (lower === 'since') return HAVE.has(word(place, -1)) && mayBeParticiple(word(place, 1)) ? 'ADV' : undefined
  // "**tonight**'s match"
  if (DAYS.has(lower)) return word(place, 1) === "'s" && tag(place, 1) === 'PART' ? 'NOUN' : undefined
  // "we drove down to the **south**", "the **most** I do"
  return word(place, -1) === 'the' && tag(place) === 'ADV' && !isNounNext(place) ? 'NOUN' : undefined
}

const DAYS = new Set(['today', 'tonight', 'tomorrow', 'yesterday'])

/** The words that `tagBetweenWords` corrects. */
export const BETWEEN_WORDS: ReadonlySet<string> = new Set([
  ...'either since north south east west most least'.split(' '),
  ...DAYS
])

/** "**Busy** with exams": an adjective of mood that opens a sentence. */
const MOODS = new Set('busy proud glad happy excited sorry tired thankful grateful lucky stuck ready'.split(' '))
const OPENING_NEXT: ReadonlySet<Tag> = new Set<Tag>(['ADP', 'PART', 'PRON', 'SCONJ'])
const FAVORITES = new Set(['favorite', 'favourite'])
const NAMING: ReadonlySet<Tag> = new Set<Tag>(['DET', 'NOUN', 'PROPN', 'ADJ', 'PRON'])
const LIKINGS = new Set(['love', 'enjoy', 'miss'])
const PACES = new Set(['slow', 'easy', 'fast'])

/** The words that `tagByPlace` corrects. */
export const PLACED_WORDS: ReadonlySet<string> = new Set([...FAVORITES, ...LIKINGS, ...MOODS, ...PACES])

function isNounNext(place: TokenPlace): boolean {
  const next = tag(place, 1)
  return next === 'NOUN' || next === 'PROPN' || next === 'ADJ' || next === 'NUM' || next === 'VERB'
}

/** "we **all** left", "we should **all** go". */
const GROUP_PRONOUNS = new Set(['we', 'they', 'you', 'us', 'them'])

/** Words that get this tag whatever the tagger returns. */
export const FIXED_TAGS: ReadonlyMap<string, Tag> = new Map<string, Tag>([
  ["n't", 'PART'],
  ['not', 'PART'],
  ['never', 'ADV'],
  ['and', 'CCONJ'],
  ['or', 'CCONJ'],
  ['but', 'CCONJ'],
  ['&', 'CCONJ'],
  ['although', 'SCONJ'],
  ['because', 'SCONJ'],
  ['if', 'SCONJ'],
  ['unless', 'SCONJ'],
  ['whether', 'SCONJ'],
  ['whereas', 'SCONJ'],
  ['the', 'DET'],
  ['a', 'DET'],
  ['an', 'DET'],
  ['i', 'PRON'],
  ['he', 'PRON'],
  ['she', 'PRON'],
  ['they', 'PRON'],
  ['we', 'PRON'],
  ['it', 'PRON'],
  ['him', 'PRON'],
  ['them', 'PRON'],
  ['us', 'PRON'],
  ['me', 'PRON'],
  ['yesterday', 'ADV'],
  ['today', 'ADV'],
  ['tomorrow', 'ADV'],
  ['tonight', 'ADV'],
  ['further', 'ADV'],
  ['recently', 'ADV'],
  ['really', 'ADV'],
  ['already', 'ADV'],
  ['of', 'ADP'],
  ['for', 'ADP'],
  ['who', 'PRON'],
  ['whom', 'PRON'],
  ['which', 'PRON'],
  ['during', 'ADP'],
  ['hey', 'INTJ'],
  ['btw', 'INTJ'],
  ['yep', 'INTJ'],
  ['yup', 'INTJ'],
  ['yes', 'INTJ'],
  ['haha', 'INTJ'],
  ['lol', 'INTJ'],
  ['omg', 'INTJ'],
  ['congrats', 'INTJ'],
  ['oh', 'INTJ'],
  ['aw', 'INTJ'],
  ['ugh', 'INTJ'],
  ['wow', 'INTJ'],
  ['yeah', 'INTJ'],
  ['thanks', 'INTJ'],
  ['idk', 'INTJ'],
  ['bye', 'INTJ'],
  ['my', 'PRON'],
  ['your', 'PRON'],
  ['their', 'PRON'],
  ['our', 'PRON'],
  ['its', 'PRON'],
  ['including', 'ADP'],
  ['gonna', 'VERB'],
  ['wanna', 'VERB'],
  ['gotta', 'VERB']
])
