import type { Group, MemoryKind } from './groups.ts'

/** Options of a search, as the wire and the library name them. Times are in ISO 8601. */
export type QuestionOptions = {
  /** Entries per group. */
  limit?: number | undefined
  groups?: readonly Group[] | undefined
  /** Valid time: the facts that held then, as known today. */
  as_of?: string | undefined
  /** Transaction time: only memories stored by then count. */
  known_at?: string | undefined
  /** Only memories from `since` on and before `until`. */
  since?: string | undefined
  until?: string | undefined
  /** Only memories of this speaker: one or more words of the name, in any case. */
  speaker?: string | undefined
  conversation?: string | undefined
  /** Only memories from this provider, format, file or folder. */
  source?: string | undefined
  /** Only memories with one of these sources, or with none of them. Nothing of another memory is in the answer. */
  only_sources?: readonly string[] | undefined
  except_sources?: readonly string[] | undefined
  /** Only memories from which something of this kind was extracted. */
  kind?: MemoryKind | undefined
  explain?: boolean | undefined
}
