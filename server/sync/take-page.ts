import type { Page } from '../providers/provider.ts'
import type { KnownItem } from '../storage/port/sync-storage.ts'
import { findItem, isToRead } from './find-item.ts'
import { findLeft } from './look-up-item.ts'
import { type PassState, type Progress, progressText, withPass } from './progress.ts'
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
