import { Fault } from '../../../src/contract/faults.ts'
import { KEY_BYTES, RECORD_KINDS, type RecordPage } from '../../storage/record-batch.ts'
import type { Storage, StoredCollection } from '../../storage/storage.ts'
import type { KnownIds } from './known-ids.ts'

/** A page, and which of its rows belong to the export. */
export type ExportPage = { page: RecordPage; rows: Uint32Array }

export type ExportSource = { storage: Storage; signal: AbortSignal }

/**
 * What a collection held at a mark, page by page, in the order of sequence numbers, the next page being read while one
 * is used. A memory that is replaced or forgotten meanwhile loses the row that the mark would have shown: where it was not
 * delivered before, its newer row stands for it, so that every known id is delivered.
 */
export async function* exportPages(
  source: ExportSource,
  { id, seq: mark }: StoredCollection,
  known: KnownIds
): AsyncGenerator<ExportPage> {
  for await (const page of pagesOf(source, id, { after: 0, upTo: mark })) {
    for (let row = 0; row < page.count; row++) if (hasId(page, row)) known.deliver(keyOf(page, row))
    yield { page, rows: Uint32Array.from({ length: page.count }, (_, row) => row) }
  }
  let after = mark
  while (known.missing > 0) {
    const collection = await source.storage.collection(id)
    if (collection === undefined) throw goneFault(id)
    if (collection.seq === after) throw new Error(`${known.missing} known ids of a collection have no row`)
    for await (const page of pagesOf(source, id, { after, upTo: collection.seq })) {
      const rows = Uint32Array.from({ length: page.count }, (_, row) => row)
      yield { page, rows: rows.filter((row) => hasId(page, row) && known.deliver(keyOf(page, row))) }
    }
    after = collection.seq
  }
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
