import type { Clause, FactDraft, Sight, Words } from '../clauses/clause.ts'
import {
  CLAUSE_OPENERS,
  COPULAS,
  NOMINATIVES,
  OBJECT_PRONOUNS,
  REPORTING_VERBS,
  TIME_NOUNS
} from '../clauses/word-classes.ts'
import type { Tag } from '../language/token.ts'
import { classifyVerbForm, mayBeParticiple, mayBePast } from '../language/verb-forms.ts'
import { describesOther } from './relatives-in-talk.ts'

/**
 * Checks that a clause of talk was read whole. Talk often lacks the marks between statements ("she likes to ski it is
 * great"), and its `which` may refer to all that precedes it ("I failed the exam on trees, which hurt").
 */
export function isWholeInTalk(sight: Sight, draft: FactDraft): boolean {
  const { clause, value } = draft
  if (clause === undefined) return true
  if (describesOther(sight, clause, draft) || isMisread(sight, clause, draft)) return false
  if (value.some((words) => opensTime(sight, words))) return false
  if (isAdvice(sight, clause) || isProposal(sight, clause)) return false
  if (isOfTime(sight, clause, value)) return false
  const isReport = REPORTING_VERBS.has(clause.verb.base) || COPULAS.has(clause.verb.base) || clause.verb.isPassive
  if (isReport || sight.lower((value[0]?.from ?? 0) - 1) === 'that') return true
  return !value.some((words, i) => (i === 0 && opensStatement(sight, words.from)) || joinsStatement(sight, words))
}

/** Recognises a value that ends in the opening of a clause: "**by the time** I left". */
function opensTime({ lower }: Sight, { to }: Words): boolean {
  return lower(to - 1) === 'time' && lower(to - 2) === 'the' && lower(to - 3) === 'by'
}

/** Recognises a part of a statement, a name that was read as a verb, and advice. */
function isMisread(sight: Sight, clause: Clause, { predicate, subject, value }: FactDraft): boolean {
  const { parse, lower } = sight
  const { tokens } = parse
  const { main } = clause.verb
  if (isLeftOver(sight, { clause, value }) || isCutOff(sight, value) || isHalfOfPair(sight, clause)) return true
  // "all the books are back **and no** fine"
  for (let at = subject.from; at < subject.to; at++) if (lower(at) === 'and' && lower(at + 1) === 'no') return true
  // "I was tired **that's why** I left"
  if (value.some(({ from }) => lower(from) === 'that' && lower(from + 1) === "'s" && lower(from + 2) === 'why'))
    return true
  // "It was easy **compared** to last year"
  if (lower(main) === 'compared' && lower(main + 1) === 'to') return true
  // "the author of One **Rode** Over the Hill"
  if (main > 1 && /^\p{Lu}\p{Ll}/u.test(tokens[main]?.text ?? '')) return true
  if (isOfSeveral(sight, clause, value[0]) || lacksObject(sight, clause, value[0])) return true
  if (isJoinedState(sight, clause) || isPartOfPhrase(sight, clause)) return true
  // "Drink tea **Don't** smoke": lines of advice without full stops.
  if (subject.to > subject.from && /^Do/.test(tokens[predicate[0]?.from ?? -1]?.text ?? '')) return true
  return isCutShort(sight, { clause, value })
}

/** Recognises a participle that continues a state: "I left tired but **pleased** with it". */
function isJoinedState({ parse: { chunks }, lower }: Sight, { kind, at, verb }: Clause): boolean {
  if (kind !== 'coordinate' || verb.hasAuxiliary || !mayBeParticiple(lower(verb.main))) return false
  const isJoint = chunks[at - 1]?.isContrast === true && chunks[at - 2]?.kind === 'adjective'
  return isJoint && chunks[at + 1]?.kind === 'preposition'
}

/** Recognises the noun of a phrase as a subject: "never in **my life** called or heard him", "the Alba **No Wax** polish is good". */
function isPartOfPhrase({ parse: { chunks, tags, tokens } }: Sight, { kind, marker, subject }: Clause): boolean {
  const at = subject?.from ?? 0
  const [before, own] = [chunks[at - 1], chunks[at]]
  if (kind === 'coordinate') return before?.kind === 'preposition' && marker === ''
  const isNamed = before?.kind === 'noun' && tags[before.head] === 'PROPN' && chunks[at - 2]?.kind !== 'preposition'
  if (kind !== 'main' || !isNamed || TIME_NOUNS.has(tokens[before.head]?.lower ?? '')) return false
  return own !== undefined && own.to > own.from + 1 && /^\p{Lu}/u.test(tokens[own.from]?.text ?? '')
}

