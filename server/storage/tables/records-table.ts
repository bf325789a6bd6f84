import { Buffer } from 'node:buffer'
import { sql } from 'kysely'
import { type EpochMs, epochNow } from '../../../src/contract/epoch-ms.ts'
import type { ParsedLine } from '../../../src/snapshot/record/check-record-shape.ts'
import { CHECK_SUFFIX_BYTES, readCheck } from '../../../src/snapshot/record/compute-check.ts'
import { serializeForget } from '../../../src/snapshot/record/identity.ts'
import type { CollectionScope, TableMethods } from '../database/dialect.ts'
import { splitIntoParts, toBytes } from '../database/stored-values.ts'
import type { RecordRow } from '../database/tables.ts'
import type { Appended, RecordStorage } from '../port/collection-storage.ts'
import {
  CHECK_BYTES,
  ID_BYTES,
  KEY_BYTES,
  keyAt,
  listLineKeys,
  OUTCOMES,
  RECORD_KINDS,
  type RecordBatch,
  readTargetKeys,
  toBuffer,
  toColumns,
  verifyRow
} from '../port/record-batch.ts'
import { continueEpochs, type LinesHead, lockLines, missingCollection } from './collections-table.ts'
import { copyAside, dropAside, dropNotes } from './damage-tables.ts'
import { packPage } from './record-pages.ts'
import { referenceByHand, removeReferences, selectReferencedKeys, toKeyText } from './references-table.ts'

/** Methods that change the lines of a collection. */
export const recordsTable = {
  /**
   * Appends lines to a collection in one transaction, as documented at `Storage.append`. The lock on the collection's
   * row serializes appends, so that sequence numbers become visible in order.
   */
  append({ db, dialect, clock }, collectionId, batch) {
    const now = epochNow(clock)
    return db.transaction().execute((transaction) => appendBatch({ transaction, dialect, collectionId }, batch, now))
  }
} satisfies Partial<TableMethods<RecordStorage>>

async function appendBatch(scope: CollectionScope, batch: RecordBatch, now: EpochMs): Promise<Appended> {
  const head = await lockLines(scope)
  if (head === undefined) throw missingCollection(scope.collectionId)
  const targets = readTargets(batch)
  const keys = [...listLineKeys(batch), ...[...targets.values()].flat()]
  const plan = planAppend({ batch, targets }, await selectLines(scope, keys))
  await keepReferences(scope, batch, plan)
  const { outcomes, inserts, removes, damaged, memoriesMore } = plan
  const lines = inserts.map((row) => newLineAt(batch, row))
  const seq = await writeLines(scope, head, { removes, damaged, lines, memoriesMore, now })
  // A forgotten memory is not kept anywhere, not even as a damaged line.
  await dropAside(
    scope,
    lines.filter(({ kind }) => kind === RECORD_KINDS.forget).map(({ key }) => key)
  )
  return { outcomes, seq }
}

/** The keys of the memories that lines of unknown kind are about, by their row in the batch. */
type BatchTargets = ReadonlyMap<number, readonly Uint8Array[]>

function readTargets(batch: RecordBatch): BatchTargets {
  const rows = [...batch.kinds.subarray(0, batch.count).entries()].filter(([, kind]) => kind === RECORD_KINDS.unknown)
  return new Map(rows.map(([row]) => [row, readTargetKeys(newLineAt(batch, row).line)]))
}

/**
 * Adds a reference by hand for each memory that an item already has, and removes all references to forgotten memories.
 */
async function keepReferences(scope: CollectionScope, batch: RecordBatch, { met }: AppendPlan): Promise<void> {
  const lines = met.map((row) => newLineAt(batch, row))
  const ofKind = (wanted: number) => lines.filter(({ kind }) => kind === wanted).map(({ key }) => key)
  await referenceByHand(scope, ofKind(RECORD_KINDS.memory))
  await removeReferences(scope, ofKind(RECORD_KINDS.forget))
}

/** The changes that give the same result as appending the lines one after another. */
type AppendPlan = {
  /** An outcome for each line of the batch. */
  outcomes: Uint8Array
  /** Rows of the batch that are inserted, ascending. */
  inserts: number[]
  /** Sequence numbers of lines that are replaced. */
  removes: number[]
  /** The damaged ones among `removes`. */
  damaged: number[]
  /** The change in the number of memories. */
  memoriesMore: number
  /** Rows of the batch whose memory already existed. */
  met: number[]
}

/**
 * Plans the outcome of each line. Of several lines with one id the best stays: highest extractor, then earliest time,
 * then smallest check. An intact line replaces a damaged one. A forget line replaces its memory permanently, and also a
 * forget line of a source. A line of unknown kind is stored once, unless a memory that it is about is forgotten. The
 * result therefore does not depend on the order of the lines.
 */
