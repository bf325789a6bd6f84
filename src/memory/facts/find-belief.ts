import { type Chunk, createWordlessDraft, type FactDraft, type Sight, type Words } from '../clauses/clause.ts'
import { EVALUATIONS, NOMINATIVES } from '../clauses/word-classes.ts'
import { classifyVerbForm, mayBePast } from '../language/verb-forms.ts'

/**
 * Finds what a speaker holds in general, if a sentence states it. "Sharing a meal brings a family together" becomes:
 * believes, "sharing a meal brings a family together". A judgement becomes: finds, "it important to rest before an exam",
 * and one of an activity in the past: found, "learning the steps a challenge". The statement must begin with an
 * activity or a noun without an article, and have some substance; pleasantries ("that's great") have none.
 */
export function findBelief(sight: Sight): FactDraft | undefined {
  const { chunks } = sight.parse
  const start = findStatementStart(sight)
  const opener = chunks[start]
  if (opener === undefined || !mayOpen(sight, opener, chunks[start + 1])) return undefined
  const end = findStatementEnd(sight, start)
  if (end - start < 3 || hasPointer(sight, { from: start, to: end })) return undefined
  if (sight.lower(opener.from) === 'it') return readJudgement(sight, start, end)
  const at = findMainVerb(sight, start, end)
  if (at === undefined || at + 1 >= end) return undefined
  const isActivity = isActivityChunk(sight, opener)
  const verb = chunks[at] as Chunk
  const subject = { from: opener.from, to: verb.from }
  const value = { from: opener.from, to: findLastToken(sight, end) }
  if (isActivity && isPastEffect(sight, at)) return createDraft({ said: 'found that', value: [value] })
  if (PAST_COPULAS.has(sight.lower(verb.from)))
    return isActivity ? readExperience(sight, { subject, value, verb }, 'found') : undefined
  if (isActivity && isJudged(sight, at, end)) return readExperience(sight, { subject, value, verb }, 'finds')
  if (
    !isGeneralVerb(verb) ||
    !tellsValue(sight, at) ||
    countTelling(sight, value) < (isActivity ? JUDGEMENT_WORDS_MIN : BELIEF_WORDS_MIN)
  )
    return undefined
  return createDraft({ said: 'believes', value: [value] })
}

/** "**Sharing** a meal"; the tagger takes some activities at the start of a sentence for names: "**Moving** to Rome". */
function isActivityChunk({ lower }: Sight, { kind, verb, from, to }: Chunk): boolean {
  if (kind === 'noun') return from === 0 && to === 1 && /^[a-z]{2,}ing$/.test(lower(0))
  return verb?.form === 'ing' && (!verb.hasAuxiliary || lower(from) === 'being' || lower(from) === 'having')
}

/** Checks quickly whether a statement of a kind that is read here can begin with a phrase. */
function mayOpen(sight: Sight, opener: Chunk, next: Chunk | undefined): boolean {
  if (sight.lower(opener.from) === 'it') return JUDGING.has(next?.verb?.base ?? '')
  return isActivityChunk(sight, opener) || isGeneralNoun(sight, opener)
}

/** Minimum numbers of content words. */
const BELIEF_WORDS_MIN = 4
const JUDGEMENT_WORDS_MIN = 3
const JUDGED_TOKENS_MIN = 4

type Told = { said: string; value: Words[] }

function createDraft({ said, value }: Told): FactDraft {
  const [first] = value as [Words]
  const at = first.from
  const draft = createWordlessDraft({ rule: 'belief.holds', said, subject: { from: at, to: at }, value: first })
  return { ...draft, value }
}

/** Skips "Yeah,", "But", "Plus," and "I think that", also behind another statement: "It is hard, but **I feel** …". */
function findStatementStart({ parse: { chunks }, lower }: Sight): number {
  const thought = chunks.findIndex(({ verb }, at) => {
    return verb !== undefined && THINKING.has(verb.opens) && lower(chunks[at - 1]?.from ?? -1) === 'i'
  })
  if (thought >= 0) return lower(chunks[thought + 1]?.from ?? -1) === 'that' ? thought + 2 : thought + 1
  let at = 0
  while (OPENERS.has(chunks[at]?.kind ?? '') && chunks[at]?.verb === undefined) at++
  return at
}

