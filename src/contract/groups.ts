/** The four groups of a MemoryResponse, in display order. */
export const GROUPS = ['semantics', 'procedures', 'episodes', 'sources'] as const

export type Group = (typeof GROUPS)[number]

/** The number of entries per group: the default and the maximum. */
export const LIMIT_DEFAULT = 10
export const LIMIT_MAX = 1000

/** Kinds of what is extracted from memories, by which a search may be filtered. */
export const MEMORY_KINDS = ['fact', 'how_to', 'preference', 'rule', 'event'] as const

export type MemoryKind = (typeof MEMORY_KINDS)[number]
