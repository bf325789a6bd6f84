import type { Restored } from '../../../src/contract/endpoints/collections.ts'
import { Fault } from '../../../src/contract/faults.ts'
import { OUTCOMES, type RecordBatch } from '../../storage/port/record-batch.ts'
import type { Storage } from '../../storage/port/storage.ts'

export type ToAppend = {
  collectionId: string
  /** Lines that were read: those that are no part of the batches are there already in a better line. */
  records: number
  batches: readonly RecordBatch[]
  signal: AbortSignal
}

/**
 * Puts batches into a collection one after another, a transaction each. Lines are a set: what was stored before a failure
 * stays, and sending all of it again is harmless.
 *
 * @throws Fault `unavailable` where the storage fails, the caller has gone or the server stops.
 */
export async function appendBatches(storage: Storage, { signal, ...all }: ToAppend): Promise<Restored> {
  const counts = { stored: 0, forgotten: 0 }
  for (const batch of all.batches) {
    if (signal.aborted) throw makeStoppedFault(counts.stored)
    const { outcomes } = await storage.append(all.collectionId, batch)
    for (const outcome of outcomes) {
      if (outcome === OUTCOMES.stored) counts.stored++
      else if (outcome === OUTCOMES.forgotten) counts.forgotten++
    }
  }
  return { records: all.records, ...counts, known: all.records - counts.stored - counts.forgotten }
}

function makeStoppedFault(stored: number): Fault {
  return new Fault('unavailable', `stopped before all lines were in the collection; ${stored} are stored`, {
    hint: 'send the same lines again: those that are there change nothing',
    retryAfter: 1
  })
}
