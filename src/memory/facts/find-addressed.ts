import type { Sentence, Token } from '../language/token.ts'

/**
 * Returns the name by which a speaker calls the person addressed: "Thanks, **Ann**!", "That is kind of you, **Ann**".
 * Returns undefined if the text has no speaker, or calls nobody or several persons by name.
 */
export function findAddressed(sentences: readonly Sentence[], speaker: string | undefined): string | undefined {
  if (speaker === undefined) return undefined
  const called = new Set<string>()
  for (const { tokens } of sentences) {
    const name = findCalled(tokens)
    if (name !== undefined && name !== speaker) called.add(name)
  }
  return called.size === 1 ? [...called][0] : undefined
}

function findCalled(tokens: readonly Token[]): string | undefined {
  const isName = (at: number) => tokens[at]?.tag === 'PROPN' && NAME.test(tokens[at]?.text ?? '')
  const isMark = (at: number) => MARK.test(tokens[at]?.text ?? '.')
  const hasYou = tokens.some(({ lower }) => YOU.has(lower))
  // "**Ann**, your tea is ready"
  if (isName(0) && tokens[1]?.text === ',' && hasYou) return tokens[0]?.text
  // "Hey **Ann**!", "Thanks so much, **Ann**."
  let at = 0
  while (at < OPENING_TOKENS_MAX && OPENINGS.has(tokens[at]?.lower ?? '')) at++
  if (at > 0 && isName(at) && isMark(at + 1)) return tokens[at]?.text
  // "That is kind of you, **Ann**!", but not "I live in Oslo, Norway."
  let end = tokens.length
  while (end > 0 && isMark(end - 1)) end--
  const before = tokens[end - 3]?.tag
  const isLast = end > 3 && isName(end - 1) && tokens[end - 2]?.text === ',' && before !== 'PROPN'
  return isLast && (before !== 'NOUN' || hasYou) ? tokens[end - 1]?.text : undefined
}

const NAME = /^\p{Lu}\p{Ll}+$/u
const MARK = /^[^\p{L}\p{N}]+$/u
const YOU = new Set(['you', 'your', 'yours', 'yourself', 'u', 'ur'])

/** Maximum number of tokens before a name at the start. */
const OPENING_TOKENS_MAX = 6
const OPENINGS = new Set(
  'hey hi hello dear thanks thank thx you so much a lot wow yeah yep yes yup no nope sure ok okay oh ah absolutely definitely totally exactly congrats congratulations great good awesome cool nice amazing worries problem morning evening night welcome bye well of course , !'.split(
    ' '
  )
)
