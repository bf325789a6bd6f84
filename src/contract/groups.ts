/** The four groups of a MemoryResponse, in the order they are shown. */
export const GROUPS = ['semantics', 'procedures', 'episodes', 'sources'] as const

export type Group = (typeof GROUPS)[number]

/** Entries per group, unless asked otherwise, and at most. */
export const LIMIT_DEFAULT = 10
export const LIMIT_MAX = 1000

/** Kinds of what is extracted from memories, by which a search may be filtered. */
export const MEMORY_KINDS = ['fact', 'how_to', 'preference', 'rule', 'event'] as const

export type MemoryKind = (typeof MEMORY_KINDS)[number]
