import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { QuestionOptions } from '../../contract/question-options.ts'
import type { ReadMemory, RecentOptions, RecentPage } from '../../device/device.ts'

/**
 * The memories that an assistant may see: one snapshot, or one collection of a server. What the user excluded by its
 * origin is not among them.
 */
export type Memories = {
  search(query: string, options: QuestionOptions): Promise<MemoryResponse>
  /** Lists memories newest first. */
  recent(options: RecentOptions): Promise<RecentPage>
  /** Reads memories by whole ids or prefixes. Leaves out what does not exist. */
  read(ids: readonly string[], options: { around: number }): Promise<ReadMemory[]>
  /** Absent if the assistant must not store. */
  store?(input: MemoryInput): Promise<{ id: string; at: string }>
  /** Absent if the assistant must not forget. Expects whole ids. */
  forget?(ids: readonly string[]): Promise<{ forgotten: string[]; already: string[] }>
  /** The index that is being opened; undefined if searches need not wait for it. */
  opening?: IndexOpening | undefined
}

/** `origin` names the client that stores the memory: `mcp:` and its name. */
export type MemoryInput = {
  text: string
  origin: string
  speaker?: string | undefined
  at?: string | undefined
  conversation?: string | undefined
}

/** An index that opens in the background. */
export type IndexOpening = {
  /** How much is indexed, from 0 to 100. */
  percent(): number
  /** Resolves when the index is open, or could not be opened: then the search itself reports why. */
  done: Promise<void>
}
