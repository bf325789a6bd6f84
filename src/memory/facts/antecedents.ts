import type { FactRecord } from '../../contract/snapshot.ts'
import type { Chunk, Parse } from '../clauses/clause.ts'
import { TIME_NOUNS } from '../clauses/word-classes.ts'

/** A noun phrase that a later pronoun may refer to. */
type Mention = {
  /** Writes the phrase; few phrases are referred to. */
  write: () => string
  is: 'he' | 'she' | 'person' | 'thing' | 'place' | 'many' | 'part'
  sentence: number
  token: number
}

/** The most recent mentions of a text, and the activity of which it spoke last. */
export type Antecedents = { mentions: Mention[]; activity?: { text: string; sentence: number } }

/** How many mentions and how many sentences back a pronoun may refer. */
const MENTIONS_MAX = 12
const SENTENCES_BACK = 2

/** Creates an empty list of mentions. */
export function createAntecedents(): Antecedents {
  return { mentions: [] }
}

/** Adds the mentions of a sentence. `name` returns the words of a phrase as facts write them. */
export function takeMentions(
  known: Antecedents,
  parse: Parse,
  at: { sentence: number; name: (chunk: Chunk) => string }
): void {
  for (const [i, chunk] of parse.chunks.entries()) {
    const is = classifyMention(parse, i)
    if (is === undefined) continue
    const write = () => withoutGenitive(at.name(chunk))
    known.mentions.push({ write, is, sentence: at.sentence, token: chunk.from })
    if (known.mentions.length > MENTIONS_MAX) known.mentions.shift()
  }
}

