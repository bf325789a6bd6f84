import { createHash } from 'node:crypto'
import type { ExportEnd, LeftOut } from '../../../src/contract/endpoints/device-memory.ts'
import { toWireTime } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'
import { createEmptyHeader, serializeHeader } from '../../../src/snapshot/record/create-header.ts'
import type { StoredCollection } from '../../storage/port/collection-storage.ts'
import {
  CHECK_BYTES,
  type DamagedLine,
  ID_BYTES,
  KEY_BYTES,
  RECORD_KINDS,
  type RecordPage
} from '../../storage/port/record-batch.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { disorderedRowsError } from '../../storage/tables/record-pages.ts'
import { type KnownIds, trackKnownIds } from './known-ids.ts'
import { createRootHash } from './root-hash.ts'

type ExportWorld = ExportSource & { clock: Clock }

/**
 * With `skipsDamaged`, damaged lines are omitted and listed at the end. With `after`, only lines with a higher sequence
 * number are sent; the header, the number of lines and the root hash are those of the whole export.
 */
type ExportAsked = { form: 'jsonl' | 'json'; skipsDamaged: boolean; after?: number | undefined }

/**
 * Streams a collection as a snapshot. Only a few pages are in memory at a time, whatever its size. All lines are
 * verified before the first byte, and again when they are read. A later failure breaks the stream off before its end.
 *
 * @throws Fault `damaged_storage` if lines are damaged and must not be skipped.
 */
export async function exportStream(
  world: ExportWorld,
  collection: StoredCollection,
  { form, skipsDamaged, after }: ExportAsked
): Promise<ReadableStream<Uint8Array>> {
  const damage = await findDamage(world, collection)
  const isDamaged = damage.damaged.length > 0 || damage.missing > 0
  if (isDamaged && !skipsDamaged) throw makeDamageFault(collection.id, damage)
  const ids = withoutIds(await world.storage.listKnownIds(collection.id), damage.damaged)
  const known = trackKnownIds(ids)
  const header = serializeHeader({
    ...createEmptyHeader({
      id: collection.snapshotId,
      created_at: toWireTime(collection.createdAt),
      collection_id: collection.id
    }),
    count: known.count,
    ids_hash: createHash('sha256').update(ids).digest('hex'),
    ...(after !== undefined && { collection_seq: collection.seq, collection_epoch: collection.epochs.at(-1)?.id })
  })
  const skipped = new Set(damage.damaged.map(({ seq }) => seq))
  const pages = exportPages(world, collection, { known, skipped })
  const leftOut = skipsDamaged ? toLeftOut(damage) : undefined
  return toStream(exportParts(world, { frame: EXPORT_FRAMES[form](header), leftOut, after: after ?? 0 }, pages))
}

/** Removes the ids of damaged lines, which the header must not count because they are not exported. */
function withoutIds(ids: Uint8Array, damaged: readonly DamagedLine[]): Uint8Array {
  if (damaged.length === 0) return ids
  const left = new Set(damaged.map(({ knownId }) => knownId))
  const kept: Uint8Array[] = []
  for (let at = 0; at < ids.length; at += ID_BYTES) {
    const id = ids.subarray(at, at + ID_BYTES)
    if (!left.has(Buffer.from(id).toString('hex'))) kept.push(id)
  }
  return Buffer.concat(kept)
}

async function* exportParts(
  { clock }: ExportWorld,
  { frame, leftOut, after }: { frame: ExportFrame; leftOut: LeftOut | undefined; after: number },
  pages: AsyncIterable<ExportPage>
): AsyncGenerator<Uint8Array> {
  const rootHash = createRootHash(clock)
  let records = 0
  let isFirst = true
  yield Buffer.from(frame.before)
  for await (const { page, rows } of pages) {
    if (rows.length === 0) continue
    const sent = after === 0 ? rows : rows.filter((row) => (page.seqs[row] ?? 0) > after)
    if (sent.length > 0) yield frameLines(frame, { page, rows: sent, isFirst })
    isFirst &&= sent.length === 0
    rootHash.add(copyChecks(page.checks, rows))
    records += rows.length
  }
  yield Buffer.from(frame.after({ records, rootHash: await rootHash.digest(), leftOut }))
}

/** Copies the checks of some rows. A view would keep the whole page in memory. */
function copyChecks(checks: Uint8Array, rows: Uint32Array): Uint8Array {
  const own = new Uint8Array(rows.length * CHECK_BYTES)
  rows.forEach((row, at) => {
    own.set(checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES), at * CHECK_BYTES)
  })
  return own
}

