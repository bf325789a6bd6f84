/** What entries of all groups have. */
export type Entry = { id: string; score: number }

/** Entries by score, then by id: the order is never left to chance. */
export function bestFirst<E extends Entry>(entries: readonly E[]): E[] {
  return [...entries].sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}
