import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { Hold } from './queue-storage.ts'
import type { RecordBatch } from './record-batch.ts'
import type { PageCounts } from './run-storage.ts'

/** What a sync reads and writes, a page at a time. */
export type PageStorage = {
  /**
   * Notes that items are about to be read, before any of them is. `commitPage` takes the note back with the outcome, `endRun` and
   * `endReads` those of the run. What is left of another run ended the server, perhaps: such an item in the same version is suspect, and is
   * begun only `alone`, when nothing else that is suspect is read; after a second time it is set aside. Asked again by the same run, it does
   * nothing more.
   */
  recordReads(hold: Hold, reads: ReadsToBegin): Promise<ReadsBegun>
  /** Takes back the notes of a run whose hold is lost. */
  endReads(hold: Hold): Promise<void>
  /** Writes what a page tells, all or nothing. */
  commitPage(hold: Hold, page: PageChange): Promise<PageOutcome>
  /** What an adapter keeps beside its cursor. */
  ledgerValue(connectionId: string, key: string): Promise<string | undefined>
  /** All whose key begins with `prefix`. */
  ledgerEntries(connectionId: string, prefix: string): Promise<Map<string, string>>
}

export type ReadsToBegin = { items: readonly { id: string; version: string | undefined }[]; alone: boolean }

/** All but `suspects` and `setAside`, which are ids, may be read now. */
export type ReadsBegun = { outcome: 'begun'; suspects: string[]; setAside: string[] } | { outcome: 'lost' }

export type PageChange = {
  now: EpochMs
  /** Until when the lease goes from now on. */
  until: EpochMs
  /** Which pass it belongs to. */
  pass: number
  /** Where the next page begins, as text that means nothing to the storage. Undefined leaves it as it is. */
  progress: string | undefined
  items: readonly ItemChange[]
  /** Ids of items that are no more. */
  gone: readonly string[]
  /** Places whose items are no more. */
  emptied: readonly string[]
  /**
   * Stretches of ids (by their UTF-8 bytes): items in them that `items` does not name are noted as missing in this pass. Of a page
   * that is written in parts they belong to the first: whom a later part names is no longer missing.
   */
  covered: readonly { from: string; to: string }[]
  ledger: readonly (readonly [key: string, value: string | undefined])[]
  /** Memory lines; an `ItemChange` says which of them are its own. Its memory is the storage's from then on. */
  memories: RecordBatch
  /** How often things were left out or failed for which reason, and what else the run counts. */
  counts: PageCounts
}

/** An item that a page tells of. What is undefined is not known. */
export type ItemChange = {
  id: string
  place: string | undefined
  version: string | undefined
  title: string | undefined
  url: string | undefined
  state: /** As it was, its failure too: seen again, with place and version as they are now. */
    | { kind: 'unchanged' }
    /**
     * Its memories are lines `from` up to `to` of the batch; those it had before and has no more are let go. `cut` says that they are not
     * all of it.
     */
    | { kind: 'synced'; contentHash: Uint8Array; from: number; to: number; cut?: string }
    /** It is not taken in: memories that it had are let go. */
    | { kind: 'skipped'; reason: string }
    /**
     * A complete listing lacked it, and nothing confirms that it is gone. All of it stays as it was, and when this was noted first is kept
     * until it is seen again.
     */
    | { kind: 'absent' }
    /** What it had stays. */
    | { kind: 'failed'; error: string; tries: number; nextTryAt: EpochMs }
}

export type PageOutcome =
  /** `deleted` items were taken out. */
  | { outcome: 'committed'; deleted: number }
  /** The hold is lost: nothing was written. */
  | { outcome: 'lost' }
  /**
   * Nothing was written: the memories in these rows were taken back by a source before, so that saying them again is a
   * further copy. The caller comes again with the next copy of each.
   */
  | { outcome: 'copies'; rows: number[] }
