import {
  type Chunk,
  type Clause,
  createWordlessDraft,
  type FactDraft,
  type Sight,
  type Words
} from '../clauses/clause.ts'
import { EVALUATIONS, NOMINATIVES, OWN_FEELINGS, STATES_OF_MIND, TIME_NOUNS } from '../clauses/word-classes.ts'
import { NOUN_TAGS } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import { MATERIAL } from './is-hollow.ts'

/**
 * Finds facts about the speaker beside the clauses: "So glad to be back", "Here's my garden", "As a baker, I rise early".
 */
export function findTalkFacts(sight: Sight): FactDraft[] {
  return [readStateOfMind(sight), readShownThing(sight), readOwnRole(sight)].filter((draft) => draft !== undefined)
}

type OfSpeaker = { rule: string; said: string; at: number; value: Words }

function createSpeakerDraft({ rule, said, at, value }: OfSpeaker): FactDraft {
  return createWordlessDraft({ rule, said, subject: { from: at, to: at }, value })
}

/** "**So proud of** the team": the speaker is proud. */
function readStateOfMind({ parse, lower }: Sight): FactDraft | undefined {
  const { tags } = parse
  let at = skipCalls(parse.chunks, 0)
  const chunk = parse.chunks[at]
  if (chunk?.kind !== 'adjective' && chunk?.kind !== 'adverb') return undefined
  const start = chunk.from
  let word = start
  while (tags[word] === 'ADV' && word < chunk.to) word++
  if (!STATES_OF_MIND.has(lower(word))) return undefined
  at++
  if (parse.chunks[at]?.kind !== 'preposition' && parse.chunks[at]?.verb?.form !== 'infinitive') return undefined
  const value = { from: start, to: findSectionEnd(parse.chunks, at) }
  return createSpeakerDraft({ rule: 'speaker.feels', said: 'is', at: start, value })
}

/** "**Here's** a picture of my garden": the speaker shows it. */
function readShownThing({ parse, lower }: Sight): FactDraft | undefined {
  if (lower(0) !== 'here' || (lower(1) !== "'s" && lower(1) !== 'is' && lower(1) !== 'are')) return undefined
  const at = parse.chunks.findIndex(({ from }) => from === 2)
  if (parse.chunks[at]?.kind !== 'noun') return undefined
  const value = { from: 2, to: findSectionEnd(parse.chunks, at) }
  return createSpeakerDraft({ rule: 'speaker.shows', said: 'shows', at: 0, value })
}

/** "**As a baker**, I rise early": the speaker is a baker. */
function readOwnRole({ parse: { chunks, tags }, lower }: Sight): FactDraft | undefined {
  const at = chunks.findIndex(({ kind }) => kind !== 'other' && kind !== 'comma' && kind !== 'and')
  const [as, role] = [chunks[at], chunks[at + 1]]
  if (as === undefined || lower(as.from) !== 'as' || role?.kind !== 'noun') return undefined
  const isOne = lower(role.from) === 'a' || lower(role.from) === 'an'
  const comma = chunks.findIndex(({ kind }, next) => next > at && kind === 'comma')
  const isOwn = lower(chunks[comma + 1]?.from ?? -1) === 'i'
  const isPlain = chunks.slice(at + 2, comma).every(({ kind }) => kind === 'noun' || kind === 'preposition')
  if (!isOne || comma < 0 || !isOwn || !isPlain || !ROLES.test(lower(role.head)) || tags[role.head] === 'ADJ')
    return undefined
  const value = { from: role.from, to: (chunks[comma - 1] as Chunk).to }
  return createSpeakerDraft({ rule: 'speaker.role', said: 'is', at: as.from, value })
}

/** Words for persons. "As a reminder" names none, and "as a beginner" what will pass. */
const ROLES =
  /^(?!remind|start|begin|teen|disclaim|prim|bumm|pow|answ|matt|numb|lett|off|fav|fact|err)\p{L}{2,}(?:er|or|ist|ian|eer|man|woman)$|^(?:fan|mum|mom|dad|parent|nurse|cook|chef|vegan|coach|student|native|artist)$/u

function skipCalls(chunks: readonly Chunk[], from: number): number {
  let at = from
  while (chunks[at]?.kind === 'other' || chunks[at]?.kind === 'comma' || chunks[at]?.kind === 'stop') at++
  return at
}

/** Returns the next mark or clause. */
function findSectionEnd(chunks: readonly Chunk[], from: number): number {
  let at = from
  while (at + 1 < chunks.length && !ENDS.has(chunks[at + 1]?.kind ?? 'stop')) at++
  return (chunks[at] as Chunk).to
}

const ENDS: ReadonlySet<string> = new Set(['stop', 'comma', 'marker', 'relative', 'opening', 'quote'])

