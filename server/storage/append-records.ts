import { missingCollection } from './collections-table.ts'
import type { Dialect } from './dialect.ts'
import { holdByHand, letAllGo } from './holdings-table.ts'
import { type AppendPlan, keysOf, planAppend } from './plan-append.ts'
import { presentLines } from './present-lines.ts'
import { RECORD_KINDS, type RecordBatch } from './record-batch.ts'
import type { Appended } from './storage.ts'
import type { Db } from './tables.ts'
import { type CollectionScope, lockLines, newLineAt, writeLines } from './write-lines.ts'

export type AppendInput = { dialect: Dialect; collectionId: string; batch: RecordBatch }

/**
 * Puts lines into a collection in one transaction, as `Storage.append` says. The lock of the collection's row makes
 * appends to it come one after another, so that sequence numbers are seen in their order.
 */
export function appendRecords(db: Db, { batch, ...about }: AppendInput): Promise<Appended> {
  return db.transaction().execute((transaction) => append({ ...about, transaction }, batch))
}

async function append(scope: CollectionScope, batch: RecordBatch): Promise<Appended> {
  const head = await lockLines(scope)
  if (head === undefined) throw missingCollection(scope.collectionId)
  const plan = planAppend(batch, await presentLines(scope, keysOf(batch)))
  await keepHoldings(scope, batch, plan)
  const { outcomes, inserts, removes, memoriesMore } = plan
  const lines = inserts.map((row) => newLineAt(batch, row))
  return { outcomes, seq: await writeLines(scope, head, { removes, lines, memoriesMore }) }
}

/** What is said that an item has already, a person holds too; what is forgotten nobody holds. */
async function keepHoldings(scope: CollectionScope, batch: RecordBatch, { met }: AppendPlan): Promise<void> {
  const lines = met.map((row) => newLineAt(batch, row))
  const ofKind = (wanted: number) => lines.filter(({ kind }) => kind === wanted).map(({ key }) => key)
  await holdByHand(scope, ofKind(RECORD_KINDS.memory))
  await letAllGo(scope, ofKind(RECORD_KINDS.forget))
}
