import type { EpochMs } from '../../src/contract/milliseconds.ts'
import {
  addHoldings,
  emptyItems,
  type Holding,
  holdersOf,
  holdingsOf,
  takeBack,
  textOf,
  uniqueKeys
} from './holdings-table.ts'
import type { ConnectionScope } from './page-items.ts'
import { keyAt } from './plan-append.ts'
import type { ItemsPlan } from './plan-items.ts'
import { type MemoriesPlan, planMemories } from './plan-memories.ts'
import { presentLines } from './present-lines.ts'
import { RECORD_KINDS, type RecordBatch } from './record-batch.ts'
import type { PageOutcome } from './sync-storage.ts'
import { type CollectionScope, lockLines, newLineAt, writeLines } from './write-lines.ts'

/** A transaction, with the connection that it is about and its collection. */
export type ItemsScope = ConnectionScope & CollectionScope

/** `filled` and `emptied` as in `ItemsPlan`, their lines those of `batch`. */
export type MemoriesChange = Pick<ItemsPlan, 'filled' | 'emptied'> & { batch: RecordBatch; now: EpochMs }

export type MemoriesOutcome = 'written' | Exclude<PageOutcome, { outcome: 'committed' }>

/**
 * Writes what items have from now on: their lines, and forget lines for what nobody holds any more. Where it does not say `written`,
 * nothing was.
 */
export async function writeMemories(scope: ItemsScope, change: MemoriesChange): Promise<MemoriesOutcome> {
  const { batch, filled, emptied, now } = change
  if (emptied.length === 0 && filled.every(({ from, to }) => from === to)) return 'written'
  const head = await lockLines(scope)
  if (head === undefined) return { outcome: 'lost' }
  const had = await holdingsOf(scope, scope.connectionId, emptied)
  const plan = await planned(scope, change)
  if (plan.copies.length > 0) return { outcome: 'copies', rows: plan.copies }

  const { added, changed, letGo } = difference(had, plan.holdings)
  await emptyItems(scope, scope.connectionId, changed)
  await addHoldings(scope, added)
  const back = await takeBack(scope, letGo, now)
  await writeLines(scope, head, {
    removes: plan.removes,
    damaged: plan.damaged,
    lines: [...plan.inserts.map((row) => newLineAt(batch, row)), ...back.lines],
    memoriesMore: plan.memoriesMore - back.memories,
    now
  })
  return 'written'
}

async function planned(scope: ItemsScope, { batch, filled }: MemoriesChange): Promise<MemoriesPlan> {
  const keys = new Map<string, Uint8Array>()
  for (const { from, to } of filled)
    for (let row = from; row < to; row++) keys.set(textOf(keyAt(batch, row)), keyAt(batch, row))
  const lines = await presentLines(scope, [...keys.values()])
  const live = lines.filter(({ kind, isDamaged }) => isDamaged || kind === RECORD_KINDS.memory).map(({ key }) => key)
  const holders = await holdersOf(scope, live)
  return planMemories(scope.connectionId, { batch, filled }, { lines, holders })
}

/**
 * What is to be done so that the holdings that were are those that are to be: items that let go of something (`changed`) are emptied
 * first, and hold what they keep anew.
 */
function difference(had: readonly Holding[], wanted: readonly Holding[]) {
  const before = new Set(had.map(holdingText))
  const after = new Map(wanted.map((holding) => [holdingText(holding), holding]))
  const removed = had.filter((holding) => !after.has(holdingText(holding)))
  const changed = new Map(removed.map(({ itemId }) => [textOf(itemId), itemId]))
  const isNew = ([text, { connectionId, itemId }]: [string, Holding]) =>
    !before.has(text) || (connectionId === had[0]?.connectionId && changed.has(textOf(itemId)))
  return {
    added: [...after].filter(isNew).map(([, holding]) => holding),
    changed: [...changed.values()],
    letGo: uniqueKeys(removed)
  }
}

function holdingText({ memoryKey, connectionId, itemId }: Holding): string {
  return `${connectionId} ${textOf(memoryKey)} ${textOf(itemId)}`
}
