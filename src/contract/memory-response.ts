import * as z from 'zod'
import { Metadata, Span, Time } from './snapshot.ts'

/** What a search answers, online and offline alike: four groups, each best first. */

const Score = z.number().min(0).max(1)

const entry = {
  id: z.string(),
  /** 0..1, comparable within one response. */
  score: Score,
  /** Ids of the memories that the entry rests on. */
  source_ids: z.array(z.string()),
  /** Only where `explain` was asked for. */
  explanation: z.looseObject({}).optional()
}

export const SemanticEntry = z.object({
  ...entry,
  subject: z.string(),
  predicate: z.string(),
  value: z.string(),
  confidence: Score,
  valid_from: Time.nullable(),
  /** Null while the fact is current. */
  valid_to: Time.nullable(),
  span: Span.nullable()
})

export const ProcedureEntry = z.object({
  ...entry,
  statement: z.string(),
  kind: z.enum(['how_to', 'preference', 'rule']),
  steps: z.array(z.string()).optional(),
  confidence: Score
})

export const EpisodeEntry = z.object({
  ...entry,
  summary: z.string(),
  started_at: Time.nullable(),
  ended_at: Time.nullable(),
  participants: z.array(z.string()),
  events: z.array(z.string())
})

export const SourceEntry = z.object({
  ...entry,
  text: z.string(),
  speaker: z.string().nullable(),
  timestamp: Time.nullable(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  metadata: Metadata
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
