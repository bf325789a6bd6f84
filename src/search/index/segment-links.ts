import type { DocumentTable } from './document-table.ts'
import type { Links } from './neighbours.ts'
import { orderTurns } from './turn-order.ts'

/** A segment about to be written after others: every row of its conversations, in it and before it. */
export type AppendedRows = {
  table: DocumentTable
  /** By row: the number that the document has, or will have. */
  numbers: Uint32Array
  /** The first numbers of all segments. */
  starts: readonly number[]
}

/** Brings links up to date with a segment that is written after others: turns may fall between those of old segments. */
export function updateLinks(links: Links, { table, numbers, starts }: AppendedRows): void {
  const first = new Set(starts)
  const rows = Uint32Array.from({ length: table.count }, (_, row) => row)
  const turns = orderTurns(table, rows)
  for (let at = 0; at < turns.length; at++) {
    const row = turns[at] ?? 0
    if (table.conversation[row] === 0) continue
    const follower = turns[at + 1]
    const follows = follower !== undefined && table.conversation[follower] === table.conversation[row]
    const after = follows ? (numbers[follower] ?? 0) : -1
    const number = numbers[row] ?? 0
    if (after === number + 1 && !first.has(after)) links.delete(number)
    else links.set(number, after)
  }
}
