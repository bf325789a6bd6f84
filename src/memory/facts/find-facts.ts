import type { FactRecord } from '../../contract/snapshot.ts'
import { type Clause, type FactDraft, isJudgement, type Sight, toSight, type Words } from '../clauses/clause.ts'
import { readClauses } from '../clauses/read-clauses.ts'
import { repairTags } from '../language/repair-tags.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Sentence, Tag, Token } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
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
import { completeValue, dropPointer } from './complete-value.ts'
import { computeConfidence, listFeatures } from './compute-confidence.ts'
import { findBelief } from './find-belief.ts'
import { findNominalFacts } from './find-nominal-facts.ts'
import { findTalkFacts, implySpeaker, introduceThing } from './find-talk-facts.ts'
import { fitDraft } from './fit-draft.ts'
import { isCourtesyTo, isHollow, isHollowSubject } from './is-hollow.ts'
import type { Talk } from './is-remark.ts'
import { isWholeInProse } from './is-whole-in-prose.ts'
import { isWholeInTalk } from './is-whole-in-talk.ts'
import { findQuestionStart, findQuotes, hasCondition, listClaimedClauses } from './list-claimed-clauses.ts'
import { addresses, findAddressed, formatPredicate, type Naming, nameSubject, nameWords } from './naming.ts'
import { fitInProse } from './prose-values.ts'
import { toOpinion } from './to-opinion.ts'
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
    const tags = repairTags(sentence)
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
          ? addConfidence(toFactRecord(draft, toVerbatimNaming(naming)), draft, { sight, source })
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

/**
 * Moves `now` from the value of a fact to its predicate (`now lives in | Bray`), and returns what its value denies as
 * a fact of its own: `is | 4417, not 7714` becomes `is | 4417` and `is not | 7714`.
 */
function splitCorrection(fact: FactRecord, { clause }: FactDraft): FactRecord[] {
  const { value, predicate, negated } = fact
  const contrast = negated ? CONTRAST.exec(value)?.groups : undefined
  if (contrast !== undefined && DENIED_BE.test(predicate)) return [splitContrast(fact, contrast)]
  if (negated || clause === undefined || value.length > CORRECTION_UNITS_MAX) return []
  if (!CORRECTED.test(value)) return []
  const moved = MOVED.exec(value)?.groups
  if (moved !== undefined) fact.predicate = `${predicate} ${moved.joint}`
  const { kept = value, other } = moved ?? CORRECTION.exec(value)?.groups ?? {}
  const plain = isPresent(fact, clause) ? kept.replace(NOW, '') : kept
  fact.value = plain
  if (plain !== kept)
    fact.predicate = /^(?:is|are)(?= |$)/.test(predicate)
      ? predicate.replace(/^\S+/, '$& now')
      : `now ${fact.predicate}`
  const denial = other === undefined ? undefined : denyPredicate(predicate, clause)
  if (denial === undefined || other === undefined) return []
  const denied = moved === undefined ? denial : `${denial} ${moved.joint}`
  return [{ ...fact, predicate: denied, value: other, negated: true }]
}

/** A longer value contains more than one statement. In UTF-16 code units. */
const CORRECTION_UNITS_MAX = 80

/** A quick test for the words of corrections. */
const CORRECTED = /not |instead of|rather than|now/
const CORRECTION =
  /^(?<kept>(?:\S+ ){0,4}\S+?)(?:(?:,| -| –| —) (?:and )?not|,? (?:instead of|rather than)) (?<other>(?!because|when|if|only|just|to |in |at |that|so |very|too |even|really|always|yet|sure|\p{L}+ing\b)(?:\S+ ){0,3}[^\s,]+)$/u

/** `lives | not in Rome but in Paris` */
const MOVED = /^not (?<joint>in|at|on|from) (?<other>(?:\S+ ){0,3}[^\s,]+),? but \k<joint> (?<kept>(?:\S+ ){0,4}\S+)$/u
const NOW = /(?:^now |(?<!\b(?:right|for|until|till|by|just|even|than|to|from)),? now| from now on)$|^now (?=\S)/u

/** The value of a denied copula that continues with the right value: `Rome but in Paris`. */
const CONTRAST =
  /^(?<other>(?!only\b|just\b|always\b)(?:\S+ ){0,3}[^\s,]+),? but (?!also\b|not\b|it\b|still\b)(?:(?:in|at|on|from) )?(?<kept>(?:\S+ ){0,4}\S+)$/u
