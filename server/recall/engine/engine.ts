import type { Metadata } from '../../../src/contract/snapshot.ts'
import type { Fields } from '../../../src/memory/fields.ts'
import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import type { RecordBatch } from '../../storage/port/record-batch.ts'
import type { IndexQuestion } from './answer-bytes.ts'

/**
 * The device's engine as the server uses it: all work over 10 ms runs in threads other than the one that answers
 * requests. The engine takes ownership of the bytes passed to it, whose memory is transferred. If the signal of a
 * waiting call is aborted, it rejects with a Fault `cancelled`; if too many calls wait, with `unavailable`.
 */
export type Engine = SnapshotEngine & CollectionEngine

/** Operations on a snapshot sent with the request. They keep nothing and have no storage. */
export type SnapshotEngine = {
  /**
   * Reads a JSON body. The value excludes the records of the outermost member `snapshot`, if that is an object; the
   * snapshot's bytes are returned separately.
   *
   * @throws Fault `malformed_json` unless the body is JSON that every parser reads in the same way.
   */
  readBody(bytes: Uint8Array, signal?: AbortSignal): Promise<{ value: unknown; snapshot: SnapshotBytes | undefined }>
  /**
   * Returns the answer as the UTF-8 of a MemoryResponse. Throws `invalid_snapshot` and related errors with the first
   * problems by path.
   */
  searchSnapshot(snapshot: SnapshotBytes, question: SearchQuestion, signal?: AbortSignal): Promise<Uint8Array>
  /** Returns the UTF-8 of `{"snapshot": …}` with the memory added, in canonical order. */
  storeIntoSnapshot(snapshot: SnapshotBytes, input: RememberInput, signal?: AbortSignal): Promise<Uint8Array>
  /**
   * Returns the lines of the canonical form in batches for the storage, after verifying every line.
   *
   * @throws Fault `invalid_snapshot` and related errors, after which no line may be stored.
   */
  readRecords(snapshot: SnapshotBytes, signal?: AbortSignal): Promise<{ records: number; batches: RecordBatch[] }>
}

/** A snapshot as bytes. `from` and `to` are its place in them. */
export type SnapshotBytes = { bytes: Uint8Array; from: number; to: number; form: 'jsonl' | 'json' }

export type CollectionEngine = {
  /**
   * Builds the memory line of a text, with all extracted fields. Without a time in its metadata it is undated, so its
   * id is the same whenever it is stored.
   *
   * @throws Fault `too_large` if the line would exceed the maximum length of a line.
   */
  remember(input: RememberInput, signal?: AbortSignal): Promise<{ memoryId: string; batch: RecordBatch }>
  /**
   * Builds the memory lines of several texts in order, a few at a time, so that other calls can run in between. For a
   * text whose line is too large, the result has its size.
   */
  rememberAll(inputs: readonly RememberInput[], signal: AbortSignal): Promise<RememberedText[]>
  /**
   * Returns the answer from one or several collections, ranked together, as the UTF-8 of a MemoryResponse, or of what
   * another kind of question asks for. It reflects the collections at the time of the call, whichever server wrote to
   * them.
   *
   * @throws Fault `not_found` if a collection was deleted.
   */
  searchCollections(ids: readonly string[], question: IndexQuestion, signal?: AbortSignal): Promise<Uint8Array>
  /** Returns the number of lines known to be damaged as of the last search. Answers do not include them. */
  countDamagedLines(ids: readonly string[]): number
  /** Frees the indexes of a deleted collection. A thread that cannot do so evicts them later. */
  dropCollection(id: string): Promise<void>
  /** Returns the state for the metrics. */
  state(): EngineState
  /** Ends the threads. Calls in progress reject. */
  close(): Promise<void>
}

/**
 * `copy` is the number of the copy among memories with the same text, speaker, time and conversation. `nowMs` is the
 * time of storing.
 */
export type RememberInput = {
  text: string
  metadata: Metadata | undefined
  /** Fields that take precedence over those in the metadata. */
  fields?: Fields | undefined
  nowMs: number
  copy: number
}

export type RememberedText = { memoryId: string; batch: RecordBatch } | { tooLarge: string }

/** Running threads, calls that wait for one, and the indexes in memory with their bytes. */
export type EngineState = { threads: number; waiting: number; indexes: number; indexBytes: number }
