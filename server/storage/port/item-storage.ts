import type { EpochMs } from '../../../src/contract/epoch-ms.ts'

/** The items of connections: what each was when a sync last saw it. */
export type ItemStorage = {
  /** Those of `ids` that are known. */
  knownItems(connectionId: string, ids: readonly string[]): Promise<KnownItem[]>
  /** Failed items whose time to be tried again has come, those that wait the longest first. */
  dueItems(connectionId: string, due: { now: EpochMs; limit: number }): Promise<KnownItem[]>
  /** When the next failed item is to be tried again. */
  nextTry(connectionId: string): Promise<EpochMs | undefined>
  /** How many items a pass has not seen, and how many there are that were synced. */
  countUnseen(connectionId: string, unseen: Unseen): Promise<{ unseen: number; synced: number }>
  /** Those themselves, in the order of their ids, without those that the pass `notNotedIn` has noted as absent. */
  unseenItems(connectionId: string, asked: UnseenAsked): Promise<KnownItem[]>
  /** In the order of their ids; `after` is the id that the page before ended with. */
  items(connectionId: string, page: ItemsPage): Promise<StoredItem[]>
  item(connectionId: string, itemId: string): Promise<StoredItem | undefined>
  /** Makes a failed item due now, with all its tries before it, and its connection too. It is no longer set aside. */
  retryItem(connectionId: string, failed: { itemId: string; now: EpochMs }): Promise<'due' | 'not_failed' | 'unknown'>
}

export type KnownItem = {
  id: string
  place: string | undefined
  version: string | undefined
  status: ItemStatus
  /** Undefined where it was never synced. */
  contentHash: Uint8Array | undefined
  /** How often it failed in a row, and when it is to be tried again. */
  tries: number
  nextTryAt: EpochMs | undefined
  /** When a complete listing first lacked it without its absence being confirmed. */
  absentSince: EpochMs | undefined
}

export const ITEM_STATUSES = ['synced', 'skipped', 'failed'] as const

export type ItemStatus = (typeof ITEM_STATUSES)[number]

export type StoredItem = KnownItem & {
  title: string | undefined
  url: string | undefined
  /** Why it failed, was skipped or is cut. */
  reason: string | undefined
  memories: number
  /** When it was synced or failed last. */
  changedAt: EpochMs
}

export type ItemsPage = { status: ItemStatus | undefined; after: string | undefined; limit: number }

/**
 * What a pass has not seen: of a pass over everything, what it did not come across; else what its stretches lacked, and with
 * `before` that alone which was not seen since that pass either.
 */
export type Unseen = { before: number } | { missingIn: number; before?: number }

export type UnseenAsked = { unseen: Unseen; notNotedIn: number; limit: number }
