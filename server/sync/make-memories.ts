import { joinBatches, type RecordBatch } from '../storage/port/record-batch.ts'

import type { MemoryDraft } from './chunking/draft-memories.ts'
import type { Found } from './resolve-item.ts'
import type { Run } from './run.ts'
import type { MemoryInput } from './sync-parts.ts'

/** A memory that is to be stored. `copies`: which copies of it its item has, or were forgotten before. */
type Row = { input: MemoryInput; batch: RecordBatch; copies: Set<number> }

/** Where the memories of an item stand among the rows, or why there are none. */
export type Made = { from: number; to: number } | { tooLarge: string }

/** The memories of several items one after another. */
export type Lines = { rows: Row[]; of: ReadonlyMap<Found, Made> }

/** Has the engine make memories of all contents among `found`. One run of the server at a time does so. */
export async function makeMemories(run: Run, found: readonly Found[]): Promise<Lines> {
  const planned = found.flatMap((one) =>
    one.state.kind === 'content' ? [{ one, rows: plan(run, one.state.drafts) }] : []
  )
  const made = await remember(
    run,
    planned.flatMap(({ rows }) => rows.map(({ input }) => input))
  )
  const rows: Row[] = []
  const of = new Map<Found, Made>()
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
  return { rows, of }
}

/** Makes the next copy of those rows: a source took the former one back. */
export async function makeCopies(run: Run, { rows }: Lines, places: readonly number[]): Promise<void> {
  const again = places.flatMap((place) => rows[place] ?? [])
  for (const { input, copies } of again) {
    while (copies.has(input.copy)) input.copy += 1
    copies.add(input.copy)
  }
  const made = await remember(
    run,
    again.map(({ input }) => input)
  )
  for (const [place, row] of again.entries()) {
    const memory = made[place]
    if (memory === undefined || 'tooLarge' in memory) throw new Error('a further copy of a memory could not be made')
    row.batch = memory.batch
  }
}

/** The rows as one batch, whose memory is the taker's. */
export function batchOf({ rows }: Lines): RecordBatch {
  return joinBatches(rows.map(({ batch }) => batch))
}

/** Equal pieces of one item are copies of one another, in their order. */
function plan({ parts }: Run, drafts: readonly MemoryDraft[]): Pick<Row, 'input' | 'copies'>[] {
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

function remember({ parts, held }: Run, inputs: readonly MemoryInput[]) {
  if (inputs.length === 0) return []
  return parts.turns(() => {
    held.signal.throwIfAborted()
    return parts.remember(inputs, held.signal)
  })
}
