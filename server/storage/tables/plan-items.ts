import { Buffer } from 'node:buffer'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { encodeId, hashTexts, textOrNull, toBytes, toStored } from '../database/stored-values.ts'
import type { ItemRow } from '../database/tables.ts'
import { CHECK_BYTES, keyAt, RECORD_KINDS, type RecordBatch } from '../port/record-batch.ts'
import type { ItemChange, PageChange } from '../port/sync-storage.ts'
import type { StoredLine } from './records-table.ts'
import { type Reference, type ReferenceOwner, toKeyText, toReferenceByHand } from './references-table.ts'

/** The changes of a page to the items of a connection. */
export type ItemsPlan = {
  /** Rows that are written completely. */
  rows: ItemRow[]
  /** Ids of items that are only seen again. */
  seen: Uint8Array[]
  /** Ids of items that are removed. */
  dropped: Uint8Array[]
  /** Ids of items that lose their previous references. */
  emptied: Uint8Array[]
  /** Items and the lines of the batch that they have from now on. */
  filled: { itemId: Uint8Array; from: number; to: number }[]
  /** The change in the number of items with content. */
  syncedMore: number
}

/**
 * Plans the changes of each item. `before` has the known items of the page by id, and those in emptied places. An item
 * that the page itself contains is not removed.
 */
export function planItems(connectionId: string, page: PageChange, before: ReadonlyMap<string, ItemRow>): ItemsPlan {
  const plan: ItemsPlan = { rows: [], seen: [], dropped: [], emptied: [], filled: [], syncedMore: 0 }
  const changes = new Map(page.items.map((change) => [change.id, change]))
  for (const [id, row] of before) if (!changes.has(id)) drop(plan, row)
  for (const change of changes.values()) {
    const known = before.get(change.id)
    const row = nextRow(known ?? newRow(connectionId, change.id), change, page)
    if (known === undefined && KEEPING.has(change.state.kind)) continue
    if (known !== undefined && change.state.kind !== 'absent' && isSame(known, row))
      plan.seen.push(row.item_id as Uint8Array)
    else plan.rows.push(row)
    note(plan, change, { before: known, row })
  }
  return plan
}

/** States that leave an item unchanged. If the item is not known, there is nothing to write. */
const KEEPING: ReadonlySet<ItemChange['state']['kind']> = new Set(['unchanged', 'absent'])

function drop(plan: ItemsPlan, row: ItemRow): void {
  const id = toBytes(row.item_id)
  plan.dropped.push(id)
  if (row.content_hash === null) return
  plan.emptied.push(id)
  plan.syncedMore--
}

type Step = { before: ItemRow | undefined; row: ItemRow }

function note(plan: ItemsPlan, { state }: ItemChange, { before, row }: Step): void {
  const itemId = toBytes(row.item_id)
  const had = before !== undefined && before.content_hash !== null
  const has = row.content_hash !== null
  plan.syncedMore += Number(has) - Number(had)
  if (state.kind === 'synced') plan.filled.push({ itemId, from: state.from, to: state.to })
  if (had && (state.kind === 'synced' || !has)) plan.emptied.push(itemId)
}

function newRow(connectionId: string, id: string): ItemRow {
  return {
    connection_id: connectionId,
    item_id: encodeId(id),
    place_key: null,
    place: null,
    version: null,
    title: null,
    url: null,
    status: 'synced',
    content_hash: null,
    reason: null,
    tries: 0,
    next_try_at: null,
    seen_pass: 0,
    missing_pass: null,
    absent_since: null,
    absent_pass: null,
    changed_at: toEpochMs(0)
  }
}

function nextRow(before: ItemRow, change: ItemChange, { pass, now }: PageChange): ItemRow {
  const { place, version, title, url, state } = change
  const row: ItemRow = {
    ...before,
    item_id: toBytes(before.item_id),
    content_hash: before.content_hash === null ? null : toBytes(before.content_hash),
    place_key: place === undefined ? null : hashTexts(place),
    place: textOrNull(place),
    version: textOrNull(version),
    title: textOrNull(title) ?? before.title,
    url: textOrNull(url) ?? before.url,
    seen_pass: Math.max(before.seen_pass, pass),
    missing_pass: null,
    absent_since: null,
    absent_pass: null
  }
  switch (state.kind) {
    case 'unchanged':
      return row
    case 'absent':
      return absentRow(before, { pass, now })
    case 'synced':
      return {
        ...row,
        ...WITHOUT_TRIES,
        title: textOrNull(title),
        url: textOrNull(url),
        status: 'synced',
        content_hash: state.contentHash,
        reason: textOrNull(state.cut),
        changed_at: now
      }
    case 'skipped': {
      const reason = toStored(state.reason)
      const isNews = before.status !== 'skipped' || before.reason !== reason
      const changed_at = isNews ? now : before.changed_at
      return { ...row, ...WITHOUT_TRIES, status: 'skipped', content_hash: null, reason, changed_at }
    }
    case 'failed':
      return {
        ...row,
        status: 'failed',
        reason: toStored(state.error),
        tries: state.tries,
        next_try_at: state.nextTryAt,
        changed_at: now
      }
  }
}

