import type { Metadata } from '../../../src/contract/snapshot.ts'

/**
 * A piece of an item that becomes one memory. `metadata` has what a search reads (speaker, time, conversation, position, title, url)
 * and where it comes from. Without `at` there it is undated: an edit elsewhere in the item leaves its id as it is.
 */
export type MemoryDraft = {
  text: string
  metadata: Metadata
  /** The time that the line of an undated one shows, in milliseconds since 1970; undefined where the item has none. */
  shownAt: number | undefined
}
