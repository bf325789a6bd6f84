import type { LeftOut } from '../contract/endpoints/device-memory.ts'
import type { MemoryResponse } from '../contract/memory-response.ts'
import type { QuestionOptions } from '../contract/question-options.ts'
import type { MemoryRecord, Metadata } from '../contract/snapshot.ts'
import type { MemoryReport } from '../search/answer/memory-report.ts'
import type { TermPlace } from '../search/answer/term-place.ts'
import type { WhyNotReport } from '../search/answer/why-not-report.ts'

/**
 * The types of the device runtime. Times are UTC text with milliseconds, sizes are bytes, offsets are bytes of the
 * file.
 */

/** Options for opening a device. */
export type DeviceOptions = {
  /** How long to wait for the lock, in milliseconds. */
  lockWaitMs?: number | undefined
  /** False: texts are stored without extraction, until `compact` with `reExtract` catches up. */
  extract?: boolean | undefined
}

/** A memory to store. Without `at`, it gets the current time. */
export type StoreInput = {
  text: string
  metadata?: Metadata | undefined
  at?: string | undefined
  speaker?: string | undefined
  conversation?: string | undefined
  position?: number | undefined
  /** Facts that came with the text from another tool. */
  given?: GivenInput[] | undefined
  /** Whole ids of the memories that this one corrects. */
  supersedes?: string[] | undefined
}

/** A fact that came with a text. `valid_from` and `valid_to` are times in ISO 8601: its first instant, and its end. */
export type GivenInput = {
  subject: string
  predicate: string
  value: string
  valid_from?: string | undefined
  valid_to?: string | undefined
}

export type Stored = {
  id: string
  at: string
  /** The record as stored in its line. */
  record: MemoryRecord
  /** Notes for the user, such as an unfinished tail that was moved aside. */
  notes: string[]
}

export type CorrectOptions = Pick<StoreInput, 'at' | 'speaker' | 'conversation' | 'metadata'> & {
  /** Returns what would be stored without storing it. */
  dryRun?: boolean | undefined
  signal?: AbortSignal | undefined
}

export type BatchOptions = {
  signal?: AbortSignal
  /** Called after each append, and occasionally in between. The numbers never decrease. */
  onProgress?: (progress: BatchProgress) => void
  /** Called for every new record, before it is on the disk. */
  onRecord?: (record: MemoryRecord) => void
  /** Reports what would be stored without storing anything. */
  dryRun?: boolean
}

export type BatchProgress = { lines: number; stored: number; bytesRead: number; bytesTotal: number | undefined }

export type BatchReport = {
  lines: number
  stored: number
  /** Already stored and equal, except perhaps for the time of an undated line. */
  known: number
  /**
   * Already stored under the same id with another `metadata`, `position`, `given` or `supersedes`; the file was not
   * changed.
   */
  differed: number
  /** Forgotten earlier, and therefore not stored again. */
  forgotten: number
  seconds: number
  notes: string[]
}

/** A damaged line and the reason. `line` counts from 1. */
export type Damage = { line: number; offset: number; reason: string }

export type SearchOptions = QuestionOptions

export type SearchOutcome = {
  response: MemoryResponse
  /**
   * Finds terms of the query in a text, in any form that ranking treats as the same word, for display. Returns them in
   * text order; the time is bounded, whatever the length of the text.
   */
  placesIn: (text: string) => TermPlace[]
  /**
   * Returns how much of the query a text contains itself, by the weight of its terms: 0 to 1. Related words do not
   * count.
   */
  coverageOf: (text: string) => number
  damaged: Damage[]
  /** Ids that were present when the file was last indexed and are now neither in the file nor forgotten. */
  vanished: string[]
  notes: string[]
}

/** Why a memory is missing from the answer to a query, or its place in the answer. */
export type WhyNot = Omit<SearchOutcome, 'response' | 'placesIn' | 'coverageOf'> & { report: WhyNotReport }

/** A memory with its place in the file, and the origin of its statements. */
export type Why = ShownMemory & { report: MemoryReport } & Pick<SearchOutcome, 'damaged' | 'vanished' | 'notes'>

/** `since` and `until` are times in ISO 8601; the range excludes `until`. */
export type ListOptions = {
  limit?: number | undefined
  since?: string | undefined
  until?: string | undefined
  speaker?: string | undefined
  conversation?: string | undefined
}

/**
 * Options of `recent`. `after` is the `next` of an earlier page. `speaker` is one or more words of the name, in any
 * case; the range excludes `until`.
 */
export type RecentOptions = Pick<
  QuestionOptions,
  'since' | 'until' | 'speaker' | 'conversation' | 'source' | 'only_sources' | 'except_sources' | 'kind'
> & { limit?: number | undefined; after?: string | undefined }

/** A page of memories, newest first. `total`, `first_at` and `last_at` describe all pages; `next` is null at the end. */
export type RecentPage = {
  records: MemoryRecord[]
  next: string | null
  total: number
  first_at: string | null
  last_at: string | null
}

/** `around` is the number of turns before and after each memory. */
export type ReadOptions = Pick<QuestionOptions, 'only_sources' | 'except_sources'> & { around?: number | undefined }

/** A memory with its neighbouring turns in order. */
export type ReadMemory = { id: string; turns: MemoryRecord[] }

export type ShownMemory = { record: MemoryRecord; line: number; offset: number; bytes: number; forgotten: boolean }

