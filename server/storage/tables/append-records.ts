import { Buffer } from 'node:buffer'
import { type EpochMs, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { CollectionScope, Database } from '../database/dialect.ts'
import { CHECK_BYTES, keyAt, listLineKeys, OUTCOMES, RECORD_KINDS, type RecordBatch } from '../port/record-batch.ts'
import type { Appended } from '../port/record-storage.ts'
import { dropAside } from './aside-tables.ts'
import { lockLines, missingCollection } from './collections-table.ts'
import { newLineAt, type StoredLine, selectLines, writeLines } from './records-table.ts'
import { referenceByHand, removeReferences } from './references-table.ts'

/**
 * Puts lines into a collection in one transaction, as `Storage.append` says. The lock of the collection's row makes
 * appends to it come one after another, so that sequence numbers are seen in their order.
 */
export function appendRecords(
  { db, dialect, clock }: Database,
  collectionId: string,
  batch: RecordBatch
): Promise<Appended> {
  const now = epochNow(clock)
  return db.transaction().execute((transaction) => append({ transaction, dialect, collectionId }, batch, now))
}

async function append(scope: CollectionScope, batch: RecordBatch, now: EpochMs): Promise<Appended> {
  const head = await lockLines(scope)
  if (head === undefined) throw missingCollection(scope.collectionId)
  const plan = planAppend(batch, await selectLines(scope, listLineKeys(batch)))
  await keepReferences(scope, batch, plan)
  const { outcomes, inserts, removes, damaged, memoriesMore } = plan
  const lines = inserts.map((row) => newLineAt(batch, row))
  const seq = await writeLines(scope, head, { removes, damaged, lines, memoriesMore, now })
  // What is forgotten is kept nowhere, not even damaged.
  await dropAside(
    scope,
    lines.filter(({ kind }) => kind === RECORD_KINDS.forget).map(({ key }) => key)
  )
  return { outcomes, seq }
}

/** What is said that an item has already, a person holds too; what is forgotten nobody holds. */
async function keepReferences(scope: CollectionScope, batch: RecordBatch, { met }: AppendPlan): Promise<void> {
  const lines = met.map((row) => newLineAt(batch, row))
  const ofKind = (wanted: number) => lines.filter(({ kind }) => kind === wanted).map(({ key }) => key)
  await referenceByHand(scope, ofKind(RECORD_KINDS.memory))
  await removeReferences(scope, ofKind(RECORD_KINDS.forget))
}

/** What is to be done so that the collection is as if the lines had come one after another. */
type AppendPlan = {
  /** For each line of the batch. */
  outcomes: Uint8Array
  /** Lines of the batch that stay, by their number in it, ascending. */
  inserts: number[]
  /** Sequence numbers of lines that make room. */
  removes: number[]
  /** Those of them that are damaged. */
  damaged: number[]
  /** By how much the number of memories changes. */
  memoriesMore: number
  /** Lines of the batch that are about a memory that was there before. */
  met: number[]
}

/**
 * Decides what becomes of each line. Of several lines with one id the best stays: highest extractor, then earliest time,
 * then smallest check; a sound line takes the place of a damaged one. A forget line takes the memory's place for good, and that of one by which a source took the memory back; a line of unknown kind
 * counts once. So the order in which lines come never shows in what stays.
 */
function planAppend(batch: RecordBatch, present: readonly StoredLine[]): AppendPlan {
  const holders = new Map<string, Holder>()
  for (const line of present) holders.set(toPlaceKey(line.kind, line.key), { line, before: line })
  const outcomes = new Uint8Array(batch.count)
  const met: number[] = []
  for (let row = 0; row < batch.count; row++) {
    const line = lineAt(batch, row)
    const place = toPlaceKey(line.kind, line.key)
    const holder = holders.get(place)
    const outcome = decideOutcome(line, holder?.line)
    outcomes[row] = outcome
    if (holder?.before?.kind === RECORD_KINDS.memory) met.push(row)
    if (outcome === OUTCOMES.stored) holders.set(place, { line, row, before: holder?.before })
  }
  return { outcomes, met, ...collectChanges(holders.values()) }
}

/** Who has a place now: a line of the batch (`row`) or one that was there `before`. */
type Holder = { line: RankedLine; row?: number; before: StoredLine | undefined }

type RankedLine = Omit<StoredLine, 'seq'>

function decideOutcome(line: RankedLine, held: RankedLine | undefined): number {
  if (held === undefined) return OUTCOMES.stored
  if (held.isDamaged && (held.kind !== RECORD_KINDS.forget || line.kind === RECORD_KINDS.forget)) return OUTCOMES.stored
  if (held.kind !== line.kind) return line.kind === RECORD_KINDS.forget ? OUTCOMES.stored : OUTCOMES.forgotten
  if (line.kind === RECORD_KINDS.unknown) return OUTCOMES.known
  if (held.isTakenBack && Buffer.compare(line.check, held.check) !== 0) return OUTCOMES.stored
  return isBetter(line, held) ? OUTCOMES.stored : OUTCOMES.known
}

function isBetter(line: RankedLine, held: RankedLine): boolean {
  if (line.extractor !== held.extractor) return line.extractor > held.extractor
  if (line.time !== held.time) return line.time < held.time
  return Buffer.compare(line.check, held.check) < 0
}

function collectChanges(holders: Iterable<Holder>): Omit<AppendPlan, 'outcomes' | 'met'> {
  const inserts: number[] = []
  const removes: number[] = []
  const damaged: number[] = []
  let memoriesMore = 0
  for (const { line, row, before } of holders) {
    if (row === undefined) continue
    inserts.push(row)
    if (line.kind === RECORD_KINDS.memory) memoriesMore++
    if (before === undefined) continue
    removes.push(before.seq)
    if (before.isDamaged) damaged.push(before.seq)
    if (before.kind === RECORD_KINDS.memory) memoriesMore--
  }
  return { inserts: inserts.sort((a, b) => a - b), removes, damaged, memoriesMore }
}

/** A memory and the forget line for it stand in one place; a line of unknown kind has one of its own. */
function toPlaceKey(kind: number, key: Uint8Array): string {
  const text = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
  return kind === RECORD_KINDS.unknown ? `?${text}` : text
}

function lineAt(batch: RecordBatch, row: number): RankedLine {
  return {
    kind: batch.kinds[row] ?? RECORD_KINDS.unknown,
    key: keyAt(batch, row),
    time: batch.times[row] ?? -1,
    extractor: batch.extractors[row] ?? 0,
    check: batch.checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    isTakenBack: false,
    isDamaged: false
  }
}