/** Converts parts to a stream that produces them on demand. If the reader leaves, production ends. */
export function toStream(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    }
  })
}

/** A page, and its rows that belong to the export. */
type ExportPage = { page: RecordPage; rows: Uint32Array }

/** The ids to export, and the sequence numbers of damaged lines that are omitted. */
type ExportPlan = { known: KnownIds; skipped: ReadonlySet<number> }

export type ExportSource = { storage: Storage; signal: AbortSignal }

/**
 * Yields the content of a collection as of `mark` in pages, ordered by sequence number, and reads the next page while
 * one is used. A memory that is replaced or forgotten meanwhile loses its row. If that was not exported before, its
 * newer row is exported instead, so that every known id is exported. Damaged lines are omitted.
 */
async function* exportPages(
  source: ExportSource,
  { id, seq: mark }: StoredCollection,
  { known, skipped }: ExportPlan
): AsyncGenerator<ExportPage> {
  for await (const page of readPages(source, id, { after: 0, upTo: mark })) {
    const rows = soundRows(id, page, skipped)
    for (const row of rows) if (hasId(page, row) && !known.deliver(sliceKey(page, row))) throw disorderedRowsError(id)
    yield { page, rows }
  }
  let after = mark
  while (known.missing > 0) {
    const collection = await source.storage.findCollection(id)
    if (collection === undefined) throw makeGoneFault(id)
    // Known ids without a row.
    if (collection.seq === after) throw disorderedRowsError(id)
    for await (const page of readPages(source, id, { after, upTo: collection.seq })) {
      const rows = soundRows(id, page, skipped)
      yield { page, rows: rows.filter((row) => hasId(page, row) && known.deliver(sliceKey(page, row))) }
    }
    after = collection.seq
  }
}

/**
 * Returns the rows of a page except damaged ones that are skipped.
 *
 * @throws Fault `damaged_storage` for a line that was damaged since its verification, because the header has already
 * counted it.
 */
export function soundRows(id: string, page: RecordPage, skipped: ReadonlySet<number>): Uint32Array {
  const fresh = page.damaged.filter(({ seq }) => !skipped.has(seq))
  if (fresh.length > 0) throw makeDamageFault(id, { damaged: fresh, missing: 0 })
  const rows = Uint32Array.from({ length: page.count }, (_, row) => row)
  return skipped.size === 0 ? rows : rows.filter((row) => !skipped.has(page.seqs[row] ?? 0))
}

type Range = { after: number; upTo: number }

/** Reads pages, and the next one while one is used. */
export async function* readPages(
  { storage, signal }: ExportSource,
  id: string,
  { after, upTo }: Range
): AsyncGenerator<RecordPage> {
  const read = (from: number): Promise<RecordPage> => {
    const page = storage.readPage(id, { after: from, upTo, maxBytes: PAGE_BYTES })
    // An interrupted export does not wait for it.
    page.catch(() => undefined)
    return page
  }
  let next: Promise<RecordPage> | undefined = after < upTo ? read(after) : undefined
  while (next !== undefined) {
    const page: RecordPage = await next
    if (signal.aborted) throw new Fault('unavailable', 'the export was cancelled')
    if (page.count === 0) return
    const last = page.seqs[page.count - 1] as number
    next = last < upTo ? read(last) : undefined
    yield page
  }
}

const PAGE_BYTES = 1024 * 1024

function hasId({ kinds }: RecordPage, row: number): boolean {
  return kinds[row] !== RECORD_KINDS.unknown
}

function sliceKey({ keys }: RecordPage, row: number): Uint8Array {
  return keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES)
}

function makeGoneFault(id: string): Fault {
  return new Fault('not_found', `collection ${id} was deleted during its export`)
}

/** The end of an export. `leftOut` is set if damaged lines were to be skipped. */
type FrameEnd = { records: number; rootHash: string; leftOut: LeftOut | undefined }

/** The text around and between the lines of an export. */
type ExportFrame = {
  before: string
  /** Before the first line. */
  first: string
  /** Before every other line. */
  between: string
  after(end: FrameEnd): string
}

