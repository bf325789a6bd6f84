import type { StoredConnection } from '../../server/storage/port/connector-storage.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Claim, ClaimAsked, ItemChange, PageChange, RunEnd } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { batchOf } from '../server/storage/record-lines.ts'
import { connected } from './storage-connector-things.ts'
import { idAt } from './storage-place.ts'

/** Creates the nth active connection of its own account in collection `into`, due from `dueAt`. */
export function activeConnection(
  storage: Storage,
  n: number,
  { into = 1, dueAt = 1000 }: { into?: number; dueAt?: number } = {}
): Promise<StoredConnection> {
  const account = { id: `account ${n}`, name: '' }
  return connected(storage, n, { into, account, status: 'active', now: toEpochMs(dueAt) })
}

/** Builds a claim of server `owner` at `now`: a lease of 60 time units, and runs whose ids are derived from `run`. */
export function asked(run: number, more: Partial<ClaimAsked> = {}): ClaimAsked {
  const { now = 2000, limit = 10 } = more
  return {
    owner: 'one',
    now: toEpochMs(now),
    until: toEpochMs(now + 60),
    limit,
    providers: ['cloud_drive', 'mailbox'],
    runIds: Array.from({ length: limit }, (_, at) => idAt(run + at)),
    ...more
  }
}

/** Claims the only connection that is due. */
export async function claimOne(storage: Storage, run: number, more: Partial<ClaimAsked> = {}): Promise<Claim> {
  const claims = await storage.claimDue(asked(run, more))
  const [claim] = claims
  if (claim === undefined || claims.length > 1) throw new Error(`${claims.length} connections were due`)
  return claim
}

/** Returns the numbers of the connections in the order of their claims. */
export function numbersOf(claims: readonly Claim[]): number[] {
  return claims.map(({ connection }) => Number.parseInt(connection.id.slice(-12), 16) - 100)
}

/** Builds the usual end of a run. */
export function ended(now: number, more: Partial<RunEnd> = {}): RunEnd {
  return {
    now: toEpochMs(now),
    outcome: 'succeeded',
    error: undefined,
    nextRunAt: toEpochMs(now + 1000),
    complete: true,
    failures: 0,
    ...more
  }
}

/** Builds a page with only the given changes. */
export function pageOf(more: Partial<PageChange>): PageChange {
  const counts = { seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0, reasons: {} }
  return {
    ...{ now: toEpochMs(2000), until: toEpochMs(2060), pass: 1, progress: undefined, counts },
    ...{ items: [], gone: [], emptied: [], covered: [], ledger: [], memories: batchOf([]) },
    ...more
  }
}

/** Builds an item of which only id and state matter. */
export function itemWith(id: string, state: ItemChange['state']): ItemChange {
  return { id, place: undefined, version: undefined, title: undefined, url: undefined, state }
}
