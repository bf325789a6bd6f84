import { mergePlaceNames } from '../providers/port/merge-place-names.ts'
import type { Page } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem, ReadsBegun, ReadsToBegin } from '../storage/port/sync-storage.ts'

import { commitBatch, type ItemBatch } from './commit-batch.ts'
import { resolveLeftItem } from './look-up-item.ts'
import { isToRead, type ResolvedItem, resolveItem } from './resolve-item.ts'
import type { Run } from './run.ts'
import { type PassState, type SyncProgress, setPass, writeProgress } from './sync-progress.ts'

/** The number of known items that are loaded at once. */
const IDS_MAX = 1000
/** The number of items that are read at the same time. */
const READS_AT_ONCE = 4
/** Limits of what one transaction writes. A larger transaction needs more memory and delays other writers. */
const BATCH = { ITEMS_MAX: 500, MEMORIES_MAX: 2000, WEIGHT_MAX: 4 * 1024 * 1024 }

/**
 * Stores a page: reads the new and changed items and writes them together with the deletions. The cursor is written
 * last. If the run ends before that, the page is requested again, and the items already written are known.
 *
 * @throws ProviderFailure if the error concerns more than one item. The items resolved before are written.
 */
export async function storePage(
  run: Run,
  page: Page,
  after: { pass: PassState; progress: SyncProgress }
): Promise<void> {
  const { seen, gone, left = [], emptied = [], covered = [], ledger = [], named = [] } = page
  const learned = named.map(({ id, name }) => [id, name] as const)
  const placeNames = mergePlaceNames(run.placeNames, learned, run.selection)
  const hasNews = learned.some(([id]) => placeNames[id] !== run.placeNames[id])
  const known = await loadKnownItems(run, [...seen.map(({ id }) => id), ...left])
  const leaving = left.flatMap((id) => known.get(id) ?? [])
  await storeItems(run, {
    pass: after.pass.number,
    inputs: [...seen.map((item) => ({ item })), ...leaving.map((leaves) => ({ leaves }))],
    toRead: (one) => {
      if ('leaves' in one) return one.leaves
      return isToRead(run, one.item, known.get(one.item.id)) ? one.item : undefined
    },
    resolve: (one) =>
      'item' in one ? resolveItem(run, one.item, known.get(one.item.id)) : resolveLeftItem(run, one.leaves, page),
    first: { gone, emptied, covered },
    last: { ledger, progress: writeProgress(after.progress), ...(hasNews && { placeNames }) }
  })
  run.progress = after.progress
  run.placeNames = placeNames
}

/** Writes only the progress of a pass. */
export async function storeProgress(run: Run, pass: PassState): Promise<void> {
  await storePage(run, EMPTY_PAGE, { pass, progress: setPass(run.progress, pass) })
}

/** A page without changes. */
export const EMPTY_PAGE: Page = { seen: [], gone: [], cursor: '', more: false }

async function loadKnownItems({ parts, lease }: Run, all: readonly string[]): Promise<Map<string, KnownItem>> {
  const known = new Map<string, KnownItem>()
  for (let at = 0; at < all.length; at += IDS_MAX) {
    const ids = all.slice(at, at + IDS_MAX)
    for (const item of await parts.storage.findKnownItems(lease.hold.connectionId, ids)) known.set(item.id, item)
  }
  return known
}

/** `first` and `last` are written with the first and the last batch. */
type ItemsToStore<In> = {
  pass: number
  inputs: readonly In[]
  /** Returns the item that `resolve` may read, in its known version. */
  toRead(input: In): ItemToRead | undefined
  resolve(input: In): Promise<ResolvedItem>
  first?: Pick<ItemBatch, 'gone' | 'emptied' | 'covered'>
  last?: Pick<ItemBatch, 'ledger' | 'progress' | 'placeNames'>
}

/**
 * Resolves items, several at a time, and writes them in order, in one or more batches. Records the reads before they
 * begin.
 *
 * @throws ProviderFailure if the error concerns more than one item. The items resolved before are written, but `last`
 * is not.
 */
export async function storeItems<In>(run: Run, items: ItemsToStore<In>): Promise<void> {
  const { pass, resolve, last } = items
  const { suspects, others } = await recordAndSplitReads(run, items)
  let batch = { ...newBatch(pass), ...items.first }
  for (const [input, item] of suspects) {
    const waiting = batch
    await run.parts.suspectQueue(() =>
      readAlone(run, item, async () => {
        await commitBatch(run, { ...waiting, resolved: await withAttached(run, await resolve(input)) })
      })
    )
    batch = newBatch(pass)
  }
  const isFilledBy = createFillMeter()
  try {
    const resolveAll = async (input: In) => withAttached(run, await resolve(input))
    for await (const resolved of mapInOrder(others, READS_AT_ONCE, resolveAll)) {
      batch.resolved.push(...resolved)
      if (!isFilledBy(resolved)) continue
      await commitBatch(run, batch)
      batch = newBatch(pass)
    }
  } catch (error) {
    if (error instanceof ProviderFailure && batch.resolved.length > 0) await commitBatch(run, batch)
    throw error
  }
  await commitBatch(run, { ...batch, ...last })
}