/** Frames by format. `header` is the header's line, without LF. */
const EXPORT_FRAMES: Readonly<Record<'jsonl' | 'json', (header: string) => ExportFrame>> = {
  jsonl: (header) => ({
    before: header,
    first: '\n',
    between: '\n',
    after: (end) => `\n${JSON.stringify(endLine(end))}\n`
  }),
  // The members of the header follow the records: `{"snapshot":{"records":[…],"check":…},"root_hash":…}`.
  json: (header) => ({
    before: '{"snapshot":{"records":[',
    first: '\n',
    between: ',\n',
    after: ({ rootHash, leftOut }) => {
      const about = JSON.stringify({ root_hash: rootHash, left_out: leftOut })
      return `],${header.slice(1)},${about.slice(1)}\n`
    }
  })
}

function endLine({ records, rootHash, leftOut }: FrameEnd): ExportEnd {
  return { type: 'end', records, root_hash: rootHash, left_out: leftOut }
}

type Rows = { page: RecordPage; rows: Uint32Array; isFirst: boolean }

/** Joins the lines of some rows of a page with the separators between them. */
export function frameLines(
  { first, between }: Pick<ExportFrame, 'first' | 'between'>,
  { page, rows, isFirst }: Rows
): Uint8Array {
  const start = (row: number): number => (row === 0 ? 0 : (page.ends[row - 1] as number))
  const marks = [Buffer.from(isFirst ? first : between), Buffer.from(between)] as const
  let size = marks[0].length + (rows.length - 1) * marks[1].length
  for (const row of rows) size += (page.ends[row] as number) - start(row)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const row of rows) {
    at += marks[at === 0 ? 0 : 1].copy(bytes, at)
    bytes.set(page.lines.subarray(start(row), page.ends[row]), at)
    at += (page.ends[row] as number) - start(row)
  }
  return bytes
}

/** The damage in a collection. `missing` is the number of memories that it counts and that have no line. */
type Damage = { damaged: readonly DamagedLine[]; missing: number }

/** Bytes of lines that are verified at once: a few milliseconds of work. */
const PART_BYTES = 256 * 1024

/** Maximum number of lines listed in a reply. */
const NAMED_MAX = 100
/** Maximum number of lines named in a message. */
const TOLD_MAX = 3

/** Verifies all lines of a collection in the storage, and notes damaged ones there. */
async function findDamage(
  { storage, signal }: { storage: Storage; signal: AbortSignal },
  { id, seq, memories }: StoredCollection
): Promise<Damage> {
  const damaged: DamagedLine[] = []
  let found = 0
  for (let after = 0; after < seq; ) {
    if (signal.aborted) throw new Fault('unavailable', 'the export was cancelled')
    const part = await storage.verifyLines(id, { after, upTo: seq, maxBytes: PART_BYTES })
    if (part.isEnd) break
    if (part.damaged.length > 0) await storage.noteDamage(id, { after, upTo: part.upTo, damaged: part.damaged })
    damaged.push(...part.damaged)
    found += part.memories
    after = part.upTo
  }
  // If nothing was written meanwhile, the counter must match the number of memories.
  const isSame = (await storage.findCollection(id))?.seq === seq
  return { damaged, missing: isSame ? Math.max(0, memories - found) : 0 }
}

/** Builds the error of an export with damaged lines. */
function makeDamageFault(id: string, { damaged, missing }: Damage): Fault {
  const told = damaged.slice(0, TOLD_MAX).map((line) => `${nameLine(line)} ${line.reason}`)
  const more = damaged.length > TOLD_MAX ? `; and ${damaged.length - TOLD_MAX} more` : ''
  const count = damaged.length === 1 ? '1 damaged line' : `${damaged.length} damaged lines`
  const lines = damaged.length === 0 ? '' : `${count}: ${told.join('; ')}${more}`
  const lost = missing === 0 ? '' : `${missing} memories without a line`
  return new Fault('damaged_storage', `collection ${id} has ${[lines, lost].filter(Boolean).join(', and ')}`, {
    hint:
      "run memctl server check --repair on the server's machine to set the damaged lines aside, or export the rest: " +
      'memctl device export --skip-damaged (in a request: `"skip_damaged": true`)',
    errors: damaged
      .slice(0, NAMED_MAX)
      .map((line) => ({ path: `lines[${line.seq}]`, message: `${nameLine(line)} ${line.reason}` }))
  })
}

/** Describes the lines that an export omitted. */
function toLeftOut({ damaged, missing }: Damage): LeftOut {
  return {
    count: damaged.length,
    missing,
    lines: damaged.slice(0, NAMED_MAX).map(({ seq, id, reason }) => ({ seq, id, reason }))
  }
}

function nameLine({ seq, id }: DamagedLine): string {
  return id === '' ? `the line with sequence number ${seq}` : `${id} (sequence number ${seq})`
}
