import type { LeftOut } from '../../../src/contract/endpoints/device-memory.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { DamagedLine } from '../../storage/record-batch.ts'
import type { Storage, StoredCollection } from '../../storage/storage.ts'

/** What is damaged in a collection. `missing`: memories that it counts and that have no line at all. */
export type Damage = { damaged: readonly DamagedLine[]; missing: number }

/** Lines that are verified at a time, in bytes: a few milliseconds of work. */
const PART_BYTES = 256 * 1024

/** Lines that a reply names at most. */
const NAMED_MAX = 100
/** Those that a sentence names. */
const TOLD_MAX = 3

/** Verifies all lines of a collection where they are stored. What is found damaged is noted there. */
export async function findDamage(
  { storage, signal }: { storage: Storage; signal: AbortSignal },
  { id, seq, memories }: StoredCollection
): Promise<Damage> {
  const damaged: DamagedLine[] = []
  let found = 0
  for (let after = 0; after < seq; ) {
    if (signal.aborted) throw new Fault('unavailable', 'the export was stopped')
    const part = await storage.verifyLines(id, { after, upTo: seq, maxBytes: PART_BYTES })
    if (part.isEnd) break
    if (part.damaged.length > 0) await storage.noteDamage(id, { after, upTo: part.upTo, damaged: part.damaged })
    damaged.push(...part.damaged)
    found += part.memories
    after = part.upTo
  }
  // Where nothing was written meanwhile, the collection has as many memories as it counts.
  const isSame = (await storage.collection(id))?.seq === seq
  return { damaged, missing: isSame ? Math.max(0, memories - found) : 0 }
}

/** The fault of an export that meets damage. */
export function damagedLinesFault(id: string, { damaged, missing }: Damage): Fault {
  const told = damaged.slice(0, TOLD_MAX).map((line) => `${nameOf(line)} ${line.reason}`)
  const more = damaged.length > TOLD_MAX ? `; and ${damaged.length - TOLD_MAX} more` : ''
  const count = damaged.length === 1 ? '1 damaged line' : `${damaged.length} damaged lines`
  const lines = damaged.length === 0 ? '' : `${count}: ${told.join('; ')}${more}`
  const lost = missing === 0 ? '' : `${missing} of its memories without a line`
  return new Fault('damaged_storage', `collection ${id} has ${[lines, lost].filter(Boolean).join(', and ')}`, {
    hint:
      'memctl server check --repair on the machine of the server sets them aside, and the next sync restores what a ' +
      'connection has; memctl device export --skip-damaged (`"skip_damaged": true`) exports the rest',
    errors: damaged
      .slice(0, NAMED_MAX)
      .map((line) => ({ path: `lines[${line.seq}]`, message: `${nameOf(line)} ${line.reason}` }))
  })
}

/** What an export says of the lines that it left out. */
export function leftOutOf({ damaged, missing }: Damage): LeftOut {
  return {
    count: damaged.length,
    missing,
    lines: damaged.slice(0, NAMED_MAX).map(({ seq, id, reason }) => ({ seq, id, reason }))
  }
}

function nameOf({ seq, id }: DamagedLine): string {
  return id === '' ? `the one with sequence number ${seq}` : `${id} (sequence number ${seq})`
}
