/** The place of the highest of `ranks` from `from` on and before `to`, the first of equal ones; -1 where there is none. */
export type HighestRank = (from: number, to: number) => number

/** Made in a time that grows with the number of ranks; asked in one that grows with its logarithm. */
export function highestRank(ranks: readonly number[]): HighestRank {
  const count = ranks.length
  // A tree of places: node n stands above 2n and 2n + 1, the leaves are the second half.
  const tree = new Int32Array(2 * count)
  const better = (one: number, other: number): number => {
    if (one < 0 || other < 0) return Math.max(one, other)
    const difference = (ranks[one] ?? 0) - (ranks[other] ?? 0)
    return difference > 0 || (difference === 0 && one < other) ? one : other
  }
  for (let place = 0; place < count; place++) tree[count + place] = place
  for (let node = count - 1; node > 0; node--) tree[node] = better(tree[2 * node] ?? -1, tree[2 * node + 1] ?? -1)
  return (from, to) => {
    let best = -1
    for (let left = from + count, right = to + count; left < right; left >>>= 1, right >>>= 1) {
      if (left % 2 === 1) best = better(best, tree[left++] ?? -1)
      if (right % 2 === 1) best = better(best, tree[--right] ?? -1)
    }
    return best
  }
}