const OPENERS: ReadonlySet<string> = new Set(['other', 'comma', 'and', 'adverb'])
const THINKING = new Set(['think', 'believe', 'feel', 'agree'])

/** Returns the chunk of the mark or of the next statement (", and **you** are right") that ends the first one. */
function findStatementEnd({ parse: { chunks }, lower }: Sight, start: number): number {
  for (let at = start; at < chunks.length; at++) {
    const kind = chunks[at]?.kind
    if (endsStatement({ chunks, lower }, at)) return at
    const next = kind === 'comma' && chunks[at + 1]?.kind === 'and' ? at + 2 : at + 1
    if (kind !== 'comma' && kind !== 'and') continue
    const word = lower(chunks[next]?.from ?? -1)
    const isSubject = chunks[next]?.kind === 'noun' && chunks[next + 1]?.verb !== undefined
    const isNew = NOMINATIVES.has(word) || word === 'it' || word === 'you' || word === 'that' || word === 'my'
    if ((isSubject && (isNew || kind === 'comma')) || (kind === 'and' && chunks[at]?.isContrast)) return at
  }
  return chunks.length
}

/** Recognises a mark, and a condition for the person addressed: "Rest is key **when you** are ill". */
function endsStatement({ chunks, lower }: Pick<Sight['parse'], 'chunks'> & Pick<Sight, 'lower'>, at: number): boolean {
  if (ENDING.has(chunks[at]?.kind ?? '')) return true
  return chunks[at]?.kind === 'marker' && lower(chunks[at + 1]?.from ?? -1) === 'you'
}

const ENDING: ReadonlySet<string> = new Set(['stop', 'opening', 'quote'])

/** Returns the first token after a statement without a closing `too`. */
function findLastToken({ parse: { chunks }, lower }: Sight, end: number): number {
  let to = chunks[end - 1]?.to ?? 0
  while (to > 1 && /^(?:,|too|as well|though|again|especially)$/.test(lower(to - 1))) to--
  return to
}

/** "**It's important** to rest before an exam." */
function readJudgement(sight: Sight, start: number, end: number): FactDraft | undefined {
  const { chunks } = sight.parse
  const [it, verb, judged] = chunks.slice(start, start + 3)
  const opens = chunks[start + 3]
  if (
    it === undefined ||
    !JUDGING.has(verb?.verb?.base ?? '') ||
    verb?.verb === undefined ||
    judged === undefined ||
    opens === undefined
  )
    return undefined
  if (verb.verb.modal !== undefined || verb.verb.isNegated || !judges(sight, judged)) return undefined
  const isSaid = OPENING_FORMS.has(opens.verb?.form ?? '') || OPENING_WORDS.has(sight.lower(opens.from))
  if (!isSaid) return undefined
  const value = { from: judged.from, to: findLastToken(sight, end) }
  if (countTelling(sight, value) < JUDGEMENT_WORDS_MIN || SENSES.has(opens.verb?.base ?? '')) return undefined
  const said = PAST_COPULAS.has(sight.lower(verb.from)) ? 'found' : 'finds'
  return createDraft({ said, value: [it, value] })
}

/** "It's **important** to rest", "It has been **a dream** to sail". */
function judges({ lower }: Sight, { kind, from, to }: Chunk): boolean {
  // "It's **empowering** to decide": the tagger takes some participles for nouns.
  if (kind === 'noun' && to === from + 1 && lower(from).endsWith('ing')) return EVALUATIONS.has(lower(from))
  if (kind === 'noun') return (lower(from) === 'a' || lower(from) === 'an') && JUDGEMENTS.has(lower(to - 1))
  return kind === 'adjective' && EVALUATIONS.has(lower(to - 1))
}

