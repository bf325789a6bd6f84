import type { Hold, PageChange, PageStorage } from '../../../server/storage/port/sync-storage.ts'
import { findHeld } from './model-lookups.ts'
import { joinKey } from './model-rows.ts'
import type { ModelMethods, ModelTransaction } from './model-transaction.ts'

/** Reads of one item that may end with the server before it is set aside. */
const ATTEMPTS_MAX = 2

export const modelReads: ModelMethods<Pick<PageStorage, 'recordReads' | 'endReads'>> = {
  recordReads(transaction, hold, { items, alone }) {
    if (findHeld(transaction, hold) === undefined) return { outcome: 'lost' }
    const { connectionId, runId } = hold
    const suspects: string[] = []
    const setAside: string[] = []
    for (const [itemId, version] of new Map(items.map((item) => [item.id, item.version]))) {
      const left = transaction.find('reads', joinKey(connectionId, itemId))
      const isSuspect = left !== undefined && left.version === version
      if (isSuspect && left.runId === runId) continue
      if (isSuspect && left.attempts >= ATTEMPTS_MAX) setAside.push(itemId)
      else if (isSuspect && !alone) suspects.push(itemId)
      else {
        const attempts = isSuspect ? left.attempts + 1 : 1
        transaction.put('reads', { connectionId, itemId, version, attempts, runId })
      }
    }
    return { outcome: 'begun', suspects, setAside }
  },

  endReads
}

/** Undoes the reads of a run that ended regularly. */
export function endReads(transaction: ModelTransaction, { connectionId, runId }: Hold): void {
  const own = transaction.select('reads', (read) => read.connectionId === connectionId && read.runId === runId)
  for (const read of own)
    if (read.attempts > 1) transaction.update('reads', read, { attempts: read.attempts - 1, runId: undefined })
    else transaction.remove('reads', [read])
}

/** Undoes the reads of items whose outcome a page writes. After a failure, undoes only those of this run. */
export function settleReads(
  transaction: ModelTransaction,
  { connectionId, runId }: Hold,
  { items, gone }: Pick<PageChange, 'items' | 'gone'>
): void {
  const settle = (itemId: string, isWanted: (run: string | undefined) => boolean): void => {
    const read = transaction.find('reads', joinKey(connectionId, itemId))
    if (read !== undefined && isWanted(read.runId)) transaction.remove('reads', [read])
  }
  for (const itemId of gone) settle(itemId, () => true)
  for (const { id, state } of items) {
    const isFailed = state.kind === 'failed' || state.kind === 'absent'
    settle(id, (run) => !isFailed || run === runId)
  }
}
