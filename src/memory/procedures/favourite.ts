import type { Token } from '../language/token.ts'

/**
 * "My **favourite** editor is Helix", "green is Ada's **favourite** colour": whose favourite is said, and what it is. Not
 * `this is my favourite`, which points, nor `my favourite is back`, which names nothing.
 */
export function favourite({ tokens, from, to }: Clause): 'preference.favourite' | undefined {
  for (let at = from; at < Math.min(to, from + REACH); at++) {
    if (!FAVOURITES.has(tokens[at]?.lower ?? '') || !isOwned(tokens, at)) continue
    return namesIt({ tokens, from, to }, at) ? 'preference.favourite' : undefined
  }
  return undefined
}

type Clause = { tokens: readonly Token[]; from: number; to: number }

/** The word stands near the head of its clause, or it is told in passing. */
const REACH = 12

const FAVOURITES: ReadonlySet<string> = new Set([
  'favourite',
  'favorite',
  'fave',
  'favourites',
  'favorites',
  'preferred',
  'go-to'
])
const POINTING: ReadonlySet<string> = new Set(
  'it|that|this|these|those|they|which|he|she|one|there|here|what|you|when|if|not|back|so|on|such|always|too'.split('|')
)

/** `my favourite`, `our least favourite`, `Ada's favourite` */
function isOwned(tokens: readonly Token[], at: number): boolean {
  let owner = at - 1
  while (owner > at - OWNER_REACH && DEGREES.has(tokens[owner]?.lower ?? '')) owner--
  return OWNERS.has(tokens[owner]?.lower ?? '')
}

const OWNER_REACH = 5
const DEGREES: ReadonlySet<string> = new Set([
  'least',
  'most',
  'absolute',
  'all',
  '-',
  'time',
  'all-time',
  'current',
  'new',
  'very'
])
const OWNERS: ReadonlySet<string> = new Set(['my', 'our', "'s", '’s'])

function namesIt({ tokens, from, to }: Clause, at: number): boolean {
  const copula = findCopula({ tokens, from: at + 1, to })
  if (copula !== undefined) {
    const named = tokens[copula + 1]
    return copula + 1 < to && named !== undefined && !POINTING.has(named.lower) && named.tag !== 'PUNCT'
  }
  const first = tokens[from]
  const before = findCopula({ tokens, from: from + 1, to: at })
  return (
    before !== undefined &&
    first !== undefined &&
    !POINTING.has(first.lower) &&
    first.tag !== 'AUX' &&
    first.tag !== 'ADP'
  )
}

function findCopula({ tokens, from, to }: Clause): number | undefined {
  for (let at = from; at < Math.min(to, from + REACH); at++) {
    const lower = tokens[at]?.lower
    if (lower === 'is' || lower === 'are') return at
    if (lower === "'s" && tokens[at]?.tag !== 'PART') return at
  }
  return undefined
}
