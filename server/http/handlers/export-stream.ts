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

/** `skipsDamaged`: damaged lines are left out, and named at the end. */
type ExportAsked = { form: 'jsonl' | 'json'; skipsDamaged: boolean }

/**
 * A collection as a snapshot, made as it is read: no more than a few pages are held at a time, whatever its size. All lines are
 * verified before the first byte, and each once more as it is read. What fails in the middle breaks the stream off, so that its
 * end is missing.
 *
 * @throws Fault `damaged_storage` where lines are damaged and are not to be skipped.
 */
export async function exportStream(
  world: ExportWorld,
  collection: StoredCollection,
  { form, skipsDamaged }: ExportAsked
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
    ids_hash: createHash('sha256').update(ids).digest('hex')
  })
  const skipped = new Set(damage.damaged.map(({ seq }) => seq))
  const pages = exportPages(world, collection, { known, skipped })
  const leftOut = skipsDamaged ? toLeftOut(damage) : undefined
  return toStream(exportParts(world, { frame: EXPORT_FRAMES[form](header), leftOut }, pages))
}

/** Damaged lines are not delivered, so the header must not count them. */
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
  { frame, leftOut }: { frame: ExportFrame; leftOut: LeftOut | undefined },
  pages: AsyncIterable<ExportPage>
): AsyncGenerator<Uint8Array> {
  const rootHash = createRootHash(clock)
  let records = 0
  yield Buffer.from(frame.before)
  for await (const { page, rows } of pages) {
    if (rows.length === 0) continue
    yield frameLines(frame, { page, rows, isFirst: records === 0 })
    rootHash.add(copyChecks(page.checks, rows))
    records += rows.length
  }
  yield Buffer.from(frame.after({ records, rootHash: await rootHash.digest(), leftOut }))
}

/** A copy: a page whose checks were kept would be kept as a whole. */
function copyChecks(checks: Uint8Array, rows: Uint32Array): Uint8Array {
  const own = new Uint8Array(rows.length * CHECK_BYTES)
  rows.forEach((row, at) => {
    own.set(checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES), at * CHECK_BYTES)
  })
  return own
}

