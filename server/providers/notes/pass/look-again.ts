import type { ProviderCall } from '../../provider.ts'
import { getBlock, getDatabase, getPage } from '../requests.ts'
import { isTrashed, type Tagged, taggedText } from '../wire.ts'
import { leaveDatabase, leavePage } from './leave.ts'
import { liesInTrash, orGone } from './lies-in-trash.ts'
import { needsWatching, noteStanding } from './note-visit.ts'
import type { PageNote } from './notebook.ts'
import { noteSourceFound } from './rows-work.ts'
import type { Step } from './step.ts'
import type { Found } from './visit-pages.ts'
import type { Work } from './work.ts'

type PageWork = Extract<Work, { do: 'page' | 'check' }>
type DatabaseWork = Extract<Work, { do: 'database' }>

/** How many blocks a page may stand in, one in the other. */
const DEPTH_MAX = 30

/** A page that work is about, as far as there is still something to see of it. @throws ProviderFailure */
export async function lookAtPage(step: Step, work: PageWork): Promise<Found | undefined> {
  const { notes, state, call } = step
  const note = await notes.page(work.id)
  if (work.do === 'check' && note === undefined) return await lookAtDatabaseIn(step, work)
  if (work.do === 'page' && note !== undefined && note.pass >= state.at) return undefined
  const page = await orGone(getPage(call, work.id))
  const isGone = page === undefined || isTrashed(page) || (await wentWith(step, page, work.above))
  if (page === undefined || isGone) {
    step.achieved = true
    if (note !== undefined) await leavePage(step, work.id)
    return undefined
  }
  const above = work.do === 'page' ? (work.above ?? note?.above) : undefined
  if (work.do === 'check' && note?.above === work.above) notes.notePage(work.id, movedAway(note))
  const found = { page, listed: note?.listed ?? false, above, tries: work.tries }
  if (note !== undefined && note.read > 0 && !(await needsWatching(step, found))) {
    notes.unwatch(page.id)
    await noteStanding(step, page)
  }
  return found
}

function movedAway({ above: _, ...note }: PageNote): PageNote {
  return note
}

/** The data sources of a database. @throws ProviderFailure */
export async function lookAtDatabase(step: Step, { id }: DatabaseWork): Promise<void> {
  const database = await orGone(getDatabase(step.call, id))
  step.achieved = true
  if (database === undefined || isTrashed(database)) return await leaveDatabase(step, id)
  step.notes.unwatch(id)
  for (const source of database.data_sources) {
    step.notes.addChild(id, source.id)
    await noteSourceFound(step, source.id)
  }
}

/** What stood in a page and is no page may be a database; what it was in may be gone, or it was moved. */
async function lookAtDatabaseIn(step: Step, work: Extract<Work, { do: 'check' }>): Promise<undefined> {
  if ((await step.notes.children(work.id)).length === 0) return undefined
  const database = await orGone(getDatabase(step.call, work.id))
  step.achieved = true
  if (database === undefined || isTrashed(database) || (await wentWith(step, database, work.above)))
    await leaveDatabase(step, work.id)
  return undefined
}

/**
 * Whether what something stands in is gone: the trash does not say of what is in its things that it lies there, too. Where that is known
 * to be there, or there is nothing to know, it is not.
 */
async function wentWith(
  step: Step,
  { parent }: { parent?: Tagged | undefined },
  above: string | undefined
): Promise<boolean> {
  const { notes, call } = step
  const place = await pageAbove(call, parent)
  if (parent === undefined || parent.type === 'workspace') return false
  if (place === undefined) return await liesInTrash(call, parent)
  if ((await notes.page(place)) !== undefined || (await notes.source(place)) !== undefined) return false
  return place === above || (await liesInTrash(call, parent))
}

/** The page or data source in which something stands, maybe in blocks of it; undefined at the top, or where that is not to be seen. */
async function pageAbove(call: ProviderCall, parent: Tagged | undefined): Promise<string | undefined> {
  let place = parent
  for (let depth = 0; place?.type === 'block_id' && depth < DEPTH_MAX; depth += 1) {
    const block = await orGone(getBlock(call, taggedText(place) ?? ''))
    if (block === undefined || isTrashed(block)) return undefined
    place = block.parent
  }
  return taggedText(place)
}
