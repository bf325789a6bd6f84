import type { Page, SeenItem } from '../providers/provider.ts'
import type { KnownItem } from '../storage/sync-storage.ts'
import { findItem } from './find-item.ts'
import { type PassState, type Progress, progressText } from './progress.ts'
import type { Run } from './run.ts'
import { writeInParts } from './write-in-parts.ts'

/** Ids that are asked for at once. */
const IDS_MAX = 1000

/**
 * Takes in what a page tells. Its cursor is written at the end: until then the page is asked for again, and what was written is
 * known.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written.
 */
export async function takePage(run: Run, page: Page, then: { pass: PassState; progress: Progress }): Promise<void> {
  const { seen, gone, emptied = [], covered = [], ledger = [] } = page
  const known = await knownOf(run, seen)
  await writeInParts(run, {
    pass: then.pass.number,
    inputs: seen,
    find: (item) => findItem(run, item, known.get(item.id)),
    first: { gone, emptied, covered },
    last: { ledger, progress: progressText(then.progress) }
  })
  run.progress = then.progress
}

async function knownOf({ parts, held }: Run, seen: readonly SeenItem[]): Promise<Map<string, KnownItem>> {
  const known = new Map<string, KnownItem>()
  for (let at = 0; at < seen.length; at += IDS_MAX) {
    const ids = seen.slice(at, at + IDS_MAX).map(({ id }) => id)
    for (const item of await parts.storage.knownItems(held.hold.connectionId, ids)) known.set(item.id, item)
  }
  return known
}
