import type { Metadata } from '../../src/contract/snapshot.ts'
import type { Clock, Fetch, Ids, Log } from '../../src/ports.ts'
import type { DocumentReaders, DocumentsState } from '../providers/port/documents.ts'
import type { Provider } from '../providers/port/provider.ts'
import type { RecordBatch } from '../storage/port/record-batch.ts'
import type { SyncStorage } from '../storage/port/storage.ts'

/** What syncs connections that are due, until it is stopped. */
export type Sync = {
  /** Something may be due: looked at now instead of at the next regular look. */
  wake(): void
  /** What the metrics show. */
  state(): SyncState
  /** Begins nothing new; runs under way end at their next page, and their connections are free for other nodes. */
  stop(): Promise<void>
}

/** `running`: runs under way here. The others count since the start. */
export type SyncState = {
  running: number
  runs: Readonly<Record<string, number>>
  items: number
  memories: number
  documents: DocumentsState
}

export type SyncParts = {
  storage: SyncStorage
  /** The providers that are enabled here, by identifier. */
  sources: ReadonlyMap<string, SyncSource>
  /** A fetch that carries the credential, and keeps the pace that the provider demands. */
  authorizedFetch(credentialId: string): Fetch
  documents: DocumentReaders
  remember: Remember
  world: { clock: Clock; ids: Ids; log: Log }
  /** An id for a run, in the order of time. */
  newId(): string
  settings: SyncSettings
}

/** A provider, and where its calls go. */
export type SyncSource = { provider: Provider; apiUrl: string }

/**
 * What is to be stored for texts, in their order: a line each, and the id of its memory. One that is too long for a line is an
 * error of it alone.
 */
export type Remember = (inputs: readonly MemoryInput[], signal: AbortSignal) => Promise<Remembered[]>

/**
 * A memory before anything is understood of it. Without `at` in its metadata it is undated: its id is the same whenever it is said,
 * and `nowMs` is the time that its line shows.
 */
export type MemoryInput = { text: string; metadata: Metadata; nowMs: number; copy: number }

export type Remembered = { memoryId: string; batch: RecordBatch } | { tooLarge: string }

/** Times in milliseconds. */
export type SyncSettings = {
  intervalMs: number
  leaseMs: number
  /** Runs at a time in this server. */
  workers: number
  /** Waits before the retries of a failed item: as many as there are retries. */
  retryBackoffMs: readonly number[]
  /** The first wait after the last retry; doubled each time after it, to a day at most. */
  cooldownMs: number
}
