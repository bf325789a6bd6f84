import { RECORD_KINDS } from '../../../server/storage/port/record-batch.ts'
import type { ItemChange, PageChange, PageOutcome, PageStorage } from '../../../server/storage/port/sync-storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { findCollection, findHeld } from './model-lookups.ts'
import { settleReads } from './model-reads.ts'
import { findLines, listLines, makeForgetLine, type NewLine, writeLines } from './model-records.ts'
import { addByHand, isReferenced, listReferences, removeReferences } from './model-references.ts'
import { type ConnectionRow, type ItemRow, joinKey, type RecordRow, type ReferenceRow } from './model-rows.ts'
import { countIntoRun } from './model-runs.ts'
import { compareBytes, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

export const modelPages: ModelMethods<Pick<PageStorage, 'commitPage' | 'findLedgerValue' | 'listLedgerEntries'>> = {
  commitPage(transaction, hold, page) {
    const connection = findHeld(transaction, hold)
    if (connection === undefined) return { outcome: 'lost' }
    const changes = planItems(transaction, connection, page)
    const refusal = writeMemories(transaction, connection, { page, changes })
    if (refusal !== undefined) return refusal
    writeItems(transaction, connection, { page, changes })
    settleReads(transaction, hold, page)
    writeLedger(transaction, connection.id, page.ledger)
    const deleted = changes.filter(({ after }) => after === undefined).length
    countIntoRun(transaction, hold.runId, { ...page.counts, deleted })
    const withContent = transaction.select(
      'items',
      ({ connectionId, contentHash }) => connectionId === connection.id && contentHash !== undefined
    )
    transaction.update('connections', connection, {
      leaseUntil: page.until,
      lastPass: Math.max(connection.lastPass, page.pass),
      itemsSynced: withContent.length,
      progress: page.progress ?? connection.progress,
      placeNames: page.placeNames ?? connection.placeNames
    })
    return { outcome: 'committed', deleted }
  },

  findLedgerValue(transaction, connectionId, key) {
    return transaction.find('ledger', joinKey(connectionId, key))?.value
  },

  listLedgerEntries(transaction, connectionId, prefix) {
    const entries = transaction
      .select('ledger', (entry) => entry.connectionId === connectionId && entry.key.startsWith(prefix))
      .toSorted((one, other) => compareBytes(one.key, other.key))
    return new Map(entries.map(({ key, value }) => [key, value]))
  }
}

/** The outcome of an item. Without `after` it is removed. `lines` are its new lines, if the page changes them. */
type ItemStep = {
  before: ItemRow | undefined
  after: ItemRow | undefined
  lines: readonly number[] | undefined
}

/** A page never removes an item that it names, regardless of its other parts. */
function planItems(transaction: ModelTransaction, { id: connectionId }: ConnectionRow, page: PageChange): ItemStep[] {
  const named = new Map(page.items.map((item) => [item.id, item]))
  const emptied = new Set(page.emptied)
  const removed = transaction
    .select('items', (row) => row.connectionId === connectionId && !named.has(row.id))
    .filter(({ id, place }) => page.gone.includes(id) || (place !== undefined && emptied.has(place)))
    .map((before): ItemStep => ({ before, after: undefined, lines: undefined }))
  const written = [...named.values()].flatMap((change): ItemStep[] => {
    const before = transaction.find('items', joinKey(connectionId, change.id))
    const { state } = change
    if (before === undefined && (state.kind === 'unchanged' || state.kind === 'absent')) return []
    const after = nextItem(before ?? newItem(connectionId, change.id), change, page)
    const lines =
      state.kind === 'synced' ? Array.from({ length: state.to - state.from }, (_, at) => state.from + at) : undefined
    return [{ before, after, lines }]
  })
  return [...removed, ...written]
}

function newItem(connectionId: string, id: string): ItemRow {
  return {
    ...{ connectionId, id, place: undefined, version: undefined, title: undefined, url: undefined, status: 'synced' },
    ...{ contentHash: undefined, reason: undefined, tries: 0, nextTryAt: undefined, seenPass: 0 },
    ...{ missingPass: undefined, absentSince: undefined, absentPass: undefined, changedAt: toEpochMs(0) }
  }
}

function nextItem(before: ItemRow, { state, ...told }: ItemChange, { pass, now }: PageChange): ItemRow {
  const { place, version, title = before.title, url = before.url } = told
  const seen = { seenPass: Math.max(before.seenPass, pass), missingPass: undefined }
  const row = { ...before, ...seen, absentSince: undefined, absentPass: undefined, place, version, title, url }
  switch (state.kind) {
    case 'absent':
      return { ...before, absentSince: before.absentSince ?? now, absentPass: pass }
    case 'unchanged':
      return row
    case 'synced': {
      const { contentHash, cut: reason } = state
      const texts = { title: told.title, url: told.url, reason }
      return { ...row, ...texts, status: 'synced', contentHash, tries: 0, nextTryAt: undefined, changedAt: now }
    }
    case 'skipped': {
      const { reason } = state
      const changedAt = before.status === 'skipped' && before.reason === reason ? before.changedAt : now
      const skipped = { status: 'skipped', contentHash: undefined, reason, changedAt } as const
      return { ...row, ...skipped, tries: 0, nextTryAt: undefined }
    }
    case 'failed': {
      const { error: reason, tries, nextTryAt } = state
      return { ...row, status: 'failed', reason, tries, nextTryAt, changedAt: now }
    }
  }
}

type PageWork = { page: PageChange; changes: readonly ItemStep[] }

/** Items of the covered ranges are missing, unless the page writes them again. */
function writeItems(transaction: ModelTransaction, { id: connectionId }: ConnectionRow, { page, changes }: PageWork) {
  transaction.remove(
    'items',
    changes.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : []))
  )
  const isCovered = ({ id }: ItemRow): boolean =>
    page.covered.some(({ from, to }) => compareBytes(from, id) <= 0 && compareBytes(id, to) <= 0)
  for (const row of transaction.select('items', (one) => one.connectionId === connectionId && isCovered(one)))
    transaction.update('items', row, { missingPass: page.pass })
  for (const { after } of changes) if (after !== undefined) transaction.put('items', after)
  const { seenIn = [], pass } = page
  const isIn = ({ place }: ItemRow): boolean => place !== undefined && seenIn.includes(place)
  for (const row of transaction.select('items', (one) => one.connectionId === connectionId && isIn(one)))
    transaction.update('items', row, {
      ...{ seenPass: Math.max(row.seenPass, pass), missingPass: undefined, absentSince: undefined },
      absentPass: undefined
    })
}