function planAppend(
  { batch, targets }: { batch: RecordBatch; targets: BatchTargets },
  present: readonly StoredLine[]
): AppendPlan {
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
  const isForgotten = (key: Uint8Array): boolean =>
    holders.get(toPlaceKey(RECORD_KINDS.forget, key))?.line.kind === RECORD_KINDS.forget
  for (const [row, keys] of targets) {
    if (!keys.some(isForgotten)) continue
    outcomes[row] = OUTCOMES.forgotten
    holders.delete(toPlaceKey(RECORD_KINDS.unknown, keyAt(batch, row)))
  }
  return { outcomes, met, ...collectChanges(holders.values()) }
}

/** The current line of a place: a line of the batch (`row`) or one that was there `before`. */
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

/**
 * Returns the key of a line's place. A memory and its forget line share one place; a line of unknown kind has its own.
 */
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

/** A line to be inserted into a collection. */
export type NewLine = {
  kind: number
  key: Uint8Array
  time: number
  extractor: number
  check: Uint8Array
  line: Uint8Array
  /** As `taken_back` in `RecordRow`. */
  takenBack: 0 | 1
}

/** `removes` are sequence numbers. `damaged` names those whose bytes are set aside. */
type LinesChange = {
  removes: readonly number[]
  damaged: readonly number[]
  lines: readonly NewLine[]
  memoriesMore: number
  now: EpochMs
}

/**
 * Removes lines and inserts others with the next sequence numbers. Also removes lines of unknown kind that describe a
 * forgotten memory. Returns the highest sequence number.
 */
export async function writeLines(scope: CollectionScope, head: LinesHead, change: LinesChange): Promise<number> {
  const { removes, damaged, lines, memoriesMore, now } = change
  if (removes.length === 0 && lines.length === 0) return head.seq
  if (damaged.length > 0) await copyAside(scope, damaged, { reason: 'replaced by a valid line', now })
  await removeLines(scope, [...removes, ...(await findFallingLines(scope, lines))])
  if (head.damaged > 0) await dropNotes(scope, removes)
  await insertLines(scope, lines, head.seq)
  const seq = head.seq + lines.length
  await scope.transaction
    .updateTable('collections')
    .set({ seq, memories: head.memories + memoriesMore, epochs: continueEpochs(head) })
    .where('id', '=', scope.collectionId)
    .execute()
  return seq
}

/** Finds the lines of unknown kind that are about a memory that is now forgotten. Returns their sequence numbers. */
async function findFallingLines(scope: CollectionScope, lines: readonly NewLine[]): Promise<number[]> {
  const forgets = lines.filter(({ kind }) => kind === RECORD_KINDS.forget)
  if (forgets.length === 0) return []
  const forgotten = new Set(forgets.map(({ key }) => toKeyText(key)))
  const rows = await scope.transaction
    .selectFrom('records')
    .select(['seq', 'line'])
    .where('collection_id', '=', scope.collectionId)
    // A literal, so that engines use the partial index `records_unknown`.
    .where('kind', '=', sql.lit(RECORD_KINDS.unknown))
    .execute()
  const isFalling = (line: Uint8Array): boolean => readTargetKeys(line).some((key) => forgotten.has(toKeyText(key)))
  return rows.filter(({ line }) => isFalling(toBytes(line))).map(({ seq }) => seq)
}

/** Returns a line of a batch. */
export function newLineAt(batch: RecordBatch, row: number): NewLine {
  return {
    kind: batch.kinds[row] ?? 0,
    key: keyAt(batch, row),
    time: batch.times[row] ?? -1,
    extractor: batch.extractors[row] ?? 0,
    check: batch.checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    line: batch.lines.subarray(row === 0 ? 0 : batch.ends[row - 1], batch.ends[row]),
    takenBack: 0
  }
}

/** Removes lines by their sequence numbers. */
async function removeLines(scope: CollectionScope, seqs: readonly number[]): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  for (const part of splitIntoParts(seqs, dialect.rowsPerStatement))
    await transaction.deleteFrom('records').where('collection_id', '=', collectionId).where('seq', 'in', part).execute()
}

async function insertLines(scope: CollectionScope, lines: readonly NewLine[], seq: number): Promise<void> {
  const { transaction, dialect, collectionId } = scope
  const rows = lines.map((line, at) => recordRow(line, collectionId, seq + at + 1))
  for (const part of splitIntoParts(rows, dialect.rowsPerStatement))
    await transaction.insertInto('records').values(part).execute()
}

