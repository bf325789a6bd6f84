import type { FactDraft, Parse, Sight, Words } from '../clauses/clause.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Sentence, Token } from '../language/token.ts'
import { classifyVerbForm, MODAL_VERBS, mayBeParticiple } from '../language/verb-forms.ts'

/** The part of a fact that is being written. */
type Role = 'subject' | 'predicate' | 'value'

/** How the words of a sentence are written in a fact. */
export type Naming = {
  source: TextSource
  /** The name of the person addressed, if the text calls that person by it. */
  addressed?: string | undefined
  parse: Parse
  /** Returns what a pronoun refers to. */
  resolve: (token: number) => string | undefined
  /** Every word is written as in the text, including the capital of the first one. */
  isVerbatim: boolean
}

/** Returns the text of a subject; an empty range is the implied speaker. */
export function nameSubject(naming: Naming, words: Words): string {
  if (words.to === words.from) return naming.source.speaker ?? ''
  return nameWords(naming, words, 'subject')
}

/**
 * Returns the text of some words: single spaces, names for first-person pronouns, and the referents of other pronouns.
 */
export function nameWords(naming: Naming, words: Words, role: Role): string {
  const { tokens } = naming.parse
  let text = ''
  for (let at = words.from; at < words.to; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (isEmphatic(naming, at)) continue
    const before = tokens[at - 1]
    if (text !== '' && before !== undefined && before.end < token.start) text += ' '
    const name = nameWord(naming, words, { at, role })
    text += name === undefined || isInTitle(naming, at) ? formatWord(naming, at, role) : name
  }
  return text
}

/** Returns what stands for a pronoun, or undefined for a word that is written as it is. */
function nameWord(naming: Naming, words: Words, { at, role }: { at: number; role: Role }): string | undefined {
  const lower = naming.parse.tokens[at]?.lower ?? ''
  const isValue = role === 'value'
  const person = findPersonName(lower, naming.source.speaker, role) ?? (isValue ? nameAddressed(naming, at) : undefined)
  if (person !== undefined && !isPartOfWord(naming, at) && !isOfGroup(naming, at)) return person
  // "**the people I work with** are kind"
  const isInside = isValue || (role === 'subject' && at > words.from + 1)
  const inside = isInside && !naming.isVerbatim ? namePersonInside(naming, at) : undefined
  if (inside !== undefined) return inside
  const isReferring = (words.to === words.from + 1 && lower !== 'there') || isObject(naming, words, at)
  return (isReferring ? naming.resolve(at) : undefined) ?? (isValue ? nameThere(naming, at) : undefined)
}

/** Recognises the pronoun of an object that other words follow: "I baked a cake and sold **it** at the fair". */
function isObject({ parse: { tokens, tags } }: Naming, { from }: Words, at: number): boolean {
  const lower = tokens[at]?.lower
  if (at !== from || (lower !== 'it' && lower !== 'them') || tags[at - 1] !== 'VERB') return false
  const isExpletive = /^f(?:i|ou)nds?$|^hit$|^ma(?:k|d)e/.test(tokens[at - 1]?.lower ?? '')
  return !isExpletive && tags[at + 1] === 'ADP'
}

/** Recognises "I don't have plants **myself**", which adds nothing. */
function isEmphatic({ parse: { tokens, tags }, source }: Naming, at: number): boolean {
  const lower = tokens[at]?.lower
  if (source.speaker === undefined || (lower !== 'myself' && lower !== 'ourselves')) return false
  // "trust **myself** to win", "by timing **myself**"
  const isActing = tokens[at + 1]?.lower === 'to' && tokens[at + 2]?.lower !== 'be'
  if (isActing || tokens[at - 1]?.lower.endsWith('ing')) return false
  const isPlural = tags[at - 1] === 'VERB' && /[^s]s$/.test(tokens[at - 1]?.lower ?? '') && tags[at + 1] === 'PUNCT'
  return tags[at - 1] === 'NOUN' || tags[at - 1] === 'PROPN' || tags[at - 1] === 'NUM' || isPlural
}

/** Names the place that `there` refers to: "We left Oslo, but I worked **there** for years". */
function nameThere({ parse: { tokens, tags }, source, resolve }: Naming, at: number): string | undefined {
  if (source.speaker === undefined || tokens[at]?.lower !== 'there' || tags[at + 1] === 'AUX') return undefined
  const place = resolve(at)
  const before = tokens[at - 1]?.lower ?? ''
  if (place === undefined || WHEREABOUTS.has(before)) return undefined
  if (tags[at - 1] === 'ADP') return place
  return `${TRAVELS.has(before) ? 'to' : 'in'} ${place}`
}