/** Returns the item with the time since which listings have lacked it. */
function absentRow(before: ItemRow, { pass, now }: Pick<PageChange, 'pass' | 'now'>): ItemRow {
  return {
    ...before,
    item_id: toBytes(before.item_id),
    content_hash: before.content_hash === null ? null : toBytes(before.content_hash),
    place_key: before.place_key === null ? null : toBytes(before.place_key),
    absent_since: before.absent_since ?? now,
    absent_pass: pass
  }
}

const WITHOUT_TRIES = { tries: 0, next_try_at: null } as const

/** Reports whether a row is unchanged except for the passes. `place_key` is derived from `place`. */
function isSame(before: ItemRow, row: ItemRow): boolean {
  return COMPARED.every((name) => before[name] === row[name]) && textOfHash(before) === textOfHash(row)
}

const COMPARED = [
  'place',
  'version',
  'title',
  'url',
  'status',
  'reason',
  'tries',
  'next_try_at',
  'changed_at'
] as const satisfies readonly (keyof ItemRow)[]

function textOfHash({ content_hash }: ItemRow): string | undefined {
  return content_hash === null ? undefined : Buffer.from(toBytes(content_hash)).toString('hex')
}

/** The current state of the memories that items are to have. */
type MemoriesBefore = {
  lines: readonly StoredLine[]
  /** Owners of existing memories, by `toKeyText` of their key. */
  owners: ReadonlyMap<string, ReferenceOwner>
}

export type MemoriesPlan = {
  /** Rows of the batch whose memory a source deleted before. If there are any, nothing else is done. */
  copies: number[]
  /** Rows of the batch that are inserted, ascending. */
  inserts: number[]
  /** Sequence numbers of lines that are replaced. */
  removes: number[]
  /** The damaged ones among `removes`. */
  damaged: number[]
  memoriesMore: number
  /** The references that items and people have from now on. */
  references: Reference[]
}

/**
 * Plans the changes of the lines that items are to have. If only items own a memory, its newest line stays. A memory
 * that a person stored is unchanged, unless it is damaged. A memory that a person has forgotten gets no references.
 */
export function planMemories(
  connectionId: string,
  { batch, filled }: { batch: RecordBatch; filled: ItemsPlan['filled'] },
  { lines, owners }: MemoriesBefore
): MemoriesPlan {
  const present = new Map(
    lines
      .filter(({ kind, isDamaged }) => isDamaged || kind !== RECORD_KINDS.unknown)
      .map((line) => [toKeyText(line.key), line])
  )
  const plan: MemoriesPlan = { copies: [], inserts: [], removes: [], damaged: [], memoriesMore: 0, references: [] }
  const newest = new Map<string, number>()
  for (const { itemId, from, to } of filled)
    for (let row = from; row < to; row++) {
      const memoryKey = keyAt(batch, row)
      const text = toKeyText(memoryKey)
      const before = present.get(text)
      if (before?.kind === RECORD_KINDS.forget) {
        if (before.isTakenBack) plan.copies.push(row)
        continue
      }
      newest.set(text, row)
      plan.references.push({ memoryKey, connectionId, itemId })
    }
  for (const [text, row] of newest) put(plan, { batch, row, before: present.get(text), owner: owners.get(text) })
  plan.inserts.sort((a, b) => a - b)
  return plan
}

type Put = { batch: RecordBatch; row: number; before: StoredLine | undefined; owner: ReferenceOwner | undefined }

function put(plan: MemoriesPlan, { batch, row, before, owner }: Put): void {
  if (before === undefined) {
    plan.inserts.push(row)
    plan.memoriesMore++
    return
  }
  if (owner === undefined) plan.references.push(toReferenceByHand(before.key))
  if (before.isDamaged) {
    plan.inserts.push(row)
    plan.removes.push(before.seq)
    plan.damaged.push(before.seq)
    if (before.kind !== RECORD_KINDS.memory) plan.memoriesMore++
    return
  }
  if (owner !== 'items' || isEqual(batch, row, before)) return
  plan.inserts.push(row)
  plan.removes.push(before.seq)
}

function isEqual({ checks }: RecordBatch, row: number, { check }: StoredLine): boolean {
  return Buffer.compare(checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES), check) === 0
}