/**
 * Marks clauses that omit the speaker: "**Went** to Rome last week and **saw** the Forum", "**Been** there", "**Can't**
 * wait". A base form is an order or advice and stays unmarked, unless it expresses a feeling.
 */
export function implySpeaker({ parse, lower }: Sight): void {
  const { clauses, chunks } = parse
  const [first] = clauses
  if (first !== undefined) detachOpening({ parse, lower }, first)
  if (first === undefined || first.subject !== undefined || !opensSentence()) return
  if (!tellsOfSpeaker(first, lower) || isSubjectItself() || isNounPhrase({ parse, lower }, first)) return
  first.isSpeaker = true
  if (first.kind === 'adjunct' || first.kind === 'gerund') first.kind = 'main'
  for (const clause of clauses.slice(1)) {
    // "Joined a choir and, like **I** said, **working** on maps"
    const isOwn = clause.subject === undefined || lower(chunks[clause.subject.from]?.from ?? -1) === 'i'
    if (isOwn && (clause.kind === 'coordinate' || clause.kind === 'adjunct')) {
      clause.isSpeaker = true
      clause.subject = undefined
    }
  }

  /** Recognises a gerund that a later verb or a dash comments on: "**Making bread** is fun", "**Getting up** - well done". */
  function isSubjectItself(): boolean {
    if (first?.verb.form !== 'ing' || first.verb.hasAuxiliary) return false
    // "Painting, cooking and seeing **your** friends - what a day"
    if (parse.tokens.some((token) => ADDRESSED.has(token.lower))) return true
    const isCommented = chunks
      .slice(first.at + 1)
      .some(({ kind, from }) => kind === 'stop' && /^[-–—]$/.test(parse.tokens[from]?.text ?? ''))
    if (isCommented || first.kind === 'gerund') return true
    return isCommentedOn({ parse, lower }, first.at)
  }

  function opensSentence(): boolean {
    const before = chunks.slice(0, first?.at)
    const comma = before.findLastIndex(({ kind }) => kind === 'comma')
    return before.every(
      ({ kind }, at) =>
        kind === 'adverb' ||
        kind === 'other' ||
        kind === 'comma' ||
        kind === 'and' ||
        // "**As for me**, just working", "**In May**, went to Rome"
        (at < comma && (kind === 'preposition' || (kind === 'noun' && before[at - 1]?.kind === 'preposition')))
    )
  }
}