/** Recognises what only several persons are: "we are **rival teams**", "we are **all** early risers". */
function isOfSeveral(
  { parse: { chunks, tags, tokens }, lower }: Sight,
  { subject, verb }: Clause,
  first: Words | undefined
): boolean {
  if (verb.base !== 'be' || lower(chunks[subject?.from ?? -1]?.from ?? -1) !== 'we' || first === undefined) return false
  const noun = chunks.find(({ from, to, kind }) => kind === 'noun' && from >= first.from && to <= first.to)
  // "We are vegetarians" is true of each.
  if (noun === undefined || noun.to === noun.from + 1) return false
  if (chunks.some(({ from, kind }) => kind !== 'noun' && from >= first.from && from < noun.from)) return false
  const isPlural = tags[noun.head] === 'NOUN' && /[^s]s$/.test(tokens[noun.head]?.lower ?? '')
  return isPlural && (GROUPS.has(lower(noun.from)) || !/^(?:DET|PRON)$/.test(tags[noun.from] ?? ''))
}

const GROUPS = new Set(['all', 'both'])

/** Recognises a verb whose object stands elsewhere: "I **got** a week ago in Bray", "I **get from** rowing what I need". */
function lacksObject(
  { parse: { chunks }, lower }: Sight,
  { at, kind, verb }: Clause,
  first: Words | undefined
): boolean {
  if (kind === 'relative' || !TAKING_VERBS.has(verb.base) || verb.isPassive) return false
  const next = chunks[at + 1]
  if (next?.kind === 'preposition') return lower(next.from) === 'from'
  const noun = chunks.find(({ from }) => from === first?.from)
  return noun?.kind === 'noun' && TIME_NOUNS.has(lower(noun.head)) && lower(noun.to) === 'ago'
}

const TAKING_VERBS = new Set(['get', 'make', 'take', 'have', 'buy', 'use', 'watch', 'try', 'put'])

/**
 * Recognises a value that ends in the middle of a phrase: "a role at a UK-based | **studio**", "going down to | **the**
 * south", "a pose as long | **as** the others", and one whose clause has lost its verb: "**since** my friend Ann".
 */
function isCutOff({ parse: { tags }, lower }: Sight, value: readonly Words[]): boolean {
  let end = 0
  for (const { to } of value) end = Math.max(end, to)
  if (MIDDLE_TAGS.has(tags[end] ?? 'PUNCT')) {
    // "We swam there **a few weeks** ago"
    const isTime = TIME_NOUNS.has(lower(end + 1)) || TIME_NOUNS.has(lower(end + 2)) || TIME_NOUNS.has(lower(end + 3))
    if (!isTime || tags[end - 1] === 'VERB') return true
  }
  if (lower(end) === 'as' && lower(end - 2) === 'as') return true
  const [first] = value
  const isReason = first !== undefined && (lower(first.from) === 'since' || lower(first.from) === 'because')
  return isReason && !tags.slice(first.from, first.to).some((tag) => tag === 'VERB' || tag === 'AUX')
}

/** Recognises a clause that ends before a noun that was read as a verb: "the idea of tea or **lime** drinks", "playing truth or **dare**". */
function isHalfOfPair({ parse: { chunks, tags }, lower }: Sight, { end, verb }: Clause): boolean {
  const joint = chunks[end]
  if (joint?.kind !== 'and' || lower(joint.from) !== 'or' || isDenied(verb, lower)) return false
  const next = tags[joint.to]
  if (next === 'VERB')
    return verb.modal === undefined && classifyVerbForm(lower(verb.main)) === 'ing' && isBase(lower(joint.to))
  return next !== undefined && MIDDLE_TAGS.has(next)
}

/** "I **never** went to any talks or trade fairs" denies each. */
function isDenied({ isNegated, main }: Clause['verb'], lower: Sight['lower']): boolean {
  return isNegated || lower(main - 1) === 'never'
}

function isBase(word: string): boolean {
  return classifyVerbForm(word) === 'base' && !mayBePast(word)
}

/** Tags of words that cannot begin what follows a statement. */
const MIDDLE_TAGS: ReadonlySet<Tag> = new Set<Tag>(['DET', 'ADJ', 'NUM', 'NOUN', 'PROPN', 'SYM'])

/** Recognises a coordinate clause about a time: "I swam for hours, was **a tiring day**". */
function isOfTime(sight: Sight, { kind, verb }: Clause, value: readonly Words[]): boolean {
  return kind === 'coordinate' && verb.base === 'be' && value.some((words) => namesTime(sight, words))
}

