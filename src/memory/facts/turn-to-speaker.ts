import type { Chunk, Clause, FactDraft, Sight, Words } from '../clauses/clause.ts'
import { CAUSATIVE_VERBS, EXPERIENCE_VERBS } from '../clauses/word-classes.ts'
import type { Tag } from '../language/token.ts'
import { classifyVerbForm, mayBePast, toPastParticiple, toPastTense } from '../language/verb-forms.ts'
import { isRestOfSubject, isThing } from './to-opinion.ts'

/**
 * Makes the speaker the subject of a fact that is about them: what affects them (`toExperience`, `toEffect`),
 * what is theirs (`toOwnThing`) and what matters to them (`toValued`). Returns other facts unchanged.
 */
export function turnToSpeaker(sight: Sight, draft: FactDraft): FactDraft {
  return toEffect(sight, toExperience(sight, toValued(sight, toOwnThing(sight, toPlainOrder(sight, draft)))))
}

/** "Old maps are **what I collect**" becomes: I collect, "old maps". */
function toPlainOrder({ parse: { tags }, lower }: Sight, draft: FactDraft): FactDraft {
  const { clause, negated } = draft
  const [words, ...others] = draft.value
  if (draft.rule !== 'copula.is' || words === undefined || others.length > 0 || negated || clause === undefined)
    return draft
  const own = words.from + 1
  const isCleft = lower(words.from) === 'what' && (lower(own) === 'i' || lower(own) === 'we') && own + 1 < words.to
  if (!isCleft || VAGUE.has(lower(draft.subject.from)) || draft.subject.to === draft.subject.from) return draft
  const isVerb = (at: number) => CLEFT_TAGS.has(tags[at] ?? 'X') || lower(at).endsWith('ing')
  for (let at = own + 1; at < words.to; at++) if (!isVerb(at)) return draft
  const verb = { ...clause.verb, hasAuxiliary: false, form: 'finite' as const }
  const predicate = [{ from: own + 1, to: words.to }]
  const subject = { from: own, to: own + 1 }
  return { ...draft, rule: 'clause.plain', clause: { ...clause, verb }, subject, predicate, value: [draft.subject] }
}

const CLEFT_TAGS: ReadonlySet<Tag> = new Set<Tag>(['VERB', 'AUX', 'ADV', 'PART', 'ADP'])

/** "Rex is my dog" and "Rex, my dog, …" become: my dog, is, "Rex". "Sailing was my dream" becomes: my dream, was, "sailing". */
function toOwnThing(sight: Sight, draft: FactDraft): FactDraft {
  const { clause, subject, value } = draft
  const [whole, ...others] = value
  if ((draft.rule !== 'copula.is' && draft.rule !== 'apposition.is') || whole === undefined || others.length > 0)
    return draft
  const own = findOwnPart(sight, whole)
  if (own === undefined || draft.negated || draft.modality !== undefined || clause?.verb.isPerfect === true)
    return draft
  if (clause !== undefined && isRestOfSubject(sight, subject)) return { ...draft, value: [] }
  const first = sight.lower(subject.from)
  if (subject.to === subject.from || VAGUE.has(first) || OWN_MARKS.has(first) || first === 'i' || first === 'we')
    return draft
  const isMany = /[^s]s$/.test(sight.lower(own.to - 1))
  const isPast = PAST_BE.has(sight.lower(clause?.verb.main ?? -1))
  const said = isPast ? (isMany ? 'were' : 'was') : isMany ? 'are' : 'is'
  return { ...draft, subject: own, predicate: [], said, value: [subject] }
}

/** Returns "**my dog**", or "**a part of my life**" without what follows a comma. */
function findOwnPart({ parse: { tags, tokens }, lower }: Sight, { from, to }: Words): Words | undefined {
  const isPart = lower(from) === 'a' || lower(from) === 'an'
  const comma = isPart ? tokens.slice(from, to).findIndex(({ text }) => text === ',') : -1
  const end = comma < 0 ? to : from + comma
  const own = isPart ? end - 2 : from
  if (isPart && (lower(own - 1) !== 'of' || lower(own - 2) !== 'part')) return undefined
  const named = tags.slice(own + 1, end)
  const isOwn = OWN_MARKS.has(lower(own)) && named.length > 0 && named.every((tag) => NAMING.has(tag))
  return isOwn ? { from, to: end } : undefined
}

const OWN_MARKS = new Set(['my', 'our'])
const NAMING: ReadonlySet<Tag> = new Set<Tag>(['NOUN', 'PROPN', 'ADJ', 'NUM'])
const PAST_BE = new Set(['was', 'were'])

