import { Fault } from '../../../src/contract/faults.ts'
import { disorderedRows } from '../../storage/read-records.ts'
import { KEY_BYTES, RECORD_KINDS, type RecordPage } from '../../storage/record-batch.ts'
import type { Storage, StoredCollection } from '../../storage/storage.ts'
import { damagedLinesFault } from './damaged-lines.ts'
import type { KnownIds } from './known-ids.ts'

/** A page, and which of its rows belong to the export. */
export type ExportPage = { page: RecordPage; rows: Uint32Array }

/** The ids that are to be delivered, and the sequence numbers of damaged lines that are left out. */
export type ExportPlan = { known: KnownIds; skipped: ReadonlySet<number> }

export type ExportSource = { storage: Storage; signal: AbortSignal }

/**
 * What a collection held at a mark, page by page, in the order of sequence numbers, the next page being read while one
 * is used. A memory that is replaced or forgotten meanwhile loses the row that the mark would have shown: where it was not
 * delivered before, its newer row stands for it, so that every known id is delivered. A damaged line is delivered by none.
 */
export async function* exportPages(
  source: ExportSource,
  { id, seq: mark }: StoredCollection,
  { known, skipped }: ExportPlan
): AsyncGenerator<ExportPage> {
  for await (const page of pagesOf(source, id, { after: 0, upTo: mark })) {
    const rows = soundRows(id, page, skipped)
    for (const row of rows) if (hasId(page, row) && !known.deliver(keyOf(page, row))) throw disorderedRows(id)
    yield { page, rows }
  }
  let after = mark
  while (known.missing > 0) {
    const collection = await source.storage.collection(id)
    if (collection === undefined) throw goneFault(id)
    // Known ids that have no row.
    if (collection.seq === after) throw disorderedRows(id)
    for await (const page of pagesOf(source, id, { after, upTo: collection.seq })) {
      const rows = soundRows(id, page, skipped)
      yield { page, rows: rows.filter((row) => hasId(page, row) && known.deliver(keyOf(page, row))) }
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
  if (fresh.length > 0) throw damagedLinesFault(id, { damaged: fresh, missing: 0 })
  const rows = Uint32Array.from({ length: page.count }, (_, row) => row)
  return skipped.size === 0 ? rows : rows.filter((row) => !skipped.has(page.seqs[row] ?? 0))
}

type Range = { after: number; upTo: number }

async function* pagesOf(
  { storage, signal }: ExportSource,
  id: string,
  { after, upTo }: Range
): AsyncGenerator<RecordPage> {
  const read = (from: number): Promise<RecordPage> => {
    const page = storage.page(id, { after: from, upTo, maxBytes: PAGE_BYTES })
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

function keyOf({ keys }: RecordPage, row: number): Uint8Array {
  return keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES)
}

function goneFault(id: string): Fault {
  return new Fault('not_found', `collection ${id} was deleted during its export`)
}