/** Parts are made when the reader can take them. A reader that goes away ends their making. */
function toStream(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
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

/** A page, and which of its rows belong to the export. */
type ExportPage = { page: RecordPage; rows: Uint32Array }

/** The ids that are to be delivered, and the sequence numbers of damaged lines that are left out. */
type ExportPlan = { known: KnownIds; skipped: ReadonlySet<number> }

type ExportSource = { storage: Storage; signal: AbortSignal }

/**
 * What a collection held at a mark, page by page, in the order of sequence numbers, the next page being read while one
 * is used. A memory that is replaced or forgotten meanwhile loses the row that the mark would have shown: where it was not
 * delivered before, its newer row stands for it, so that every known id is delivered. A damaged line is delivered by none.
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
    // Known ids that have no row.
    if (collection.seq === after) throw disorderedRowsError(id)
    for await (const page of readPages(source, id, { after, upTo: collection.seq })) {
      const rows = soundRows(id, page, skipped)
      yield { page, rows: rows.filter((row) => hasId(page, row) && known.deliver(sliceKey(page, row))) }
    }
    after = collection.seq
  }
}

/**
 * The rows of a page but for damaged ones that were to be skipped.
 *
 * @throws Fault `damaged_storage` for a line that was sound a moment ago: it can no longer be taken out of the header's counts.
 */
function soundRows(id: string, page: RecordPage, skipped: ReadonlySet<number>): Uint32Array {
  const fresh = page.damaged.filter(({ seq }) => !skipped.has(seq))
  if (fresh.length > 0) throw makeDamageFault(id, { damaged: fresh, missing: 0 })
  const rows = Uint32Array.from({ length: page.count }, (_, row) => row)
  return skipped.size === 0 ? rows : rows.filter((row) => !skipped.has(page.seqs[row] ?? 0))
}

type Range = { after: number; upTo: number }

async function* readPages(
  { storage, signal }: ExportSource,
  id: string,
  { after, upTo }: Range
): AsyncGenerator<RecordPage> {
  const read = (from: number): Promise<RecordPage> => {
    const page = storage.readPage(id, { after: from, upTo, maxBytes: PAGE_BYTES })
    // Whoever stops in the middle does not wait for it.
    page.catch(() => undefined)
    return page
  }
  let next: Promise<RecordPage> | undefined = after < upTo ? read(after) : undefined
  while (next !== undefined) {
    const page: RecordPage = await next
    if (signal.aborted) throw new Fault('unavailable', 'the export was stopped')
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

/** What an export says at its end. `leftOut` where damaged lines were to be skipped. */
type FrameEnd = { records: number; rootHash: string; leftOut: LeftOut | undefined }

/** What stands around and between the lines of an export. */
type ExportFrame = {
  before: string
  /** Before the first line. */
  first: string
  /** Before every other one. */
  between: string
  after(end: FrameEnd): string
}

/** By form. `header` is the header's line, without LF. */
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

/** The lines of some rows of a page with what stands between them. */
function frameLines({ first, between }: ExportFrame, { page, rows, isFirst }: Rows): Uint8Array {
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

/** What is damaged in a collection. `missing`: memories that it counts and that have no line at all. */
type Damage = { damaged: readonly DamagedLine[]; missing: number }

/** Lines that are verified at a time, in bytes: a few milliseconds of work. */
const PART_BYTES = 256 * 1024

/** Lines that a reply names at most. */
const NAMED_MAX = 100
/** Those that a sentence names. */
const TOLD_MAX = 3

/** Verifies all lines of a collection where they are stored. What is found damaged is noted there. */
async function findDamage(
  { storage, signal }: { storage: Storage; signal: AbortSignal },
  { id, seq, memories }: StoredCollection
): Promise<Damage> {
  const damaged: DamagedLine[] = []
  let found = 0
  for (let after = 0; after < seq; ) {
    if (signal.aborted) throw new Fault('unavailable', 'the export was stopped')
    const part = await storage.verifyLines(id, { after, upTo: seq, maxBytes: PART_BYTES })
    if (part.isEnd) break
    if (part.damaged.length > 0) await storage.noteDamage(id, { after, upTo: part.upTo, damaged: part.damaged })
    damaged.push(...part.damaged)
    found += part.memories
    after = part.upTo
  }
  // Where nothing was written meanwhile, the collection has as many memories as it counts.
  const isSame = (await storage.findCollection(id))?.seq === seq
  return { damaged, missing: isSame ? Math.max(0, memories - found) : 0 }
}

/** The fault of an export that meets damage. */
function makeDamageFault(id: string, { damaged, missing }: Damage): Fault {
  const told = damaged.slice(0, TOLD_MAX).map((line) => `${nameLine(line)} ${line.reason}`)
  const more = damaged.length > TOLD_MAX ? `; and ${damaged.length - TOLD_MAX} more` : ''
  const count = damaged.length === 1 ? '1 damaged line' : `${damaged.length} damaged lines`
  const lines = damaged.length === 0 ? '' : `${count}: ${told.join('; ')}${more}`
  const lost = missing === 0 ? '' : `${missing} of its memories without a line`
  return new Fault('damaged_storage', `collection ${id} has ${[lines, lost].filter(Boolean).join(', and ')}`, {
    hint:
      'memctl server check --repair on the machine of the server sets them aside, and the next sync restores what a ' +
      'connection has; memctl device export --skip-damaged (`"skip_damaged": true`) exports the rest',
    errors: damaged
      .slice(0, NAMED_MAX)
      .map((line) => ({ path: `lines[${line.seq}]`, message: `${nameLine(line)} ${line.reason}` }))
  })
}

/** What an export says of the lines that it left out. */
function toLeftOut({ damaged, missing }: Damage): LeftOut {
  return {
    count: damaged.length,
    missing,
    lines: damaged.slice(0, NAMED_MAX).map(({ seq, id, reason }) => ({ seq, id, reason }))
  }
}

function nameLine({ seq, id }: DamagedLine): string {
  return id === '' ? `the one with sequence number ${seq}` : `${id} (sequence number ${seq})`
}
