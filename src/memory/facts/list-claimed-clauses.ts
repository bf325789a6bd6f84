import type { Clause, Sight } from '../clauses/clause.ts'
import {
  HYPOTHETICAL_MARKERS,
  REPORTING_VERBS,
  STATES_OF_MIND,
  UNREAL_OPENERS,
  WANTING_VERBS
} from '../clauses/word-classes.ts'
import type { Sentence } from '../language/token.ts'
import { classifyVerbForm, mayBePast } from '../language/verb-forms.ts'
import { ASKED, findAddedQuestion, WH_WORDS } from './trim-asides.ts'

/**
 * Lists the clauses that the text claims to be true: not questions, suppositions, quotations or reported speech. `asked`
 * is the first token of a question.
 */
export function listClaimedClauses(
  sight: Sight,
  quoted: (token: number) => boolean,
  { isTalk, asked }: { isTalk: boolean; asked: number }
): Clause[] {
  const { parse } = sight
  if (hasCondition(sight)) return []
  const speech = parse.clauses.findLastIndex((clause) => clause.kind === 'speech')
  const end = Math.min(asked, findProposalStart(sight))
  const isOrder = isTalk && opensWithOrder(sight)
  return parse.clauses.filter(
    (clause, i) =>
      i >= speech &&
      clause.verb.main < end &&
      (!isOrder || isOfSpeaker(sight, clause)) &&
      isClaimed(clause, isTalk ? sight : undefined) &&
      !quoted(clause.verb.main)
  )
}

/** Recognises instructions: "**Bake** it for ten minutes until the edges are firm". */
function opensWithOrder({ parse: { chunks, clauses, tokens } }: Sight): boolean {
  const [first] = clauses
  if (first === undefined || first.subject !== undefined || first.isSpeaker === true || first.at > 1) return false
  const { opens, base, hasAuxiliary } = first.verb
  const isFirst = (first.at === 0 || chunks[0]?.kind === 'adverb') && chunks[first.at + 1]?.kind !== 'comma'
  return isFirst && !hasAuxiliary && opens === base && classifyVerbForm(opens) === 'base' && tokens.length > 3
}

function isOfSpeaker({ parse, lower }: Sight, { subject, isSpeaker }: Clause): boolean {
  return isSpeaker === true || OWN_SUBJECTS.has(lower(parse.chunks[subject?.from ?? -1]?.from ?? -1))
}

/** Recognises "if it rains", but not "even if it rained", which concedes that it did. */
function isCondition({ parse, lower }: Sight, clause: Clause): boolean {
  if (clause.kind !== 'adverbial' || !HYPOTHETICAL_MARKERS.has(clause.marker)) return false
  const start = parse.chunks[clause.start]?.from ?? 0
  const isEven = lower(start) === 'even' || lower(start - 1) === 'even'
  return !(isEven && isPast(clause)) && lower(start - 1) !== 'as'
}

/** Recognises a hypothetical sentence: "If it rains, we stay", "imagine that we won". */
export function hasCondition(sight: Sight): boolean {
  return UNREAL_OPENERS.has(sight.lower(0)) || sight.parse.clauses.some((clause) => isCondition(sight, clause))
}

function isClaimed(clause: Clause, talk: Sight | undefined): boolean {
  if (clause.kind === 'adverbial' && NOT_YET.has(clause.marker) && !isPast(clause)) return false
  if (talk !== undefined && isUnclaimedInTalk(talk, clause)) return false
  if (clause.kind === 'adverbial' && clause.marker === 'so' && PURPOSES.has(clause.verb.modal ?? '')) return false
  for (let at: Clause | undefined = clause, depth = 0; at !== undefined && depth < DEPTH_MAX; at = at.within, depth++) {
    const holder = at.within
    if (talk !== undefined && holder !== undefined && isAnnounced(talk, at, holder)) continue
    if (at.kind === 'complement') return false
    if (
      holder !== undefined &&
      at.kind !== 'participle' &&
      REPORTING_VERBS.has(holder.verb.base) &&
      at.kind !== 'infinitive' &&
      at.kind !== 'gerund'
    )
      return false
  }
  return true
}

