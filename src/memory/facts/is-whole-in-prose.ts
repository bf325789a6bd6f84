import type { Chunk, Clause, FactDraft, Sight } from '../clauses/clause.ts'
import { OBJECT_PRONOUNS, STATES_OF_MIND, TIME_NOUNS } from '../clauses/word-classes.ts'
import type { Tag } from '../language/token.ts'
import { disagrees, isRunOn, isTable } from './prose-values.ts'

/**
 * Recognises a fact of a text without a speaker that says what its sentence says: it is about the right noun, and its
 * subject and value are whole.
 */
export function isWholeInProse(sight: Sight, draft: FactDraft): boolean {
  if (isPartOfSubject(sight, draft) || isTable(sight, draft)) return false
  if (draft.rule === 'possessive.has') return !isNamedAfter(sight, draft)
  const { clause } = draft
  if (clause === undefined) return true
  if (disagrees(sight, draft) || isRunOn(sight, draft)) return false
  if (clause.kind === 'relative') return !describesOther(sight, clause, draft)
  if (clause.kind === 'participle') return !isAttribute(sight, draft)
  return clause.kind !== 'adjunct' || !isResultForPerson(sight, clause)
}

/** Recognises a relative clause about more or less than its noun. */
function describesOther(sight: Sight, clause: Clause, { subject, predicate, value }: FactDraft): boolean {
  const noun = sight.parse.chunks[clause.antecedent?.from ?? -1]
  if (noun === undefined) return false
  // "problems **whose** solutions are long" is not about all solutions.
  if (clause.marker === 'whose') return true
  const before = sight.parse.chunks[clause.start - 1]?.kind
  if (subject.from !== noun.from) {
    if (value.every(({ from }) => from !== noun.from)) return false
    // "the ease **with which** it runs": the value lacks the preposition. A passive has no object.
    const isStranded = sight.parse.tags[(predicate.at(-1)?.to ?? 0) - 1] === 'ADP'
    return before === 'preposition' || (clause.verb.isPassive && !isStranded)
  }
  if (before === 'comma') return clause.marker === 'which' && isResult(sight, clause)
  // "laughter among **the guests that made** Ida blush"
  const isWithin = sight.parse.chunks[(clause.antecedent?.from ?? 0) - 1]?.kind === 'preposition'
  return (
    (isWithin && clause.verb.base !== 'lead' && RESULT_VERBS.has(clause.verb.base)) ||
    (clause.marker !== 'who' && isSome(sight, noun))
  )
}

/** Recognises what a whole statement leads to: "I won the race, which **made** him proud". */
function isResult(sight: Sight, { at, verb }: Clause): boolean {
  const isPersonal = isPerson(sight, sight.parse.chunks[at + 1])
  // "a fall, which left **her with** a scar"
  if (isPersonal && sight.parse.chunks[at + 2]?.kind === 'preposition') return false
  return isPersonal || RESULT_VERBS.has(verb.base) || STATES_OF_MIND.has(verb.opens)
}

const RESULT_VERBS = new Set('make leave give cause let mean help lead annoy'.split(' '))

function isPerson({ lower }: Sight, object: Chunk | undefined): boolean {
  if (object?.kind !== 'noun') return false
  return OBJECT_PRONOUNS.has(lower(object.from)) || (lower(object.from) === 'her' && object.to === object.from + 1)
}

/** Recognises "Ida was praised, **making her** proud", where the subject does not make anybody proud. */
function isResultForPerson(sight: Sight, { at, verb }: Clause): boolean {
  const object = sight.parse.chunks[at + 1]
  const first = sight.lower(object?.from ?? -1)
  return RESULT_VERBS.has(verb.base) && (isPerson(sight, object) || first === 'her' || first === 'everyone')
}

/** Recognises a noun of which only some are meant: "**tools that** cut wood", "**any bus that** stops here". */
function isSome({ parse: { tags }, lower }: Sight, { from, head }: Chunk): boolean {
  if (ANY.has(lower(from))) return true
  if (SEVERAL.has(lower(from))) return false
  return tags[head] === 'NOUN' && lower(head).endsWith('s') && !DEFINITE.has(tags[from] ?? 'X')
}

