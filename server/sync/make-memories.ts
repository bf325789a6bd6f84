import type { MemoryDraft } from '../../src/documents/chunking/draft-memories.ts'
import { joinBatches, type RecordBatch } from '../storage/port/record-batch.ts'
import type { ResolvedItem } from './resolve-item.ts'
import type { Run } from './run.ts'
import type { MemoryInput } from './sync-parts.ts'

/** A memory to store. `copies` holds the copy numbers that its item already uses or that were forgotten earlier. */
type MemoryRow = { input: MemoryInput; batch: RecordBatch; copies: Set<number> }

/** The range of rows of an item, or the reason why it has none. */
export type ItemRows = { from: number; to: number } | { tooLarge: string }

/** The memories of several items, in one sequence. */
export type ItemMemories = { rows: MemoryRow[]; byItem: ReadonlyMap<ResolvedItem, ItemRows> }

/** Makes memories of all resolved contents with the engine. Only one run of the server does so at a time. */
export async function makeMemories(run: Run, resolved: readonly ResolvedItem[]): Promise<ItemMemories> {
  const planned = resolved.flatMap((one) =>
    one.state.kind === 'content' ? [{ one, rows: planRows(run, one.state.drafts) }] : []
  )
  const made = await callEngine(
    run,
    planned.flatMap(({ rows }) => rows.map(({ input }) => input))
  )
  const rows: MemoryRow[] = []
  const of = new Map<ResolvedItem, ItemRows>()
  let at = 0
  for (const { one, rows: own } of planned) {
    const mine = made.slice(at, at + own.length)
    at += own.length
    const flaw = mine.find((memory) => 'tooLarge' in memory)
    if (flaw !== undefined && 'tooLarge' in flaw) {
      of.set(one, flaw)
      continue
    }
    const from = rows.length
    for (const [place, memory] of mine.entries()) {
      const row = own[place]
      if (row !== undefined && 'batch' in memory) rows.push({ ...row, batch: memory.batch })
    }
    of.set(one, { from, to: rows.length })
  }
  return { rows, byItem: of }
}

/** Makes the next copy of the rows whose last copy the source removed. */
export async function makeCopies(run: Run, { rows }: ItemMemories, places: readonly number[]): Promise<void> {
  const again = places.flatMap((place) => rows[place] ?? [])
  for (const { input, copies } of again) {
    while (copies.has(input.copy)) input.copy += 1
    copies.add(input.copy)
  }
  const made = await callEngine(
    run,
    again.map(({ input }) => input)
  )
  for (const [place, row] of again.entries()) {
    const memory = made[place]
    if (memory === undefined || 'tooLarge' in memory) throw new Error('could not create another copy of a memory')
    row.batch = memory.batch
  }
}

/** Joins the rows into one batch, which has its own buffer. */
export function joinRows({ rows }: ItemMemories): RecordBatch {
  return joinBatches(rows.map(({ batch }) => batch))
}

/** Plans the rows of an item. Equal chunks become copies of one memory, numbered in order. */
function planRows({ parts }: Run, drafts: readonly MemoryDraft[]): Pick<MemoryRow, 'input' | 'copies'>[] {
  const now = parts.world.clock.now()
  const known = new Map<string, Set<number>>()
  return drafts.map(({ text, metadata, shownAt }) => {
    const { speaker, at, conversation } = metadata
    const key = JSON.stringify([text, speaker, at, conversation])
    const copies = known.get(key) ?? new Set()
    const copy = copies.size + 1
    known.set(key, copies.add(copy))
    return { input: { text, metadata, nowMs: shownAt ?? now, copy }, copies }
  })
}

function callEngine({ parts, lease }: Run, inputs: readonly MemoryInput[]) {
  if (inputs.length === 0) return []
  return parts.memoryQueue(() => {
    lease.signal.throwIfAborted()
    return parts.makeMemories(inputs, lease.signal)
  })
}
