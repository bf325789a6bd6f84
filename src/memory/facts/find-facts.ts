import type { FactRecord } from '../../contract/snapshot.ts'
import { type FactDraft, type Sight, toSight, type Words } from '../clauses/clause.ts'
import { readClauses } from '../clauses/read-clauses.ts'
import { repairTags } from '../language/repair-tags.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Sentence, Tag, Token } from '../language/token.ts'
import {
  type Antecedents,
  createAntecedents,
  hasMention,
  nameActivity,
  resolvePronoun,
  takeActivity,
  takeMentions
} from './antecedents.ts'
import { asExistence, buildClauseFacts } from './build-clause-facts.ts'
import { computeConfidence, listFeatures } from './compute-confidence.ts'
import { findAddressed } from './find-addressed.ts'
import { findBelief } from './find-belief.ts'
import { findNominalFacts } from './find-nominal-facts.ts'
import { findTalkFacts, implySpeaker, introduceThing, toOpinion } from './find-talk-facts.ts'
import { isCourtesyTo, isHollow } from './is-hollow.ts'
import type { Talk } from './is-remark.ts'
import { isWholeInTalk } from './is-whole-in-talk.ts'
import { findQuestionStart, findQuotes, hasCondition, listClaimedClauses } from './list-claimed-clauses.ts'
import { addresses, formatPredicate, type Naming, nameSubject, nameWords } from './naming.ts'
import { splitCorrection } from './split-correction.ts'
import { trimAsides } from './trim-asides.ts'
import { turnToSpeaker } from './turn-to-speaker.ts'

/** Maximum number of facts per text. */
export const FACTS_MAX = 200

/**
 * `keep` leaves third-person pronouns as words, for evaluation against data that does. By default, `it` and `this`
 * without a referent give no fact, and `she` one of low confidence. `explain` receives the features behind each fact's
 * confidence.
 */
type Options = { pronouns?: 'resolve' | 'keep'; explain?: (features: string[]) => void }

/**
 * Extracts what the sentences of a text claim, as facts in text order. Deterministic and never throws; time grows
 * linearly with the tokens. Questions, conditions, quotations and reported speech give no facts.
 */
export function findFacts(
  sentences: readonly Sentence[],
  source: TextSource,
  { pronouns = 'resolve', explain }: Options = {}
): FactRecord[] {
  const facts: FactRecord[] = []
  const known = createAntecedents()
  const quoted = findQuotes(sentences)
  const addressed = findAddressed(sentences, source.speaker)
  for (const [number, sentence] of sentences.entries()) {
    if (facts.length >= FACTS_MAX) break
    const tags = repairTags(sentence.tokens)
    const whole = { from: 0, to: tags.length }
    const { from, to } = source.speaker === undefined ? whole : trimAsides(sentence.tokens, tags)
    const sight = toSight(readClauses(sentence.tokens.slice(from, to), tags.slice(from, to)))
    const isQuoted = (token: number) => quoted(sentence, from + token)
    const drafts = collectDrafts(sight, { isTalk: source.speaker !== undefined, isQuoted })
    const naming = createNaming(sight, { source, addressed, known, sentence: number })
    takeMentions(known, sight.parse, { sentence: number, name: (chunk) => nameWords(naming, chunk, 'value') })
    const nameIt = (value: string) => nameActivity(known, value, number)
    const count = facts.length
    for (const draft of drafts) {
      const fact =
        pronouns === 'keep'
          ? toFactRecord(draft, sight, toVerbatimNaming(naming))
          : resolveFact(draft, sight, { naming, source, isKnown: (noun) => hasMention(known, noun, number), nameIt })
      if (fact === undefined || fact.value === '') continue
      facts.push(fact)
      takeActivity(known, fact, number)
      if (pronouns === 'resolve') facts.push(...splitCorrection(fact, draft))
      explain?.(listFeatures(draft, sight.parse))
    }
    if (source.speaker !== undefined && !isQuoted(0))
      facts.push(...holdBelief(sight, { naming, source, isKnown: () => false, nameIt }, facts.slice(count)))
  }
  return facts.slice(0, FACTS_MAX)
}