function writeLedger(transaction: ModelTransaction, connectionId: string, changes: PageChange['ledger']): void {
  for (const [key, value] of changes)
    if (value !== undefined) transaction.put('ledger', { connectionId, key, value })
    else {
      const entry = transaction.find('ledger', joinKey(connectionId, key))
      if (entry !== undefined) transaction.remove('ledger', [entry])
    }
}

type Refusal = Exclude<PageOutcome, { outcome: 'committed' }>

/**
 * Assigns each item its new memories, and forgets those without an owner. Returns a reason if nothing was written.
 */
function writeMemories(
  transaction: ModelTransaction,
  { id: connectionId, collectionId }: ConnectionRow,
  { page, changes }: PageWork
): Refusal | undefined {
  const lines = listLines(page.memories)
  const emptied = changes.filter(isEmptied)
  const wanted = changes.flatMap(({ after, lines: own }) => {
    const itemId = after?.id ?? ''
    return (own ?? []).flatMap((at) => {
      const line = lines[at]
      return line === undefined ? [] : [{ at, itemId, line }]
    })
  })
  if (emptied.length === 0 && wanted.length === 0) return undefined
  if (findCollection(transaction, collectionId) === undefined) return { outcome: 'lost' }

  const isForget = ({ kind }: RecordRow): boolean => kind === RECORD_KINDS.forget
  const toForget = (key: string) => findLines(transaction, collectionId, key).find(isForget)
  const copies = wanted.filter(({ line }) => toForget(line.key)?.takenBack).map(({ at }) => at)
  if (copies.length > 0) return { outcome: 'copies', rows: copies }

  const live = wanted.filter(({ line }) => toForget(line.key) === undefined)
  const plan = planLines(transaction, collectionId, live)
  const emptiedIds = new Set(emptied.map(({ before }) => before?.id))
  const had = transaction.select('references', (row) => row.connectionId === connectionId && emptiedIds.has(row.itemId))
  transaction.remove('references', had)
  for (const { itemId, line } of live)
    transaction.put('references', { collectionId, connectionId, itemId, memoryKey: line.key })
  const forgotten = forgetUnreferenced(transaction, collectionId, { references: had, now: page.now })
  const removes = [...plan.removes, ...forgotten.removes]
  writeLines(transaction, collectionId, { removes, lines: [...plan.lines, ...forgotten.lines] })
  return undefined
}

/** Checks whether an item had content that the page replaces or removes. */
function isEmptied({ before, after, lines }: ItemStep): boolean {
  return before?.contentHash !== undefined && (lines !== undefined || after?.contentHash === undefined)
}

type WantedLine = { at: number; line: NewLine }

/**
 * Returns the newest line of a memory if only items own it. A memory that a person stored is unchanged, and belongs to
 * the person from now on.
 */
function planLines(transaction: ModelTransaction, collectionId: string, wanted: readonly WantedLine[]) {
  const newest = new Map(wanted.map((one) => [one.line.key, one]))
  const inserts: WantedLine[] = []
  const removes: RecordRow[] = []
  for (const one of newest.values()) {
    const { key, check } = one.line
    const before = findLines(transaction, collectionId, key).find(({ kind }) => kind === RECORD_KINDS.memory)
    const owners = listReferences(transaction, collectionId, key)
    const isByHand = owners.length === 0 || owners.some(({ connectionId }) => connectionId === undefined)
    if (before !== undefined && isByHand) addByHand(transaction, collectionId, key)
    if (before !== undefined && (isByHand || before.check === check)) continue
    inserts.push(one)
    if (before !== undefined) removes.push(before)
  }
  return { removes, lines: inserts.toSorted((one, other) => one.at - other.at).map(({ line }) => line) }
}

type Released = { references: readonly ReferenceRow[]; now: PageChange['now'] }

/** Returns the lines of memories without an owner, and the forget lines that replace them. Removes their references. */
export function forgetUnreferenced(
  transaction: ModelTransaction,
  collectionId: string,
  { references, now }: Released
): { removes: RecordRow[]; lines: NewLine[] } {
  const keys = [...new Set(references.map(({ memoryKey }) => memoryKey))].sort()
  const released = keys.filter((key) => !isReferenced(transaction, collectionId, key))
  for (const key of released) removeReferences(transaction, collectionId, key)
  const removes = released
    .flatMap((key) => findLines(transaction, collectionId, key))
    .filter(({ kind }) => kind === RECORD_KINDS.memory)
  return { removes, lines: removes.map(({ key }) => makeForgetLine(key, now)) }
}
