import type { Token } from '../language/token.ts'

/** Who a clause says likes something. `verb` is the token after the subject. */
export type PreferenceSubject = { person: 'speaker' | 'other'; isPlural: boolean; verb: number }

/** The subject that a clause begins with: `I`, `we`, a name (`Ada Pell`), or somebody near (`my sister`). */
export function preferenceSubject(tokens: readonly Token[], from: number, to: number): PreferenceSubject | undefined {
  const first = tokens[from]
  if (first === undefined) return undefined
  if (first.lower === 'i' || first.lower === 'we')
    return { person: 'speaker', isPlural: first.lower === 'we', verb: from + 1 }
  if (I_AM.has(first.lower)) return { person: 'speaker', isPlural: false, verb: from }
  const verb = near(tokens, from) ?? named(tokens, from)
  return verb === undefined || verb >= to ? undefined : { person: 'other', isPlural: false, verb }
}

/** One word to the tagger. */
const I_AM: ReadonlySet<string> = new Set(["i'm", 'i’m', 'im'])

const NAME_TOKENS_MAX = 3

/** `Ada Pell prefers …`: words with a capital, tagged as names or unknown to the tagger at the head of a sentence. */
function named(tokens: readonly Token[], from: number): number | undefined {
  let at = from
  while (at - from < NAME_TOKENS_MAX && /^\p{Lu}\p{L}/u.test(tokens[at]?.text ?? '') && isName(tokens[at], at === from))
    at++
  const isWord = tokens[from]?.tag !== 'PROPN'
  return at > from && !(isWord && at > from + 1) ? at : undefined
}

function isName(token: Token | undefined, isFirst: boolean): boolean {
  if (DAYS.test(token?.lower ?? '')) return false
  return token?.tag === 'PROPN' || (isFirst && token?.tag === 'NOUN')
}

const DAYS =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|\w+ember|october)$/

/** `my little sister prefers …`, `the team prefers …` */
function near(tokens: readonly Token[], from: number): number | undefined {
  const owner = tokens[from]?.lower
  if (owner !== 'my' && owner !== 'our' && owner !== 'the') return undefined
  const noun = tokens[from + 1]?.tag === 'ADJ' ? from + 2 : from + 1
  if (!PEOPLE.has(tokens[noun]?.lower ?? '')) return undefined
  return tokens[noun + 1]?.tag === 'PROPN' ? noun + 2 : noun + 1
}

const PEOPLE: ReadonlySet<string> = new Set(
  [
    'wife|husband|partner|girlfriend|boyfriend|mother|mum|mom|father|dad|sister|brother|son|daughter|kid|child|baby|grandma',
    'grandmother|grandpa|grandfather|aunt|uncle|cousin|niece|nephew|friend|boss|manager|colleague|neighbour|neighbor|roommate',
    'flatmate|teacher|coach|team|client|customer|dog|cat|family|fiancé|fiancée|spouse'
  ].flatMap((line) => line.split('|'))
)
