import type { Phrase } from './chunk.ts'
import type { Parse } from './clause.ts'

/**
 * A value that lists things, one a thing: "a dog, two cats and a horse in the barn". Each keeps what stands before the list
 * and after it is left to the last. A value without a list is one part.
 */
export function splitValue({ chunks }: Parse, { from, to }: Phrase): Phrase[][] {
  const items = listAt(from)
  return items.length > 1 ? items.map((item) => [item]) : [[{ from, to }]]

  function listAt(start: number): Phrase[] {
    const found: Phrase[] = []
    let at = start
    let hasAnd = false
    while (at < to && chunks[at]?.kind === 'noun') {
      let end = at + 1
      while (end + 1 < to && chunks[end]?.kind === 'preposition' && chunks[end + 1]?.kind === 'noun') end += 2
      found.push({ from: at, to: end })
      if (end >= to) return hasAnd ? found : []
      if (chunks[end]?.kind === 'comma') end++
      if (chunks[end]?.kind === 'and') {
        hasAnd = true
        end++
      }
      if (end === at + 1) return []
      at = end
    }
    return []
  }
}
