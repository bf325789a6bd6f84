import type { Metadata } from '../../src/contract/snapshot.ts'
import type { DocumentReaders } from '../../src/documents/port/document-reader.ts'
import type { Clock, Fetch, Ids, Log } from '../../src/ports.ts'
import type { Provider, ReadOptions } from '../providers/port/provider.ts'
import type { RecordBatch } from '../storage/port/record-batch.ts'
import type { SyncStorage } from '../storage/port/sync-storage.ts'

/** The dependencies of a sync. */
export type SyncParts = {
  storage: SyncStorage
  /** The enabled providers, by id. */
  sources: ReadonlyMap<string, SyncSource>
  /** Returns a fetch that sends the credential and respects the rate limits of the provider. */
  authorizedFetch(credentialId: string): Fetch
  documents: DocumentReaders
  makeMemories: MakeMemories
  world: { clock: Clock; ids: Ids; log: Log }
  /** Creates the id of a run. Ids sort by time. */
  newId(): string
  settings: SyncSettings
}

/** A provider and the address of its API. */
export type SyncSource = { provider: Provider; apiUrl: string }

/**
 * Makes memories of texts with the engine, in their order. Each result holds a line and the id of its memory. A text
 * that is too long for a line fails alone.
 */
export type MakeMemories = (inputs: readonly MemoryInput[], signal: AbortSignal) => Promise<MadeMemory[]>

/**
 * The input of a memory. Without `at` in its metadata it is undated: its id does not depend on the time, and its line
 * shows `nowMs`.
 */
export type MemoryInput = { text: string; metadata: Metadata; nowMs: number; copy: number }

export type MadeMemory = { memoryId: string; batch: RecordBatch } | { tooLarge: string }

/** Times in milliseconds. */
export type SyncSettings = {
  intervalMs: number
  leaseMs: number
  /** The number of concurrent runs of this server. */
  workers: number
  /** The waits before the retries of a failed item, one for each retry. */
  retryBackoffMs: readonly number[]
  /** The first wait after the last retry. It doubles after each further attempt, up to a day. */
  cooldownMs: number
  reads: ReadOptions
}
