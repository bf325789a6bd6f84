import type { Chunk, FactDraft, Sight, Words } from '../clauses/clause.ts'
import { COPULAS, EVALUATIONS, TIME_NOUNS } from '../clauses/word-classes.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'

/**
 * Converts an evaluation to a fact about the speaker: "It was fun to see the lake" becomes: finds, "fun to see the
 * lake". "Baking is a great way to unwind" is another example. Other facts are returned unchanged.
 */
export function toOpinion(sight: Sight, draft: FactDraft): FactDraft {
  const { clause } = draft
  if (
    clause === undefined ||
    draft.rule === 'speaker.left-out' ||
    draft.rule === 'existence.there-is' ||
    draft.negated ||
    draft.modality !== undefined ||
    clause.verb.modal !== undefined
  )
    return draft
  if (
    !COPULAS.has(clause.verb.base) ||
    clause.verb.isPassive ||
    clause.kind === 'relative' ||
    clause.kind === 'participle'
  )
    return draft
  const first = draft.value[0]
  if (first === undefined || !tellsOpinion(sight, clause.verb.base, first) || !isThing(sight, draft.subject))
    return draft
  const verb = sight.parse.chunks[clause.at] as Chunk
  if (ranksOwn(sight, first) || names(sight, first) || (clause.verb.base === 'be' && first.from > verb.to)) return draft
  if (isRestOfSubject(sight, draft.subject) || isOther(sight, draft.subject, verb)) return { ...draft, value: [] }
  if (isReaction(sight, clause.verb.base) || (clause.verb.base !== 'be' && opensWithVerb(sight, first)))
    return { ...draft, value: [] }
  const isPast = PAST.has(sight.lower(verb.from)) || PAST.has(sight.lower(clause.verb.main))
  const subject = { from: verb.from, to: verb.from }
  const isEmpty = EMPTY.has(sight.lower(draft.subject.from)) && draft.subject.to === draft.subject.from + 1
  if (isEmpty && first.to - first.from < TELLING_TOKENS && draft.value.length === 1) return { ...draft, value: [] }
  const value = [
    withParticiple(sight, draft.subject, verb),
    ...omitForMe(sight, cutAtVerb(sight, first)),
    ...draft.value.slice(1)
  ]
  return { ...draft, rule: 'opinion.finds', subject, predicate: [], said: isPast ? 'found' : 'finds', value }
}

/** "**Sounds** like a great plan" answers what another person has just said. */
function isReaction({ parse: { tokens } }: Sight, base: string): boolean {
  return base === 'sound' || tokens.some(({ lower }) => lower === 'indeed')
}

/** Recognises a definite thing, which says what something is: "the high point was **the exciting race to Lund**". */
function names({ lower }: Sight, { from, to }: Words): boolean {
  if (lower(from) !== 'the') return false
  return !RANKS.has(lower(from + 1)) && !lower(from + 1).endsWith('est') && to > from + 2
}

/**
 * Recognises a noun that does not agree with the verb, or is only the end of what does: "oats and **water are**",
 * "striking **the right tone** is", '"Sea" **series** is'.
 */