const ANY = new Set(['any', 'every', 'each', 'no', 'those', 'all', 'only'])
const SEVERAL = new Set(['several', 'many', 'most', 'numerous', 'various', 'some', 'few'])
const DEFINITE: ReadonlySet<Tag> = new Set<Tag>(['DET', 'PRON', 'NUM', 'PROPN'])

/** Recognises a participle before its noun, "a newly **opened** shop", and a passive with an object. */
function isAttribute({ parse, lower }: Sight, { clause, subject, said, value }: FactDraft): boolean {
  const { chunks, tags, tokens } = parse
  if (PREPOSITIONS.has(lower(parse.chunks[clause?.at ?? -1]?.from ?? -1))) return true
  if (BEFORE_PARTICIPLES.has(tags[subject.to - 1] ?? 'X')) return true
  const next = chunks[(clause?.at ?? 0) + 1]
  if (next?.kind !== 'noun' || value[0]?.from !== next.from) return false
  if (said !== undefined) {
    // "an offer made **last week**"
    if (TIME_NOUNS.has(lower(next.head)) || TIME_NOUNS.has(lower(next.from))) return false
    return !NAMING_VERBS.has(clause?.verb.base ?? '') && !/^\d/.test(tokens[next.from]?.text ?? '')
  }
  // "a drawing **competition**"
  const isWord = next.to === next.from + 1 && tags[next.from] === 'NOUN' && !lower(next.from).endsWith('s')
  return isWord && value.length === 1 && value[0].to === next.to
}

/** Participles that serve as prepositions. */
const PREPOSITIONS = new Set(['following', 'including', 'regarding', 'concerning', 'according', 'depending', 'owing'])
const BEFORE_PARTICIPLES: ReadonlySet<Tag> = new Set<Tag>(['ADV', 'ADJ', 'DET'])

/** Verbs whose passive a noun can follow: "a dog **named** Rex". */
const NAMING_VERBS = new Set(
  'name call title entitle dub nickname give offer award deem label consider send pay code term'.split(' ')
)

/** Recognises a subject that is the end of a word, "off-**line**", a participle, or rows of numbers. */
function isPartOfSubject({ parse: { tags, tokens }, lower }: Sight, { subject, clause, rule }: FactDraft): boolean {
  const { from, to } = subject
  if (to <= from) return false
  const [hyphen, first] = [tokens[from - 1], tokens[from]]
  const isJoined = hyphen?.text === '-' && hyphen.end === first?.start
  if (isJoined && hyphen.start === tokens[from - 2]?.end) return true
  // "They rested, **feeling** calm and happy"
  const isActivity = to === from + 1 && first?.text.endsWith('ing') === true && first.text === first.lower
  if (isActivity && tags[from] !== 'PROPN' && lower(from - 1) === ',') return true
  const isDoing = first?.text === first?.lower && first?.lower.endsWith('ing') === true
  if (rule === 'possessive.has' && (isDoing || tags.slice(from, to).includes('VERB'))) return true
  const isNumber = tokens.slice(from, to).every(({ text }) => /^[\d:.,/-]+$/.test(text))
  return isNumber && (to > from + 1 || clause?.kind === 'participle' || clause?.verb.isPassive === true)
}

/** Recognises things that bear a name, which does not own them: "Simpson's **rule**". */
function isNamedAfter({ parse: { tags }, lower }: Sight, { subject, value }: FactDraft): boolean {
  const last = (value.at(-1)?.to ?? 0) - 1
  if (tags[last] === 'ADJ') return true
  return BEARERS.has(lower(last).replace(/s$/, '')) && !/^(?:DET|PRON)$/.test(tags[subject.from] ?? '')
}

const BEARERS = new Set(
  'rule theorem law method equation formula function algorithm process principle theory polynomial approximation technique number distribution integration interpolation problem paradox constant analogy criterion hypothesis model effect syndrome disease lemma inequality transform notation scheme procedure type proof solution'.split(
    ' '
  )
)