const JUDGEMENTS = new Set(
  'dream joy pleasure honor honour privilege challenge adventure adjustment struggle relief'.split(' ')
)
const JUDGING = new Set(['be', 'feel'])
const OPENING_FORMS: ReadonlySet<string> = new Set(['infinitive', 'ing'])
const OPENING_WORDS = new Set(['how', 'that', 'for'])

/** "It's great **to hear** that" is a reply. */
const SENSES = new Set(['hear', 'know', 'meet'])
const PAST_COPULAS = new Set(['was', 'were', 'felt'])

/** "Being on the lake **is so peaceful**." */
function isJudged({ parse: { chunks }, lower }: Sight, at: number, end: number): boolean {
  const [verb, said] = [chunks[at]?.verb, chunks[at + 1]]
  const isPlain = verb?.base === 'be' && verb.modal === undefined && !verb.isNegated && !verb.isPerfect
  // "Rowing at dawn is **one of my favorites**."
  if (isPlain && said?.kind === 'noun' && FAVORITES.has(lower((chunks[end - 1]?.to ?? 0) - 1))) return true
  return isPlain && said?.kind === 'adjective' && EVALUATIONS.has(lower(said.to - 1))
}

const FAVORITES = new Set(['favorite', 'favourite', 'favorites', 'favourites'])

type Past = { subject: Words; value: Words; verb: Chunk }

/** "**Learning the steps** was a challenge." */
function readExperience(sight: Sight, { subject, value, verb }: Past, said: string): FactDraft | undefined {
  const from = verb.from + 1
  // "**Being out on the lake** is peaceful" has few content words.
  const isTold = subject.to - subject.from >= JUDGED_TOKENS_MIN || countTelling(sight, value) >= JUDGEMENT_WORDS_MIN
  if (!isTold || countTelling(sight, value) < 2 || from >= value.to) return undefined
  return createDraft({ said, value: [subject, { from, to: value.to }] })
}

/** Returns the first finite verb that belongs to no relative clause; undefined if two phrases precede it unlinked. */
function findMainVerb({ parse: { chunks } }: Sight, start: number, end: number): number | undefined {
  let isRelative = false
  for (let at = start + 1; at < end; at++) {
    const { kind, verb } = chunks[at] as Chunk
    const before = chunks[at - 1]?.kind
    // "Learning **how** to sail is hard."
    if (kind === 'comma' || (kind === 'marker' && chunks[at + 1]?.verb?.form !== 'infinitive')) return undefined
    if (kind === 'noun' && before === 'noun') return undefined
    if (kind === 'relative') isRelative = true
    if (verb?.form !== 'finite' && verb?.form !== 'bare') continue
    const isBare = before === 'verb' && verb.opens === verb.base && !isRelative
    if (!isBare && before !== 'and' && !isRelative) return at
    isRelative = false
  }
  return undefined
}

/** "Taking lessons really **changed** my game." */
function isPastEffect(sight: Sight, at: number): boolean {
  const verb = sight.parse.chunks[at]?.verb
  if (verb === undefined || !EFFECTS.has(verb.base) || verb.isNegated) return false
  // "Eating less salt **has made** a difference."
  if (verb.isPerfect) return verb.modal === undefined
  return !verb.hasAuxiliary && mayBePast(verb.opens)
}

/** Recognises a verb of general statements: present tense or `can`. */
function isGeneralVerb({ verb }: Chunk): boolean {
  if (verb === undefined || (verb.isPerfect && verb.base !== 'have')) return false
  if (verb.modal !== undefined) return GENERAL_MODALS.has(verb.modal)
  const form = classifyVerbForm(verb.opens)
  return verb.hasAuxiliary ? PRESENT.has(verb.opens) : form === 'present' || form === 'base'
}

const GENERAL_MODALS = new Set(['can', 'ca', 'may', 'might'])
const PRESENT = new Set(['is', "'s", 'are', "'re", 'do', 'does', 'has', 'have'])

/**
 * Recognises what a statement about a person's values says: that something matters ("is crucial"), compares ("is better
 * than"), or has an effect ("takes time", "brings people together"). Praise and descriptions tell nothing about them.
 */