function namesTime({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  if (lower(from) !== 'a' && lower(from) !== 'an') return false
  let head = from + 1
  while (head + 1 < to && tags[head] !== 'NOUN') head++
  return TIME_NOUNS.has(lower(head))
}

/** Recognises advice in the form of what the speaker would do: "you shouldn't quit, I **would look** for another job". */
function isAdvice({ parse: { tokens } }: Sight, { verb }: Clause): boolean {
  if (verb.modal !== 'would' && verb.modal !== "'d") return false
  return !WISHES.has(verb.base) && tokens.some(({ lower }) => lower === 'you' || lower === 'u' || lower === 'your')
}

/** Recognises "next week **we should** go to Bray" and "**maybe I should** rest". */
function isProposal({ parse, lower }: Sight, { subject, verb: { modal } }: Clause): boolean {
  const at = parse.chunks[subject?.from ?? -1]?.from ?? -1
  return modal === 'should' && (lower(at) === 'we' || lower(at - 1) === 'maybe')
}

const WISHES = new Set(['like', 'love', 'prefer', 'want', 'hate'])

/** Recognises two statements in one, and what is left of "a cake I **made the other day**". */
function isCutShort(sight: Sight, { clause, value }: Cut): boolean {
  const [only, ...others] = value
  if (only !== undefined && hasSecondVerb(sight, clause, only)) return true
  if (clause?.kind !== 'relative' || only === undefined || others.length > 0) return false
  return TIME_NOUNS.has(sight.lower(only.to - 1)) && sight.parse.tags[only.from] === 'DET'
}

/** Recognises two statements without a mark: "I came **home cooked** some rice", "I'm **tired drove** my aunt home". */
function hasSecondVerb({ parse: { tags }, lower }: Sight, clause: FactDraft['clause'], { from, to }: Words): boolean {
  const isState = clause !== undefined && COPULAS.has(clause.verb.base)
  for (let at = from + 1; at < to; at++) {
    if (tags[at] !== 'VERB' || !mayBePast(lower(at))) continue
    if (RETURNS.has(lower(at - 1))) return true
    const isFading = FADING.has(tags[at - 1] ?? 'X') || (tags[at - 1] === 'VERB' && lower(at - 1).endsWith('ed'))
    if (isState && isFading && classifyVerbForm(lower(at)) === 'past') return true
  }
  return false
}

const RETURNS = new Set(['home', 'back'])

/** Tags of the last word of a state: "I'm **fine** just **came** back". */
const FADING: ReadonlySet<Tag> = new Set<Tag>(['ADJ', 'ADV'])

type Cut = Pick<FactDraft, 'clause' | 'value'>

function opensStatement({ parse, lower }: Sight, at: number): boolean {
  const next = parse.tags[at + 1]
  return (NOMINATIVES.has(lower(at)) || lower(at) === 'it') && (next === 'AUX' || next === 'VERB')
}

/** Recognises a noun and the verb of another statement: "the boat we saw | **last night was** red". */
function joinsStatement(sight: Sight, { from, to }: Words): boolean {
  const {
    parse: { tags },
    lower
  } = sight
  for (let at = from; at < to; at++) {
    if (CLAUSE_OPENERS.has(lower(at)) || tags[at] === 'SCONJ') return false
    const isLinking = (FINITE_BE.has(lower(at)) || lower(at + 1) === 'been') && tags[at] === 'AUX'
    if (isLinking && at > from && (LINKED.has(tags[at - 1] ?? 'X') || OBJECT_PRONOUNS.has(lower(at - 1)))) return true
    if (at > from && opensStatementAt(sight, at)) return true
  }
  return false
}

/** Recognises a pronoun that opens another statement without a mark: "I saw her **I** just waved", "two weeks ago **it** hurt". */
function opensStatementAt({ parse: { tags }, lower }: Sight, at: number): boolean {
  if (!NOMINATIVES.has(lower(at)) && lower(at) !== 'it') return false
  const next = tags[at + 1] === 'ADV' ? tags[at + 2] : tags[at + 1]
  if (next !== 'VERB' && next !== 'AUX') return false
  return OBJECTS.has(lower(at - 1)) || lower(at - 1) === 'ago'
}

const OBJECTS = new Set([...OBJECT_PRONOUNS, 'her'])

/** Tags of the last word before the verb of another statement: "all I looked **at** is closed". */
const LINKED: ReadonlySet<Tag> = new Set<Tag>(['NOUN', 'PROPN', 'ADP'])

const FINITE_BE = new Set(['is', 'are', 'was', 'were'])

/**
 * Recognises what is left of a statement whose verb was not found: "I'm worried **my stall on the quay**", "I couldn't
 * help **but** laugh".
 */
function isLeftOver(
  { parse: { tags }, lower }: Sight,
  { clause, value }: { clause: Clause; value: readonly Words[] }
): boolean {
  const { base, isPassive, isNegated, modal } = clause.verb
  if (base === 'help' && isNegated && modal !== undefined) return true
  const [first] = value
  // "the only thing I looked **at is** tents"
  if (tags[first?.from ?? -1] === 'ADP' && FINITE_BE.has(lower((first?.from ?? 0) + 1))) return true
  if (!isPassive || !WORRIES.has(lower(clause.verb.main)) || first === undefined) return false
  const opening = tags[first.from]
  if (
    opening === 'ADP' ||
    (opening === 'SCONJ' && lower(first.from) !== 'that') ||
    opening === 'ADV' ||
    lower(first.from - 1) !== lower(clause.verb.main)
  )
    return false
  for (let at = first.from; at < first.to; at++) if (tags[at] === 'VERB' || tags[at] === 'AUX') return false
  return true
}

const WORRIES = new Set(['worried', 'concerned', 'scared', 'surprised', 'shocked', 'convinced', 'disappointed'])
