import { expect } from 'vitest'
import type { Storage } from '../../server/storage/port/storage.ts'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { batchOf, memory } from '../server/storage/record-lines.ts'
import { made, newAttempt, ready, sealed } from './storage-connector-things.ts'
import { idAt, newCollection, newKey, type StorageTests } from './storage-place.ts'
import { activeConnection, asked, claimOne, ended, itemWith, pageOf } from './storage-queue-things.ts'

/**
 * A call with one value that an engine refuses, rounds or truncates. `storage` has collections, a claimed connection
 * and its hold.
 */
type OddCall = (storage: Storage, hold: Awaited<ReturnType<typeof claimOne>>['hold']) => Promise<unknown>

/** Casts a number that no type accepts, as a bug might. */
function odd<Brand extends number>(value: number): Brand {
  // These tests pass values that the types refuse.
  return value as Brand
}

const NUMBERS = [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 63)]
const TEXTS = ['a\0b', '\ud800', 'half \udca9']

/** Calls by their problem. */
function oddCalls(): Record<string, OddCall> {
  const calls: Record<string, OddCall> = {
    'an upper-case id': (storage) => storage.findCollection('0192F000-0000-7000-8000-00000000000A'),
    'an invalid id': (storage) => storage.findSchedule("' or 1=1 --"),
    'a negative limit': (storage, { connectionId }) => storage.listRuns(connectionId, { limit: -1 }),
    'more tries than a column holds': (storage, hold) =>
      storage.commitPage(hold, pageWith('a', { tries: 2 ** 31, nextTryAt: toEpochMs(3000) })),
    'an id that is too long for an index': (storage, hold) =>
      storage.commitPage(hold, pageWith('x'.repeat(2001), { tries: 1, nextTryAt: toEpochMs(3000) })),
    'a line with a fractional extractor': (storage) =>
      storage.append(idAt(1), { ...oneLine(), extractors: Float64Array.of(0.5) })
  }
  for (const value of NUMBERS) {
    calls[`the time ${value} of a run`] = (storage, hold) =>
      storage.endRun(hold, ended(2100, { nextRunAt: odd(value) }))
    calls[`the time ${value} of a lease`] = (storage, hold) =>
      storage.renewLease(hold, { now: toEpochMs(2000), until: odd(value) })
    calls[`the time ${value} of a retry`] = (storage, hold) =>
      storage.commitPage(hold, pageWith('a', { tries: 1, nextTryAt: odd(value) }))
    calls[`the time ${value} of a sync that is asked for`] = (storage, { connectionId }) =>
      storage.requestSync(connectionId, odd(value))
    calls[`the time ${value} of a token`] = (storage) =>
      storage.completeAttempt('attempt-9', made(9, 'bob', { expiresAt: odd(value) }))
    calls[`the time ${value} of a claim`] = (storage) => storage.claimDue({ ...asked(900), now: odd(value) })
    calls[`the count ${value}`] = (storage, hold) =>
      storage.commitPage(hold, pageOf({ counts: { ...pageOf({}).counts, seen: value } }))
  }
  for (const value of TEXTS) {
    const shown = JSON.stringify(value)
    calls[`the collection ${shown}`] = (storage) => storage.createCollection(newCollection(9, { name: value }))
    calls[`the key ${shown}`] = (storage) => storage.createKey({ ...newKey(9), name: value })
    calls[`the owner ${shown}`] = (storage) => storage.claimDue(asked(900, { owner: value }))
    calls[`the vault key ${shown}`] = (storage) =>
      storage.createAttempt(newAttempt('x', { verifier: sealed('v', value) }))
  }
  return calls
}

function pageWith(id: string, { tries, nextTryAt }: { tries: number; nextTryAt: ReturnType<typeof toEpochMs> }) {
  return pageOf({ items: [itemWith(id, { kind: 'failed', error: 'no', tries, nextTryAt })] })
}

function oneLine() {
  return batchOf([memory('a')])
}

/** Reads everything that the calls could have changed. */
async function stateOf(storage: Storage, connectionId: string) {
  return {
    collections: await storage.listCollections(),
    keys: await storage.listKeys(),
    attempts: await Promise.all(['attempt-9', 'x'].map((id) => storage.findAttempt(id))),
    connections: await storage.listConnectionsInCollection(idAt(1)),
    schedule: await storage.findSchedule(connectionId),
    runs: await storage.listRuns(connectionId, { limit: 10 }),
    items: await storage.listItems(connectionId, { status: undefined, after: undefined, limit: 10 })
  }
}

/** Tests that both engines refuse the same values before anything is written. */
export const VALUE_TESTS: StorageTests = {
  'refuses a value that either engine would refuse, round or truncate, and changes nothing': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    await storage.createAttempt(newAttempt('attempt-9'))
    await storage.useAttempt('attempt-9', toEpochMs(1500))
    const { hold } = await claimOne(storage, 500)
    const before = await stateOf(storage, hold.connectionId)
    const verdicts: Record<string, string> = {}
    for (const [what, call] of Object.entries(oddCalls()))
      verdicts[what] = await call(storage, hold).then(
        () => 'accepted',
        (error: Error) => error.name
      )
    expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'TypeError')).toEqual([])
    expect(await stateOf(storage, hold.connectionId)).toEqual(before)
  },

  'stores the largest and smallest times and counts exactly': async (open) => {
    const storage = await ready(open)
    await activeConnection(storage, 1)
    const { hold } = await claimOne(storage, 500)
    const last = toEpochMs(8.64e15)
    await storage.commitPage(hold, pageWith('a', { tries: 2 ** 31 - 1, nextTryAt: last }))
    await storage.commitPage(hold, pageOf({ counts: { ...pageOf({}).counts, seen: Number.MAX_SAFE_INTEGER } }))
    await storage.endRun(hold, ended(2100, { nextRunAt: last }))
    expect(await storage.findSchedule(hold.connectionId)).toMatchObject({ nextRunAt: last })
    expect(await storage.findItem(hold.connectionId, 'a')).toMatchObject({ tries: 2 ** 31 - 1, nextTryAt: last })
    expect(await storage.listRuns(hold.connectionId, { limit: 1 })).toMatchObject([{ seen: Number.MAX_SAFE_INTEGER }])
  }
}