/** "Friendship **means a lot to me**", "honesty **matters to me**": the speaker values it. */
function toValued(sight: Sight, draft: FactDraft): FactDraft {
  const { clause, subject } = draft
  const { parse, lower } = sight
  const last = draft.value.at(-1)
  if (clause === undefined || last === undefined || draft.negated || draft.modality !== undefined) return draft
  if (subject.to === subject.from || VAGUE.has(lower(subject.from))) return draft
  const isOwn = OWN.has(lower(last.to - 1))
  // "**Your** friendship means a lot" is about the speaker, too.
  if (!isOwn && lower(subject.from) !== 'your') return draft
  const verb = parse.chunks[clause.at] as Chunk
  const words = parse.tokens.slice(verb.from, last.to).map((token) => token.lower)
  if (!VALUED.test(isOwn ? words.join(' ') : `${words.join(' ')} to me`)) return draft
  const isPast = /^meant|^mattered/.test(words[0] ?? '')
  const own = { from: verb.from, to: verb.from }
  return {
    ...draft,
    rule: 'speaker.values',
    subject: own,
    predicate: [],
    said: isPast ? 'valued' : 'values',
    value: [subject]
  }
}

const VALUED =
  /^(?:also |really |always |just )?(?:matter(?:s|ed)?(?: (?:a lot|so much))?|means?(?: (?:a lot|so much|the world|everything|a great deal))|meant (?:a lot|so much|the world|everything)) to (?:me|us)$/

/**
 * Converts an experience to a passive fact about the speaker: "Her songs inspire me" becomes: is inspired by, "her
 * songs", "Yoga helps me sleep": is helped by, "yoga to sleep". Applies only if nothing but an adverbial or an infinitive
 * follows the object. See `toOwnGain` for other verbs.
 */
function toExperience(sight: Sight, draft: FactDraft): FactDraft {
  const { clause } = draft
  const [object] = draft.value
  if (clause === undefined || clause.verb.isPassive || draft.negated || draft.modality !== undefined) return draft
  const { base, first, modal } = clause.verb
  if (first !== base || modal !== undefined || draft.said !== undefined) return draft
  if (clause.kind === 'relative' && clause.marker !== 'who' && !isOfOneThing(draft)) return draft
  if (object === undefined || !OWN.has(sight.lower(object.from))) return draft
  if (isVague(sight, draft.subject)) return draft
  // In "good stories keep **us** awake", `us` is anybody.
  if (sight.lower(object.from) === 'us' && isGeneral(sight, draft.subject)) return { ...draft, value: [] }
  const verb = sight.parse.chunks[clause.at] as Chunk
  const rest = object.to > object.from + 1 ? [{ from: object.from + 1, to: object.to }] : []
  const own = { ...draft, rule: 'speaker.experience', subject: { from: verb.from, to: verb.from }, predicate: [] }
  if (EXPERIENCE_VERBS.has(base)) {
    const after = sight.parse.tags[object.from + 1]
    const isBare = after === 'VERB' && CAUSATIVE_VERBS.has(base) && rest.length > 0
    if (rest.length > 0 && after !== 'ADP' && after !== 'PART' && after !== 'ADV' && !isBare) return draft
    const value = [draft.subject, ...rest, ...draft.value.slice(1)]
    const said = `${findHelper(sight, draft)} ${toPastParticiple(base)} by`
    return { ...own, said, value, ...(isBare && { glue: 'to' }) }
  }
  return rest.length > 0 && isGiver(sight, draft) ? toOwnGain(sight, { draft, own, rest }) : draft
}

function isVague({ lower }: Sight, { from, to }: Words): boolean {
  return to === from || VAGUE.has(lower(from))
}

