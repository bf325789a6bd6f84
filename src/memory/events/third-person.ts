import type { Token } from '../language/token.ts'

/**
 * A verb that stood with `I` as it stands with a name: `am` as `is`, `go` as `goes`. Undefined where the word stays as
 * it is. `next` is the word after it.
 */
export function thirdPerson({ lower, tag, lemma }: Token, next: Token | undefined): string | undefined {
  if (Object.hasOwn(THIRD, lower)) return THIRD[lower]
  if (tag !== 'VERB' || lower !== lemma || ALIKE.has(lower) || next?.tag === 'AUX') return undefined
  if (/(?:s|sh|ch|x|z|o)$/.test(lower)) return `${lower}es`
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`
}

const THIRD: Readonly<Record<string, string>> = {
  ...{ am: 'is', "'m": 'is', '’m': 'is', have: 'has', "'ve": 'has', '’ve': 'has', do: 'does' },
  ...{ "'ll": 'will', '’ll': 'will', go: 'goes' }
}

/** The same in past and present: which of them it is, the word does not say. */
const ALIKE: ReadonlySet<string> = new Set([
  ...['put', 'read', 'cut', 'hit', 'let', 'set', 'shut', 'quit', 'cost', 'hurt', 'bet', 'split', 'spread', 'beat'],
  ...['found', 'felt', 'left', 'saw', 'lay', 'got', 'gotta']
])
