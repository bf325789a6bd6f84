import type { Group } from '../../../src/contract/groups.ts'
import type { Metadata } from '../../../src/contract/snapshot.ts'
import type { RecordBatch } from '../../storage/port/record-batch.ts'

/**
 * The engine of the device as the server uses it: all work over 10 ms, in threads beside the one that answers requests.
 * Bytes that are handed in belong to the engine from then on (their memory is moved, not copied). A call whose signal is
 * aborted while it waits for a thread rejects with a Fault `cancelled`; where too many wait, with `unavailable`.
 */
export type Engine = SnapshotEngine & CollectionEngine

/** What is asked of a snapshot that came with the request. Keeps nothing, and is given no storage. */
export type SnapshotEngine = {
  /**
   * Reads a JSON body. Member `snapshot` of the outermost object, where it is an object, becomes an object without its
   * records; its bytes are given back beside.
   *
   * @throws Fault `malformed_json`: no JSON that every reader understands alike.
   */
  readBody(bytes: Uint8Array, signal?: AbortSignal): Promise<{ value: unknown; snapshot: SnapshotBytes | undefined }>
  /** The answer as the UTF-8 of a MemoryResponse. Throws `invalid_snapshot` and its like with the first faults by path. */
  searchSnapshot(snapshot: SnapshotBytes, question: EngineQuestion, signal?: AbortSignal): Promise<Uint8Array>
  /** The UTF-8 of `{"snapshot": …}` with the memory in it, in canonical order. */
  storeIntoSnapshot(snapshot: SnapshotBytes, input: RememberInput, signal?: AbortSignal): Promise<Uint8Array>
  /**
   * The lines that canonical form keeps, in batches for the storage, after every line was judged.
   *
   * @throws Fault `invalid_snapshot` and its like: not one line may be stored then.
   */
  readRecords(snapshot: SnapshotBytes, signal?: AbortSignal): Promise<{ records: number; batches: RecordBatch[] }>
}

/** A snapshot as bytes: `from` and `to` say where in them it stands. */
export type SnapshotBytes = { bytes: Uint8Array; from: number; to: number; form: 'jsonl' | 'json' }

export type CollectionEngine = {
  /**
   * What is to be stored for a text: one memory line, with all that is understood of it. Without a time in its metadata it
   * is undated: its id is the same whenever it is said.
   *
   * @throws Fault `too_large` where the line would be longer than a line may be.
   */
  remember(input: RememberInput, signal?: AbortSignal): Promise<{ memoryId: string; batch: RecordBatch }>
  /**
   * The same for texts in their order, a few at a time, so that what others ask for comes in between. Of one that is too large for a line it is
   * said how large it would be.
   */
  rememberAll(inputs: readonly RememberInput[], signal: AbortSignal): Promise<RememberedText[]>
  /**
   * The answer from one or several collections, ranked as one, as the UTF-8 of a MemoryResponse. Says what the
   * collections held when it was called, whatever node wrote it.
   *
   * @throws Fault `not_found` where a collection is gone.
   */
  searchCollections(ids: readonly string[], question: EngineQuestion, signal?: AbortSignal): Promise<Uint8Array>
  /** How many lines of these collections are known to be damaged, as of the last search: answers lack what they said. */
  countDamagedLines(ids: readonly string[]): number
  /** Frees what is kept for searching a collection that was deleted; a thread that cannot, does so when it needs the room. */
  dropCollection(id: string): Promise<void>
  /** What the metrics show. */
  state(): EngineState
  /** Ends its threads. What is under way rejects. */
  close(): Promise<void>
}

export type EngineQuestion = {
  query: string
  limit: number
  groups: readonly Group[]
  /** UTC text with milliseconds. */
  asOf: string | undefined
  explain: boolean
}

/** `copy`: the nth memory that is equal in text, speaker, time and conversation. `nowMs`: when it is stored. */
export type RememberInput = { text: string; metadata: Metadata | undefined; nowMs: number; copy: number }

export type RememberedText = { memoryId: string; batch: RecordBatch } | { tooLarge: string }

/** Threads that run, calls that wait for one, indexes that are held and their bytes. */
export type EngineState = { threads: number; waiting: number; indexes: number; indexBytes: number }