/** Recognises a participle in a noun phrase: "The best **known** shops", "**Smashed** potatoes". */
function isNounPhrase({ parse: { tags, tokens }, lower }: Sight, { verb }: Clause): boolean {
  if (tags[0] === 'DET') return true
  if (verb.hasAuxiliary || verb.form === 'ing' || tags[verb.main + 1] !== 'NOUN') return false
  let end = verb.main + 1
  while (tags[end] === 'NOUN') end++
  return verb.main === 0 && (end >= tokens.length || /^[(:]$/.test(lower(end)))
}

/** Removes the noun of an opening as the subject of a participle: "As for **me**, just working on the boat". */
function detachOpening({ parse: { chunks, clauses } }: Sight, first: Clause): void {
  const { subject, kind, start } = first
  if (kind !== 'participle' || subject === undefined || chunks[start]?.kind !== 'comma') return
  if (chunks[subject.from - 1]?.kind !== 'preposition' || subject.to !== start) return
  for (const clause of clauses)
    if (clause.subject === subject && clause.kind === 'participle')
      Object.assign(clause, { kind: 'adjunct', subject: undefined, antecedent: undefined })
}

/**
 * Recognises a verb of which the activity at a chunk is the subject. "…, **although I know** it" and "hoping to bake and
 * **start** to cook" have none.
 */
function isCommentedOn({ parse: { chunks }, lower }: Sight, activity: number): boolean {
  let hasInfinitive = false
  for (let at = activity + 1; at < chunks.length; at++) {
    const { kind, verb } = chunks[at] as Chunk
    const before = chunks[at - 1]?.kind
    if (kind === 'marker' && before === 'comma') return false
    const isNext = before === 'comma' || before === 'and'
    if (
      isNext &&
      kind === 'noun' &&
      (NOMINATIVES.has(lower(chunks[at]?.from ?? -1)) || lower(chunks[at]?.from ?? -1) === 'it')
    )
      return false
    hasInfinitive ||= verb?.form === 'infinitive'
    const isShared = hasInfinitive && before === 'and' && verb?.opens === verb?.base
    if ((verb?.form === 'finite' || verb?.form === 'bare') && !isShared && before !== 'verb') return true
  }
  return false
}

const ADDRESSED = new Set(['you', 'your', 'yourself', 'u', 'ur'])

function tellsOfSpeaker({ verb }: Clause, lower: (token: number) => string): boolean {
  const { form, opens } = verb
  // "**Given** that it rains, I stay", "**Tasted** like soap"
  if (form === 'bare' || form === 'participle') return opens !== 'given' && !IMPERSONAL.has(verb.base)
  // "**Could be** very useful" is about something else.
  if (opens === 'could' && verb.base === 'be') return false
  // "**Looking** better than ever!" is about what is shown.
  if (form === 'ing' && verb.base === 'look' && EVALUATIONS.has(lower(verb.main + 1))) return false
  if (form === 'ing') return isUnderWay(verb, lower)
  if (form !== 'finite' || IMPERSONAL.has(verb.base)) return false
  if (opens === 'gotta' || opens === 'gonna' || (opens === 'had' && verb.base === 'have' && !verb.isPassive))
    return true
  const own = lower(verb.main)
  if (verb.hasAuxiliary)
    return (
      opens === 'ca' || opens === 'could' || opens === 'did' || opens === 'would' || opens === "'ve" || opens === 'wo'
    )
  return classifyVerbForm(own) === 'past' || OWN_FEELINGS.has(own)
}

/** Verbs whose omitted subject is a thing: "**Tasted** like soap", "today **turned** out nice". */
const IMPERSONAL = new Set(['taste', 'smell', 'sound', 'seem', 'turn', 'suck', 'cost'])

/** Recognises what the speaker does now: "**Just** making tea", "Looking forward to it", but not "Exploring both, if possible". */
function isUnderWay({ main, first }: Clause['verb'], lower: (token: number) => string): boolean {
  if (ONGOING.has(first)) return true
  for (let at = main - 1; at >= 0 && at > main - NEAR_TOKENS; at--) if (NOW.has(lower(at))) return true
  return NOW.has(lower(main + 1))
}

const ONGOING = new Set(
  'look hope plan work try head wait think wonder feel prepare stay love enjoy appreciate gain get learn miss start finish'.split(
    ' '
  )
)
const NEAR_TOKENS = 5
const NOW = new Set('just currently still now right today tonight lately recently'.split(' '))

/**
 * Writes a thing that talk brings in by `this` as one: "I met **this** cook from Lyon" becomes `a cook from Lyon`, and
 * "I found **these** old maps" `old maps`. Returns other values unchanged. `isKnown` recognises nouns that the text
 * names before; `this` refers to them.
 */
export function introduceThing({ parse, lower }: Sight, { draft, value }: Value, isKnown: IsKnown): string {
  const at = draft.value[0]?.from ?? -1
  const pointer = lower(at)
  if (pointer === 'that') return introduceKnown({ parse, lower }, draft.value[0], value)
  if (pointer !== 'this' && pointer !== 'these') return value
  const chunk = parse.chunks.find(({ from, kind }) => from === at && kind === 'noun')
  if (chunk === undefined || chunk.to === at + 1) return value
  const head = lower(chunk.head)
  const isOpen = draft.clause === undefined || draft.negated || draft.modality !== undefined
  const isAnaphoric = isOpen || POINTING_VERBS.has(draft.clause?.verb.base ?? '') || isKnown(head)
  // "this **new** RPG": a new thing is brought in, whatever its tag.
  const isNoun = parse.tags[chunk.head] === 'NOUN' || lower(at + 1) === 'new'
  if (isAnaphoric || TIME_NOUNS.has(head) || MATERIAL.test(head) || !isNoun) return value
  const rest = value.slice(pointer.length + 1)
  if (pointer === 'these') return rest
  return `${/^[aeio]/i.test(rest) ? 'an' : 'a'} ${rest}`
}

/** Writes a thing that its own words describe without `that`: "I drew **that harbour view** in May". */
function introduceKnown({ parse: { chunks, tags }, lower }: Sight, words: Words | undefined, value: string): string {
  const at = words?.from ?? -1
  const chunk = chunks.find(({ from, kind }) => from === at + 1 && kind === 'noun')
  if (chunk === undefined || !NOUN_TAGS.has(tags[chunk.head] ?? 'X')) return value
  if ((chunk.to === at + 2 && tags[chunk.head] === 'NOUN') || TIME_NOUNS.has(lower(chunk.head))) return value
  // "I joined **that book club**"
  const isAlone = words?.to === chunk.to && tags[at + 1] !== 'PROPN'
  if (isAlone || UNTOLD.has(lower(at + 1))) return value
  return /^(?:DET|PRON)$/.test(tags[chunk.from] ?? '') ? value : `the ${value.slice('that '.length)}`
}

/** Describe a thing only together with an earlier turn. */
const UNTOLD = new Set('particular specific certain exact very one kind sort type whole other last'.split(' '))

type Value = { draft: FactDraft; value: string }
type IsKnown = (noun: string) => boolean

/** After these verbs, `this` points at something that is there already: "I love **this** song". */
const POINTING_VERBS = new Set(
  'be love like enjoy adore miss appreciate hate recommend prefer want need know think remember see hear share join'.split(
    ' '
  )
)
