/** A list in parts of `size` at most, in its order. */
export function* partsOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