/** The reason of an attached item that is not read because of those before it. */
const TOO_MUCH = 'the item and its other attachments already have as much text as is read at once'

/**
 * Returns a resolved item and its attached items, which are resolved too. They are written in one transaction, so that
 * an interrupted run leaves no item without its attached ones.
 *
 * @throws ProviderFailure if the error concerns more than one item.
 */
async function withAttached(run: Run, resolved: ResolvedItem): Promise<ResolvedItem[]> {
  const all = [resolved]
  const { attached = [] } = resolved
  const known = await loadKnownItems(
    run,
    attached.map(({ id }) => id)
  )
  let { weight } = resolved
  for (const item of attached) {
    const isRead = weight < BATCH.WEIGHT_MAX
    const one = await resolveItem(run, isRead ? item : { skipped: TOO_MUCH, ...item }, known.get(item.id))
    weight += one.weight
    all.push(one)
  }
  return all
}

function newBatch(pass: number): ItemBatch & { resolved: ResolvedItem[] } {
  return { pass, resolved: [], gone: [], emptied: [], covered: [], ledger: [], progress: undefined }
}

/**
 * Creates a function that adds items to the current batch and returns whether the batch is full. A full batch is
 * followed by an empty one.
 */
function createFillMeter(): (resolved: readonly ResolvedItem[]) => boolean {
  let [items, weight, memories] = [0, 0, 0]
  return (resolved) => {
    for (const { weight: more, state } of resolved) {
      items += 1
      weight += more
      memories += state.kind === 'content' ? state.drafts.length : 0
    }
    const isFull = items >= BATCH.ITEMS_MAX || weight >= BATCH.WEIGHT_MAX || memories >= BATCH.MEMORIES_MAX
    if (isFull) [items, weight, memories] = [0, 0, 0]
    return isFull
  }
}

type ItemToRead = { id: string; version?: string | undefined }

/** The inputs whose item may have ended the server, each with its item, and all other inputs. */
type ReadSplit<In> = { suspects: [In, ItemToRead][]; others: In[] }

/**
 * Records all reads in the storage before the first of them begins. An item that an earlier run was reading when its
 * server ended is suspect and is read alone. An item that ended a server twice is set aside and not read any more.
 *
 * @throws LeaseLost
 */
async function recordAndSplitReads<In>(
  run: Run,
  { inputs, toRead }: { inputs: readonly In[]; toRead(input: In): ItemToRead | undefined }
): Promise<ReadSplit<In>> {
  const items = inputs.flatMap((input) => toRead(input) ?? [])
  const { suspects, setAside } = await recordReads(run, items, { alone: false })
  for (const { id } of items) run.setAside.delete(id)
  for (const id of setAside) run.setAside.add(id)
  const ids = new Set(suspects)
  const split: ReadSplit<In> = { suspects: [], others: [] }
  for (const input of inputs) {
    const item = toRead(input)
    if (item !== undefined && ids.has(item.id)) split.suspects.push([input, item])
    else split.others.push(input)
  }
  return split
}

/**
 * Reads and writes a suspect item while this server reads no other suspect, so that the item that ends the server can
 * be identified.
 *
 * @throws LeaseLost; any error of the work.
 */
async function readAlone(run: Run, item: ItemToRead, work: () => Promise<void>): Promise<void> {
  run.lease.signal.throwIfAborted()
  await recordReads(run, [item], { alone: true })
  await work()
}

type RecordedReads = Exclude<ReadsBegun, { outcome: 'lost' }>

async function recordReads(
  { parts, lease }: Run,
  items: readonly ItemToRead[],
  { alone }: Pick<ReadsToBegin, 'alone'>
): Promise<RecordedReads> {
  if (items.length === 0) return { outcome: 'begun', suspects: [], setAside: [] }
  const reads = { items: items.map(({ id, version }) => ({ id, version })), alone }
  const recorded = await parts.storage.recordReads(lease.hold, reads)
  if (recorded.outcome === 'lost') throw lease.lose()
  return recorded
}

/**
 * Yields the results of asynchronous work in the order of the inputs, with at most `atOnce` tasks running. A rejection
 * is thrown after the results that precede it.
 */
export async function* mapInOrder<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  work: (input: In) => Promise<Out>
): AsyncGenerator<Out> {
  const ahead: Promise<Out>[] = []
  for (const input of inputs) {
    const result = work(input)
    // A rejection that is never reached must not count as unhandled.
    result.catch(() => undefined)
    ahead.push(result)
    const first = ahead.length < atOnce ? undefined : ahead.shift()
    if (first !== undefined) yield await first
  }
  for (const rest of ahead) yield await rest
}