function recordRow(line: NewLine, collectionId: string, seq: number): RecordRow {
  return {
    collection_id: collectionId,
    seq,
    kind: line.kind,
    key: line.key,
    time: line.time,
    extractor: line.extractor,
    check_hash: line.check,
    line_bytes: line.line.byteLength,
    line: line.line,
    taken_back: line.takenBack
  }
}

/** Selects the lines of a collection with these keys and verifies each. An intact line replaces a damaged one. */
export async function selectLines(scope: CollectionScope, keys: readonly Uint8Array[]): Promise<StoredLine[]> {
  const { transaction, dialect, collectionId } = scope
  const lines: StoredLine[] = []
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('records')
      .select(['seq', 'kind', 'key', 'time', 'extractor', 'check_hash', 'line', 'taken_back'])
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .execute()
    const page = packPage(rows)
    const bytes = toBuffer(page.lines)
    for (const [at, { seq, taken_back }] of rows.entries())
      lines.push({ ...toStoredLine(page, at, verifyRow(page, bytes, at)), seq, isTakenBack: taken_back === 1 })
  }
  return lines
}

/** Converts a row to a stored line. For a damaged line only its columns are known, and each of them may be wrong. */
function toStoredLine(
  page: RecordBatch,
  row: number,
  verdict: ParsedLine | string
): Omit<StoredLine, 'seq' | 'isTakenBack'> {
  if (typeof verdict !== 'string') return { ...toColumns(verdict), isDamaged: false }
  return {
    kind: page.kinds[row] ?? 0,
    key: page.keys.slice(row * KEY_BYTES, (row + 1) * KEY_BYTES),
    time: page.times[row] ?? -1,
    extractor: page.extractors[row] ?? 0,
    check: page.checks.slice(row * CHECK_BYTES, (row + 1) * CHECK_BYTES),
    isDamaged: true
  }
}

/** The reason in the forget line of a memory whose item was deleted from the account. */
const REASON = 'deleted at the source'

/** Builds the forget line for the memory of this key, as for a deletion at the source. */
export function forgetLine(key: Uint8Array, now: number): NewLine {
  const id = Buffer.from(key.buffer, key.byteOffset, ID_BYTES).toString('hex')
  const target = `mem_${id}`
  const line = Buffer.from(serializeForget(target, new Date(now).toISOString(), REASON))
  return {
    kind: RECORD_KINDS.forget,
    key,
    time: now,
    extractor: 0,
    check: Buffer.from(readCheck(line, line.byteLength - CHECK_SUFFIX_BYTES), 'hex'),
    line,
    takenBack: 1
  }
}

/**
 * Finds the memories without an owner: neither an item of a connection that is not revoked, nor a person. Removes their
 * references. Returns the sequence numbers of their lines and the forget lines that replace them. Memories whose
 * damaged line was set aside get a forget line too, so that devices forget them.
 */
export async function forgetUnreferenced(
  scope: CollectionScope,
  keys: readonly Uint8Array[],
  now: EpochMs
): Promise<{ removes: number[]; lines: NewLine[] }> {
  const held = await selectReferencedKeys(scope, keys)
  const released = keys.filter((key) => !held.has(toKeyText(key)))
  const memories = await selectMemories(scope, released)
  await removeReferences(scope, released)
  const aside = await dropAside(scope, released)
  const forgotten = new Map([...memories.map(({ key }) => key), ...aside].map((key) => [toKeyText(key), key]))
  // Engines return rows in different orders, and sequence numbers must not depend on it.
  const ordered = [...forgotten.values()].sort(Buffer.compare)
  return { removes: memories.map(({ seq }) => seq), lines: ordered.map((key) => forgetLine(key, now)) }
}

async function selectMemories(
  scope: CollectionScope,
  keys: readonly Uint8Array[]
): Promise<{ seq: number; key: Uint8Array }[]> {
  const { transaction, dialect, collectionId } = scope
  const memories: { seq: number; key: Uint8Array }[] = []
  for (const part of splitIntoParts(keys, dialect.rowsPerStatement)) {
    const rows = await transaction
      .selectFrom('records')
      .select(['seq', 'key'])
      .where('collection_id', '=', collectionId)
      .where('key', 'in', part)
      .where('kind', '=', RECORD_KINDS.memory)
      .execute()
    for (const { seq, key } of rows) memories.push({ seq, key: toBytes(key) })
  }
  return memories
}

/** An existing line, with the values that decide whether another line replaces it. */
export type StoredLine = {
  seq: number
  kind: number
  key: Uint8Array
  time: number
  extractor: number
  check: Uint8Array
  /** Set on a forget line written because the source deleted the memory. */
  isTakenBack: boolean
  /** The line differs from what was written: only its columns are known. */
  isDamaged: boolean
}