/** Recognises "as Kim **pointed out**", "as **long** as I have tea" and "a good sport when **played** with friends". */
function isUnclaimedInTalk(talk: Sight, clause: Clause): boolean {
  const start = talk.parse.chunks[clause.start]?.from ?? 0
  if (clause.marker === 'as' && (isReport(clause) || talk.lower(start - 1) === 'long')) return true
  if (clause.marker === 'where' && isOfAim(talk, clause)) return true
  return clause.kind === 'adverbial' && clause.verb.form === 'bare' && isBare(talk, clause)
}

/** Recognises a place that is only aimed at: "I want to plan **a garden where** the paths are wide". */
function isOfAim({ parse: { chunks, clauses }, lower }: Sight, clause: Clause): boolean {
  const opening = chunks.slice(0, clause.start + 1).findLast(({ from }) => lower(from) === 'where')
  const noun = chunks.findLast(({ kind, to }) => kind === 'noun' && to === opening?.from)
  const holder = clauses[clauses.indexOf(clause) - 1]
  if (noun === undefined || holder === undefined || isPast(clause)) return false
  const isOpen = lower(noun.from) === 'a' || lower(noun.from) === 'an'
  const { form, first, base } = holder.verb
  return isOpen && (form === 'infinitive' || (first !== base && WANTING_VERBS.has(first)))
}

/**
 * Recognises what a speaker announces of himself: "let you know **I moved**", "I realized that **I love** it", "I can't
 * believe **I won**", "I'm glad **I went**", "that's why **I row**".
 */
function isAnnounced({ parse, lower }: Sight, { kind, marker, subject, verb }: Clause, holder: Clause): boolean {
  if (kind !== 'complement' || verb.modal !== undefined) return false
  const isReason = CLEFT_MARKERS.has(marker) && isCleft({ parse, lower }, holder)
  if (marker !== '' && marker !== 'that' && !isReason) return false
  const own = parse.chunks[subject?.from ?? -1]
  if (own === undefined || !OWN_SUBJECTS.has(lower(own.from))) return false
  if (isReason) return true
  const { base, isNegated } = holder.verb
  const from = parse.chunks[holder.at]?.from ?? 0
  if (base === 'believe') return isNegated && lower(from) === 'ca'
  if (isNegated || holder.verb.modal !== undefined) return false
  if (base === 'tell' || base === 'know')
    return ADDRESSED.has(lower(holder.verb.main - 1)) || ADDRESSED.has(lower(holder.verb.main + 1))
  if (base === 'be') return STATES_OF_MIND.has(lower((parse.chunks[holder.at + 1]?.to ?? 0) - 1))
  return FACTIVE_VERBS.has(base)
}

/** Recognises "**That's** why I row", "**This was** when we moved". */
function isCleft({ parse, lower }: Pick<Sight, 'parse' | 'lower'>, { subject, verb }: Clause): boolean {
  const at = parse.chunks[subject?.from ?? -1]?.from ?? -1
  const isPointer = lower(at) === 'that' || lower(at) === 'this'
  // "**maybe** that's why I sleep", "that's **probably** why I sleep"
  const isOpen = UNSURE.has(lower(at - 1)) || UNSURE.has(lower(verb.main + 1))
  return isPointer && !isOpen && verb.base === 'be' && !verb.isNegated && verb.modal === undefined
}

const UNSURE = new Set(['maybe', 'perhaps', 'probably', 'possibly', 'guess', 'think'])
const CLEFT_MARKERS = new Set(['why', 'when', 'where', 'how'])
const OWN_SUBJECTS = new Set(['i', 'we', 'my', 'our'])
const ADDRESSED = new Set(['you', 'u', 'ya'])

/** What they introduce is so. */
const FACTIVE_VERBS = new Set(['realize', 'realise', 'notice', 'discover', 'regret', 'learn', 'mention'])

/** Checks that nothing but the opening word precedes a verb. */
function isBare({ parse }: Sight, { start, at }: Clause): boolean {
  return parse.chunks.slice(start, at).every(({ kind }) => kind === 'marker' || kind === 'adverb')
}

/** "As Kim **pointed out** on Monday" says nothing without the rest of its sentence. */
function isReport({ verb: { base } }: Clause): boolean {
  return REPORTING_VERBS.has(base) || base === 'point' || base === 'advise' || base === 'request'
}

