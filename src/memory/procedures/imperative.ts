import type { Token } from '../language/token.ts'
import { verbForm } from '../language/verb-forms.ts'
import { INSTRUCTION_VERBS, NO_INSTRUCTIONS } from './instruction-verbs.ts'
import { FRIENDLY_OBJECTS, NOTS } from './procedure-words.ts'

/**
 * Whether an instruction begins at this token: `Open the lid`, `don't merge`, `never use …`, `always close …`. Wishes and
 * greetings (`Have fun`, `Take care`), proposals (`Let's go`) and nouns (`Water boils`) are none.
 */
export function isImperative(tokens: readonly Token[], at: number): boolean {
  const verb = instructedVerb(tokens, at)
  return verb !== undefined && isInstruction(tokens, verb)
}

/** The verb of what may be an instruction: past `don't`, `do not`, `never` and `always`. */
export function instructedVerb(tokens: readonly Token[], at: number): number | undefined {
  const first = tokens[at]?.lower
  const second = tokens[at + 1]?.lower ?? ''
  if (first === 'do' && NOTS.has(second)) return at + 2
  if (first === "don't" || first === 'dont' || first === 'never' || first === 'always' || first === 'only')
    return at + 1
  return tokens[at] === undefined ? undefined : at
}

/** Whether the word is a base form that instructs, and not the subject of what follows. */
function isInstruction(tokens: readonly Token[], at: number): boolean {
  const verb = tokens[at]
  if (verb === undefined || NO_INSTRUCTIONS.has(verb.lower) || !mayInstruct(verb)) return false
  const next = tokens[at + 1]
  if (next === undefined) return true
  if (next.tag === 'AUX' || next.text === ',' || NO_OBJECT.has(next.lower)) return false
  if (verb.lower === 'let' && (next.lower === "'s" || FRIENDLY_OBJECTS.has(next.lower))) return false
  if (verb.lower === 'take' && (next.lower === 'care' || next.lower === 'it')) return false
  const isVerb = next.tag === 'VERB' && verbForm(next.lower) !== 'base' && verbForm(next.lower) !== 'ing'
  return !(isVerb && verb.tag !== 'VERB') && !isSubject(tokens, at)
}

/** "**Open doors** let in cold", "**Name and address** must be given": what has an auxiliary of its own is no instruction; "make sure it is shut" is one. */
function isSubject(tokens: readonly Token[], verb: number): boolean {
  const { lower: first = '', tag: firstTag } = tokens[verb] ?? {}
  if (CONFIRMING.has(first)) return false
  const isPlural = tokens[verb + 1]?.tag === 'NOUN' && tokens[verb + 1]?.lower.endsWith('s')
  if (isPlural && firstTag !== 'VERB' && tokens[verb + 2]?.tag === 'VERB' && !CAUSING.has(first)) return true
  for (let at = verb + 1; at < Math.min(tokens.length, verb + REACH); at++) {
    const { tag, lower = '' } = tokens[at] ?? {}
    if (tag === 'AUX') return lower !== 'do' && lower !== 'be' && lower !== 'have'
    if (tag === 'PUNCT' || tag === 'PRON' || tag === 'SCONJ' || tag === 'VERB' || CLAUSE_WORDS.has(lower)) return false
  }
  return false
}

const REACH = 10
const CONFIRMING: ReadonlySet<string> = new Set([
  'make',
  'check',
  'ensure',
  'verify',
  'confirm',
  'remember',
  'see',
  'note',
  'test'
])
const CAUSING: ReadonlySet<string> = new Set(['let', 'make', 'help', 'watch', 'have', 'see'])
const CLAUSE_WORDS: ReadonlySet<string> = new Set(
  'that|which|who|what|how|when|where|if|whether|until|while|before|after|because|so|once|whatever|whichever'.split('|')
)

const NO_OBJECT: ReadonlySet<string> = new Set([
  'of',
  "'s",
  'is',
  'are',
  'was',
  'were',
  'has',
  'had',
  'will',
  'would',
  'than'
])

function mayInstruct({ lower, lemma, tag }: Token): boolean {
  if (INSTRUCTION_VERBS.has(lower)) return true
  return tag === 'VERB' && lemma === lower && verbForm(lower) === 'base' && /^[a-z]+$/.test(lower)
}