export type ForgetReport = {
  forgotten: string[]
  already: string[]
  /** Number of lines of other kinds about the forgotten memories, which no longer count either. */
  fallen: number
  /** Where the text still exists, one sentence per place. */
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
  /** Lines that `compact` would drop: superseded and repeated lines, and forgotten memories. */
  surplus: number
  conversations: number
  speakers: number
  first_at: string | null
  last_at: string | null
  text_bytes: number
  damaged: number
  /** The first damaged lines, as many as are listed. */
  damaged_lines: Damage[]
  lost: number
  /** Size of `NAME.aside`, 0 if it does not exist. */
  aside_bytes: number
  index: { bytes: number; memories: number; fits: boolean } | null
} & GraphStats

/** What all memories together contain. */
export type GraphStats = {
  /** People, places and things that facts name, and speakers; those with aliases count once. */
  entities: number
  /** Facts as the memories state them, including repeats. */
  facts: number
  /** Of the merged facts: those that hold now, those that ended, and those that other memories contradict. */
  facts_current: number
  facts_superseded: number
  facts_contradicted: number
  /** The oldest facts of a very large snapshot, which were counted but not merged. */
  facts_left_out: number
  procedures: number
  events: number
  /** Most frequent first. */
  top_entities: { name: string; mentions: number }[]
  top_predicates: { key: string; facts: number }[]
}

export type VerifyReport = {
  path: string
  form: 'jsonl' | 'json'
  /** Neither damaged nor incomplete; an unfinished tail and notes do not matter. */
  sound: boolean
  lines: number
  memories: number
  forgotten: number
  unknown: number
  known_ids: number
  root_hash: string
  damaged: Damage[]
  /** Minimum number of known ids that a header counted and that are missing. */
  lost: number
  lost_reason: string | null
  tail: { bytes: number; sound: boolean } | null
  /** Tolerated deviations: CR, BOM, blank lines, other key order or spacing, repeated headers. */
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
  /** The common ancestor, for a three-way merge. */
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
  /** Number of known ids that each input added to those before it. */
  added: number[]
  bytes: number
  root_hash: string
  notes: string[]
}

/** The result of receiving an export into a file. */
export type ReceiveReport = {
  path: string
  memories: number
  forgotten: number
  bytes: number
  root_hash: string
  /** Number of lines that were only in the file, and were kept. */
  kept: number
  /** The content of the export as counted by the server: without the header; with the root hash that it computed. */
  received: { records: number; bytes: number; root_hash: string }
  /** Damaged lines that the server left out on request. */
  left_out?: LeftOut
}

export type MemoryBrief = { id: string; at: string; speaker: string | null; text: string }

export type FactBrief = { subject: string; predicate: string; value: string; source_ids: string[] }

export type DiffReport = {
  equal: boolean
  memories: {
    added: MemoryBrief[]
    /** In A and not in B, and B has no forget line for them. */
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

/** One open snapshot file. Failures reject with a `Fault`; the synchronous methods `list` and `show` throw it. */
export type Device = {
  path: string
  store(input: StoreInput, options?: { signal?: AbortSignal }): Promise<Stored>
  /** Returns the record that `store` would write, without writing it. */
  preview(input: StoreInput): Promise<MemoryRecord>
  storeBatch(source: BatchSource, options?: BatchOptions): Promise<BatchReport>
  /**
   * Stores a text that supersedes a memory, given by its id or a prefix as for `show`. It keeps the speaker and
   * conversation of that memory unless the options have others.
   */
  correct(idOrPrefix: string, text: string, options?: CorrectOptions): Promise<Stored>
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>
  /**
   * Returns where a query ranks a memory, given by its id or a prefix as for `show`, and what it lacks compared with
   * the best.
   */
  whyNot(query: string, idOrPrefix: string, options?: SearchOptions): Promise<WhyNot>
  /** Lists memories in canonical order, oldest first. With `limit`, only the newest ones. */
  list(options?: ListOptions): { records: Iterable<MemoryRecord>; damaged: Damage[] }
  /** Lists memories newest first, a page at a time, from the index. */
  recent(options?: RecentOptions): Promise<RecentPage>
  /** Reads memories by their ids, or prefixes as for `show`, from the index. Leaves out what does not exist. */
  read(idsOrPrefixes: readonly string[], options?: ReadOptions): Promise<ReadMemory[]>
  show(idOrPrefix: string): ShownMemory
  /** Explains a memory: its entries with their rules, what supersedes it, and what other memories say about its facts. */
  why(idOrPrefix: string): Promise<Why>
  forget(
    idsOrPrefixes: string[],
    options?: { reason?: string; compact?: boolean; signal?: AbortSignal }
  ): Promise<ForgetReport>
  stats(options?: { signal?: AbortSignal }): Promise<Stats>
  verify(options?: { signal?: AbortSignal }): Promise<VerifyReport>
  compact(options?: CompactOptions & { signal?: AbortSignal }): Promise<CompactReport>
  /** Frees the open index. The file does not need to be closed. */
  close(): void
}

/**
 * The source of a batch: a file, which is validated as a whole before anything is stored, or a stream, which is stored
 * as it arrives.
 */
export type BatchSource = { file: string } | { stream: BatchStream }

/** Bytes, or strings as `createReadStream(path, 'utf8')` yields them, in chunks of any size. */
export type BatchStream = AsyncIterable<Uint8Array | string>
