import * as z from 'zod'
import { Count, Text, TextList, TextOrNull } from './plain-shapes.ts'

/**
 * The records of a snapshot, as `src/snapshot/FORMAT.md` specifies them. All objects are loose, because unknown fields
 * are kept. Readers check lines with the faster `src/snapshot/record/check-record-shape.ts`; a test compares it with
 * these schemas.
 */

/** UTC with milliseconds, so that the order of texts is the order of times. */
export const Time = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/)

export const TimeOrNull = Time.nullable()

export const MemoryId = z.string().regex(/^mem_[0-9a-f]{32}$/)
export const ForgetId = z.string().regex(/^fgt_[0-9a-f]{32}$/)
export const SnapshotId = z.string().regex(/^snp_[0-9a-f]{32}$/)
const Digest = z.string().regex(/^[0-9a-f]{64}$/)

/** Half-open range of UTF-16 code units of the memory's `text`. */
export const Span = z.tuple([Count, Count])

/** The members of every extracted entry: its position in the text, and the rule or model that extracted it. */
const extracted = { rule: Text, span: Span, confidence: z.number().min(0).max(1).optional() }

export const FactRecord = z.looseObject({
  subject: Text,
  predicate: Text,
  value: Text,
  /**
   * The text denies the fact. The predicate contains the words of the denial (`never worked at`); this flag is for
   * programs.
   */
  negated: z.literal(true).optional(),
  /** The text does not claim the fact: it is possible, wanted, planned or needed. */
  modality: z.enum(['possible', 'wanted', 'planned', 'needed']).optional(),
  /** The range of the question that the span answers. */
  question: Span.optional(),
  ...extracted
})

/** A fact that came with the text from another tool, with the period for which that tool says it holds. */
export const GivenFact = z.looseObject({
  subject: Text,
  predicate: Text,
  value: Text,
  valid_from: Time.optional(),
  valid_to: Time.optional()
})

export const ProcedureRecord = z.looseObject({
  kind: z.enum(['how_to', 'preference', 'rule']),
  statement: Text,
  steps: TextList.optional(),
  ...extracted
})

export const EventRecord = z.looseObject({
  statement: Text,
  /** Half-open: the first instant, and the first one afterwards. A day is 24 hours; a year is the whole year. */
  started_at: Time.optional(),
  ended_at: Time.optional(),
  /** How precisely the text gives the time. */
  precision: z.enum(['year', 'season', 'month', 'week', 'day', 'hour', 'minute']).optional(),
  /** Whether the event is past, planned or recurring. */
  aspect: z.enum(['past', 'planned', 'recurring']).optional(),
  ...extracted
})

/** Values that were parsed from JSON are valid JSON. Checking each of them again would take as long as parsing them. */
const AnyJson = z.custom<z.infer<ReturnType<typeof z.json>>>()

export const Metadata = z.record(Text, AnyJson)

export const MemoryRecord = z.looseObject({
  type: z.literal('memory'),
  id: MemoryId,
  at: Time,
  text: Text,
  extractor: Count,
  speaker: Text.optional(),
  conversation: Text.optional(),
  position: z.int().optional(),
  copy: z.int().min(2).optional(),
  undated: z.literal(true).optional(),
  metadata: Metadata.optional(),
  // Entries are read through `src/memory/extracted.ts`. An entry that a later version writes in another form is kept
  // and ignored; it does not damage the line.
  facts: z.array(z.json()).optional(),
  procedures: z.array(z.json()).optional(),
  events: z.array(z.json()).optional(),
  /** Facts that another tool stated beside the text: see `GivenFact`. Extraction never changes them. */
  given: z.array(z.json()).optional(),
  /** Ids of memories that this one corrects. Not part of its id. */
  supersedes: z.array(z.json()).optional(),
  check: Digest.optional()
})

export const ForgetRecord = z.looseObject({
  type: z.literal('forget'),
  id: ForgetId,
  at: Time,
  target: MemoryId,
  reason: Text.optional(),
  check: Digest.optional()
})

export const SnapshotHeader = z.looseObject({
  format: z.literal('memctl.snapshot'),
  version: z.literal(1),
  id: SnapshotId,
  created_at: Time,
  collection_id: TextOrNull,
  count: Count,
  ids_hash: Digest,
  check: Digest.optional()
})

/**
 * The object form: `snapshot` on the wire. Its records are the lines, and the conversion is lossless in both
 * directions.
 */
export const SnapshotObject = SnapshotHeader.extend({ records: z.array(z.looseObject({ type: Text })) })

export type FactRecord = z.infer<typeof FactRecord>
export type GivenFact = z.infer<typeof GivenFact>
export type ProcedureRecord = z.infer<typeof ProcedureRecord>
export type EventRecord = z.infer<typeof EventRecord>
export type Metadata = z.infer<typeof Metadata>
export type MemoryRecord = z.infer<typeof MemoryRecord>
export type ForgetRecord = z.infer<typeof ForgetRecord>
export type SnapshotHeader = z.infer<typeof SnapshotHeader>
