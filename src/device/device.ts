import type { LeftOut } from '../contract/endpoints/device-memory.ts'
import type { MemoryResponse } from '../contract/memory-response.ts'
import type { MemoryRecord, Metadata } from '../contract/snapshot.ts'
import type { TermPlace } from '../search/answer/term-place.ts'
import type { QuestionOptions } from '../search/answer/to-search-question.ts'
import type { WhyNotReport } from '../search/answer/why-not-report.ts'

/** What the device runtime takes and gives. Times are UTC text with milliseconds, sizes are bytes, offsets are bytes of the file. */

/** How a device is opened. */
export type DeviceOptions = {
  /** How long to wait for the lock, in milliseconds. */
  lockWaitMs?: number | undefined
  /** False: texts are kept and nothing is extracted from them, until `compact` with `reExtract` does. */
  extract?: boolean | undefined
}

/** One thing to remember. Without `at` it is remembered as of now. */
export type StoreInput = {
  text: string
  metadata?: Metadata | undefined
  at?: string | undefined
  speaker?: string | undefined
  conversation?: string | undefined
  position?: number | undefined
}

export type Stored = {
  id: string
  at: string
  /** The record as its line holds it. */
  record: MemoryRecord
  /** Things a person should know: an unfinished tail put aside. */
  notes: string[]
}

export type BatchOptions = {
  signal?: AbortSignal
  /** Told after each append, and now and then in between. Its numbers only grow. */
  onProgress?: (progress: BatchProgress) => void
  /** Told of every record that is new, before it is on the disk. */
  onRecord?: (record: MemoryRecord) => void
  /** Says what would be stored, and stores nothing. */
  dryRun?: boolean
}

export type BatchProgress = { lines: number; stored: number; bytesRead: number; bytesTotal: number | undefined }

export type BatchReport = {
  lines: number
  stored: number
  /** Already there, equal but perhaps for the time of an undated line. */
  known: number
  /** Already there under the same id with other metadata or position; the file was left as it was. */
  differed: number
  /** Forgotten earlier, and so not stored again. */
  forgotten: number
  seconds: number
  notes: string[]
}

/** A line that is not sound, and why. `line` counts from 1. */
export type Damage = { line: number; offset: number; reason: string }

export type SearchOptions = QuestionOptions

export type SearchOutcome = {
  response: MemoryResponse
  /**
   * Where a text has words of the query, in any form that ranking takes for the same: for whoever shows the answer. In the
   * order of the text; the time is bounded, however long it is.
   */
  placesIn: (text: string) => TermPlace[]
  /** How much of the query a text says itself, by the weight of its terms: 0 to 1. Related words do not count. */
  coverageOf: (text: string) => number
  damaged: Damage[]
  /** Ids that were here at the last look and are neither in the file nor forgotten now. */
  vanished: string[]
  notes: string[]
}

/** Why a memory is not in the answer to a query, or where in it. */
export type WhyNot = Omit<SearchOutcome, 'response' | 'placesIn' | 'coverageOf'> & { report: WhyNotReport }

/** `since` and `until` are times in ISO 8601, the second one no longer in it. */
export type ListOptions = {
  limit?: number | undefined
  since?: string | undefined
  until?: string | undefined
  speaker?: string | undefined
  conversation?: string | undefined
}

export type ShownMemory = { record: MemoryRecord; line: number; offset: number; bytes: number; forgotten: boolean }

export type ForgetReport = {
  forgotten: string[]
  already: string[]
  /** How many lines of other kinds were about the forgotten memories and fell with them. */
  fallen: number
  /** Where the text still is, a sentence each. */
  remains: string[]
  notes: string[]
}

export type Stats = {
  path: string
  form: 'jsonl' | 'json'
  bytes: number
  memories: number
  forgotten: number
  unknown: number
  /** Lines that `compact` would drop: losers, repeats and memories that were forgotten. */
  surplus: number
  conversations: number
  speakers: number
  first_at: string | null
  last_at: string | null
  text_bytes: number
  damaged: number
  /** The first of them, as many as are listed. */
  damaged_lines: Damage[]
  lost: number
  /** Bytes of `NAME.aside`, 0 where there is none. */
  aside_bytes: number
  index: { bytes: number; memories: number; fits: boolean } | null
} & GraphStats

