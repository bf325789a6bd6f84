import type { Clause, FactDraft, Sight, Words } from '../clauses/clause.ts'
import { CLAUSE_OPENERS, FINITE_AUXILIARIES, REPORTING_VERBS, SPEECH_VERBS } from '../clauses/word-classes.ts'
import { NOUN_TAGS } from '../language/token.ts'
import { classifyVerbForm, mayBeParticiple } from '../language/verb-forms.ts'

/** Ends the values of a text without a speaker before another statement, and narrows the subject of a relative clause. */
export function fitInProse(sight: Sight, draft: FactDraft): FactDraft {
  const { value } = draft
  const last = value.at(-1)
  if (draft.clause === undefined || last === undefined) return draft
  const words = trimEnd(sight, cutAtContrast(sight, last, draft.clause.verb.base))
  const kept = [...value.slice(0, -1), words].filter(({ from, to }) => to > from)
  return { ...draft, value: kept, subject: narrowSubject(sight, draft) }
}

/** Ends a value before a contrast and before a remark on the statement: "a lamp**, but**", "a pet**, which makes** him glad". */
function cutAtContrast({ parse: { tags }, lower }: Sight, { from, to }: Words, verb: string): Words {
  if (SPEECH_VERBS.has(verb)) return { from, to }
  for (let at = from + 2; at < to; at++) {
    if (lower(at - 1) !== ',') continue
    const isContrast = lower(at) === 'but' && lower(at + 1) !== 'also' && lower(at + 1) !== 'not'
    if (isContrast || (lower(at) === 'which' && tags[at] !== 'DET')) return { from, to: at - 1 }
  }
  return { from, to }
}

/** Removes the relative pronoun of a clause that is not part of the value; a value that ends in the middle becomes empty. */
function trimEnd({ parse: { tags, tokens }, lower }: Sight, { from, to }: Words): Words {
  let end = to
  // "a key, **with** which …"
  if (tags[end - 1] === 'ADP' && end - from > 1 && (lower(end - 2) === ',' || OPENINGS.has(lower(to)))) end--
  while (end > from && (OPENINGS.has(lower(end - 1)) || tags[end - 1] === 'CCONJ' || lower(end - 1) === ',')) end--
  const isCut = CUT_WORDS.has(lower(end - 1)) && end - from > 1
  const hyphen = tokens[end]
  const isHalf = hyphen?.text === '-' && hyphen.start === tokens[end - 1]?.end
  return isCut || (isHalf && end < to) ? { from, to: from } : { from, to: end }
}

const OPENINGS = new Set('which who whom whose'.split(' '))
const CUT_WORDS = new Set('a an the of under upon between into whereby than not such'.split(' '))

/** "the edges of the **box** that is red" */
function narrowSubject({ parse: { chunks, tags }, lower }: Sight, { clause, subject }: FactDraft): Words {
  const antecedent = clause?.kind === 'relative' ? clause.antecedent : undefined
  const [first, last] = [chunks[antecedent?.from ?? -1], chunks[(antecedent?.to ?? 0) - 1]]
  if (first === undefined || last === undefined || first === last || subject.from !== first.from) return subject
  const isPlural = (head: number) => tags[head] === 'NOUN' && /[^s]s$/.test(lower(head))
  const opens = clause?.verb.opens ?? ''
  const isOfMany = /^(?:are|were|have)$/.test(opens)
  if (!isOfMany && !/^(?:is|was|has)$|[^s]s$/.test(opens)) return subject
  if (isPlural(first.head) === isOfMany || isPlural(last.head) !== isOfMany) return subject
  return { from: last.from, to: last.to }
}

/** Recognises a value that mostly consists of numbers, as rows of tables do. */
export function isTable({ parse: { tokens } }: Sight, { value }: FactDraft): boolean {
  let run = 0
  for (const { from, to } of value)
    for (let at = from; at < to; at++) {
      run = /^\d+$/.test(tokens[at]?.text ?? '') ? run + 1 : 0
      if (run >= NUMBERS_MAX) return true
    }
  return false
}

const NUMBERS_MAX = 4

