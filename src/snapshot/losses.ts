import type { SnapshotHeader } from '../contract/snapshot.ts'
import type { RecordTable } from './record-table.ts'

/** Known ids that are missing, at least; and how it is known. */
export type Losses = { lost: number; reason: string | null }

/**
 * Known ids only ever grow, and whole-file writers put their number and their hash into the header. Fewer than any
 * header counted, or as many with another hash: lines are lost that no check of another line could miss.
 */
export function lossesOf(headers: readonly SnapshotHeader[], table: RecordTable): Losses {
  const known = table.ids.size
  const most = headers.reduce((count, header) => Math.max(count, header.count), 0)
  if (known < most) return { lost: most - known, reason: `the header counted ${most} known ids, and ${known} are here` }
  const equal = headers.filter((header) => header.count === known)
  if (equal.length > 0 && equal.some((header) => header.ids_hash !== table.idsHash())) {
    return { lost: 1, reason: `the header counted the same number of known ids (${known}), but others` }
  }
  return { lost: 0, reason: null }
}
