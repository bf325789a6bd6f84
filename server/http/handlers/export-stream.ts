import { createHash } from 'node:crypto'
import type { Clock } from '../../../src/ports.ts'
import { emptyHeader, headerLine } from '../../../src/snapshot/header.ts'
import { CHECK_BYTES } from '../../storage/record-batch.ts'
import type { StoredCollection } from '../../storage/storage.ts'
import { EXPORT_FRAMES, type ExportFrame, framedLines } from './export-frame.ts'
import { type ExportPage, type ExportSource, exportPages } from './export-pages.ts'
import { timeOf } from './handler-world.ts'
import { trackKnownIds } from './known-ids.ts'
import { createRootHash } from './root-hash.ts'

export type ExportWorld = ExportSource & { clock: Clock }

/**
 * A collection as a snapshot, made as it is read: no more than a few pages are held at a time, whatever its size. What
 * fails in the middle breaks the stream off, so that its end is missing.
 */
export async function exportStream(
  world: ExportWorld,
  collection: StoredCollection,
  form: 'jsonl' | 'json'
): Promise<ReadableStream<Uint8Array>> {
  const ids = await world.storage.knownIds(collection.id)
  const known = trackKnownIds(ids)
  const header = headerLine({
    ...emptyHeader({
      id: collection.snapshotId,
      created_at: timeOf(collection.createdAt),
      collection_id: collection.id
    }),
    count: known.count,
    ids_hash: createHash('sha256').update(ids).digest('hex')
  })
  return streamOf(exportParts(world, EXPORT_FRAMES[form](header), exportPages(world, collection, known)))
}

async function* exportParts(
  { clock }: ExportWorld,
  frame: ExportFrame,
  pages: AsyncIterable<ExportPage>
): AsyncGenerator<Uint8Array> {
  const rootHash = createRootHash(clock)
  let records = 0
  yield Buffer.from(frame.before)
  for await (const { page, rows } of pages) {
    if (rows.length === 0) continue
    yield framedLines(frame, { page, rows, isFirst: records === 0 })
    rootHash.add(checksOf(page.checks, rows))
    records += rows.length
  }
  yield Buffer.from(frame.after({ records, rootHash: await rootHash.digest() }))
}

/** A copy: a page whose checks were kept would be kept as a whole. */
function checksOf(checks: Uint8Array, rows: Uint32Array): Uint8Array {
  const own = new Uint8Array(rows.length * CHECK_BYTES)
  rows.forEach((row, at) => {
    own.set(checks.subarray(row * CHECK_BYTES, (row + 1) * CHECK_BYTES), at * CHECK_BYTES)
  })
  return own
}

/** Parts are made when the reader can take them. A reader that goes away ends their making. */
function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
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
