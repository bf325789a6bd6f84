import type { SearchQuestion } from '../../../src/search/answer/answer-query.ts'
import type { DamagedLine, RecordBatch, RecordPage } from '../../storage/port/record-batch.ts'
import type { IndexQuestion } from './answer-bytes.ts'
import type { RememberInput, SnapshotBytes } from './engine.ts'

/** The calls of an engine thread, by name, with argument and answer. */
export type EngineCalls = {
  /** Does nothing. An answer means that the thread has started. */
  start: { argument: undefined; answer: undefined }
  readBody: { argument: Uint8Array; answer: ReadBody }
  searchSnapshot: { argument: { snapshot: SnapshotBytes; question: SearchQuestion }; answer: Uint8Array }
  storeIntoSnapshot: { argument: { snapshot: SnapshotBytes; input: RememberInput }; answer: Uint8Array }
  readRecords: { argument: SnapshotBytes; answer: ReadRecords }
  remember: { argument: RememberInput[]; answer: Remembered[] }
  takePage: { argument: PageForIndex; answer: PageTaken }
  searchIndex: { argument: IndexQuestions; answer: IndexAnswers }
  dropCollection: { argument: string; answer: IndexUsage }
}

export type CallName = keyof EngineCalls

/** The body is returned unchanged. `snapshot` is the place of the snapshot in it. */
export type ReadBody = { value: unknown; bytes: Uint8Array; snapshot: { from: number; to: number } | undefined }

export type ReadRecords = { records: number; batches: RecordBatch[] }

export type NewMemory = { memoryId: string; batch: RecordBatch }

/** The result for one of several inputs. One that is too large does not affect the others. */
export type Remembered = NewMemory | { tooLarge: { message: string; hint: string | undefined } }

/**
 * The current state of a collection: `seq` is the newest sequence number. A different `snapshotId` means a different
 * collection with that id.
 */
export type CollectionHead = { id: string; snapshotId: string; seq: number }

/** Lines for an index that has all lines of the collection up to `after`. With them it has all up to `upTo`. */
export type PageForIndex = {
  /** The sorted ids of all collections of the index. */
  ids: readonly string[]
  head: CollectionHead
  after: number
  upTo: number
  page: RecordPage
}

/** Questions to one index. The ids of `heads` are sorted. */
export type IndexQuestions = { heads: readonly CollectionHead[]; questions: readonly IndexQuestion[] }

/**
 * `mark` is the sequence number up to which the index then has the collection. `damaged` are the lines of the page that
 * it omitted.
 */
export type PageTaken = IndexUsage & { mark: number; damaged: readonly DamagedLine[] }

/** The indexes that a thread holds. */
export type IndexUsage = { indexes: number; bytes: number }

/**
 * The answers in the order of the questions, or, if lines are missing, the sequence numbers up to which the index has
 * each collection.
 */
export type IndexAnswers = IndexUsage & ({ answers: Uint8Array[] } | { marks: number[] })