/** Returns what the speaker holds in general, unless other facts of the sentence tell it. */
function holdBelief(sight: Sight, how: Resolving, told: readonly FactRecord[]): FactRecord[] {
  const draft = findBelief(sight)
  if (draft === undefined || findQuestionStart(sight) < sight.parse.tokens.length || hasCondition(sight)) return []
  const fact = resolveFact(draft, sight, how)
  if (fact === undefined || told.some(({ span }) => span[1] > fact.span[0])) return []
  return [{ ...fact, value: lowerOpening(sight, draft.value[0], fact.value) }]
}

/** Writes the first word of a statement in lower case where the tagger takes a plain word for a name: "**Small** gifts". */
function lowerOpening({ parse: { chunks, tags, tokens } }: Sight, words: Words | undefined, value: string): string {
  if (words?.from !== 0 || !/^\p{Lu}\p{Ll}/u.test(value)) return value
  const head = chunks[0]?.head ?? 0
  const isName = tags[head] === 'PROPN' && !tokens[0]?.lower.endsWith('ing')
  return isName ? value : value.charAt(0).toLowerCase() + value.slice(1)
}

type Resolving = {
  naming: Naming
  source: TextSource
  isKnown: (noun: string) => boolean
  nameIt: (value: string) => string
}

/** Lowers the confidence of a fact whose subject is an unresolved pronoun: true, but rarely useful. */
function lowerConfidence(fact: FactRecord): FactRecord {
  if (!UNNAMED.has(fact.subject.toLowerCase()) || fact.confidence === undefined) return fact
  return { ...fact, confidence: Math.round(fact.confidence * 50) / 100 }
}

const UNNAMED = new Set(['he', 'she', 'they'])

function toTalk({ subject }: FactDraft, { parse }: Sight, { speaker }: TextSource): Talk | undefined {
  if (speaker === undefined) return undefined
  const tags = parse.tags.slice(subject.from, subject.to)
  const isNoun = tags.length === 0 || tags.some((tag) => NOUN_TAGS.has(tag))
  const [only, ...others] = parse.tokens.slice(subject.from, subject.to)
  // The tagger takes many words at the start of a sentence for names.
  const isCommon = subject.from === 0 && others.length === 0 && COMMON_NOUNS.test(only?.lower ?? '')
  return { speaker, isNamed: tags.includes('PROPN') && !isCommon, isNoun }
}