/** Recognises a value that runs into another statement: "cut | **the wood were** dry", or begins in the middle of one. */
export function isRunOn(sight: Sight, draft: FactDraft): boolean {
  const { clause, value } = draft
  if (clause === undefined || value.length === 0) return false
  if (isHeadless(sight, draft)) return true
  if (REPORTING_VERBS.has(clause.verb.base) || clause.verb.base === 'feel') return false
  return value.some((words) => hasStatement(sight, words))
}

function isHeadless({ parse: { tags }, lower }: Sight, { predicate, value }: FactDraft): boolean {
  const from = value[0]?.from ?? 0
  if (BEGINNINGS.has(lower(from)) && tags[from] !== 'DET')
    return tags[(predicate.at(-1)?.to ?? 0) - 1] === 'ADP' || lower(from - 1) === ','
  return (tags[from] === 'ADP' || tags[from] === 'PART') && FINITE_AUXILIARIES.has(lower(from + 1))
}

function hasStatement({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  for (let at = from; at < to; at++) {
    if (OPENERS.has(lower(at)) || tags[at] === 'SCONJ' || lower(at) === '(' || lower(at) === '"') return false
    if (at > from && FINITE_AUXILIARIES.has(lower(at)) && NOUN_TAGS.has(tags[at - 1] ?? 'X')) return true
  }
  return false
}

const BEGINNINGS = new Set(['which', 'whose'])
/** After these, a value may contain a clause. */
const OPENERS = new Set([...CLAUSE_OPENERS, ...'i you he she it we they and but than as'.split(' ')])

/** Recognises a subject whose verb has another number, because the rest is missing: "A map and **a plan are** shown". */
export function disagrees({ parse: { chunks, tags, tokens }, lower }: Sight, { clause, subject }: FactDraft): boolean {
  if (clause?.subject === undefined || clause.kind === 'participle' || clause.kind === 'adjunct') return false
  const phrase = chunks.slice(clause.subject.from, clause.subject.to)
  const [noun] = phrase
  if (noun === undefined || noun.from !== subject.from || noun.isPronoun || !NOUN_TAGS.has(tags[noun.head] ?? 'X'))
    return false
  if (phrase.some(({ kind }) => kind === 'and' || kind === 'comma')) return false
  const word = lower(noun.head)
  const { opens } = clause.verb
  const isName = tags[noun.head] === 'PROPN'
  // Clubs and peoples take plural verbs: "Dale RFC play in red".
  const isPerson =
    phrase.length === 1 && noun.to === noun.from + 1 && /^\p{Lu}\p{Ll}+$/u.test(tokens[noun.head]?.text ?? '')
  if (!isName && (opens === 'are' || opens === 'were')) return !PLURAL_ENDS.test(word) && !PLURALS.test(word)
  // "**Ida watch** from" of "Ida got a gold watch from"
  if (isPlainPlural(clause) && (isPerson || !isName)) return !PLURAL_ENDS.test(word) && !PLURALS.test(word)
  if (isName || (opens !== 'is' && opens !== 'was')) return false
  // Capital letters may be a name: "Dune Tales is a book".
  return /[^sui'’]s$/.test(word) && !SINGULARS.test(word) && tokens[noun.head]?.text === word
}

function isPlainPlural({ verb }: Clause): boolean {
  const { opens, base, form, lead, borrowed } = verb
  if (form !== 'finite' || lead !== undefined || borrowed !== undefined) return false
  return (
    opens === 'have' ||
    (!verb.hasAuxiliary && opens === base && classifyVerbForm(opens) === 'base' && !mayBeParticiple(opens))
  )
}

/** `-ing` may be the second part of a plural that was not read. */
const PLURAL_ENDS = /(?:s|ata|[aeo]n|ae|ing)$|^\d/
const PLURALS =
  /^(?:couple|none|pair|aplenty|who|people|police|staff|both|few|many|feet|teeth|mice|majority|number|variety|range|lot|rest|half|most|percent|family|team|crew|club|group|committee|board|union|army|band|government|criteria|media|spectra|phenomena|two|three|four|five|six|eight|nine)$/
const SINGULARS =
  /(?:ics|ies|ous|news|lens|means|gas|bus|plus|bias|canvas|atlas|christmas)$|^(?:years|months|weeks|days|hours|minutes|miles|dollars|pounds|metres|meters|lots|thanks|percents)$/
