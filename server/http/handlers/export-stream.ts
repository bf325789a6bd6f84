import { createHash } from 'node:crypto'
import type { LeftOut } from '../../../src/contract/endpoints/device-memory.ts'
import type { Clock } from '../../../src/ports.ts'
import { createEmptyHeader, serializeHeader } from '../../../src/snapshot/record/header.ts'
import { CHECK_BYTES, type DamagedLine, ID_BYTES } from '../../storage/record-batch.ts'
import type { StoredCollection } from '../../storage/storage.ts'
import { damagedLinesFault, findDamage, leftOutOf } from './damaged-lines.ts'
import { EXPORT_FRAMES, type ExportFrame, framedLines } from './export-frame.ts'
import { type ExportPage, type ExportSource, exportPages } from './export-pages.ts'
import { timeOf } from './handler-world.ts'
import { trackKnownIds } from './known-ids.ts'
import { createRootHash } from './root-hash.ts'

export type ExportWorld = ExportSource & { clock: Clock }

/** `skipsDamaged`: damaged lines are left out, and named at the end. */
export type ExportAsked = { form: 'jsonl' | 'json'; skipsDamaged: boolean }

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
  if (isDamaged && !skipsDamaged) throw damagedLinesFault(collection.id, damage)
  const ids = withoutIds(await world.storage.knownIds(collection.id), damage.damaged)
  const known = trackKnownIds(ids)
  const header = serializeHeader({
    ...createEmptyHeader({
      id: collection.snapshotId,
      created_at: timeOf(collection.createdAt),
      collection_id: collection.id
    }),
    count: known.count,
    ids_hash: createHash('sha256').update(ids).digest('hex')
  })
  const skipped = new Set(damage.damaged.map(({ seq }) => seq))
  const pages = exportPages(world, collection, { known, skipped })
  const leftOut = skipsDamaged ? leftOutOf(damage) : undefined
  return streamOf(exportParts(world, { frame: EXPORT_FRAMES[form](header), leftOut }, pages))
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
    yield framedLines(frame, { page, rows, isFirst: records === 0 })
    rootHash.add(checksOf(page.checks, rows))
    records += rows.length
  }
  yield Buffer.from(frame.after({ records, rootHash: await rootHash.digest(), leftOut }))
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
