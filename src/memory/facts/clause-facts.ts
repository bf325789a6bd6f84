import type { Chunk, Phrase } from './chunk.ts'
import type { Clause, Parse } from './clause.ts'
import type { Draft, Sight, Words } from './draft.ts'
import { modalityOf } from './modality.ts'
import { splitValue } from './split-value.ts'
import { PARTICLES } from './words/particles.ts'
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
  const isAlone = values[0]?.length === 0 && openings.length === 0 && about.length === 0
  const alone = isAlone ? withoutObject(sight, clause) : undefined
  if (alone !== undefined) return [alone]
  const drafts = values.map((value) => ({
    rule: ruleOf(clause),
    subject,
    predicate,
    said: participleSaid(sight, clause, reach),
    value: [...about, ...value, ...openings],
    negated: isNegated || NOBODY.has(sight.lower(subject.from)),
    modality: modality(sight, clause),
    clause,
    features: []
  }))
  return drafts.filter((draft) => draft.value.length > 0)
}

/** "**Nobody** came", "**no** bus stops here". */
const NOBODY = new Set(['nobody', 'no', 'none', 'neither', 'nothing'])

/** The verb's modality; an adverb like `maybe` in its clause makes it possible. */
function modality(sight: Sight, clause: Clause): Draft['modality'] {
  const { chunks } = sight.parse
  const said = modalityOf(clause.verb)
  if (said !== undefined) return said
  const from = chunks[Math.min(clause.start, clause.subject?.from ?? clause.at)]?.from ?? 0
  const to = chunks[clause.at]?.to ?? 0
  for (let at = Math.max(0, from - 2); at < to; at++) if (HEDGES.has(sight.lower(at))) return 'possible'
  return undefined
}

const HEDGES = new Set([
  'maybe',
  'perhaps',
  'possibly',
  'probably',
  'supposedly',
  'allegedly',
  'apparently',
  'presumably'
])

/** "We **can swim**", "Bob **is sleeping**": where nothing follows, the verb itself is the value. */
function withoutObject(sight: Sight, clause: Clause): Draft | undefined {
  const { parse } = sight
  const verb = parse.chunks[clause.at] as Chunk
  const { main } = clause.verb
  const subject = subjectWords(parse, clause)
  if (subject === undefined || main <= verb.from || (parse.tags[main - 1] === 'PART' && sight.lower(main - 1) === 'to'))
    return undefined
  const draft = {
    rule: ruleOf(clause),
    subject,
    said: undefined,
    negated: clause.verb.isNegated,
    modality: modality(sight, clause)
  }
  return {
    ...draft,
    predicate: [{ from: verb.from, to: main }],
    value: [{ from: main, to: verb.to }],
    clause,
    features: []
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

/** "the song that **she wrote** in May": what a relative clause lacks is what it is about. */
function missingObject({ parse }: Sight, clause: Clause, reach: number): Words[] {
  const { antecedent, subject, marker } = clause
  if (
    clause.kind !== 'relative' ||
    antecedent === undefined ||
    subject === undefined ||
    subject.from === antecedent.from
  )
    return []
  if (parse.chunks[reach]?.kind === 'noun' && reach < clause.end) return []
  const words = wordsOf(parse, trim(parse, antecedent))
  return words === undefined ? [] : [words]
}

function lacksObject({ kind, antecedent, subject, marker }: Clause): boolean {
  return (
    kind === 'relative' &&
    marker !== 'whose' &&
    antecedent !== undefined &&
    subject !== undefined &&
    subject.from !== antecedent.from
  )
}

/** What follows the predicate; of `"…", said Bob`, what stands before. */
function valuePhrase({ parse, lower }: Sight, clause: Clause, reach: number): Phrase {
  if (clause.kind === 'speech') return trim(parse, { from: 0, to: clause.start })
  const phrase = trim(parse, { from: reach, to: clause.end })
  const opener = parse.chunks[phrase.from]
  const from = opener?.kind === 'relative' && lower(opener.from) === 'that' ? phrase.from + 1 : phrase.from
  return { from, to: withoutVocative(parse, { from, to: phrase.to }) }
}

/** "That is kind of you, **Ann**!" */
function withoutVocative({ chunks, tags }: Parse, { from, to }: Phrase): number {
  const last = chunks[to - 1]
  const isName = last?.kind === 'noun' && last.to === last.from + 1 && tags[last.from] === 'PROPN'
  const isEnd = to === chunks.length || chunks[to]?.kind === 'stop'
  return isName && isEnd && chunks[to - 2]?.kind === 'comma' ? Math.max(from, to - 2) : to
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

/** First chunk after the predicate: a particle and the preposition of what follows belong to it ("grew up in"). */
function predicateReach({ parse, lower }: Sight, clause: Clause): number {
  const { chunks } = parse
  let reach = clause.at + 1
  const next = chunks[reach]
  if (
    next !== undefined &&
    reach < clause.end &&
    next.to === next.from + 1 &&
    PARTICLES.has(lower(next.from)) &&
    (next.kind === 'adverb' || (next.kind === 'preposition' && chunks[reach + 1]?.kind === 'preposition'))
  )
    reach++
  const preposition = chunks[reach]
  if (preposition?.kind === 'preposition' && lacksObject(clause)) {
    const isStranded = reach + 1 >= clause.end || chunks[reach + 1]?.kind !== 'noun'
    return isStranded && reach < clause.end ? reach + 1 : reach
  }
  if (preposition?.kind === 'preposition' && reach + 1 < clause.end && chunks[reach + 1]?.kind === 'noun') reach++
  return reach
}

/** A phrase without the commas, conjunctions and marks at its ends. */
export function trim({ chunks }: Parse, { from, to }: Phrase): Phrase {
  let start = from
  let end = to
  while (end > start && (EDGES.has(chunks[end - 1]?.kind ?? '') || chunks[end - 1]?.kind === 'marker')) end--
  while (start < end && EDGES.has(chunks[start]?.kind ?? '')) start++
  return { from: start, to: end }
}

const EDGES: ReadonlySet<string> = new Set(['comma', 'and', 'stop', 'quote', 'opening', 'closing'])

/** The words of some chunks. */
export function wordsOf({ chunks }: Parse, { from, to }: Phrase): Words | undefined {
  if (to <= from) return undefined
  return { from: (chunks[from] as Chunk).from, to: (chunks[to - 1] as Chunk).to }
}

function openingWords({ parse }: Sight, clause: Clause): Words[] {
  return clause.openings.map((phrase) => wordsOf(parse, phrase)).filter((words) => words !== undefined)
}
