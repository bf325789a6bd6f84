import * as z from 'zod'
import { Text, TextList, TextOrNull } from './plain-shapes.ts'
import { Metadata, Span, Time, TimeOrNull } from './snapshot.ts'

/** The reply of a search, online and offline: four groups, each with the best entry first. */

const Score = z.number().min(0).max(1)

const entry = {
  id: Text,
  /** From 0 to 1, comparable within one response. */
  score: Score,
  /** The ids of the memories that support the entry. */
  source_ids: TextList,
  /** Present only if the request set `explain`. */
  explanation: z.looseObject({}).optional()
}

export const SemanticEntry = z.object({
  ...entry,
  subject: Text,
  predicate: Text,
  value: Text,
  confidence: Score,
  valid_from: TimeOrNull,
  /** Null while the fact is current. */
  valid_to: TimeOrNull,
  span: Span.nullable()
})

export const ProcedureEntry = z.object({
  ...entry,
  statement: Text,
  kind: z.enum(['how_to', 'preference', 'rule']),
  steps: TextList.optional(),
  confidence: Score
})

export const EpisodeEntry = z.object({
  ...entry,
  summary: Text,
  started_at: TimeOrNull,
  ended_at: TimeOrNull,
  participants: TextList,
  events: TextList
})

export const SourceEntry = z.object({
  ...entry,
  text: Text,
  speaker: TextOrNull,
  timestamp: TimeOrNull,
  title: TextOrNull,
  url: TextOrNull,
  metadata: Metadata,
  /** The memory that corrects this one, and since when. Such sources are returned only where the query asks about time. */
  superseded_by: Text.optional(),
  superseded_at: Time.optional()
})

export const MemoryResponse = z.object({
  semantics: z.array(SemanticEntry),
  procedures: z.array(ProcedureEntry),
  episodes: z.array(EpisodeEntry),
  sources: z.array(SourceEntry)
})

export type SemanticEntry = z.infer<typeof SemanticEntry>
export type ProcedureEntry = z.infer<typeof ProcedureEntry>
export type EpisodeEntry = z.infer<typeof EpisodeEntry>
export type SourceEntry = z.infer<typeof SourceEntry>
export type MemoryResponse = z.infer<typeof MemoryResponse>
