import type { DocumentTable } from './document-table.ts'
import type { Links } from './neighbours.ts'
import { orderTurns } from './turn-order.ts'

/** A segment about to be written after others: its rows in order; `starts` are the first numbers of all segments. */
export type AppendedRows = { table: DocumentTable; order: Uint32Array; stored: number; starts: readonly number[] }

/** Brings links up to date with a segment that is written after others: turns may fall between those of old segments. */
export function updateLinks(links: Links, appended: AppendedRows): void {
  const { table, stored } = appended
  const numbers = numbersOfPending(appended)
  const numberOf = (row: number): number => (row < stored ? row : stored + (numbers[row - stored] ?? 0))
  const starts = new Set(appended.starts)
  const turns = orderTurns(table, rowsOfTouchedConversations(appended))
  for (let at = 0; at < turns.length; at++) {
    const row = turns[at] ?? 0
    const follower = turns[at + 1]
    const follows = follower !== undefined && table.conversation[follower] === table.conversation[row]
    const after = follows ? numberOf(follower) : -1
    const number = numberOf(row)
    const ordinary = after === number + 1 && !starts.has(after)
    if (ordinary) links.delete(number)
    else links.set(number, after)
  }
}

/** By pending row: its place in the new segment. */
function numbersOfPending({ table, order, stored }: AppendedRows): Uint32Array {
  const numbers = new Uint32Array(table.count - stored)
  order.forEach((row, place) => {
    numbers[row - stored] = place
  })
  return numbers
}

function rowsOfTouchedConversations({ table, order, stored }: AppendedRows): Uint32Array {
  const touched = new Uint8Array(1 + order.reduce((most, row) => Math.max(most, table.conversation[row] ?? 0), 0))
  for (const row of order) touched[table.conversation[row] ?? 0] = 1
  touched[0] = 0
  const rows: number[] = []
  for (let row = 0; row < stored; row++) if (touched[table.conversation[row] ?? 0] === 1) rows.push(row)
  for (const row of order) if (touched[table.conversation[row] ?? 0] === 1) rows.push(row)
  return Uint32Array.from(rows)
}