/** Recognises a subject that names no particular thing or person: "good stories", "a method". */
function isGeneral({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  if (tags.slice(from, to).includes('PROPN')) return false
  return !/^(?:the|this|that|these|those|my|our|his|her|their|he|she|they|it)$/.test(lower(from))
}

/** "Rex **brings** me joy", but not "Ann **gave** me a lamp", which is a fact about Ann, too. */
function isGiver(sight: Sight, { subject, clause }: FactDraft): boolean {
  const isName = sight.parse.tags[subject.to - 1] === 'PROPN' && clause?.verb.base === 'bring'
  return isThing(sight, subject) || (isName && sight.lower(clause.verb.main) !== 'brought')
}

/** "A quote **that** helps me rest", but not "things that help me" or "a tool that allows me to …". */
function isOfOneThing({ clause, subject }: FactDraft): boolean {
  return (
    clause?.marker === 'that' &&
    !clause.verb.isPerfect &&
    subject.to > subject.from + 1 &&
    !PERMITTING.has(clause.verb.base)
  )
}

const PERMITTING = new Set(['allow', 'let', 'enable'])

type Turned = { draft: FactDraft; own: FactDraft; rest: Words[] }

/**
 * "The sea brings me peace": gets, "peace from the sea". "Tea keeps me awake": is kept, "awake by tea". "The film made me
 * laugh": was made, "to laugh by the film".
 */
function toOwnGain(sight: Sight, { draft, own, rest }: Turned): FactDraft {
  const base = draft.clause?.verb.base ?? ''
  const after = sight.parse.tags[rest[0]?.from ?? -1]
  const value = [...rest, draft.subject, ...draft.value.slice(1)]
  if (base === 'give' || base === 'bring') {
    // "brings me **so much** joy"
    const isDegree = sight.lower(rest[0]?.from ?? -1) === 'so'
    if (after === 'ADP' || (after === 'ADV' && !isDegree) || after === 'PART') return draft
    const isPast = findHelper(sight, draft) !== 'is'
    return { ...own, said: isPast ? 'got' : 'gets', value, glue: 'from' }
  }
  if (base !== 'keep' && base !== 'make') return draft
  if (after === 'NOUN' || after === 'DET') return draft
  const said = `${findHelper(sight, draft)} ${toPastParticiple(base)}`
  return { ...own, said: after === 'VERB' && base === 'make' ? `${said} to` : said, value, glue: 'by' }
}

/**
 * Tells what something that the sentence does not name led the speaker to: "It **made me realize** how far it is"
 * becomes: realized, "how far it is". "This **inspired me to** write a play" becomes: was inspired, "to write a play".
 */
function toEffect(sight: Sight, draft: FactDraft): FactDraft {
  const { parse, lower } = sight
  const { clause, subject, value } = draft
  const object = value[0]
  if (clause === undefined || object === undefined || draft.negated || draft.modality !== undefined) return draft
  if (subject.to !== subject.from + 1 || !UNNAMED_CAUSES.has(lower(subject.from))) return draft
  const { base, first, modal, isPassive } = clause.verb
  if (first !== base || modal !== undefined || isPassive || !OWN.has(lower(object.from))) return draft
  const effect = { from: object.from + 1, to: object.to }
  const told = effect.to - effect.from < EFFECT_TOKENS ? undefined : tellEffect(sight, clause, effect)
  if (told === undefined) return draft
  const at = parse.chunks[clause.at]?.from ?? 0
  const own = { ...draft, rule: 'speaker.experience', subject: { from: at, to: at }, predicate: [] }
  return { ...own, said: told.said, value: [{ from: told.from, to: effect.to }, ...value.slice(1)] }
}

const UNNAMED_CAUSES = new Set(['it', 'this', 'that', 'which'])

/** A shorter effect tells too little without its cause: "it made me **feel better**". */
const EFFECT_TOKENS = 4

/** Returns the predicate for an effect and where its value begins. */
function tellEffect(sight: Sight, { verb }: Clause, { from, to }: Words): Told | undefined {
  const {
    parse: { tags },
    lower
  } = sight
  const isPast = mayBePast(lower(verb.main)) || verb.isPerfect
  const isCaused = tags[from] === 'VERB' && classifyVerbForm(lower(from)) === 'base'
  if (verb.base === 'make') {
    if (!isPast || !isCaused) return undefined
    const said = joinsBase(sight, { from, to }) ? `was made to ${lower(from)}` : toPastTense(lower(from))
    return { said, from: from + 1 }
  }
  if (verb.base === 'teach') return isPast ? { said: 'learned', from } : undefined
  const isLed = LEADING_VERBS.has(verb.base) && tags[from] === 'PART'
  const isShown = (verb.base === 'show' || verb.base === 'remind') && SHOWN.has(lower(from))
  if (!isLed && !isShown) return undefined
  const helper = verb.isPerfect ? 'has been' : isPast ? 'was' : 'is'
  return { said: `${helper} ${toPastParticiple(verb.base)}`, from }
}

type Told = { said: string; from: number }

const LEADING_VERBS = new Set(['inspire', 'motivate', 'encourage', 'push', 'challenge', 'remind'])
const SHOWN = new Set(['how', 'that', 'why'])

/** Recognises a second effect: "made me feel calm **and enjoy** the view". */
function joinsBase({ parse: { tags }, lower }: Sight, { from, to }: Words): boolean {
  for (let at = from; at + 1 < to; at++) {
    const next = tags[at + 1] === 'ADV' ? at + 2 : at + 1
    if (lower(at) === 'and' && tags[next] === 'VERB' && classifyVerbForm(lower(next)) === 'base') return true
  }
  return false
}

function findHelper({ lower }: Sight, { clause }: FactDraft): string {
  if (clause?.verb.isPerfect === true) return 'has been'
  const isPast = clause?.verb.form === 'bare' || PAST_VERBS.has(lower(clause?.verb.main ?? -1))
  return isPast ? 'was' : 'is'
}

const PAST_VERBS = new Set(['taught', 'gave', 'brought', 'made', 'kept', 'hurt'])
const OWN = new Set(['me', 'us'])
const VAGUE = new Set(['it', 'this', 'that', 'you', 'which', 'who', 'what', 'he', 'she', 'they'])
