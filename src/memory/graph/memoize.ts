/** Maximum number of cached results: enough for each name of a large memory, and a bound for unusual input. */
const REMEMBERED_MAX = 100_000

/** Caches the results of a pure function, because names and predicates recur. */
export function memoize<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = work(text)
    if (known.size < REMEMBERED_MAX) known.set(text, made)
    return made
  }
}
