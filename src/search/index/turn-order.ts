import { compareTurns, type DocumentTable } from './document-table.ts'
import type { Links } from './neighbours.ts'

/**
 * The rows of a segment in the order of their numbers: conversation by conversation, turns as they followed each other,
 * so that neighbours have neighbouring numbers. Rows of no conversation stay as they came.
 */
export function orderTurns(table: DocumentTable, rows: Uint32Array): Uint32Array {
  const order = groupByConversation(table, rows)
  for (let start = 0; start < order.length; ) {
    const conversation = table.conversation[order[start] ?? 0] ?? 0
    let end = start + 1
    let sorted = true
    while (end < order.length && (table.conversation[order[end] ?? 0] ?? 0) === conversation) {
      sorted &&= compareTurns(table, order[end - 1] ?? 0, order[end] ?? 0) <= 0
      end++
    }
    if (!sorted && conversation !== 0)
      order.subarray(start, end).sort((left, right) => compareTurns(table, left, right))
    start = end
  }
  return order
}

function groupByConversation(table: DocumentTable, rows: Uint32Array): Uint32Array {
  let conversations = 0
  for (const row of rows) conversations = Math.max(conversations, table.conversation[row] ?? 0)
  const next = new Uint32Array(conversations + 2)
  for (const row of rows) {
    const after = (table.conversation[row] ?? 0) + 1
    next[after] = (next[after] ?? 0) + 1
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
  const order = new Uint32Array(rows.length)
  for (const row of rows) {
    const conversation = table.conversation[row] ?? 0
    const place = next[conversation] ?? 0
    order[place] = row
    next[conversation] = place + 1
  }
  return order
}

/** A segment about to be written after others: every row of its conversations, in it and before it. */
type AppendedRows = {
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
