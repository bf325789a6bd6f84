import type { EventRecord, FactRecord, ProcedureRecord } from '../../contract/snapshot.ts'

/** What a memory states and why, and how other memories change it. */
export type MemoryReport = {
  id: string
  /** The memory that supersedes it, and from when on, UTC; null if none does. */
  superseded_by: { id: string; at: string } | null
  /** Ids of the memories that it supersedes. */
  supersedes: string[]
  facts: ExplainedFact[]
  procedures: ProcedureRecord[]
  events: EventRecord[]
}

/** A fact of a memory, and what the other memories say about it. */
export type ExplainedFact = FactRecord & {
  /** The period for which it holds, as all memories tell it. UTC; null if unknown or not ended. */
  valid_from: string | null
  valid_to: string | null
  /** Ids of other memories that state the same, and of memories that contradict it for the same time. */
  corroborated_by: string[]
  contradicted_by: string[]
  /** The values that its attribute had before and has afterwards. */
  supersedes: OtherValue[]
  superseded_by: OtherValue[]
}

/** What another memory says about the same attribute for another time. */
export type OtherValue = {
  value: string
  valid_from: string | null
  valid_to: string | null
  source_ids: string[]
}