function tellsValue({ parse: { chunks }, lower }: Sight, at: number): boolean {
  const base = chunks[at]?.verb?.base ?? ''
  const said = chunks[at + 1]
  // "can be **challenging**" is read as one verb.
  if (MATTERS.has(lower(chunks[at]?.head ?? -1)) || base === 'pay') return true
  const isWay = lower(said?.head ?? -1) === 'way' && lower(said?.to ?? -1) === 'of'
  if (base === 'have') return isWay || IMPACTS.has(lower(said?.head ?? -1))
  if (base !== 'be') return EFFECTS.has(base)
  if (said?.kind === 'noun') return lower(said.to - 1) === 'way' && lower(said.from) === 'a'
  if (said?.kind !== 'adjective') return false
  for (let word = said.from; word < said.to; word++) if (MATTERS.has(lower(word))) return true
  return false
}

const EFFECTS = new Set(
  'bring make help take build create give teach strengthen keep lead pay go require need push boost change matter bond unite heal lift reduce improve let allow brighten inspire motivate calm refresh relieve fuel ease spark'.split(
    ' '
  )
)
const IMPACTS = new Set(['impact', 'effect', 'influence', 'power', 'benefits'])
const MATTERS = new Set(
  'important crucial key essential vital necessary worth better worse harder easier hard difficult tough challenging rewarding underrated overrated'.split(
    ' '
  )
)

/** Recognises a noun phrase about no particular thing: "little acts", "progress". */
function isGeneralNoun({ parse: { tags }, lower }: Sight, { kind, from, to, isPronoun }: Chunk): boolean {
  if (kind !== 'noun' || isPronoun) return false
  // "**A little** patience goes a long way."
  const first = lower(from) === 'a' && lower(from + 1) === 'little' ? from + 2 : from
  for (let at = first; at < to; at++) {
    const tag = tags[at]
    if (tag === 'PRON' || tag === 'NUM' || tag === 'PART' || tag === 'DET' || lower(at) === 'my') return false
    if (tag === 'PROPN' && at > 0) return false
  }
  return tags[to - 1] === 'NOUN' || tags[to - 1] === 'PROPN'
}

/** Recognises a statement that points at something or addresses a person. */
function hasPointer({ parse: { chunks, tags }, lower }: Sight, { from, to }: Words): boolean {
  const start = chunks[from]?.from ?? 0
  const end = chunks[to - 1]?.to ?? start
  let hasSeveral = false
  for (let at = start; at < end; at++) {
    const word = lower(at)
    const isDemonstrative = word === 'that' && tags[at] === 'DET'
    const isOpen = (word === 'they' || word === 'them') && !hasSeveral
    if (POINTERS.has(word) || isDemonstrative || isOpen) return true
    // "**Such tools** are useful", "making **it** was hard"
    if (at < start + SUCH_TOKENS && word === 'such') return true
    const isIdiom = IDIOMS_OF_IT.has(lower(at + 1))
    if (word === 'it' && !isIdiom && at > start && at < start + IT_TOKENS) return true
    // "**kids** learn what **they** love"
    hasSeveral ||= tags[at] === 'NOUN' && /[^s]s$|^(?:people|children)$/.test(word)
  }
  return false
}

/** Further on, `it` refers to something in the statement itself. */
const IT_TOKENS = 5
const SUCH_TOKENS = 2

/** "Taking it **slow** is better than rushing." */
const IDIOMS_OF_IT = new Set(['slow', 'slowly', 'easy', 'seriously'])

const POINTERS = new Set('this these he she him his her you your u ur i mine there here indeed must'.split(' '))

function countTelling({ parse: { tags }, lower }: Sight, { from, to }: Words): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const tag = tags[at]
    const isContent = tag === 'NOUN' || tag === 'VERB' || tag === 'ADJ' || tag === 'PROPN'
    if (isContent && !LIGHT.has(lower(at))) count++
  }
  return count
}

const LIGHT = new Set(
  'be being have having do doing get getting make makes making go going lot way ways thing things'.split(' ')
)
