import type { Page, SeenItem } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import type { KnownItem } from '../storage/sync-storage.ts'
import { type Found, findItem } from './find-item.ts'
import { inOrder } from './in-order.ts'
import { type PassState, type Progress, progressText } from './progress.ts'
import type { Run } from './run.ts'
import { type Part, writePart } from './write-part.ts'

/** Items that are read at the same time. */
const READS_AT_ONCE = 4
/** Ids that are asked for at once. */
const IDS_MAX = 1000
/** What is written at once: more of it waits in memory, and holds up others. */
const PART = { ITEMS_MAX: 500, MEMORIES_MAX: 2000, WEIGHT_MAX: 4 * 1024 * 1024 }

/**
 * Takes in what a page tells, in parts where it is much. Its cursor is written with the last of them: until then the page is
 * asked for again, and what was written is known.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written.
 */
export async function takePage(run: Run, page: Page, then: { pass: PassState; progress: Progress }): Promise<void> {
  const { seen, gone, emptied = [], covered = [], ledger = [] } = page
  const known = await knownOf(run, seen)
  const pass = then.pass.number
  const part = newPart(pass, { gone, emptied, covered })
  const fills = createFilling()
  const write = async (last?: Pick<Part, 'ledger' | 'progress'>) => {
    await writePart(run, { ...part, ...last })
    Object.assign(part, newPart(pass))
  }
  try {
    for await (const found of inOrder(seen, READS_AT_ONCE, (item) => findItem(run, item, known.get(item.id)))) {
      part.found.push(found)
      if (fills(found)) await write()
    }
  } catch (error) {
    if (error instanceof ProviderFailure && part.found.length > 0) await write()
    throw error
  }
  await write({ ledger, progress: progressText(then.progress) })
  run.progress = then.progress
}

/**
 * Tries failed items again whose time has come.
 *
 * @throws as `takePage` does.
 */
export async function retryItems(run: Run): Promise<void> {
  const { storage, world } = run.parts
  const now = world.clock.now()
  const { connectionId } = run.held.hold
  for (;;) {
    const due = await storage.dueItems(connectionId, { now, limit: PART.ITEMS_MAX })
    if (due.length === 0) return
    const part = newPart(0)
    const fills = createFilling()
    try {
      for await (const found of inOrder(due, READS_AT_ONCE, (known) =>
        findItem(run, toldBefore(known), isDue(known))
      )) {
        part.found.push(found)
        if (!fills(found)) continue
        await writePart(run, part)
        part.found = []
      }
    } catch (error) {
      if (error instanceof ProviderFailure) await writePart(run, part)
      throw error
    }
    await writePart(run, part)
  }
}

/** As a page told of it when it failed. */
function toldBefore({ id, place, version }: KnownItem): SeenItem {
  return { id, ...(place !== undefined && { place }), ...(version !== undefined && { version }) }
}

/** Whatever the clock says meanwhile: it may jump. */
function isDue(known: KnownItem): KnownItem {
  return { ...known, nextTryAt: undefined }
}

type OpenPart = Part & { found: Found[] }

function newPart(pass: number, first: Partial<Pick<Part, 'gone' | 'emptied' | 'covered'>> = {}): OpenPart {
  return { pass, found: [], gone: [], emptied: [], covered: [], ledger: [], progress: undefined, ...first }
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

async function knownOf({ parts, held }: Run, seen: readonly SeenItem[]): Promise<Map<string, KnownItem>> {
  const known = new Map<string, KnownItem>()
  for (let at = 0; at < seen.length; at += IDS_MAX) {
    const ids = seen.slice(at, at + IDS_MAX).map(({ id }) => id)
    for (const item of await parts.storage.knownItems(held.hold.connectionId, ids)) known.set(item.id, item)
  }
  return known
}
