import type { DamagedLine, RecordBatch, RecordPage } from '../../storage/port/record-batch.ts'
import type { EngineQuestion, RememberInput, SnapshotBytes } from './engine.ts'

/** What the engine asks of one of its threads: by the name of the call what goes over and what comes back. */
export type EngineCalls = {
  /** Nothing: a thread that answers has started. */
  start: { argument: undefined; answer: undefined }
  readBody: { argument: Uint8Array; answer: ReadBody }
  searchSnapshot: { argument: { snapshot: SnapshotBytes; question: EngineQuestion }; answer: Uint8Array }
  storeIntoSnapshot: { argument: { snapshot: SnapshotBytes; input: RememberInput }; answer: Uint8Array }
  readRecords: { argument: SnapshotBytes; answer: ReadRecords }
  remember: { argument: RememberInput[]; answer: Remembered[] }
  takePage: { argument: PageForIndex; answer: PageTaken }
  searchIndex: { argument: IndexQuestions; answer: IndexAnswers }
  dropCollection: { argument: string; answer: IndexUsage }
}

export type CallName = keyof EngineCalls

/** A body is given back as it came; `snapshot` says where in it the snapshot stands. */
export type ReadBody = { value: unknown; bytes: Uint8Array; snapshot: { from: number; to: number } | undefined }

export type ReadRecords = { records: number; batches: RecordBatch[] }

export type NewMemory = { memoryId: string; batch: RecordBatch }

/** Of several inputs one may be too large without harm to the others. */
export type Remembered = NewMemory | { tooLarge: { message: string; hint: string | undefined } }

/** One collection as it stands: `seq` is the newest sequence number. Another `snapshotId` is another collection under that id. */
export type CollectionHead = { id: string; snapshotId: string; seq: number }

/** Lines for an index that has all of the collection up to `after`; with them it has all up to `upTo`. */
export type PageForIndex = {
  /** The ids of all collections of the index, sorted. */
  ids: readonly string[]
  head: CollectionHead
  after: number
  upTo: number
  page: RecordPage
}

/** Questions to one index. The ids of `heads` are sorted. */
export type IndexQuestions = { heads: readonly CollectionHead[]; questions: readonly EngineQuestion[] }

/** `mark`: up to which sequence number the index has the collection then. `damaged`: lines of the page that it left out. */
export type PageTaken = IndexUsage & { mark: number; damaged: readonly DamagedLine[] }

/** What a thread holds for searching. */
export type IndexUsage = { indexes: number; bytes: number }

/** The answers, in the order of the questions; or, where lines are missing, up to which sequence number the index has each collection. */
export type IndexAnswers = IndexUsage & ({ answers: Uint8Array[] } | { marks: number[] })
