import { Buffer } from 'node:buffer'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope, ConnectionScope, Database } from '../database/dialect.ts'
import { toStored } from '../database/stored-values.ts'
import type { PageChange, PageOutcome } from '../port/page-storage.ts'
import type { Hold } from '../port/queue-storage.ts'
import { CHECK_BYTES, keyAt, RECORD_KINDS, type RecordBatch } from '../port/record-batch.ts'
import { lockLines } from './collections-table.ts'
import { lockHold } from './connections-table.ts'
import { noteMissing, noteSeen, putItems, removeItems, selectPageItems } from './items-table.ts'
import { writeLedger } from './ledger-table.ts'
import { type ItemsPlan, planItems } from './plan-items.ts'
import { settleReads } from './reads-table.ts'
import { newLineAt, type StoredLine, selectLines, writeLines } from './records-table.ts'
import {
  addReferences,
  forgetUnreferenced,
  type Reference,
  type ReferenceOwner,
  removeItemReferences,
  selectOwners,
  selectReferences,
  toKeyText,
  toReferenceByHand,
  uniqueKeys
} from './references-table.ts'
import { countIntoRun } from './runs-table.ts'

/** Writes what a page tells, as `Storage.commitPage` says. All is read and decided before the first write. */
export function commitPage({ db, dialect }: Database, hold: Hold, page: PageChange): Promise<PageOutcome> {
  return db.transaction().execute(async (transaction) => {
    const held = await lockHold(transaction, dialect, hold)
    if (held === undefined) return LOST
    const scope = { transaction, dialect, connectionId: hold.connectionId, collectionId: held.collectionId }
    const items = planItems(hold.connectionId, page, await selectPageItems(scope, page))
    const { filled, emptied } = items
    const written = await writeMemories(scope, { batch: page.memories, filled, emptied, now: page.now })
    if (written !== 'written') return written
    await writeItems(scope, page, items)
    await settleReads(scope, hold, page)
    await writeLedger(scope, page.ledger)
    const deleted = items.dropped.length
    await countIntoRun(transaction, { runId: hold.runId, reasons: held.reasons }, { ...page.counts, deleted })
    await keepHold(scope, page, held.itemsSynced + items.syncedMore)
    return { outcome: 'committed', deleted }
  })
}

const LOST = { outcome: 'lost' } as const satisfies PageOutcome

async function writeItems(scope: ItemsScope, page: PageChange, { dropped, rows, seen }: ItemsPlan): Promise<void> {
  await removeItems(scope, dropped)
  await noteMissing(scope, page)
  await putItems(scope, rows)
  await noteSeen(scope, seen, page.pass)
}

async function keepHold(
  { transaction, connectionId }: ItemsScope,
  page: PageChange,
  itemsSynced: number
): Promise<void> {
  const { until, pass, progress } = page
  await transaction
    .updateTable('connections')
    .set(({ eb }) => ({
      lease_until: until,
      last_pass: eb.case().when('last_pass', '<', pass).then(pass).else(eb.ref('last_pass')).end(),
      items_synced: itemsSynced,
      ...(progress !== undefined && { progress: toStored(progress) })
    }))
    .where('id', '=', connectionId)
    .execute()
}

/** A transaction, with the connection that it is about and its collection. */
type ItemsScope = ConnectionScope & CollectionScope

/** `filled` and `emptied` as in `ItemsPlan`, their lines those of `batch`. */
type MemoriesChange = Pick<ItemsPlan, 'filled' | 'emptied'> & { batch: RecordBatch; now: EpochMs }

type MemoriesOutcome = 'written' | Exclude<PageOutcome, { outcome: 'committed' }>

/**
 * Writes what items have from now on: their lines, and forget lines for what nobody holds any more. Where it does not say `written`,
 * nothing was.
 */
async function writeMemories(scope: ItemsScope, change: MemoriesChange): Promise<MemoriesOutcome> {
  const { batch, filled, emptied, now } = change
  if (emptied.length === 0 && filled.every(({ from, to }) => from === to)) return 'written'
  const head = await lockLines(scope)
  if (head === undefined) return { outcome: 'lost' }
  const had = await selectReferences(scope, scope.connectionId, emptied)
  const plan = await planPageMemories(scope, change)
  if (plan.copies.length > 0) return { outcome: 'copies', rows: plan.copies }

  const { added, changed, letGo } = difference(had, plan.references)
  await removeItemReferences(scope, scope.connectionId, changed)
  await addReferences(scope, added)
  const back = await forgetUnreferenced(scope, letGo, now)
  await writeLines(scope, head, {
    removes: plan.removes,
    damaged: plan.damaged,
    lines: [...plan.inserts.map((row) => newLineAt(batch, row)), ...back.lines],
    memoriesMore: plan.memoriesMore - back.memories,
    now
  })
  return 'written'
}

async function planPageMemories(scope: ItemsScope, { batch, filled }: MemoriesChange): Promise<MemoriesPlan> {
  const keys = new Map<string, Uint8Array>()
  for (const { from, to } of filled)
    for (let row = from; row < to; row++) keys.set(toKeyText(keyAt(batch, row)), keyAt(batch, row))
  const lines = await selectLines(scope, [...keys.values()])
  const live = lines.filter(({ kind, isDamaged }) => isDamaged || kind === RECORD_KINDS.memory).map(({ key }) => key)
  const owners = await selectOwners(scope, live)
  return planMemories(scope.connectionId, { batch, filled }, { lines, owners })
}

/**
 * What is to be done so that the references that were are those that are to be: items that let go of something (`changed`) are emptied
 * first, and hold what they keep anew.
 */
function difference(had: readonly Reference[], wanted: readonly Reference[]) {
  const before = new Set(had.map(toReferenceText))
  const after = new Map(wanted.map((reference) => [toReferenceText(reference), reference]))
  const removed = had.filter((reference) => !after.has(toReferenceText(reference)))
  const changed = new Map(removed.map(({ itemId }) => [toKeyText(itemId), itemId]))
  const isNew = ([text, { connectionId, itemId }]: [string, Reference]) =>
    !before.has(text) || (connectionId === had[0]?.connectionId && changed.has(toKeyText(itemId)))
  return {
    added: [...after].filter(isNew).map(([, reference]) => reference),
    changed: [...changed.values()],
    letGo: uniqueKeys(removed)
  }
}

function toReferenceText({ memoryKey, connectionId, itemId }: Reference): string {
  return `${connectionId} ${toKeyText(memoryKey)} ${toKeyText(itemId)}`
}

/** What is there of the memories that items are to have. */
type MemoriesBefore = {
  lines: readonly StoredLine[]
  /** Of memories that are there, by `textOf` their key. */
  owners: ReadonlyMap<string, ReferenceOwner>
}

type MemoriesPlan = {
  /** Rows of the batch whose memory a source took back before: nothing else is to be done then. */
  copies: number[]
  /** Rows of the batch that go in, ascending. */
  inserts: number[]
  /** Sequence numbers of lines that make room. */
  removes: number[]
  /** Those of them that are damaged. */
  damaged: number[]
  memoriesMore: number
  /** What the items hold from now on, and people beside them. */
  references: Reference[]
}

/**
 * Decides what becomes of the lines that items are to have. The newest line of a memory stays, where only items hold it; what a
 * person stored stays as it is, unless it is damaged. What a person forgot is held by nobody.
 */
function planMemories(
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
