import type { Page } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem } from '../storage/port/item-storage.ts'
import type { ReadsBegun, ReadsToBegin } from '../storage/port/page-storage.ts'
import { type Part, writePart } from './commit-batch.ts'
import { findLeft } from './look-up-item.ts'
import { type PassState, type Progress, progressText, withPass } from './progress.ts'
import { type Found, findItem, isToRead } from './resolve-item.ts'
import type { Run } from './run.ts'

/** Ids that are asked for at once. */
const IDS_MAX = 1000

/**
 * Takes in what a page tells. Its cursor is written at the end: until then the page is asked for again, and what was written is
 * known.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written.
 */
export async function takePage(run: Run, page: Page, then: { pass: PassState; progress: Progress }): Promise<void> {
  const { seen, gone, left = [], emptied = [], covered = [], ledger = [] } = page
  const known = await knownOf(run, [...seen.map(({ id }) => id), ...left])
  const leaving = left.flatMap((id) => known.get(id) ?? [])
  await writeInParts(run, {
    pass: then.pass.number,
    inputs: [...seen.map((item) => ({ item })), ...leaving.map((leaves) => ({ leaves }))],
    readOf: (one) => {
      if ('leaves' in one) return one.leaves
      return isToRead(run, one.item, known.get(one.item.id)) ? one.item : undefined
    },
    find: (one) => ('item' in one ? findItem(run, one.item, known.get(one.item.id)) : findLeft(run, one.leaves, page)),
    first: { gone, emptied, covered },
    last: { ledger, progress: progressText(then.progress) }
  })
  run.progress = then.progress
}

/** Writes how far a pass has come, and nothing else. */
export async function takeProgress(run: Run, pass: PassState): Promise<void> {
  await takePage(run, NO_PAGE, { pass, progress: withPass(run.progress, pass) })
}

/** A page that tells nothing. */
export const NO_PAGE: Page = { seen: [], gone: [], cursor: '', more: false }

async function knownOf({ parts, held }: Run, all: readonly string[]): Promise<Map<string, KnownItem>> {
  const known = new Map<string, KnownItem>()
  for (let at = 0; at < all.length; at += IDS_MAX) {
    const ids = all.slice(at, at + IDS_MAX)
    for (const item of await parts.storage.knownItems(held.hold.connectionId, ids)) known.set(item.id, item)
  }
  return known
}

/** Items that are read at the same time. */
const READS_AT_ONCE = 4
/** What is written at once: more of it waits in memory, and holds up others. */
const PART = { ITEMS_MAX: 500, MEMORIES_MAX: 2000, WEIGHT_MAX: 4 * 1024 * 1024 }

/** `first` and `last`: what is written with the first part, and with the last one. */
type InParts<In> = {
  pass: number
  inputs: readonly In[]
  /** The item that finding out may read, in the version that is known. */
  readOf(input: In): { id: string; version?: string | undefined } | undefined
  find(input: In): Promise<Found>
  first?: Pick<Part, 'gone' | 'emptied' | 'covered'>
  last?: Pick<Part, 'ledger' | 'progress'>
}

/**
 * Finds out what becomes of items, and writes it, in parts where it is much.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written, and `last` is not.
 */
export async function writeInParts<In>(run: Run, parts: InParts<In>): Promise<void> {
  const { pass, find, last } = parts
  const { suspects, others } = await beginReads(run, parts)
  let part = { ...newPart(pass), ...parts.first }
  for (const [input, item] of suspects) {
    const waiting = part
    await run.parts.suspectTurns(() =>
      readAlone(run, item, async () => {
        await writePart(run, { ...waiting, found: [await find(input)] })
      })
    )
    part = newPart(pass)
  }
  const fills = createFilling()
  try {
    for await (const found of inOrder(others, READS_AT_ONCE, find)) {
      part.found.push(found)
      if (!fills(found)) continue
      await writePart(run, part)
      part = newPart(pass)
    }
  } catch (error) {
    if (error instanceof ProviderFailure && part.found.length > 0) await writePart(run, part)
    throw error
  }
  await writePart(run, { ...part, ...last })
}

function newPart(pass: number): Part & { found: Found[] } {
  return { pass, found: [], gone: [], emptied: [], covered: [], ledger: [], progress: undefined }
}

/** Whether a part is full with one more; the next begins empty then. */
function createFilling(): (found: Found) => boolean {
  let [items, weight, memories] = [0, 0, 0]
  return (found) => {
    items += 1
    weight += found.weight
    memories += found.state.kind === 'content' ? found.state.drafts.length : 0
    const isFull = items >= PART.ITEMS_MAX || weight >= PART.WEIGHT_MAX || memories >= PART.MEMORIES_MAX
    if (isFull) [items, weight, memories] = [0, 0, 0]
    return isFull
  }
}

type Item = { id: string; version?: string | undefined }

/** Inputs whose item may have ended the server, each with the item, and all others. */
type Split<In> = { suspects: [In, Item][]; others: In[] }

/**
 * Notes all reads of a run in the storage before the first of them begins. What an earlier run of a server that was ended was reading is
 * suspect, and is read alone; what ended it twice is not read any more.
 *
 * @throws HoldLost
 */
async function beginReads<In>(
  run: Run,
  { inputs, readOf }: { inputs: readonly In[]; readOf(input: In): Item | undefined }
): Promise<Split<In>> {
  const items = inputs.flatMap((input) => readOf(input) ?? [])
  const { suspects, setAside } = await begun(run, items, { alone: false })
  for (const { id } of items) run.setAside.delete(id)
  for (const id of setAside) run.setAside.add(id)
  const ids = new Set(suspects)
  const split: Split<In> = { suspects: [], others: [] }
  for (const input of inputs) {
    const item = readOf(input)
    if (item !== undefined && ids.has(item.id)) split.suspects.push([input, item])
    else split.others.push(input)
  }
  return split
}

/**
 * Has a suspect item read and written while no other one is read by this server, so that it is known what ends the server then.
 *
 * @throws HoldLost; what the work throws.
 */
async function readAlone(run: Run, item: Item, work: () => Promise<void>): Promise<void> {
  run.held.signal.throwIfAborted()
  await begun(run, [item], { alone: true })
  await work()
}

type Begun = Exclude<ReadsBegun, { outcome: 'lost' }>

async function begun(
  { parts, held }: Run,
  items: readonly Item[],
  { alone }: Pick<ReadsToBegin, 'alone'>
): Promise<Begun> {
  if (items.length === 0) return { outcome: 'begun', suspects: [], setAside: [] }
  const reads = { items: items.map(({ id, version }) => ({ id, version })), alone }
  const answer = await parts.storage.beginReads(held.hold, reads)
  if (answer.outcome === 'lost') throw held.lose()
  return answer
}

/**
 * What becomes of each input, in the order of the inputs, with at most `atOnce` under way. What rejects is thrown when its turn comes, after
 * what stood before it.
 */
export async function* inOrder<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  work: (input: In) => Promise<Out>
): AsyncGenerator<Out> {
  const ahead: Promise<Out>[] = []
  for (const input of inputs) {
    const begun = work(input)
    // One whose turn never comes must not fall as an unhandled one.
    begun.catch(() => undefined)
    ahead.push(begun)
    const first = ahead.length < atOnce ? undefined : ahead.shift()
    if (first !== undefined) yield await first
  }
  for (const rest of ahead) yield await rest
}
