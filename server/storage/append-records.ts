import type { EpochMs } from '../../src/contract/milliseconds.ts'
import { dropAside } from './aside-lines.ts'
import { missingCollection } from './collections-table.ts'
import type { Dialect } from './dialect.ts'
import { holdByHand, letAllGo } from './holdings-table.ts'
import { type AppendPlan, keysOf, planAppend } from './plan-append.ts'
import { presentLines } from './present-lines.ts'
import { RECORD_KINDS, type RecordBatch } from './record-batch.ts'
import type { Appended } from './storage.ts'
import type { Db } from './tables.ts'
import { type CollectionScope, lockLines, newLineAt, writeLines } from './write-lines.ts'

export type AppendInput = { dialect: Dialect; collectionId: string; batch: RecordBatch; now: EpochMs }

/**
 * Puts lines into a collection in one transaction, as `Storage.append` says. The lock of the collection's row makes
 * appends to it come one after another, so that sequence numbers are seen in their order.
 */
export function appendRecords(db: Db, { batch, now, ...about }: AppendInput): Promise<Appended> {
  return db.transaction().execute((transaction) => append({ ...about, transaction }, { batch, now }))
}

async function append(scope: CollectionScope, { batch, now }: Pick<AppendInput, 'batch' | 'now'>): Promise<Appended> {
  const head = await lockLines(scope)
  if (head === undefined) throw missingCollection(scope.collectionId)
  const plan = planAppend(batch, await presentLines(scope, keysOf(batch)))
  await keepHoldings(scope, batch, plan)
  const { outcomes, inserts, removes, damaged, memoriesMore } = plan
  const lines = inserts.map((row) => newLineAt(batch, row))
  const seq = await writeLines(scope, head, { removes, damaged, lines, memoriesMore, now })
  // What is forgotten is kept nowhere, not even damaged.
  await dropAside(
    scope,
    lines.filter(({ kind }) => kind === RECORD_KINDS.forget).map(({ key }) => key)
  )
  return { outcomes, seq }
}

/** What is said that an item has already, a person holds too; what is forgotten nobody holds. */
async function keepHoldings(scope: CollectionScope, batch: RecordBatch, { met }: AppendPlan): Promise<void> {
  const lines = met.map((row) => newLineAt(batch, row))
  const ofKind = (wanted: number) => lines.filter(({ kind }) => kind === wanted).map(({ key }) => key)
  await holdByHand(scope, ofKind(RECORD_KINDS.memory))
  await letAllGo(scope, ofKind(RECORD_KINDS.forget))
}
