import { Buffer } from 'node:buffer'
import { type Holder, type Holding, heldByHand, textOf } from './holdings-table.ts'
import { keyAt, type StoredLine } from './plan-append.ts'
import type { ItemsPlan } from './plan-items.ts'
import { CHECK_BYTES, RECORD_KINDS, type RecordBatch } from './record-batch.ts'

/** What is there of the memories that items are to have. */
export type MemoriesBefore = {
  lines: readonly StoredLine[]
  /** Of memories that are there, by `textOf` their key. */
  holders: ReadonlyMap<string, Holder>
}

export type MemoriesPlan = {
  /** Rows of the batch whose memory a source took back before: nothing else is to be done then. */
  copies: number[]
  /** Rows of the batch that go in, ascending. */
  inserts: number[]
  /** Sequence numbers of lines that make room. */
  removes: number[]
  /** Those of them that are damaged. */
  damaged: number[]
  memoriesMore: number
  /** What the items hold from now on, and people beside them. */
  holdings: Holding[]
}

/**
 * Decides what becomes of the lines that items are to have. The newest line of a memory stays, where only items hold it; what a
 * person stored stays as it is, unless it is damaged. What a person forgot is held by nobody.
 */
export function planMemories(
  connectionId: string,
  { batch, filled }: { batch: RecordBatch; filled: ItemsPlan['filled'] },
  { lines, holders }: MemoriesBefore
): MemoriesPlan {
  const present = new Map(
    lines
      .filter(({ kind, isDamaged }) => isDamaged || kind !== RECORD_KINDS.unknown)
      .map((line) => [textOf(line.key), line])
  )
  const plan: MemoriesPlan = { copies: [], inserts: [], removes: [], damaged: [], memoriesMore: 0, holdings: [] }
  const newest = new Map<string, number>()
  for (const { itemId, from, to } of filled)
    for (let row = from; row < to; row++) {
      const memoryKey = keyAt(batch, row)
      const text = textOf(memoryKey)
      const before = present.get(text)
      if (before?.kind === RECORD_KINDS.forget) {
        if (before.isTakenBack) plan.copies.push(row)
        continue
      }
      newest.set(text, row)
      plan.holdings.push({ memoryKey, connectionId, itemId })
    }
  for (const [text, row] of newest) put(plan, { batch, row, before: present.get(text), holder: holders.get(text) })
  plan.inserts.sort((a, b) => a - b)
  return plan
}

type Put = { batch: RecordBatch; row: number; before: StoredLine | undefined; holder: Holder | undefined }

function put(plan: MemoriesPlan, { batch, row, before, holder }: Put): void {
  if (before === undefined) {
    plan.inserts.push(row)
    plan.memoriesMore++
    return
  }
  if (holder === undefined) plan.holdings.push(heldByHand(before.key))
  if (before.isDamaged) {
    plan.inserts.push(row)
    plan.removes.push(before.seq)
    plan.damaged.push(before.seq)
    if (before.kind !== RECORD_KINDS.memory) plan.memoriesMore++
    return
  }
  if (holder !== 'items' || isEqual(batch, row, before)) return
  plan.inserts.push(row)
  plan.removes.push(before.seq)
}

function isEqual({ checks }: RecordBatch, row: number, { check }: StoredLine): boolean {
  return Buffer.compare(checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES), check) === 0
}
