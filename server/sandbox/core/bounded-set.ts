/** A set that forgets what was added first when it has more than `max` members. */
export type BoundedSet = { add(member: string): void; has(member: string): boolean; clear(): void }

/** An empty one. */
export function createBoundedSet(max: number): BoundedSet {
  const members = new Set<string>()
  return {
    add: (member) => {
      members.add(member)
      if (members.size <= max) return
      for (const oldest of members) {
        members.delete(oldest)
        return
      }
    },
    has: (member) => members.has(member),
    clear: () => members.clear()
  }
}
