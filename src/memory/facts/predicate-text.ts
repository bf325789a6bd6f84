import { mayBeParticiple, verbForm } from '../language/verb-forms.ts'
import type { Draft } from './draft.ts'
import { type Naming, nameWords } from './naming.ts'

/**
 * The predicate's words, spelled out ("'ve been" is "have been"); where a name stands for `I` or `we`, the verb goes with it:
 * "I live in" becomes "lives in".
 */
export function predicateText(naming: Naming, draft: Draft): string {
  if (draft.said !== undefined) return draft.said
  const text = draft.predicate.map((words) => nameWords(naming, words, 'predicate')).join(' ')
  const borrowed = draft.clause?.verb.borrowed
  if (borrowed !== undefined) return `${borrowed} ${text}`
  const first = draft.predicate[0]
  if (first === undefined || draft.clause === undefined) return text
  const { tokens } = naming.parse
  const at = firstVerb(naming, first.from)
  const word = tokens[at]?.lower ?? ''
  const isThird = namesSpeaker(naming, draft)
  const spoken = inFull(word, tokens[at + 1]?.lower ?? '')
  const said = isThird ? thirdPerson(spoken, draft) : spoken
  if (said === word) return text
  const before = at > first.from ? `${nameWords(naming, { from: first.from, to: at }, 'predicate')} ` : ''
  const glue = tokens[at]?.end === tokens[at + 1]?.start ? '' : ' '
  const rest = draft.predicate.map((words, i) =>
    nameWords(naming, i === 0 ? { from: at + 1, to: words.to } : words, 'predicate')
  )
  return `${before}${said}${rest[0] === '' ? '' : glue}${rest.join(' ')}`
}

/** The token of the first auxiliary or verb, over adverbs. */
function firstVerb({ parse }: Naming, from: number): number {
  let at = from
  while (parse.tags[at] === 'ADV' && at < parse.tokens.length - 1) at++
  return at
}

function namesSpeaker({ source, parse }: Naming, { subject }: Draft): boolean {
  if (source.speaker === undefined) return false
  if (subject.to === subject.from) return true
  const lower = parse.tokens[subject.from]?.lower
  return subject.to === subject.from + 1 && (lower === 'i' || lower === 'we')
}

function inFull(word: string, next: string): string {
  if (word === "'s") return PERFECT.has(next) ? 'has' : 'is'
  return CONTRACTED.get(word) ?? word
}

/** After these `'s` is `has`: they are seldom passive. */
const PERFECT = new Set(
  `been got gotten had become come gone grown taken brought shown taught helped learned met moved lived worked started felt`.split(
    ' '
  )
)

const CONTRACTED = new Map([
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'ll", 'will'],
  ["'d", 'would']
])

function thirdPerson(word: string, { clause, subject }: Draft): string {
  const known = THIRD.get(word)
  if (known !== undefined) return known
  const verb = clause?.verb
  if (verb === undefined || verb.modal !== undefined) return word
  if (subject.to === subject.from && verb.form === 'ing' && !verb.hasAuxiliary) return `is ${word}`
  if (subject.to === subject.from && verb.form === 'participle') return `has ${word}`
  if (verb.hasAuxiliary || verb.form !== 'finite' || verbForm(word) !== 'base' || mayBeParticiple(word)) return word
  if (/(?:s|sh|ch|x|z|o)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

const THIRD = new Map([
  ['am', 'is'],
  ['are', 'is'],
  ['were', 'was'],
  ['have', 'has'],
  ['do', 'does'],
  ['gotta', 'has to'],
  ['gonna', 'is going to'],
  ['wanna', 'wants to']
])
