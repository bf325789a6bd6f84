import { classifyVerbForm, mayBeParticiple } from '../language/verb-forms.ts'
import { type Clause, createClause, type ReadState, type VerbPlace } from './clause.ts'

/** Links a verb after `and` or a comma to the subject of the previous finite clause. */
export function linkCoordinate(place: VerbPlace, from: number): Clause | undefined {
  const { state, at } = place
  const { chunks } = state
  let start = at
  while (start > from && ['adverb', 'quote'].includes(chunks[start - 1]?.kind ?? '')) start--
  const isLinked = ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')
  // "I set up two routes: GET /notes": a colon opens a list.
  const opener = chunks[start - 1]
  if (!isLinked && (opener?.kind !== 'stop' || state.tokens[opener.from]?.text === ':')) return undefined
  const before = isLinked ? findParallel(place, chunks[start - 2]?.kind === 'comma') : findLastFinite(state)
  if (before !== undefined && !isCoordinable(before, place)) return undefined
  while (start > from && ['and', 'comma'].includes(chunks[start - 1]?.kind ?? '')) start--
  lendWords(before, place, start)
  return createClause(place, {
    kind: before === undefined ? 'main' : SHARED_KINDS.has(before.kind) ? before.kind : 'coordinate',
    start: isLinked ? start : at,
    subject: before?.subject,
    openings: before?.openings ?? [],
    marker: before?.marker ?? '',
    within: before?.kind === 'infinitive' ? before : before?.within,
    antecedent: before?.antecedent
  })
}

/** Kinds of clause that a coordinated verb continues: "ensure that it works **and follows** the rules". */
const SHARED_KINDS: ReadonlySet<Clause['kind']> = new Set<Clause['kind']>(['infinitive', 'complement'])

/** Recognises "without having found **or signed** it". */
export function isAfterHaving({ state, verb, at }: VerbPlace): boolean {
  const last = state.clauses.at(-1)
  if (state.chunks[at - 1]?.kind !== 'and') return false
  return last?.kind === 'gerund' && last.verb.opens === 'having' && verb.form === 'bare'
}

/** Copies to a coordinated verb what it shares with the one before. `start` is the first chunk of its clause. */
function lendWords(before: Clause | undefined, place: VerbPlace, start: number): void {
  const { chunks, tokens } = place.state
  if (!lendCatenative(before, place)) lendModal(before, place)
  const joint = chunks.slice(start, place.at).find(({ kind }) => kind === 'and')
  if (tokens[joint?.from ?? -1]?.lower === 'or') lendNegation(before, place)
}

/** Copies a modal to a coordinated verb: "we can walk and **swim**", "I'll rest and **keep trying**". */
function lendModal(before: Clause | undefined, { state, verb }: VerbPlace): void {
  const modal = before?.verb.modal
  if (before === undefined || modal === undefined) return
  // "it can be found and **used**"
  const isPassive = before.verb.isPassive && mayBeParticiple(verb.opens) && !verb.hasAuxiliary
  if (!isPassive && (isHelped(state, verb) || verb.opens !== verb.first)) return
  verb.modal = modal
  verb.borrowed = `${FULL_MODALS.get(modal) ?? modal}${before.verb.isNegated ? ' not' : ''}${isPassive ? ' be' : ''}`
  verb.isNegated = before.verb.isNegated
}

/** Checks for an auxiliary before the full verb: "**haven't** had", but not "have lunch". */
function isHelped({ tokens }: ReadState, { hasAuxiliary, main, opens }: VerbPlace['verb']): boolean {
  return hasAuxiliary && tokens[main]?.lower !== opens
}

/** Copies the verb before an infinitive to a coordinated one if there is one: "we **had to** walk and **swim**". */
function lendCatenative(before: Clause | undefined, { state, verb }: VerbPlace): boolean {
  if (before === undefined || isHelped(state, verb) || verb.opens !== verb.first) return false
  const { first, main, modal, isPerfect, isNegated, lead } = before.verb
  const from = state.chunks[before.at]?.from ?? main
  if (before.kind === 'infinitive') return false
  if (lead === undefined && !LEADS.has(state.tokens[main - 1]?.lower ?? '')) return false
  if (classifyVerbForm(verb.opens) !== 'base') return false
  verb.lead = lead ?? { from, to: main }
  Object.assign(verb, { first, modal, isPerfect, isNegated })
  return true
}

/** Precede an infinitive that others share. */
const LEADS = new Set(['to', 'wanna', 'gonna', 'gotta'])

/** Copies a denial to the other verb of an alternative: "I **never** planned or **prepared** it". */
function lendNegation(before: Clause | undefined, { state, verb }: VerbPlace): void {
  if (before?.verb.isNegated !== true || verb.borrowed !== undefined || verb.lead !== undefined) return
  const words = state.tokens.slice(state.chunks[before.at]?.from ?? before.verb.main, before.verb.main)
  const isNever = words.some(({ lower }) => lower === 'never')
  verb.borrowed = isNever ? 'never' : verb.opens === verb.base ? 'does not' : 'not'
  verb.isNegated = true
}

const FULL_MODALS = new Map([
  ["'ll", 'will'],
  ["'d", 'would'],
  ['ca', 'can'],
  ['wo', 'will']
])

/**
 * Rejects unlikely coordination: a base form can only follow a base form. "She sang and **dances**" passes, "he sang
 * and **obscure** songs" does not.
 */
