import type { Chunk } from './chunk.ts'
import type { Clause, Parse } from './clause.ts'
import type { Draft, Sight, Words } from './draft.ts'
import { modalityOf } from './modality.ts'
import { trim, wordsOf } from './phrases.ts'
import { splitValue } from './split-value.ts'
import { missingObject, predicateReach, valuePhrase } from './value-phrase.ts'
import { OBJECT_PRONOUNS } from './words/clause-words.ts'
import { COPULAS } from './words/verb-classes.ts'

/** The facts of one clause: subject, verb group, and what follows with the adverbials before. One a listed value. */
export function clauseFacts(sight: Sight, clause: Clause): Draft[] {
  const { parse } = sight
  if (clause.kind === 'gerund' || clause.kind === 'infinitive') return []
  const subject = subjectWords(parse, clause)
  if (subject === undefined) return []
  const verb = parse.chunks[clause.at] as Chunk
  const reach = predicateReach(sight, clause)
  const predicate = [{ from: verb.from, to: (parse.chunks[reach - 1] as Chunk).to }]
  const after = valuePhrase(sight, clause, reach)
  const openings = openingWords(sight, clause)
  const isWhole = clause.kind === 'participle' || clause.kind === 'adjunct'
  const values =
    after.to <= after.from
      ? [[]]
      : (isWhole ? [after] : splitValue(parse, after)).map((part) => [wordsOf(parse, part) as Words])
  const { isNegated } = clause.verb
  const about = missingObject(sight, clause, reach)
  const isGiven = OBJECT_PRONOUNS.has(sight.lower(parse.chunks[reach]?.from ?? -1))
  const isJoined = parse.chunks[reach]?.kind === 'and' && clause.verb.isPassive
  const isAlone = (values[0]?.length === 0 || isJoined) && openings.length === 0 && about.length === 0
  const alone = isAlone ? withoutObject(sight, clause) : undefined
  if (alone !== undefined) return [alone]
  const drafts = values.map((value) => ({
    rule: ruleOf(clause),
    subject,
    predicate,
    said: participleSaid(sight, clause, reach),
    value: isGiven ? [...value, ...about, ...openings] : [...about, ...value, ...openings],
    negated: isNegated || NOBODY.has(sight.lower(subject.from)),
    modality: modalityOf(sight, clause),
    clause
  }))
  return drafts.filter((draft) => draft.value.length > 0)
}

/** "**Nobody** came", "**no** bus stops here". */
const NOBODY = new Set(['nobody', 'no', 'none', 'neither', 'nothing'])

/** "We **can swim**", "Bob **is sleeping**": where nothing follows, the verb itself is the value. */
function withoutObject(sight: Sight, clause: Clause): Draft | undefined {
  const { parse } = sight
  const verb = parse.chunks[clause.at] as Chunk
  const { main } = clause.verb
  const subject = subjectWords(parse, clause)
  if (
    subject === undefined ||
    main <= verb.from ||
    !clause.verb.hasAuxiliary ||
    (parse.tags[main - 1] === 'PART' && sight.lower(main - 1) === 'to')
  )
    return undefined
  const draft = {
    rule: ruleOf(clause),
    subject,
    said: undefined,
    negated: clause.verb.isNegated,
    modality: modalityOf(sight, clause)
  }
  return {
    ...draft,
    predicate: [{ from: verb.from, to: main }],
    value: [{ from: main, to: verb.to }],
    clause
  }
}

/** "a dog **named** Rex" says that it is named so. */
function participleSaid({ parse }: Sight, clause: Clause, reach: number): string | undefined {
  if (
    clause.kind !== 'participle' ||
    (clause.verb.form !== 'bare' && clause.verb.form !== 'participle') ||
    clause.verb.hasAuxiliary
  )
    return undefined
  const verb = parse.chunks[clause.at] as Chunk
  const words = parse.tokens.slice(verb.from, (parse.chunks[reach - 1] as Chunk).to).map(({ text }) => text)
  return `is ${words.join(' ')}`
}

/** No words at all where the speaker is left out. */
function subjectWords(parse: Parse, clause: Clause): Words | undefined {
  if (clause.subject !== undefined) return wordsOf(parse, trim(parse, clause.subject))
  const start = (parse.chunks[clause.at] as Chunk).from
  return clause.isSpeaker === true ? { from: start, to: start } : undefined
}

function ruleOf(clause: Clause): string {
  if (clause.kind === 'speech') return 'report.said'
  if (clause.isSpeaker === true) return 'speaker.left-out'
  if (
    clause.kind === 'relative' ||
    clause.kind === 'participle' ||
    clause.kind === 'adjunct' ||
    clause.kind === 'infinitive' ||
    clause.kind === 'gerund'
  )
    return `clause.${clause.kind}`
  if (clause.verb.base === 'be') return 'copula.is'
  if (COPULAS.has(clause.verb.base)) return 'copula.seems'
  if (clause.verb.isPassive) return 'clause.passive'
  return clause.kind === 'coordinate'
    ? 'clause.coordinate'
    : clause.kind === 'adverbial'
      ? 'clause.adverbial'
      : 'clause.plain'
}

function openingWords({ parse }: Sight, clause: Clause): Words[] {
  return clause.openings.map((phrase) => wordsOf(parse, phrase)).filter((words) => words !== undefined)
}