/** Openers that need not refer to the past: "once I have time", "when it rains". */
const NOT_YET = new Set(['once', 'until', 'till', 'when', 'whenever', 'before', 'after', 'wherever', 'as'])

/** "I train, so I **can** climb" names a purpose. */
const PURPOSES = new Set(['can', 'could'])

function isPast({ verb }: Clause): boolean {
  return mayBePast(verb.opens) || PAST_HELPERS.has(verb.opens) || verb.form === 'bare'
}

const PAST_HELPERS = new Set(['was', 'were', 'had', 'did', 'could'])

/** No real sentence nests clauses more deeply. */
const DEPTH_MAX = 20

/** Returns the first token of a proposal ("**let's** go"), which claims nothing, or an index beyond the last token. */
function findProposalStart({ parse, lower }: Sight): number {
  const at = parse.tokens.findIndex(
    (token, i) => token.lower === 'let' && (lower(i + 1) === "'s" || lower(i + 1) === 'us')
  )
  return at < 0 ? parse.tokens.length : at
}

/**
 * Returns the first token of a question, or an index beyond the last token. In "I moved - how are you?" the question
 * begins after the dash, in most sentences at the first word.
 */
export function findQuestionStart(sight: Sight): number {
  const { chunks, tokens } = sight.parse
  const added = findAddedQuestion(tokens, sight.parse.tags)
  if (!isQuestion(sight) || added < tokens.length) return added
  for (let at = chunks.length - 1; at > 0; at--) {
    const chunk = chunks[at]
    if (chunk?.kind !== 'stop' || /[?!.]/.test(tokens[chunk.from]?.text ?? '')) continue
    // "Any tips on **double-checking** it?"
    if (tokens[chunk.from]?.text === '-' && tokens[chunk.from]?.end === tokens[chunk.to]?.start) continue
    return chunk.from
  }
  return 0
}

/** Recognises a question, also without its mark: "Do you work there?", "who came". */
function isQuestion({ parse, lower }: Sight): boolean {
  const { tokens, tags } = parse
  for (let at = tokens.length - 1; at >= 0 && at > tokens.length - 4; at--) if (lower(at).includes('?')) return true
  let at = 0
  while (
    at < tokens.length &&
    (tags[at] === 'INTJ' || tags[at] === 'PUNCT' || tags[at] === 'CCONJ' || lower(at) === 'so')
  )
    at++
  if (tags[at] === 'AUX' && (ASKED.has(lower(at + 1)) || ARTICLES.has(lower(at + 1)))) return true
  return WH_WORDS.has(lower(at)) && (tags[at + 1] === 'AUX' || lower(at + 1) === "'s") && tags[at + 2] !== 'VERB'
}

const ARTICLES = new Set(['the', 'your'])

/** Reports whether a token of a sentence is inside quotation marks. */
type Quoted = (sentence: Sentence, token: number) => boolean

/**
 * Finds quotations between matching marks, also across sentences. Straight marks open and close in turn; an unmatched
 * one at the end of a line closes nothing. Single marks count only as doubled characters or in their curved form.
 */
export function findQuotes(sentences: readonly Sentence[]): Quoted {
  if (!sentences.some(({ tokens }) => tokens.some(({ lower }) => QUOTES.has(lower)))) return () => false
  const inside = new Map<Sentence, boolean[]>()
  let isOpen = false
  const straight = countStraight(sentences) % 2 === 0
  for (const sentence of sentences) {
    const flags: boolean[] = []
    let has = isOpen
    for (const [i, { lower }] of sentence.tokens.entries()) {
      const next = sentence.tokens[i + 1]?.lower
      if (lower === '“' || lower === '«' || lower === '``' || (lower === '`' && next === '`')) isOpen = true
      else if (lower === '”' || lower === '»' || lower === "''" || (lower === "'" && next === "'")) isOpen = false
      else if (lower === '"' && straight) isOpen = !isOpen
      flags.push(isOpen)
      has ||= isOpen
    }
    if (has) inside.set(sentence, flags)
  }
  return (sentence, token) => inside.get(sentence)?.[token] === true
}

/** The marks that may open a quotation. */
const QUOTES = new Set(['“', '«', '`', '``', '"'])

function countStraight(sentences: readonly Sentence[]): number {
  let count = 0
  for (const { tokens } of sentences) for (const { lower } of tokens) if (lower === '"') count++
  return count
}
