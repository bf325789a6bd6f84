import { Fault } from '../contract/faults.ts'
import { type Losses, lossesOf } from './losses.ts'
import { type ReadFrom, type Reading, readSnapshot } from './read-snapshot.ts'
import { createRecordTable, type RecordTable } from './record-table.ts'
import type { Source } from './source.ts'

/** A whole file, read once: what is in it, where, and what is wrong with it. */
export type Survey = { reading: Reading; table: RecordTable; losses: Losses }

/**
 * Reads a source, from its start or from where an earlier reading ended, into a table of its own. `bytesExpected` are
 * those that will go into the table, where more than this source follow.
 */
export function surveySnapshot(source: Source, from?: ReadFrom, bytesExpected?: number): Survey {
  const bytes = bytesExpected ?? source.facts.size - (from?.offset ?? 0)
  const table = createRecordTable(Math.floor(Math.min(bytes / LINE_BYTES_TYPICAL, EXPECTED_MAX)))
  const reading = readSnapshot(source, (seen) => table.add(seen, 0), from)
  return { reading, table, losses: lossesOf(reading.headers, table) }
}

/** Room is made for so many rows at first: about as many as a file of short memories has. */
const LINE_BYTES_TYPICAL = 300
const EXPECTED_MAX = 1_000_000

/**
 * Lets only whole snapshots pass: what writes whole files would otherwise make damage and loss invisible for good.
 * @throws Fault `invalid_snapshot`, naming the first damaged lines or the loss.
 */
export function refuseUnsound(path: string, { reading, losses }: Survey): void {
  const { damaged, unlisted } = reading
  if (damaged.length > 0) {
    const first = damaged.slice(0, 3).map(({ line, reason }) => `line ${line} ${reason}`)
    const more = damaged.length + unlisted - first.length
    throw new Fault('invalid_snapshot', `${path}: ${first.join('; ')}${more > 0 ? `; and ${more} more` : ''}`, {
      hint: HINT
    })
  }
  if (losses.lost > 0) {
    throw new Fault('invalid_snapshot', `${path}: lines are lost: ${losses.reason}`, { hint: HINT })
  }
}

const HINT =
  'get the lines back from a copy (memctl device merge), or go on without them: memctl device compact --skip-damaged --snapshot FILE'
