import { Buffer } from 'node:buffer'
import type { PageRange, RecordStorage } from '../../../server/storage/port/collection-storage.ts'
import {
  CHECK_BYTES,
  findDamagedLines,
  ID_BYTES,
  KEY_BYTES,
  OUTCOMES,
  RECORD_KINDS,
  type RecordBatch,
  type RecordPage
} from '../../../server/storage/port/record-batch.ts'
import type { EpochMs } from '../../../src/contract/epoch-ms.ts'
import { serializeRecord } from '../../../src/snapshot/record/compute-check.ts'
import { computeForgetId } from '../../../src/snapshot/record/identity.ts'
import { findCollection, requireCollection } from './model-lookups.ts'
import { keepByHand, removeReferences } from './model-references.ts'
import { joinKey, ONLY_ROW, type RecordRow } from './model-rows.ts'
import { compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

/** A line that is not in a collection yet. */
export type NewLine = Omit<RecordRow, 'collectionId' | 'seq'>

export const modelRecords: ModelMethods<RecordStorage> = {
  append(transaction, collectionId, batch) {
    requireCollection(transaction, collectionId)
    const places = new Map<string, Place>()
    const outcomes = new Uint8Array(batch.count)
    for (const [at, line] of listLines(batch).entries()) {
      const place = findPlace(transaction, places, { collectionId, line })
      const outcome = decideOutcome(line, place.line)
      outcomes[at] = outcome
      if (outcome === OUTCOMES.stored) Object.assign(place, { line, at })
      const isMet = place.before?.kind === RECORD_KINDS.memory && line.kind === RECORD_KINDS.memory
      if (isMet) keepByHand(transaction, collectionId, line.key)
    }
    for (const [at, line] of listLines(batch).entries()) {
      if (!isAboutForgotten(transaction, places, { collectionId, line })) continue
      outcomes[at] = OUTCOMES.forgotten
      places.delete(`?${line.key}`)
    }
    const changed = [...places.values()].filter(({ at }) => at >= 0).toSorted((one, other) => one.at - other.at)
    for (const { line } of changed)
      if (line?.kind === RECORD_KINDS.forget) removeReferences(transaction, collectionId, line.key)
    const removes = changed.flatMap(({ before }) => before ?? [])
    const lines = changed.flatMap(({ line }) => line ?? [])
    return { outcomes, seq: writeLines(transaction, collectionId, { removes, lines }) }
  },

  readPage(transaction, collectionId, range) {
    requireCollection(transaction, collectionId)
    const page = packPage(listPage(transaction, collectionId, range))
    return { ...page, damaged: range.isUnverified === true ? [] : findDamagedLines(page) }
  },

  verifyLines(transaction, collectionId, range) {
    const rows = listPage(transaction, collectionId, range)
    const damaged = findDamagedLines(packPage(rows))
    const seqs = new Set(damaged.map(({ seq }) => seq))
    const memories = rows.filter(({ kind, seq }) => kind === RECORD_KINDS.memory || seqs.has(seq)).length
    return { upTo: rows.at(-1)?.seq ?? range.upTo, isEnd: rows.length === 0, lines: rows.length, memories, damaged }
  },

  noteDamage(transaction, collectionId, { after, upTo, damaged }) {
    if (findCollection(transaction, collectionId) === undefined) return
    const noted = transaction.select(
      'damagedLines',
      (note) => note.collectionId === collectionId && note.seq > after && note.seq <= upTo
    )
    transaction.remove('damagedLines', noted)
    for (const { seq, reason } of damaged)
      transaction.put('damagedLines', { collectionId, seq, reason, foundAt: transaction.now })
    countNotes(transaction, collectionId)
  },

  listKnownIds(transaction, collectionId) {
    requireCollection(transaction, collectionId)
    const keys = transaction
      .select('records', (row) => row.collectionId === collectionId && row.kind !== RECORD_KINDS.unknown)
      .map(({ key }) => key.slice(0, 2 * ID_BYTES))
    return new Uint8Array(Buffer.from(keys.toSorted(compareValues).join(''), 'hex'))
  }
}

/** The place of a memory and its forget line, or of one line of unknown kind. */
type Place = {
  before: RecordRow | undefined
  /** The line at the place, and its number in the batch; -1 for an earlier line. */
  line: NewLine | undefined
  at: number
}

function findPlace(
  transaction: ModelTransaction,
  places: Map<string, Place>,
  { collectionId, line }: { collectionId: string; line: NewLine }
): Place {
  const name = line.kind === RECORD_KINDS.unknown ? `?${line.key}` : line.key
  const known = places.get(name)
  if (known !== undefined) return known
  const [before] = findLines(transaction, collectionId, line.key).filter(
    ({ kind }) => (kind === RECORD_KINDS.unknown) === (line.kind === RECORD_KINDS.unknown)
  )
  const place = { before, line: before, at: -1 }
  places.set(name, place)
  return place
}

/** Of several lines with one id, the best one stays; a forget line stays permanently. */
function decideOutcome(line: NewLine, held: NewLine | undefined): number {
  if (held === undefined) return OUTCOMES.stored
  if (held.kind !== line.kind) return line.kind === RECORD_KINDS.forget ? OUTCOMES.stored : OUTCOMES.forgotten
  if (line.kind === RECORD_KINDS.unknown) return OUTCOMES.known
  if (held.takenBack && line.check !== held.check) return OUTCOMES.stored
  const order =
    compareValues(held.extractor, line.extractor) ||
    compareValues(line.time, held.time) ||
    compareValues(line.check, held.check)
  return order < 0 ? OUTCOMES.stored : OUTCOMES.known
}

/** Checks whether a line of unknown kind describes a memory that is forgotten, also by the same batch. */
function isAboutForgotten(
  transaction: ModelTransaction,
  places: ReadonlyMap<string, Place>,
  { collectionId, line }: { collectionId: string; line: NewLine }
): boolean {
  return listTargets(line).some((key) => {
    const held = places.get(key)?.line ?? findLines(transaction, collectionId, key)[0]
    return held?.kind === RECORD_KINDS.forget
  })
}

/** Returns the keys of the memories that a line of unknown kind describes. */
function listTargets({ kind, line }: NewLine): string[] {
  if (kind !== RECORD_KINDS.unknown) return []
  const { target = [] } = JSON.parse(new TextDecoder().decode(line)) as { target?: string | string[] }
  return [target].flat().map((id) => id.slice('mem_'.length).padEnd(2 * KEY_BYTES, '0'))
}

/** Returns the lines of a collection with one key, of any kind. */
export function findLines(transaction: ModelTransaction, collectionId: string, key: string): RecordRow[] {
  return Object.values(RECORD_KINDS).flatMap(
    (kind) => transaction.find('records', joinKey(collectionId, key, String(kind))) ?? []
  )
}

/** Removes lines and adds others with the next sequence numbers. Returns the highest sequence number. */
export function writeLines(
  transaction: ModelTransaction,
  collectionId: string,
  { removes, lines }: { removes: readonly RecordRow[]; lines: readonly NewLine[] }
): number {
  const head = requireCollection(transaction, collectionId)
  if (removes.length === 0 && lines.length === 0) return head.seq
  const forgotten = new Set(lines.filter(({ kind }) => kind === RECORD_KINDS.forget).map(({ key }) => key))
  const isFalling = (row: RecordRow): boolean => listTargets(row).some((key) => forgotten.has(key))
  const falling =
    forgotten.size === 0
      ? []
      : transaction.select('records', (row) => row.collectionId === collectionId && isFalling(row))
  transaction.remove('records', [...removes, ...falling])
  for (const [at, line] of lines.entries())
    transaction.insert('records', { ...line, collectionId, seq: head.seq + at + 1 })
  const countMemories = (all: readonly NewLine[]) => all.filter(({ kind }) => kind === RECORD_KINDS.memory).length
  const memories = head.memories + countMemories(lines) - countMemories(removes)
  const { epoch } = transaction.find('epoch', ONLY_ROW) ?? {}
  const isSame = epoch === undefined || head.epochs?.at(-1)?.id === epoch
  const epochs = isSame ? head.epochs : [...(head.epochs ?? []), { id: epoch, after: head.seq }]
  transaction.update('collections', head, { memories, seq: head.seq + lines.length, epochs })
  if (head.damaged > 0) dropNotes(transaction, collectionId, removes)
  return head.seq + lines.length
}

function dropNotes(transaction: ModelTransaction, collectionId: string, removes: readonly RecordRow[]): void {
  const seqs = new Set(removes.map(({ seq }) => seq))
  transaction.remove(
    'damagedLines',
    transaction.select('damagedLines', (note) => note.collectionId === collectionId && seqs.has(note.seq))
  )
  countNotes(transaction, collectionId)
}

function countNotes(transaction: ModelTransaction, collectionId: string): void {
  const head = requireCollection(transaction, collectionId)
  const damaged = transaction.select('damagedLines', (note) => note.collectionId === collectionId).length
  transaction.update('collections', head, { damaged })
}

/** The forget line of a memory that its source deleted. */
export function makeForgetLine(key: string, now: EpochMs): NewLine {
  const target = `mem_${key.slice(0, 2 * ID_BYTES)}`
  const record = { id: computeForgetId(target), at: new Date(now).toISOString(), target }
  const text = serializeRecord({ type: 'forget', ...record, reason: 'deleted at the source' })
  const { check } = JSON.parse(text) as { check: string }
  const line = new TextEncoder().encode(text)
  return { kind: RECORD_KINDS.forget, key, time: now, extractor: 0, check, line, takenBack: true }
}

/** The lines of a batch. */
export function listLines(batch: RecordBatch): NewLine[] {
  const toHex = (bytes: Uint8Array, row: number, length: number) =>
    Buffer.from(bytes.subarray(row * length, (row + 1) * length)).toString('hex')
  return Array.from({ length: batch.count }, (_, row) => ({
    kind: batch.kinds[row] ?? RECORD_KINDS.memory,
    key: toHex(batch.keys, row, KEY_BYTES),
    time: batch.times[row] ?? -1,
    extractor: batch.extractors[row] ?? 0,
    check: toHex(batch.checks, row, CHECK_BYTES),
    line: batch.lines.slice(row === 0 ? 0 : batch.ends[row - 1], batch.ends[row]),
    takenBack: false
  }))
}

/** Maximum number of lines of one page. */
const PAGE_LINES_MAX = 8192

function listPage(transaction: ModelTransaction, collectionId: string, range: PageRange): RecordRow[] {
  const { after, upTo, maxBytes } = range
  const rows = transaction
    .select('records', (row) => row.collectionId === collectionId && row.seq > after && row.seq <= upTo)
    .toSorted((one, other) => compareValues(one.seq, other.seq))
    .slice(0, PAGE_LINES_MAX)
  let bytes = 0
  const tooMany = rows.findIndex(({ line }, at) => {
    bytes += line.byteLength
    return at > 0 && bytes > maxBytes
  })
  return tooMany === -1 ? rows : rows.slice(0, tooMany)
}

function packPage(rows: readonly RecordRow[]): Omit<RecordPage, 'damaged'> {
  const toBytes = (texts: readonly string[]) => new Uint8Array(Buffer.from(texts.join(''), 'hex'))
  let end = 0
  return {
    count: rows.length,
    seqs: Float64Array.from(rows, ({ seq }) => seq),
    kinds: Uint8Array.from(rows, ({ kind }) => kind),
    keys: toBytes(rows.map(({ key }) => key)),
    times: Float64Array.from(rows, ({ time }) => time),
    extractors: Float64Array.from(rows, ({ extractor }) => extractor),
    checks: toBytes(rows.map(({ check }) => check)),
    ends: Uint32Array.from(rows, ({ line }) => {
      end += line.byteLength
      return end
    }),
    lines: new Uint8Array(Buffer.concat(rows.map(({ line }) => line)))
  }
}
