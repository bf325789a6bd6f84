/** The four groups of a MemoryResponse, in the order they are shown. */
export const GROUPS = ['semantics', 'procedures', 'episodes', 'sources'] as const

export type Group = (typeof GROUPS)[number]

/** Entries per group, unless asked otherwise, and at most. */
export const LIMIT_DEFAULT = 10
export const LIMIT_MAX = 1000