function isCoordinable(before: Clause, place: VerbPlace): boolean {
  const { verb, state, from, at } = place
  if (!verb.hasAuxiliary && isMistaken(before, place)) return false
  if (verb.hasAuxiliary || verb.opens !== verb.base || classifyVerbForm(verb.opens) !== 'base') return true
  // "I couldn't help but laugh": I laughed.
  const isDeniedHelp = before.verb.base === 'help' && before.verb.isNegated
  if (isDeniedHelp || isListed(state, from, at)) return false
  if (before.verb.form === 'infinitive' || before.verb.modal !== undefined || before.verb.hasAuxiliary) return true
  return (
    before.verb.first === before.verb.opens ||
    classifyVerbForm(before.verb.opens) === 'base' ||
    before.verb.opens === 'to'
  )
}

/**
 * Recognises another word that was taken for a verb: a name ("Vue or **React** 18"), a noun ("tea and **action**", "we
 * have calls and **visits**", "tests for the form, the list, and **retry** steps"), a participle before its noun ("to
 * save time and **improved** scores"), and "kinda **like** it".
 */
function isMistaken(before: Clause, { state, verb, at }: VerbPlace): boolean {
  const { tokens, tags, chunks } = state
  const { main, opens, base } = verb
  if (/^\p{Lu}\p{Ll}/u.test(tokens[main]?.text ?? '') && main > 0) return true
  if (NOUN_ENDING.test(opens)) return true
  if (base === 'like' && COMPARING.has(tokens[main - 1]?.lower ?? '')) return true
  const form = classifyVerbForm(opens)
  const subject = tokens[chunks[before.subject?.from ?? -1]?.head ?? -1]?.lower ?? ''
  if (form === 'present' && PLURAL_SUBJECTS.has(subject)) return true
  const isNounNext = tags[chunks[at]?.to ?? -1] === 'NOUN'
  if (!isNounNext || chunks[at - 1]?.kind !== 'and' || base !== verb.first) return false
  if (form === 'either') return isPresent(before)
  const [comma, item, last] = [chunks[at - 4]?.kind, chunks[at - 3]?.kind, chunks[at - 2]?.kind]
  if (form === 'base' && comma === 'comma' && item === 'noun' && last === 'comma') return true
  // "I've started lessons and **exam** practice"
  const isBound = before.verb.hasAuxiliary && before.verb.modal === undefined && before.verb.first === before.verb.base
  return form === 'base' && isBound && last === 'noun' && !STATES.has(base)
}

const NOUN_ENDING = /(?<!^men|^ques|^func|^posi|^transi|^condi|^cau|^sta|^ra)tion$/
const COMPARING = new Set(['kinda', 'sorta', 'more', 'something', 'much', 'just'])
const PLURAL_SUBJECTS = new Set(['i', 'we', 'they', 'you'])

/** Verbs of states, which may follow any tense: "I've got a dog and **love** walks". */
const STATES = new Set('love like enjoy hate want need prefer have hope feel'.split(' '))

function isPresent({ verb: { form, opens, isPerfect } }: Clause): boolean {
  if (isPerfect) return false
  const own = classifyVerbForm(opens)
  return form === 'infinitive' || PRESENT_BE.has(opens) || own === 'base' || own === 'present'
}

const PRESENT_BE = new Set(["'m", "'re", "'s", 'am', 'is', 'are'])

/**
 * Recognises a noun that was taken for a verb in a list: "forms, like essays, cover letters and **grant** uses", "and
 * faster **build** times".
 */
function isListed({ tokens, tags, chunks }: ReadState, from: number, at: number): boolean {
  const verb = chunks[at]
  const next = tags[verb?.to ?? -1]
  const isPlural = next === 'VERB' && tokens[verb?.to ?? -1]?.lower.endsWith('s')
  if (verb === undefined || (next !== 'NOUN' && !isPlural)) return false
  if (/er$/.test(tokens[verb.to - 2]?.lower ?? '') && verb.to - verb.from > 1) return true
  const words = tokens.slice(chunks[from]?.from ?? verb.from, verb.to)
  return words.some(({ lower }) => LIST_OPENERS.has(lower))
}

/** Open a list of things, which a verb cannot continue. */
const LIST_OPENERS = new Set(['both', 'like', 'including', 'between', 'specifically', 'especially', 'particularly'])

/**
 * Finds the clause that a verb is coordinated with: an infinitive or modal for a base form, otherwise the last finite
 * one.
 */
function findParallel({ state, verb }: VerbPlace, hasComma: boolean): Clause | undefined {
  const last = state.clauses.at(-1)
  const isBase = verb.form === 'finite' && verb.opens === verb.base && !verb.hasAuxiliary
  // "…, so please show me how, and **make** sure it works"
  const isRequest = last?.kind === 'adverbial' && last.marker === 'so' && last.subject === undefined
  if (isBase && (last?.kind === 'infinitive' || isRequest)) return last
  const before = findLastFinite(state)
  const main = state.clauses.findLast((clause) => clause.kind === 'main' || clause.kind === 'coordinate')
  return hasComma && before?.kind === 'adverbial' && main !== undefined ? main : before
}

/** Returns the nearest clause with a finite verb. */
export function findLastFinite({ clauses }: ReadState): Clause | undefined {
  for (let i = clauses.length - 1; i >= 0 && i >= clauses.length - 6; i--) {
    const clause = clauses[i] as Clause
    if (
      clause.kind !== 'infinitive' &&
      clause.kind !== 'participle' &&
      clause.kind !== 'gerund' &&
      clause.kind !== 'adjunct'
    )
      return clause
  }
  return clauses.at(-1)
}