const DENIED_BE = /^(?<be>is|are|was|were)(?: not|n['’]t)(?<rest>(?: (?:in|at|on|from))?)$/

/** Keeps what `is not in | Rome but in Paris` denies, and returns `is in | Paris`. */
function splitContrast(fact: FactRecord, { other = '', kept = '' }: Record<string, string>): FactRecord {
  const { negated: _, ...plain } = fact
  fact.value = other
  return { ...plain, predicate: fact.predicate.replace(DENIED_BE, '$<be>$<rest>'), value: kept }
}

function isPresent({ predicate, modality }: FactRecord, { verb }: Clause): boolean {
  if (/^(?:is|are|am)(?: |$)/.test(predicate)) return true
  const form = classifyVerbForm(verb.opens)
  return !verb.hasAuxiliary && modality === undefined && (form === 'base' || form === 'present')
}

/** Writes a predicate as denied: `is not`, `does not live in`. Returns undefined for a verb with auxiliaries. */
function denyPredicate(predicate: string, { verb }: Clause): string | undefined {
  const [first = '', ...rest] = predicate.split(' ')
  if (/^(?:is|are|was|were)$/.test(first)) return [first, 'not', ...rest].join(' ')
  if (verb.hasAuxiliary || verb.first !== verb.base || first.endsWith('ly') || rest.length > 1) return undefined
  return [first.endsWith('s') ? 'does not' : 'did not', verb.base, ...rest].join(' ')
}

/** Returns what the speaker holds in general, unless other facts of the sentence tell it. */
function holdBelief(sight: Sight, how: Resolving, told: readonly FactRecord[]): FactRecord[] {
  const draft = findBelief(sight)
  if (draft === undefined) return []
  const [start] = computeSpan(sight.parse.tokens, draft)
  if (told.some(({ span }) => span[1] > start)) return []
  if (findQuestionStart(sight) < sight.parse.tokens.length || hasCondition(sight)) return []
  const fact = resolveFact(draft, sight, how)
  if (fact === undefined) return []
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
  if (UNNAMED.has(fact.subject.toLowerCase()) && fact.confidence !== undefined)
    fact.confidence = Math.round(fact.confidence * 50) / 100
  return fact
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
  ...'yo like it this that these those you there here one which who what everything something anything your all both some'.split(
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
    buildClauseFacts(sight, clause, { isTalk }).map((draft) =>
      asExistence(sight, isTalk ? fitDraft(sight, draft) : fitInProse(sight, draft))
    )
  )
  const drafts = isTalk
    ? said.filter((draft) => isWholeInTalk(sight, draft)).map((draft) => toOpinion(sight, draft))
    : said
  if (isTalk) drafts.push(...findTalkFacts(sight))
  const isSaid = (token: number) => token < asked && !isQuoted(token)
  if (!hasCondition(sight))
    drafts.push(...findNominalFacts(sight, (chunk) => isSaid(sight.parse.chunks[chunk]?.from ?? 0)))
  if (!isTalk) return drafts.filter((draft) => draft.value.length > 0 && isWholeInProse(sight, draft))
  return drafts.map((draft) => turnToSpeaker(sight, draft))
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
function chooseNaming({ rule, subject, value }: FactDraft, given: Naming): Naming {
  const isSubject = (found: string) => given.source.speaker !== undefined && found === nameSubject(given, subject)
  const resolve = (at: number) => {
    const found = given.resolve(at)
    return found !== undefined && at >= subject.to && isSubject(found) ? undefined : found
  }
  // In a general statement, `you` is anybody: "It is important to believe in yourself".
  const naming = { ...given, resolve, addressed: isJudgement(rule) ? undefined : given.addressed }
  // "**It** was found that …"
  const isReport =
    given.source.speaker === undefined &&
    rule === 'clause.passive' &&
    naming.parse.tokens[value[0]?.from ?? -1]?.lower === 'that'
  if (!isReport && !rule.startsWith('copula.') && !rule.startsWith('opinion.')) return naming
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

function toFactRecord(draft: FactDraft, naming: Naming, subject = nameSubject(naming, draft.subject)): FactRecord {
  return {
    subject,
    predicate: formatPredicate(naming, draft),
    value: formatValue(draft, naming),
    ...(draft.negated ? { negated: true as const } : {}),
    ...(draft.modality === undefined ? {} : { modality: draft.modality }),
    rule: draft.rule,
    span: computeSpan(naming.parse.tokens, draft)
  }
}

/** Adds its confidence to a fact that is kept. */
function addConfidence(
  fact: FactRecord,
  draft: FactDraft,
  { sight, source }: { sight: Sight; source: TextSource }
): FactRecord {
  const manner = source.speaker === undefined ? 'prose' : 'talk'
  fact.confidence = computeConfidence(draft, sight.parse, manner)
  return fact
}

/** Returns a fact with names instead of pronouns, or undefined if it says nothing without its context. */
function resolveFact(
  draft: FactDraft,
  sight: Sight,
  { naming, source, isKnown, nameIt }: Resolving
): FactRecord | undefined {
  const chosen = chooseNaming(draft, naming)
  const subject = nameSubject(chosen, draft.subject)
  // Most statements that are left out have such a subject.
  if (isEmptySubject(subject) || (source.speaker !== undefined && isHollowSubject(subject))) return undefined
  const fact = toFactRecord(draft, chosen, subject)
  if (fact.value === '') return undefined
  if (source.speaker !== undefined) fact.value = introduceThing(sight, { draft, value: fact.value }, isKnown)
  if (isJudgement(draft.rule)) fact.value = nameIt(fact.value)
  if (isRestOfWord(sight, draft, source.text)) return undefined
  const { tokens } = sight.parse
  const edges = { first: tokens[draft.value[0]?.from ?? 0], last: tokens[(draft.value.at(-1)?.to ?? 0) - 1] }
  completeValue(fact, edges, source.text)
  if (!WORD.test(fact.value)) return undefined
  if (fact.subject === source.speaker) dropPointer(fact)
  if (isHollow(fact, toTalk(draft, sight, source))) return undefined
  const { addressed } = naming
  const isToAddressed = addressed !== undefined && draft.value.some((words) => addresses(sight, words))
  if (isToAddressed && isCourtesyTo(fact, addressed)) return undefined
  return lowerConfidence(addConfidence(fact, draft, { sight, source }))
}

/** Matches a letter or a digit. */
const WORD = /[\p{L}\p{N}]/u

/** Recognises a subject that a full stop inside a word cuts off: `app.py | file` of "the app.py file". */
function isRestOfWord({ parse }: Sight, { subject, rule }: FactDraft, text: string): boolean {
  const start = parse.tokens[0]?.start ?? 0
  return subject.from === 0 && (subject.to > 0 || rule === 'belief.holds') && text.charAt(start - 1) === '.'
}

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
