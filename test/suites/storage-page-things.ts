import { createHash } from 'node:crypto'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Hold, ItemChange, PageChange, PageCounts } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { allTexts, batchOf, memory, type TestLine } from '../server/storage/record-lines.ts'
import { idAt } from './storage-place.ts'
import { activeConnection, asked } from './storage-queue-things.ts'

/** The state of an item in a page: its memories, as names or lines, or another outcome. */
export type Said = readonly (string | TestLine)[] | 'unchanged' | 'absent' | { skipped: string } | { failed: string }

/** Activates the nth connection and claims it. */
export async function held(storage: Storage, n: number, more: { into?: number } = {}): Promise<Hold> {
  const { id } = await activeConnection(storage, n, more)
  return await taken(storage, n, id)
}

/** Claims a due connection, together with any other that is due. */
export async function taken(storage: Storage, run: number, connectionId: string): Promise<Hold> {
  const claims = await storage.claimDue(asked(run * 1000, { now: toEpochMs(3000) }))
  const claim = claims.find(({ hold }) => hold.connectionId === connectionId)
  if (claim === undefined) throw new Error(`${connectionId} is not due`)
  return claim.hold
}

/** Builds a page of the first pass with these items. */
export function pageOf(items: Readonly<Record<string, Said>>, more: Partial<PageChange> = {}): PageChange {
  const lines: TestLine[] = []
  const changes = Object.entries(items).map(([id, said]): ItemChange => {
    const state = stateOf(said, lines.length)
    if (Array.isArray(said)) lines.push(...said.map((line) => (typeof line === 'string' ? memory(line) : line)))
    return { id, place: undefined, version: undefined, title: undefined, url: undefined, state }
  })
  return {
    now: toEpochMs(3000),
    until: toEpochMs(9000),
    pass: 1,
    progress: undefined,
    items: changes,
    gone: [],
    emptied: [],
    covered: [],
    ledger: [],
    memories: batchOf(lines),
    counts: NO_COUNTS,
    ...more
  }
}

/** The counts of a page without results. */
const NO_COUNTS: PageCounts = {
  seen: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  skipped: 0,
  reasons: {}
}

/** Returns the texts of a collection's memories in order, with `-` for a forget line of a source. */
export async function memoriesOf(storage: Storage, n = 1): Promise<string> {
  const texts = await allTexts(storage, idAt(n))
  return texts.map(([, text]) => (text.includes('deleted at the source') ? '-' : text)).join(' ')
}

/** Returns each item of a connection with its state. */
export async function itemsOf(storage: Storage, { connectionId }: Pick<Hold, 'connectionId'>): Promise<string[]> {
  const items = await storage.listItems(connectionId, { status: undefined, after: undefined, limit: 1000 })
  return items.map(({ id, status, memories }) => `${id} ${status} ${memories}`)
}

function stateOf(said: Said, from: number): ItemChange['state'] {
  if (said === 'unchanged' || said === 'absent') return { kind: said }
  if ('skipped' in said) return { kind: 'skipped', reason: said.skipped }
  if ('failed' in said) return { kind: 'failed', error: said.failed, tries: 1, nextTryAt: toEpochMs(4000) }
  return { kind: 'synced', contentHash: hashOfSaid(said), from, to: from + said.length }
}

function hashOfSaid(said: readonly unknown[]): Uint8Array {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(said)).digest())
}