function withoutGenitive(name: string): string {
  return name.endsWith('s') ? name.replace(/ ?['’]s$/, '') : name
}

/** Takes the activity that a fact is about: `loves | kayaking at dawn`, `Cooking | is like | therapy`. */
export function takeActivity(known: Antecedents, { subject, predicate, value }: FactRecord, sentence: number): void {
  const done = DOING.test(predicate) ? ACTIVITY.exec(value)?.[0] : undefined
  const text = done ?? (/^\p{L}{2,}ing$/u.test(subject) ? subject.toLowerCase() : undefined)
  if (text !== undefined) known.activity = { text, sentence }
}

const DOING =
  /\b(?:loves?|likes?|enjoy(?:s|ed|ing)?|start(?:s|ed)?|tr(?:y|ies|ied|ying)|took up|takes up|do|does|did|doing)$/
const ACTIVITY =
  /^\p{L}{2,}ing(?: (?!and|because|when|while|so|since|but|it|for|today|yesterday|last)[\p{L}'’-]+){0,4}(?=$|,| )/u

/**
 * Replaces the `it` of a judgement by the activity of the sentence before or of its own: "I love kayaking. **It**'s so
 * calming". The `it` of "it is fun to rest" refers to nothing and stays.
 */
export function nameActivity({ activity }: Antecedents, value: string, sentence: number): string {
  if (activity === undefined || sentence - activity.sentence > 1 || !JUDGED_IT.test(value)) return value
  return activity.text + value.slice(2)
}

const JUDGED_IT = /^it (?:(?:\S+ ){1,5}way (?:for \S+ )?to |(?!.*\b(?:to|that|how|when|if|for)\b))/

/** Checks whether a mention in an earlier sentence ends in a noun. */
export function hasMention({ mentions }: Antecedents, noun: string, sentence: number): boolean {
  return mentions.some((mention) => mention.sentence < sentence && mention.write().toLowerCase().endsWith(noun))
}

/**
 * Returns what a pronoun refers to, if exactly one mention in the preceding sentences, or earlier in its own, fits it.
 * Returns undefined if none or several fit. In talk, `it` mostly refers to what a whole sentence states, so only things
 * of its own sentence fit.
 */
export function resolvePronoun(
  known: Antecedents,
  lower: string,
  at: { sentence: number; token: number; isTalk: boolean }
): string | undefined {
  const fits = FITS.get(lower)
  if (fits === undefined) return undefined
  const back = lower === 'one' || (at.isTalk && (lower === 'it' || lower === 'they')) ? 0 : SENTENCES_BACK
  const found = new Set<string>()
  const mayBePlace = lower !== 'it' || !at.isTalk
  for (const mention of known.mentions) {
    const isBefore = mention.sentence < at.sentence ? at.sentence - mention.sentence <= back : mention.token < at.token
    if (!isBefore || !fits.has(mention.is) || !(mayBePlace || mention.is !== 'place')) continue
    const text = mention.write()
    if (lower !== 'one' || /^an? /.test(text)) found.add(text)
  }
  return found.size === 1 ? [...found][0] : undefined
}

const FITS = new Map<string, ReadonlySet<Mention['is']>>([
  ['he', new Set(['he', 'person'] as const)],
  ['she', new Set(['she', 'person'] as const)],
  ['they', new Set(['many'] as const)],
  ['it', new Set(['thing', 'place'] as const)],
  ['there', new Set(['place'] as const)],
  // "I have no dog, but I want **one**"
  ['one', new Set(['thing'] as const)]
])

function classifyMention({ chunks, tokens, tags }: Parse, at: number): Mention['is'] | undefined {
  const chunk = chunks[at] as Chunk
  if (chunk.kind !== 'noun' || chunk.isPronoun || tags[chunk.head] === 'PRON') return undefined
  const head = tokens[chunk.head]?.lower ?? ''
  if (TIME_NOUNS.has(head) || VAGUE.has(head) || !isPart(chunks, at) || tellsWhat({ chunks, tokens, tags }, at))
    return undefined
  if (MALE_KIN.has(head)) return 'he'
  if (FEMALE_KIN.has(head)) return 'she'
  if (PERSON.test(head) && OWNERS.has(tokens[chunk.from]?.lower ?? '')) return 'person'
  // "a cake **and a pie**" is part of a list, "a cake **and sold** it" is not.
  const isListed = chunks[at + 1]?.kind === 'and' && chunks[at + 2]?.kind !== 'verb'
  if (isListed || chunks[at - 1]?.kind === 'and') return 'part'
  if (tags[chunk.head] === 'PROPN') return classifyName({ chunks, tokens }, at)
  if (tags[chunk.head] !== 'NOUN' || !isBroughtIn(chunks, at, tokens[chunk.from]?.lower ?? '')) return undefined
  return /[^s]s$/.test(head) || head === 'people' || head === 'children' ? 'many' : 'thing'
}

/** Takes a title in quotation marks for a thing, and a name after `in` or `to` for a place. */
function classifyName({ chunks, tokens }: Pick<Parse, 'chunks' | 'tokens'>, at: number): Mention['is'] {
  const before = chunks[at - 1]
  if (before?.kind === 'quote') return 'thing'
  return before?.kind === 'preposition' && PLACES.has(tokens[before.from]?.lower ?? '') ? 'place' : 'person'
}

/** Recognises a phrase that says what something else is, which introduces no other thing. */
function tellsWhat(parse: Omit<Parse, 'clauses'>, at: number): boolean {
  return isRole(parse, at) || isDescription(parse, at)
}

/** Recognises a role, as in "as **a boy** he swam", which introduces no other person. */
function isRole({ chunks, tokens }: Pick<Parse, 'chunks' | 'tokens'>, at: number): boolean {
  const from = chunks[at]?.from ?? 0
  const first = tokens[from]?.lower
  return (first === 'a' || first === 'an') && tokens[from - 1]?.lower === 'as'
}

/** Recognises what something is, as in "choosing tea was **the right call**, since it …", but not "here is **my boat**". */
function isDescription({ chunks, tokens, tags }: Omit<Parse, 'clauses'>, at: number): boolean {
  const be = chunks[at - 1]?.kind === 'adverb' ? chunks[at - 2] : chunks[at - 1]
  if (be?.verb?.base !== 'be' || tags[chunks[at]?.head ?? -1] === 'PROPN') return false
  const isShown = INTRODUCING.has(tokens[be.from - 1]?.lower ?? '') || INTRODUCING.has(tokens[be.from]?.lower ?? '')
  return !isShown
}

/** Introduce a thing before a form of `be`. */
const INTRODUCING = new Set(['there', 'here', 'it', 'this', 'that', 'these', 'those'])

/**
 * Checks that a thing is introduced by itself. One that only places or times another ("after the divorce … it") is
 * seldom referred to next.
 */
function isBroughtIn(chunks: readonly Chunk[], at: number, first: string): boolean {
  return DEFINITE.has(first) && chunks[at - 1]?.kind !== 'preposition'
}

/** Words that introduce a thing to which a pronoun can refer: "a boat", "my garden". */
const DEFINITE = new Set([
  'a',
  'an',
  'the',
  'my',
  'our',
  'this',
  'these',
  'his',
  'her',
  'their',
  'two',
  'three',
  'some',
  'many'
])

/** Nouns to which no pronoun refers. */
const VAGUE = new Set(
  'lot way bit kind sort thing things joy chance love fun rest case fact point look break try turn seat'.split(' ')
)

const PLACES = new Set(['in', 'at', 'to', 'from', 'near', 'through'])

/** Recognises a vocative ("Hey **Ann**!"), which is not what the sentence is about. */
function isPart(chunks: readonly Chunk[], at: number): boolean {
  const isStart = at === 0 || chunks[at - 1]?.kind === 'other' || chunks[at - 1]?.kind === 'comma'
  const after = chunks[at + 1]?.kind
  const isEnd = after === undefined || after === 'stop' || after === 'comma'
  return !(isStart && isEnd)
}

/** A person of either gender: "my **stylist**", "our **neighbour**". */
const PERSON =
  /(?:ist|ician|doctor|nurse|teacher|coach|boss|friend|neighbou?r|roommate|worker|colleague|mentor|manager|trainer|partner|mate|professor|tutor|student|cousin)$/
const OWNERS = new Set(['my', 'our', 'his', 'her', 'their'])

/** Words for persons of known gender. */
const MALE_KIN: ReadonlySet<string> = new Set(
  'father dad daddy son brother husband boyfriend uncle grandfather grandpa nephew man boy guy grandson king prince'.split(
    ' '
  )
)
const FEMALE_KIN: ReadonlySet<string> = new Set(
  'mother mom mum mommy daughter sister wife girlfriend aunt grandmother grandma niece woman girl lady granddaughter queen princess'.split(
    ' '
  )
)