/** "**up** there", "**right** there". */
const WHEREABOUTS = new Set(['up', 'down', 'over', 'out', 'in', 'right', 'back'])
const TRAVELS = new Set('trip trips flight visit visits move go going went gone travel travelled flew drive'.split(' '))

/** Recognises a group beside the speaker: "each of **us**", "**us** all". */
function isOfGroup({ parse: { tokens } }: Naming, at: number): boolean {
  if (tokens[at]?.lower !== 'us') return false
  if (GROUP.has(tokens[at + 1]?.lower ?? '')) return true
  return tokens[at - 1]?.lower === 'of' && GROUP.has(tokens[at - 2]?.lower ?? '')
}

const GROUP = new Set('all both each some most many none one two three any either neither'.split(' '))

/** Recognises a part of a word: "**me**-time", "she is a pick **me**". */
function isPartOfWord({ parse: { tokens } }: Naming, at: number): boolean {
  if (tokens[at - 1]?.lower === 'pick' && tokens[at - 2]?.lower === 'a') return true
  const next = tokens[at + 1]
  return next?.text === '-' && next.start === tokens[at]?.end && tokens[at + 2]?.start === next.end
}

/** Recognises a pronoun of a title by its capital, "the novel **Me** Before You", and the country "the **US**". */
function isInTitle({ parse: { tokens } }: Naming, at: number): boolean {
  const own = tokens[at]
  const before = tokens[at - 1]
  if (own?.text === 'US') return before === undefined || /\p{Ll}/u.test(before.text)
  if (own === undefined || before === undefined || !CAPITALISED.test(own.text)) return false
  return /^["“”‘]$/.test(before.text) || (CAPITALISED.test(tokens[at + 1]?.text ?? '') && !/[.!?:…]$/.test(before.text))
}

const CAPITALISED = /^\p{Lu}\p{Ll}/u

/** Names the person addressed: "proud of **you**", "**your** support". */
function nameAddressed({ parse: { tokens }, addressed }: Naming, at: number): string | undefined {
  const isOwner = SECOND_PERSON.get(tokens[at]?.lower ?? '')
  return addressed === undefined || isOwner === undefined ? undefined : isOwner ? `${addressed}'s` : addressed
}

/** Checks whether words contain `you` or `your`. */
export function addresses({ lower }: Sight, { from, to }: Words): boolean {
  for (let at = from; at < to; at++) if (SECOND_PERSON.has(lower(at))) return true
  return false
}

const SECOND_PERSON: ReadonlyMap<string, boolean> = new Map([
  ['you', false],
  ['yourself', false],
  ['your', true],
  ['yours', true]
])

/**
 * Names the speaker inside a value, and makes verbs agree with names: "the book **I'm** reading", "the cakes **I bake**",
 * "what you **bake**".
 */
function namePersonInside({ parse: { tokens, tags }, source, addressed }: Naming, at: number): string | undefined {
  if (source.speaker === undefined) return undefined
  const { lower, text } = tokens[at] as Token
  if (isFirstPerson(lower)) return isNumeral({ tokens, tags }, at) ? undefined : source.speaker
  if (tags[at] !== 'VERB' && tags[at] !== 'AUX') return undefined
  const before = tags[at - 1] === 'ADV' ? at - 2 : at - 1
  const isYou = (token: number) =>
    addressed !== undefined && tokens[token]?.lower === 'you' && tags[token - 1] !== 'VERB'
  const isPerson = (token: number) => isFirstPerson(tokens[token]?.lower) || isYou(token)
  const isNext = isPerson(before) || isPerson(at - 1)
  if (!isNext || tags[before - 1] === 'AUX' || tokens[at + 1]?.text === '-') return undefined
  const spoken = lower.replace('’', "'")
  const word = CONTRACTED.get(spoken) ?? spoken
  const verb = THIRD.get(word) ?? (isBaseForm(word) ? addThirdPersonEnding(word) : word)
  return verb === spoken ? text : tokens[at - 1]?.end === tokens[at]?.start ? ` ${verb}` : verb
}

/** Recognises the numeral of a name: "Book **I** of the series". */
function isNumeral({ tokens, tags }: Pick<Parse, 'tokens' | 'tags'>, at: number): boolean {
  if (tokens[at]?.text !== 'I' || !CAPITALISED.test(tokens[at - 1]?.text ?? '') || at < 2) return false
  const next = tags[at + 1]
  return next !== 'VERB' && next !== 'AUX' && next !== 'ADV' && next !== 'NOUN'
}

function isFirstPerson(lower: string | undefined): boolean {
  return lower === 'i' || lower === 'we'
}

function findPersonName(lower: string, speaker: string | undefined, role: Role): string | undefined {
  if (speaker === undefined) return undefined
  if (role === 'subject' && isFirstPerson(lower)) return speaker
  const isOwner = FIRST_PERSON.get(lower)
  return isOwner === undefined ? undefined : isOwner ? `${speaker}'s` : speaker
}

/** Words that the speaker's name replaces anywhere, and whether they say what belongs to the speaker. */
const FIRST_PERSON: ReadonlyMap<string, boolean> = new Map([
  ['my', true],
  ['our', true],
  ['mine', true],
  ['ours', true],
  ['me', false],
  ['myself', false],
  ['us', false],
  ['ourselves', false]
])

/** Writes the sentence's first word in lower case unless it is a name; predicates get straight apostrophes. */
function formatWord({ parse, isVerbatim }: Naming, at: number, role: Role): string {
  const text = parse.tokens[at]?.text ?? ''
  if (isVerbatim || role === 'subject') return text
  const isOpening = at === 0 && parse.tags[0] !== 'PROPN' && /^\p{Lu}(?:\p{Ll}|$)/u.test(text)
  const word = isOpening ? text.charAt(0).toLowerCase() + text.slice(1) : text
  return role === 'predicate' ? word.replace('’', "'") : word
}

/**
 * Writes the predicate in full ("'ve been" becomes "have been"). Where a name replaces `I` or `we`, the verb agrees
 * with it: "I live in" becomes "lives in".
 */
export function formatPredicate(naming: Naming, draft: FactDraft): string {
  const said = writePredicate(naming, draft)
  // "We've **all** been rowing": the fact about the speaker leaves it out.
  return / (?:all|both)\b/.test(said) && namesSpeaker(naming, draft)
    ? said.replace(/^(has|is|was|had) (?:all|both)\b/, '$1')
    : said
}

function writePredicate(naming: Naming, draft: FactDraft): string {
  if (draft.said !== undefined) return draft.said
  const text = draft.predicate.map((words) => nameWords(naming, words, 'predicate')).join(' ')
  const borrowed = draft.clause?.verb.borrowed
  if (borrowed !== undefined) return `${borrowed} ${text}`
  const [words, ...others] = draft.predicate
  if (words === undefined || draft.clause === undefined) return text
  const { tokens } = naming.parse
  const isThird = namesSpeaker(naming, draft)
  const isGroup = isThird && GROUP_WORDS.has(tokens[words.from]?.lower ?? '') && words.to > words.from + 1
  const first = isGroup ? { from: words.from + 1, to: words.to } : words
  const at = skipAdverbs(naming, first.from)
  const word = tokens[at]?.lower ?? ''
  const spoken = expandContraction(word, tokens[skipAdverbs(naming, at + 1)]?.lower ?? '')
  const said = isThird ? toThirdPerson(spoken, draft) : spoken
  if (said === word && !isGroup) return text
  const before = at > first.from ? `${nameWords(naming, { from: first.from, to: at }, 'predicate')} ` : ''
  const glue = tokens[at]?.end === tokens[at + 1]?.start ? '' : ' '
  const rest = [{ from: at + 1, to: first.to }, ...others].map((part) => nameWords(naming, part, 'predicate'))
  // "Just **working**": `is just working`.
  const added = said.endsWith(` ${word}`) ? said.slice(0, -word.length) : ''
  return `${added}${before}${said.slice(added.length)}${rest[0] === '' ? '' : glue}${rest.join(' ')}`
}

/** "We **all** left": the fact about the speaker leaves it out. */
const GROUP_WORDS = new Set(['all', 'both'])

/** Returns the first token that is not an adverb. */
function skipAdverbs({ parse }: Naming, from: number): number {
  let at = from
  while (parse.tags[at] === 'ADV' && at < parse.tokens.length - 1) at++
  return at
}

function namesSpeaker({ source, parse }: Naming, { subject }: FactDraft): boolean {
  if (source.speaker === undefined) return false
  if (subject.to === subject.from) return true
  const lower = parse.tokens[subject.from]?.lower
  return subject.to === subject.from + 1 && isFirstPerson(lower)
}

function expandContraction(word: string, next: string): string {
  if (word === "'s") return PERFECT.has(next) ? 'has' : 'is'
  return CONTRACTED.get(word) ?? word
}

/** After these, `'s` is read as `has`, because they are rarely passive. */
const PERFECT = new Set(
  `been got gotten had become come gone grown taken brought shown taught helped learned met moved lived worked started felt`.split(
    ' '
  )
)

const CONTRACTED = new Map([
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'ll", 'will'],
  ["'d", 'would']
])

function toThirdPerson(word: string, { clause, subject }: FactDraft): string {
  const known = THIRD.get(word)
  if (known !== undefined) return known
  const verb = clause?.verb
  if (verb === undefined || verb.modal !== undefined) return word
  if (subject.to === subject.from && verb.form === 'ing' && !verb.hasAuxiliary) return `is ${word}`
  if (subject.to === subject.from && verb.form === 'participle') return `has ${word}`
  if (!verb.hasAuxiliary && OWN_PAST.has(word)) return addThirdPersonEnding(word)
  return verb.hasAuxiliary || verb.form !== 'finite' || !isBaseForm(word) ? word : addThirdPersonEnding(word)
}

/** Their past tense differs, so "I **come** here" is present. */
const OWN_PAST = new Set(['come', 'become', 'overcome', 'run'])

function isBaseForm(word: string): boolean {
  return classifyVerbForm(word) === 'base' && !mayBeParticiple(word) && !MODAL_VERBS.has(word)
}

/** Returns the third person of a base form: `carries` for `carry`. */
export function addThirdPersonEnding(word: string): string {
  if (/(?:s|sh|ch|x|z|o)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

const THIRD = new Map([
  ['am', 'is'],
  ['are', 'is'],
  ['were', 'was'],
  ['have', 'has'],
  ['do', 'does'],
  ['gotta', 'has to'],
  ['gonna', 'is going to'],
  ['wanna', 'wants to']
])

/**
 * Returns the name by which a speaker calls the person addressed: "Thanks, **Ann**!", "That is kind of you, **Ann**".
 * Returns undefined if the text has no speaker, or calls no person by name or several.
 */
export function findAddressed(sentences: readonly Sentence[], speaker: string | undefined): string | undefined {
  if (speaker === undefined) return undefined
  const called = new Set<string>()
  for (const { tokens } of sentences) {
    const name = findCalled(tokens)
    if (name !== undefined && name !== speaker) called.add(name)
  }
  return called.size === 1 ? [...called][0] : undefined
}

function findCalled(tokens: readonly Token[]): string | undefined {
  const isName = (at: number) => tokens[at]?.tag === 'PROPN' && NAME.test(tokens[at]?.text ?? '')
  const isMark = (at: number) => MARK.test(tokens[at]?.text ?? '.')
  const hasYou = () => tokens.some(({ lower }) => YOU.has(lower))
  // "**Ann**, your tea is ready"
  if (isName(0) && tokens[1]?.text === ',' && hasYou()) return tokens[0]?.text
  // "Hey **Ann**!", "Thanks so much, **Ann**."
  let at = 0
  while (at < OPENING_TOKENS_MAX && OPENINGS.has(tokens[at]?.lower ?? '')) at++
  if (at > 0 && isName(at) && isMark(at + 1)) return tokens[at]?.text
  // "That is kind of you, **Ann**!", but not "I live in Oslo, Norway."
  let end = tokens.length
  while (end > 0 && isMark(end - 1)) end--
  const before = tokens[end - 3]?.tag
  const isLast = end > 3 && isName(end - 1) && tokens[end - 2]?.text === ',' && before !== 'PROPN'
  return isLast && (before !== 'NOUN' || hasYou()) ? tokens[end - 1]?.text : undefined
}

const NAME = /^\p{Lu}\p{Ll}+$/u
const MARK = /^[^\p{L}\p{N}]+$/u
const YOU: ReadonlySet<string> = new Set([...SECOND_PERSON.keys(), 'u', 'ur'])

/** Maximum number of tokens before a name at the start. */
const OPENING_TOKENS_MAX = 6
const OPENINGS = new Set(
  'hey hi hello dear thanks thank thx you so much a lot wow yeah yep yes yup no nope sure ok okay oh ah absolutely definitely totally exactly congrats congratulations great good awesome cool nice amazing worries problem morning evening night welcome bye well of course , !'.split(
    ' '
  )
)
