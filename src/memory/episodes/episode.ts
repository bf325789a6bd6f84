/** Some turns of one conversation, or of one stretch of time, that belong together; derived, never stored. */
export type Episode = {
  /** `epi_` and 32 hex digits, from the ids of its sources. */
  id: string
  /** The sentences that say most of it, in the text's own words, with who said them. */
  summary: string
  /** When its first and its last turn were said, UTC. */
  startedAt: string
  endedAt: string
  /** Speakers, in the order in which they come up. */
  participants: string[]
  /** Statements of the events told of in it, in order. */
  events: string[]
  /** Ids of its memories, in the order of the conversation. */
  sourceIds: string[]
}
