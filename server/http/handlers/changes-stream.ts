import type { ChangesEnd } from '../../../src/contract/endpoints/collections.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'
import type { StoredCollection } from '../../storage/port/collection-storage.ts'
import { type ExportSource, frameLines, readPages, soundRows, toStream } from './export-stream.ts'

type ChangesWorld = ExportSource & { clock: Clock }

/** The sequence number that a caller has, and the epoch that it got with it, if any. */
export type Cursor = { after: number; epoch?: string | undefined }

/** `waitMs`: how long to wait for a higher number. */
type ChangesAsked = Cursor & { waitMs: number }

/**
 * Streams the lines of a collection that are newer than `after`, then a line with the sequence number to continue from.
 * Numbers become visible in order, so that a reader who continues from there misses no line, whichever server wrote it.
 * The first page is read before the first byte. Returns undefined if there is no such collection.
 *
 * @throws Fault `gone` if the collection has not assigned the number `after` in that epoch; `damaged_storage` if the first page has
 * a damaged line. A later failure breaks the stream off before its end.
 */
export async function changesStream(
  world: ChangesWorld,
  id: string,
  asked: ChangesAsked
): Promise<ReadableStream<Uint8Array> | undefined> {
  const collection = await awaitChange(world, id, asked)
  if (collection === undefined) return undefined
  assertReached(collection, asked)
  const parts = changeParts(world, collection, asked.after)
  const first = await parts.next()
  return toStream(continueParts(first, parts))
}

/** Time between two looks at the collection. Another server may write to it, so only the storage shows a change. */
const LOOK_MS = 250

/** Waits until the collection has a line after the given one, the time is over or the caller leaves. */
async function awaitChange(
  { storage, clock, signal }: ChangesWorld,
  id: string,
  { after, waitMs }: ChangesAsked
): Promise<StoredCollection | undefined> {
  const until = clock.ticks() + waitMs
  for (;;) {
    const collection = await storage.findCollection(id)
    const leftMs = until - clock.ticks()
    if (collection === undefined || collection.seq !== after || leftMs <= 0) return collection
    await clock.wait(Math.min(LOOK_MS, leftMs), signal).catch(() => undefined)
    signal.throwIfAborted()
  }
}

/** @throws Fault `gone` if a collection has never assigned a sequence number, or not in the given epoch. */
export function assertReached(collection: StoredCollection, { after, epoch }: Cursor): void {
  const { id, seq } = collection
  const reached = epoch === undefined ? seq : findEnd(collection, epoch)
  if (reached !== undefined && after <= reached) return
  const had = reached === undefined ? 'lacks the epoch' : `has only changes up to ${reached}`
  throw new Fault(
    'gone',
    `collection ${id} ${had} from which the request continues (${after}): the database was restored from a backup`,
    { hint: `discard what you have and start again: memctl api GET '/v1/collections/${id}/changes?after=0'` }
  )
}

/** Returns the last sequence number of an epoch; undefined if the database lacks it. */
function findEnd({ epochs, seq }: StoredCollection, epoch: string): number | undefined {
  const at = epochs.findIndex(({ id }) => id === epoch)
  return at < 0 ? undefined : (epochs[at + 1]?.after ?? seq)
}

const NONE: ReadonlySet<number> = new Set()

const LINE_FRAME = { first: '', between: '\n' }

async function* changeParts(
  source: ExportSource,
  { id, seq, epochs }: StoredCollection,
  after: number
): AsyncGenerator<Uint8Array> {
  let records = 0
  for await (const page of readPages(source, id, { after, upTo: seq })) {
    const rows = soundRows(id, page, NONE)
    if (rows.length === 0) continue
    yield frameLines(LINE_FRAME, { page, rows, isFirst: records === 0 })
    records += rows.length
  }
  const epoch = epochs.at(-1)?.id
  const end: ChangesEnd = { type: 'end', records, seq, ...(epoch !== undefined && { epoch }) }
  yield Buffer.from(`${records === 0 ? '' : '\n'}${JSON.stringify(end)}\n`)
}

/** Yields a part that was already produced, then the others. */
async function* continueParts(
  { done, value }: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array>
): AsyncGenerator<Uint8Array> {
  if (done) return
  yield value
  yield* rest
}
