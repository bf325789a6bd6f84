/** So many results are kept at most: one for each name of a large memory, and a bound on what odd input costs. */
const REMEMBERED_MAX = 100_000

/** The same pure function, which keeps what it worked out: names and predicates recur. */
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