/** What the memories tell together. */
export type GraphStats = {
  /** People, places and things that facts name, and who speaks; those with aliases once. */
  entities: number
  /** Facts as the memories state them, repeats and all. */
  facts: number
  /** Of what they say together: what holds now, what ended, and what other memories contradict. */
  facts_current: number
  facts_superseded: number
  facts_contradicted: number
  /** The oldest facts of a very large snapshot, which were counted and not put together with the others. */
  facts_left_out: number
  procedures: number
  events: number
  /** The most frequent first. */
  top_entities: { name: string; mentions: number }[]
  top_predicates: { key: string; facts: number }[]
}

export type VerifyReport = {
  path: string
  form: 'jsonl' | 'json'
  /** No damage and no loss; an unfinished tail and notes do not count against it. */
  sound: boolean
  lines: number
  memories: number
  forgotten: number
  unknown: number
  known_ids: number
  root_hash: string
  damaged: Damage[]
  /** Known ids that a header counted and that are missing now: at least this many. */
  lost: number
  lost_reason: string | null
  tail: { bytes: number; sound: boolean } | null
  /** Oddities that are read past: CR, BOM, blank lines, other key order or spacing, repeated headers. */
  notes: string[]
}

export type Form = 'jsonl' | 'json'

export type CompactOptions = {
  reExtract?: boolean
  skipDamaged?: boolean
  dropForgets?: boolean
  format?: Form | undefined
}

export type CompactReport = {
  path: string
  memories: number
  bytes_before: number
  bytes_after: number
  dropped: number
  re_extracted: number
  aside: number
  root_hash: string
  notes: string[]
}

export type MergeOptions = {
  inputs: string[]
  /** Common ancestor, for a three-way merge. */
  base?: string | undefined
  output: string
  format?: Form | undefined
  skipDamaged?: boolean
  force?: boolean
}

export type MergeReport = {
  output: string
  memories: number
  forgotten: number
  /** Known ids that each input brought which no earlier input had. */
  added: number[]
  bytes: number
  root_hash: string
  notes: string[]
}

/** What became of an export that was taken into a file. */
export type ReceiveReport = {
  path: string
  memories: number
  forgotten: number
  bytes: number
  root_hash: string
  /** Lines that were in the file and not in the export, and stayed. */
  kept: number
  /** What came, as the server counted it: without the header, and the root hash that it worked out. */
  received: { records: number; bytes: number; root_hash: string }
  /** Damaged lines that the server left out, where it was asked to. */
  left_out?: LeftOut
}

export type MemoryBrief = { id: string; at: string; speaker: string | null; text: string }

export type FactBrief = { subject: string; predicate: string; value: string; source_ids: string[] }

export type DiffReport = {
  equal: boolean
  memories: {
    added: MemoryBrief[]
    /** In A and not in B, though nothing in B says it was forgotten. */
    gone: MemoryBrief[]
    forgotten: MemoryBrief[]
    /** Same id, another winning line. */
    changed: MemoryBrief[]
  }
  facts: {
    added: FactBrief[]
    gone: FactBrief[]
    revalued: { subject: string; predicate: string; from: string[]; to: string[] }[]
  }
}

/** One snapshot file, opened. What fails rejects with a `Fault`; `list` and `show`, which answer at once, throw it. */
export type Device = {
  path: string
  store(input: StoreInput, options?: { signal?: AbortSignal }): Promise<Stored>
  /** The record that `store` would write, nothing written. */
  preview(input: StoreInput): Promise<MemoryRecord>
  storeBatch(source: BatchSource, options?: BatchOptions): Promise<BatchReport>
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>
  /** Where a memory stands for a query, by its id or a prefix as `show` takes it, and what it lacks beside the best. */
  whyNot(query: string, idOrPrefix: string, options?: SearchOptions): Promise<WhyNot>
  /** In canonical order: oldest first. With `limit`: the newest so many. */
  list(options?: ListOptions): { records: Iterable<MemoryRecord>; damaged: Damage[] }
  show(idOrPrefix: string): ShownMemory
  forget(
    idsOrPrefixes: string[],
    options?: { reason?: string; compact?: boolean; signal?: AbortSignal }
  ): Promise<ForgetReport>
  stats(options?: { signal?: AbortSignal }): Promise<Stats>
  verify(options?: { signal?: AbortSignal }): Promise<VerifyReport>
  compact(options?: CompactOptions & { signal?: AbortSignal }): Promise<CompactReport>
  /** Frees the open index. The file needs no closing. */
  close(): void
}

/** Where a batch comes from: a file, which is checked as a whole before anything is stored, or a stream, which is stored as it comes. */
export type BatchSource = { file: string } | { stream: BatchStream }

/** Bytes, or texts as `createReadStream(path, 'utf8')` gives them, in pieces of any size. */
export type BatchStream = AsyncIterable<Uint8Array | string>