/** Endings of plurals and abstract nouns. */
const COMMON_NOUNS = /(?:[^aeious'’]s|[^s]es|ism|ness|ity|tion|ment|ics|ship)$/

const NOUN_TAGS: ReadonlySet<Tag> = new Set<Tag>(['NOUN', 'PROPN', 'PRON', 'NUM', 'DET'])

/** Recognises subjects that mean nothing outside their text unless a name replaces them. */
function isEmptySubject(subject: string): boolean {
  const lower = subject.toLowerCase()
  return EMPTY_SUBJECTS.has(lower) || /^(?:your |one (?:for|thing|aspect)\b|the other$|\p{L}\. )/u.test(lower)
}

const EMPTY_SUBJECTS = new Set([
  '',
  'a lot',
  'a bit',
  'the way',
  'the one',
  ...'like it this that these those you there here one which who what everything something anything your all both some'.split(
    ' '
  )
])

type Known = { source: TextSource; addressed: string | undefined; known: Antecedents; sentence: number }

type Manner = { isTalk: boolean; isQuoted: (token: number) => boolean }

function collectDrafts(sight: Sight, { isTalk, isQuoted }: Manner): FactDraft[] {
  const asked = findQuestionStart(sight)
  if (asked === 0) return []
  if (isTalk) implySpeaker(sight)
  const said = listClaimedClauses(sight, isQuoted, { isTalk, asked }).flatMap((clause) =>
    buildClauseFacts(sight, clause, { isTalk }).map((draft) => asExistence(sight, draft))
  )
  const drafts = isTalk
    ? said.filter((draft) => isWholeInTalk(sight, draft)).map((draft) => toOpinion(sight, draft))
    : said
  if (isTalk) drafts.push(...findTalkFacts(sight))
  const isSaid = (token: number) => token < asked && !isQuoted(token)
  if (!hasCondition(sight))
    drafts.push(...findNominalFacts(sight, (chunk) => isSaid(sight.parse.chunks[chunk]?.from ?? 0)))
  return isTalk ? drafts.map((draft) => turnToSpeaker(sight, draft)) : drafts
}

function createNaming({ parse, lower }: Sight, { source, addressed, known, sentence }: Known): Naming {
  return {
    source,
    addressed,
    parse,
    isVerbatim: false,
    resolve: (token) => resolvePronoun(known, lower(token), { sentence, token, isTalk: source.speaker !== undefined })
  }
}

function toVerbatimNaming(naming: Naming): Naming {
  return { ...naming, resolve: () => undefined, isVerbatim: true }
}

/**
 * Leaves `it` unresolved before a copula, except in a correction: "**It** is good to be here" refers to nothing. An
 * object is never the subject: "My dog chewed **it**".
 */
function chooseNaming({ rule, subject }: FactDraft, given: Naming): Naming {
  const own = given.source.speaker === undefined ? undefined : nameSubject(given, subject)
  const resolve = (at: number) => {
    const found = given.resolve(at)
    return found === own && at >= subject.to ? undefined : found
  }
  // In a general statement, `you` is anybody: "It is important to believe in yourself".
  const isGeneral = rule.startsWith('opinion.') || rule === 'belief.holds'
  const naming = { ...given, resolve, addressed: isGeneral ? undefined : given.addressed }
  if (!rule.startsWith('copula.') && !rule.startsWith('opinion.')) return naming
  const isEmpty = (at: number) => naming.parse.tokens[at]?.lower === 'it' && !followsDenial(naming.parse.tokens, at)
  return { ...naming, resolve: (at) => (isEmpty(at) ? undefined : naming.resolve(at)) }
}

/** Recognises the second half of a correction: "The code isn't 7714, **it**'s 4417", but not "It isn't tea, it's soup". */
function followsDenial(tokens: readonly Token[], at: number): boolean {
  if (!/^[,;–—-]$/.test(tokens[at - 1]?.lower ?? '')) return false
  const not = tokens.findIndex(({ lower }) => lower === 'not' || /^n['’]t$/.test(lower))
  const isOther = not > 1 && not < at - 1 && tokens[not - 2]?.lower !== 'it'
  return isOther && /^(?:is|are|was|were|['’]s|['’]re)$/.test(tokens[not - 1]?.lower ?? '')
}

function toFactRecord(draft: FactDraft, { parse }: Sight, naming: Naming): FactRecord {
  return {
    subject: nameSubject(naming, draft.subject),
    predicate: formatPredicate(naming, draft),
    value: formatValue(draft, naming),
    ...(draft.negated ? { negated: true as const } : {}),
    ...(draft.modality === undefined ? {} : { modality: draft.modality }),
    rule: draft.rule,
    span: computeSpan(parse.tokens, draft),
    confidence: computeConfidence(draft, parse)
  }
}

/** Returns a fact with names instead of pronouns, or undefined if it says nothing without its context. */
function resolveFact(
  draft: FactDraft,
  sight: Sight,
  { naming, source, isKnown, nameIt }: Resolving
): FactRecord | undefined {
  const fact = toFactRecord(draft, sight, chooseNaming(draft, naming))
  if (fact.value === '') return undefined
  if (source.speaker !== undefined) fact.value = introduceThing(sight, { draft, value: fact.value }, isKnown)
  if (draft.rule.startsWith('opinion.') || draft.rule === 'belief.holds') fact.value = nameIt(fact.value)
  completeValue(fact, sight.parse.tokens[(draft.value.at(-1)?.to ?? 0) - 1], source.text)
  if (isRestOfWord(sight, draft, source.text)) return undefined
  completeQuotation(fact, sight.parse.tokens[draft.value[0]?.from ?? 0], source.text)
  fact.value = dropOpenedClause(trimBrackets(fact.value))
  if (!WORD.test(fact.value)) return undefined
  if (fact.subject === source.speaker) dropPointer(fact)
  if (isEmptySubject(fact.subject) || isHollow(fact, toTalk(draft, sight, source))) return undefined
  const { addressed } = naming
  const isToAddressed = addressed !== undefined && draft.value.some((words) => addresses(sight, words))
  if (isToAddressed && isCourtesyTo(fact, addressed)) return undefined
  return lowerConfidence(fact)
}

/** Matches a letter or a digit. */
const WORD = /[\p{L}\p{N}]/u

/** Removes a last phrase that only points somewhere: `some new shoes` of "some new shoes **after all these games**". */
function dropPointer(fact: FactRecord): void {
  if (!MAYBE_POINTER.test(fact.value)) return
  const [pointer] = LAST_POINTER.exec(fact.value) ?? []
  const kept = fact.value.slice(0, -(pointer?.length ?? 0))
  // "never sold a boat **in this town**" denies less than "never sold a boat".
  const isPart = fact.negated === true || fact.rule?.startsWith('opinion.') === true || NEVER.test(fact.predicate)
  if (pointer === undefined || isPart || OPEN_END.test(kept)) return
  fact.value = kept
  fact.span = [fact.span[0], fact.span[1] - pointer.length]
}

/** A quick test for the words of such phrases. */
const MAYBE_POINTER = / th| (?:it|him)$/
const NEVER = /\b(?:never|not|hardly|rarely)\b|n['’]t\b/
const OPEN_END =
  /\b(?:something|anything|everything|was|were|is|are|over|looks?|sounds?|feels?|head|what|just|trouble|(?:time|hour|day|night|week|month|year)s?)$/
const LAST_POINTER =
  /(?<=\p{L}{3}) (?:there|like (?:this|that|these|those)|(?:in|on|at|with|for|from|after|before|during|through|around) (?:it|them|him|(?:all )?(?:these|those|this)(?! (?:days|week|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|time|season|semester|weekend|mon|tues|wednes|thurs|fri|satur|sun)) \p{Ll}{3,}))$/u

/** Adds the rest of a word that the tokenizer splits: `Chart.js`, `v2.1`, `a thank-you`. */
function completeValue(fact: FactRecord, lastWord: Token | undefined, text: string): void {
  const [start, end] = fact.span
  if (lastWord?.end !== end) return
  if (!REST_MARKS.has(text.charAt(end))) return
  const isOpen = text.charAt(end) === ')' && /\([^)]*$/.test(fact.value)
  const rest = isOpen ? ')' : (REST_OF_WORD.exec(text.slice(end, end + REST_UNITS_MAX))?.[0] ?? '')
  if (rest === '') return
  fact.value += rest
  fact.span = [start, end + rest.length]
}

/** Recognises a subject that a full stop inside a word cuts off: `app.py | file` of "the app.py file". */
function isRestOfWord({ parse }: Sight, { subject, rule }: FactDraft, text: string): boolean {
  const start = parse.tokens[0]?.start ?? 0
  return subject.from === 0 && (subject.to > 0 || rule === 'belief.holds') && text.charAt(start - 1) === '.'
}

/** Removes the first words of a clause that is not part of the value: `a trip especially since`, `a tool which is`. */
function dropOpenedClause(value: string): string {
  const last = value.slice(value.lastIndexOf(' ') + 1)
  return CLAUSE_OPENINGS.has(last) ? value.replace(OPENED_CLAUSE, '') : value
}

/** The last words of `OPENED_CLAUSE`. */
const CLAUSE_OPENINGS = new Set(
  'hey yes yeah no well anyway since because although though whereas is was are were like such part'.split(' ')
)
const OPENED_CLAUSE =
  /,? (?:but|and) (?:hey|yes|yeah|no|well|oh well|anyway)$|(?:,? (?:especially|particularly|even|just|and|but|so))*,? (?:since|because|although|though|whereas|(?:which|that|who) (?:is|was|are|were))$|, (?:like|such|(?:specifically|especially) the part)$|,? (?:and|but) according to .*$/

/** Removes a remark in brackets that is cut off; a value that ends inside a word or a formula becomes empty. */
function trimBrackets(value: string): string {
  if (!/[()]/.test(value)) return value
  const opened: number[] = []
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '(') opened.push(at)
    else if (value[at] === ')' && opened.pop() === undefined) return ''
  }
  const [cut] = opened
  if (cut === undefined) return value
  return value[cut - 1] === ' ' ? value.slice(0, cut).trimEnd() : ''
}

/** Adds the mark that opens or closes a title: `is reading | "Emma" by Jane Austen`. */
function completeQuotation(fact: FactRecord, firstWord: Token | undefined, text: string): void {
  if (!/["“”`'‘’]/.test(fact.value)) return
  if ((fact.value.match(/`/g)?.length ?? 0) % 2 === 1 && text.charAt(fact.span[1]) === '`') {
    fact.value += '`'
    fact.span = [fact.span[0], fact.span[1] + 1]
  }
  const before = text.charAt((firstWord?.start ?? 0) - 1)
  const [start, end] = fact.span
  const after = text.charAt(end)
  const isTitle = (after === "'" || after === '’') && OPEN_TITLE.test(fact.value)
  if (isTitle || (before === '"' && after === '"' && /^[^"]*,?" .* "[^"]*$/.test(fact.value))) {
    fact.value = isTitle ? fact.value + after : before + fact.value + after
    fact.span = [start, end + 1]
    return
  }
  if ((fact.value.match(/["“”]/g)?.length ?? 0) % 2 === 0) return
  if (/["“]/.test(before)) fact.value = before + fact.value
  else if (/["”]/.test(after)) {
    fact.value += after
    fact.span = [start, end + 1]
  }
}

const OPEN_TITLE = /(?:^|\s)['‘][^'’]+(?:['’]\p{L}[^'’]*)?$/u
const REST_UNITS_MAX = 40
const REST_MARKS = new Set(['-', '.', '/', '_', ')'])
const REST_OF_WORD = /^(?:[-./_][\p{L}\p{N}]+)+/u

/** Removes the full stop that the tokenizer leaves at the end of some words. */
function formatValue(draft: FactDraft, naming: Naming): string {
  const [first = '', ...others] = draft.value.map((words) => nameWords(naming, words, 'value'))
  const text = [first, ...(draft.glue === undefined ? [] : [draft.glue]), ...others].join(' ')
  return text.endsWith('.') && /\p{Ll}{4}\.$/u.test(text) ? text.slice(0, -1) : text
}

/** Returns the range of the text from the first to the last word of a fact. */
function computeSpan(tokens: readonly Token[], { subject, predicate, value }: FactDraft): [number, number] {
  let [from, to] = subject.to > subject.from ? [subject.from, subject.to] : [tokens.length, 0]
  for (const words of [...predicate, ...value]) {
    if (words.to <= words.from) continue
    from = Math.min(from, words.from)
    to = Math.max(to, words.to)
  }
  return [(tokens[from] as Token).start, (tokens[to - 1] as Token).end]
}