function isOther({ parse: { tags, tokens }, lower }: Sight, { from, to }: Words, verb: Chunk): boolean {
  const before = from - 1
  if (/^["”]$/.test(tokens[before]?.text ?? '')) return true
  if (lower(before).endsWith('ing') && (tags[before] === 'VERB' || tags[from] === 'DET')) return true
  if (to > from + 1 && /^(?:it|this|that)$/.test(lower(to - 1))) return true
  if (TIME_NOUNS.has(lower(to - 1)) && lower(from) === 'a') return true
  // "Its airy, **light texture** felt"
  if (lower(before) === ',' && tags[from] === 'ADJ' && tags[before - 1] === 'ADJ') return true
  const isMany = tags.slice(from, to).some((tag, i) => tag === 'CCONJ' || lower(from + i) === ',')
  const nouns = tags.slice(from, to).indexOf('ADP')
  const head = nouns < 0 ? to - 1 : from + nouns - 1
  if (isMany || tags[head] !== 'NOUN') return false
  const isPlural = /[^su]s$/.test(lower(head)) || PLURALS.has(lower(head)) || lower(head).endsWith('ics')
  const opens = lower(verb.from)
  if (opens === 'are' || opens === 'were' || opens === "'re") return !isPlural
  if (lower(from).endsWith('ing')) return false
  return (opens === 'is' || opens === 'was') && /[^suic]s$/.test(lower(head)) && !SINGULARS.has(lower(head))
}

/** Plurals without an `s`, and nouns that may be either. */
const PLURALS = new Set(
  'people children men women police kids staff both most many some all few family team'.split(' ')
)
const SINGULARS = new Set(['news', 'series', 'species', 'means', 'lens', 'gas'])

/** Adds the participle that describes a subject: "**the days spent in Lund** were unique". */
function withParticiple({ parse: { chunks, tags } }: Sight, subject: Words, verb: Chunk): Words {
  const next = chunks.find(({ from }) => from === subject.to)
  const isDescribed = next?.verb !== undefined && next !== verb && tags[verb.from - 1] === 'NOUN'
  const isPlain = chunks.every(({ kind, from }) => from < subject.to || from >= verb.from || PLAIN.has(kind))
  return isDescribed && isPlain ? { from: subject.from, to: verb.from } : subject
}

const PLAIN: ReadonlySet<string> = new Set(['noun', 'verb', 'preposition', 'adverb', 'adjective'])

/** Ends an evaluation before another statement: "the day was lovely, | **got to rest** a bit". */
function cutAtVerb({ parse: { tags }, lower }: Sight, { from, to }: Words): Words {
  for (let at = from + 1; at + 1 < to; at++) {
    if (tags[at] === 'SCONJ') break
    if (tags[at + 1] !== 'VERB' || (lower(at) !== ',' && lower(at) !== 'and')) continue
    // "… **and using the oven saves** an hour"
    const isStatement =
      lower(at) === ',' || tags.slice(at, to).some((tag, i) => tag === 'VERB' && isPresent(lower(at + i)))
    if (isStatement) return { from, to: at }
  }
  return { from, to }
}

function isPresent(word: string): boolean {
  return classifyVerbForm(word) === 'present'
}

/** Recognises a noun that was read as a verb: "candles and jazz **sounds** create a calm mood". */
function opensWithVerb({ parse: { tags }, lower }: Sight, { from }: Words): boolean {
  return tags[from] === 'VERB' && classifyVerbForm(lower(from)) === 'base'
}

/** Recognises a part of a subject: "Matching the tea with cakes and **jams** is key", "Lifting weights **twice a day** is". */
export function isRestOfSubject({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  if (to === from || EMPTY.has(lower(from))) return false
  // "Painting ponds and **still life** is"
  const joint = tags[from - 1] === 'ADV' ? from - 2 : from - 1
  const isJoined = lower(joint) === 'and' || lower(joint) === 'or'
  const before = lower(joint - 1) === ',' ? joint - 2 : joint - 1
  if (lower(from - 1) === "'s") return true
  return tags[from - 1] === 'NOUN' || (isJoined && tags[before] === 'NOUN')
}

/** Recognises a judgement, and what something is to the speaker. */
function tellsOpinion(sight: Sight, base: string, words: Words): boolean {
  return judges(sight, words) || (base === 'be' && findForMe(sight, words) >= 0)
}

/** Finds `for me` behind what a thing is: "rowing is therapy **for me**". Returns -1 if there is none. */
function findForMe({ parse: { tags }, lower }: Sight, { from, to }: Words): number {
  if (tags[from] === 'ADP') return -1
  for (let at = from + 1; at + 1 < Math.min(to, from + FOR_ME_TOKENS); at++)
    if (lower(at) === 'for' && lower(at + 1) === 'me' && lower(at - 1) !== 'enough') return at
  return -1
}

const FOR_ME_TOKENS = 9

/** Leaves out `for me`, which the subject of an opinion says, unless the thing is judged in other words, too. */
function omitForMe(sight: Sight, words: Words): Words[] {
  const at = findForMe(sight, words)
  if (at < 0 || judges(sight, words) || sight.lower(at + 2) === ',') return [words]
  const parts = [
    { from: words.from, to: at },
    { from: at + 2, to: words.to }
  ]
  return parts.filter(({ from, to }) => from < to)
}

/**
 * Checks for an evaluating word near the start of the value: "so much fun", "a really great way", but not "The **Good**
 * Life" or "a mix of **fresh** juices".
 */
function judges({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  for (let at = from; at < Math.min(to, from + NEAR_TOKENS); at++) {
    if (EVALUATIONS.has(lower(at)) && tags[at] !== 'PROPN') return true
    if (MIXED.has(lower(at)) && lower(at + 1) === 'of') return false
  }
  return false
}

const MIXED = new Set(['mix', 'mixture', 'combination', 'blend', 'variety', 'range', 'series', 'collection', 'pair'])

const NEAR_TOKENS = 5

/**
 * Recognises a value that ranks a thing, or says whose or where it is, instead of judging it: "the boat was **my
 * favorite** part", "**one of** our best days", "the best scenes were **with** Ann".
 */
function ranksOwn({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  if (tags[from] === 'ADP') return true
  for (let at = from; at < Math.min(to, from + NEAR_TOKENS); at++)
    if (OWNERS.has(lower(at)) && RANKS.has(lower(at + 1))) return true
  return false
}

const OWNERS = new Set(['my', 'our', 'mine'])
const RANKS = new Set(['favorite', 'favourite', 'favorites', 'favourites', 'best', 'worst', 'first'])

/** Minimum length of an evaluation of something unnamed. "That is great" and "It was so much fun" say too little. */
const TELLING_TOKENS = 3

/** Excludes persons; only things are evaluated. */
export function isThing({ parse, lower }: Sight, subject: Words): boolean {
  if (subject.to === subject.from) return false
  const head = lower(subject.to - 1)
  // "**Painting** is fun": the tagger takes the first word for a name.
  const isActivity = subject.from === 0 && subject.to === 1 && head.endsWith('ing')
  const isName = parse.tags[subject.to - 1] === 'PROPN' && !isActivity
  return !PERSONS.has(head) && !PERSONS.has(lower(subject.from)) && !isName
}

const PERSONS = new Set([
  'i',
  'you',
  'he',
  'she',
  'we',
  'they',
  'who',
  'your',
  'my',
  'our',
  'there',
  'everyone',
  'people',
  'us',
  'me',
  'him',
  'them'
])
const EMPTY = new Set(['it', 'this', 'that', 'these', 'those'])
const PAST = new Set(['was', 'were', 'had', 'felt', 'seemed', 'looked', 'sounded', 'became'])
