import type { Phrase } from './chunk.ts'
import type { Parse } from './clause.ts'

/**
 * A value that lists things, one a thing: "a dog, two cats and a horse in the barn" gives three, of which the last keeps what
 * follows. Only plain lists with an `and` are cut; anything else stays one part.
 */
export function splitValue(parse: Parse, { from, to }: Phrase): Phrase[] {
  const items: Phrase[] = []
  let hasAnd = false
  for (let at = from; at < to; ) {
    const end = itemEnd(parse, at, to)
    if (end === at) return [{ from, to }]
    const next = separatorEnd(parse, end, to)
    const isLast = hasAnd || next.end === end
    items.push({ from: at, to: isLast ? to : end })
    if (isLast) break
    hasAnd ||= next.isAnd
    at = next.end
  }
  return hasAnd && items.length > 1 && !sharesHead(parse, items) ? items : [{ from, to }]
}

/** "leisure and health services": the first word says what kind the last ones are. */
function sharesHead({ chunks, tags }: Parse, items: readonly Phrase[]): boolean {
  const first = chunks[items[0]?.from ?? -1]
  const last = chunks[items.at(-1)?.from ?? -1]
  if (first === undefined || last === undefined || first.to - first.from > 1 || tags[first.from] !== 'NOUN')
    return false
  return last.to - last.from > 1 && tags[last.from] === 'NOUN'
}

/** After a plain thing: "a dog", "a pair of shoes". */
function itemEnd({ chunks, tokens, tags }: Parse, at: number, to: number): number {
  const chunk = chunks[at]
  if (chunk?.kind !== 'noun' || chunk.isPronoun || tags[chunk.head] === 'NUM') return at
  const isOf = chunks[at + 1]?.kind === 'preposition' && tokens[chunks[at + 1]?.from ?? -1]?.lower === 'of'
  return isOf && at + 2 < to && chunks[at + 2]?.kind === 'noun' ? at + 3 : at + 1
}

/** After "," or "and" or ", and". */
function separatorEnd({ chunks }: Parse, at: number, to: number): { end: number; isAnd: boolean } {
  let end = at
  if (end < to && chunks[end]?.kind === 'comma') end++
  const isAnd = end < to && chunks[end]?.kind === 'and' && chunks[end]?.isContrast === false
  if (isAnd) end++
  return end < to ? { end, isAnd } : { end: at, isAnd: false }
}
