import type { ProviderCall, SeenItem } from '../port/provider.ts'
import type { ProviderFailure } from '../port/provider-failure.ts'

import { isSettled, type PageNote, type Work } from './ledger.ts'
import { getPlace, toPageItem } from './page-item.ts'
import { liesInTrash, readPageText, unlessUnavailable } from './read.ts'
import { getBlock, getDatabase, getPage } from './requests.ts'
import { addSeen, asProviderFailure, isStopping, noteSource, removeDatabase, removePage, type Step } from './step.ts'
import { isTrashed, type Page, readTagged, type Tagged } from './wire.ts'

/** `listed`: search or a query told of it, not a page that it stands in. */
export type Found = { page: Page; listed: boolean; above?: string | undefined; tries?: number }

/** Texts that are asked for at a time; Notion allows about three calls a second in the long run. */
const AT_ONCE = 4
/** Characters of text in one page of a pass; what comes after is left to the next one. */
const WEIGHT_MAX = 8_000_000

/**
 * Takes pages in: those that are new or may have changed are read, others are noted only. What could not be read for reasons that may
 * pass comes up again.
 */
export async function visitPages(step: Step, found: readonly Found[]): Promise<void> {
  const unread: Found[] = []
  for (const one of found) if (await needsReading(step, one)) unread.push(one)
  for (let at = 0; at < unread.length; at += AT_ONCE) {
    const group = unread.slice(at, at + AT_ONCE)
    if (step.weight > WEIGHT_MAX || (step.failure !== undefined && isStopping(step.failure)))
      for (const one of group) queueAgain(step, one, 0)
    else await readGroup(step, group)
  }
}

/** Whether the text of a page has to be asked for. Notes what is told without it. */
async function needsReading(step: Step, { page, listed, above }: Found): Promise<boolean> {
  const { notes, state } = step
  state.newest = Math.max(state.newest, Date.parse(page.last_edited_time))
  const note = await notes.page(page.id)
  if (isTrashed(page)) {
    if (note !== undefined) await removePage(step, page.id)
    return false
  }
  if (note === undefined || note.edited !== page.last_edited_time) return true
  const inThisPass = note.pass >= state.at
  if (!inThisPass && (state.kind !== 'news' || !isSettled(note))) return true
  const place = getPlace(page)
  if (place !== note.place && note.version !== undefined)
    addSeen(step, { id: page.id, version: note.version, ...(place !== undefined && { place }) })
  if (place !== note.place || (listed && !note.listed) || (above !== undefined && above !== note.above))
    notes.notePage(page.id, {
      ...note,
      listed: listed || note.listed,
      ...(place !== undefined && { place }),
      ...(above !== undefined && { above })
    })
  if (place !== note.place) await noteParent(step, page)
  return false
}

async function readGroup(step: Step, group: readonly Found[]): Promise<void> {
  const results = await Promise.all(
    group.map(async (found) => ({ found, got: await readItem(step, found).catch(asProviderFailure) }))
  )
  for (const { found, got } of results) {
    if (got instanceof Error) await handleFailure(step, found, got)
    else {
      step.achieved = true
      addSeen(step, got.item)
      step.weight += got.item.content?.parts[0]?.text.length ?? 0
      await noteVisit(step, found, got)
    }
  }
}

async function readItem(step: Step, { page }: Found): Promise<Visited> {
  const { call, state, known } = step
  const place = getPlace(page)
  const common = { id: page.id, ...(place !== undefined && { place }) }
  const read = call.clock.now()
  if (state.kind === 'list') {
    // What was read and has not been edited since need not be read again to be named.
    const note = await known.page(page.id)
    if (note?.version !== undefined && note.edited === page.last_edited_time && isSettled(note)) {
      const children = await findKnownChildren(step, page.id)
      if (children !== undefined) return { item: { ...common, version: note.version }, read, ...children }
    }
  }
  const { text, pages, databases } = await readPageText(call, page.id)
  const content = toPageItem(page, text)
  const item: SeenItem = { ...common, version: content.version, content }
  return { item, read, pages, databases }
}

/** What is known to stand in a page, by kind; undefined where something does of which nothing else is known. */
async function findKnownChildren(
  { known }: Step,
  id: string
): Promise<Pick<Visited, 'pages' | 'databases'> | undefined> {
  const pages: string[] = []
  const databases: string[] = []
  for (const child of await known.children(id)) {
    if ((await known.page(child)) !== undefined) pages.push(child)
    else if ((await known.children(child)).length > 0) databases.push(child)
    else return undefined
  }
  return { pages, databases }
}

async function handleFailure(step: Step, found: Found, failure: ProviderFailure): Promise<void> {
  step.failure = failure
  if (failure.kind === 'item_gone') {
    step.achieved = true
    await removePage(step, found.page.id)
  } else if (isStopping(failure)) queueAgain(step, found, 0)
  else if (failure.kind === 'transient') queueAgain(step, found, 1)
  else await giveUp(step, found, failure)
}

/** How often a page is asked for in a pass before it is left to be tried by itself. */
const TRIES_MAX = 3

function queueAgain(step: Step, { page, above, tries = 0 }: Found, more: number): void {
  const all = tries + more
  if (all < TRIES_MAX) step.queue.put({ do: 'page', id: page.id, ...(above !== undefined && { above }), tries: all })
  else giveUpNow(step, { page, listed: false, above })
}

async function giveUp(step: Step, found: Found, failure: ProviderFailure): Promise<void> {
  step.call.log.debug({ page: found.page.id, why: failure.message }, 'a page could not be read')
  giveUpNow(step, found)
}

/** It is named without its content, so that it is read, and failing, by itself; and looked at again with the next pass. */
function giveUpNow(step: Step, { page, listed, above }: Found): void {
  const place = getPlace(page)
  const placed = place === undefined ? {} : { place }
  step.achieved = true
  addSeen(step, { id: page.id, ...placed })
  step.notes.notePage(page.id, {
    edited: page.last_edited_time,
    read: 0,
    pass: 0,
    listed,
    ...placed,
    ...(above !== undefined && { above })
  })
  step.notes.watch(page.id, 'page')
}

/** What came of reading a page: it, and what stands in it. `read`: when it was asked for (ms). */
type Visited = { item: SeenItem; read: number; pages: readonly string[]; databases: readonly string[] }

/** Notes a page that was read, and puts into the queue what follows from what stands in it, or no longer does. */
async function noteVisit(step: Step, found: Found, visited: Visited): Promise<void> {
  const { notes } = step
  const { page, above } = found
  const { item, read, pages, databases } = visited
  notes.notePage(page.id, {
    edited: page.last_edited_time,
    read,
    pass: step.state.at,
    listed: found.listed,
    ...(item.version !== undefined && { version: item.version }),
    ...(item.place !== undefined && { place: item.place }),
    ...(above !== undefined && { above })
  })
  if (page.parent.type === 'data_source_id') {
    const source = readTagged(page.parent)
    if (source !== undefined) notes.addChild(source, page.id)
  } else if (await needsWatching(step, found)) notes.watch(page.id, 'page')
  await noteParent(step, page)
  for (const gone of await findGoneChildren(step, page.id, [...pages, ...databases])) {
    notes.dropChild(page.id, gone)
    step.queue.put({ do: 'check', id: gone, above: page.id })
  }
  for (const child of pages) await noteChild(step, page.id, child)
  for (const child of databases) {
    notes.addChild(page.id, child)
    step.queue.put({ do: 'database', id: child })
  }
}

/**
 * Whether nothing else will tell of what becomes of a page: one that search does not list, or that stands in none that is known to us,
 * so that nobody notices when it is thrown away.
 */
async function needsWatching({ notes }: Step, { page, listed, above }: Found): Promise<boolean> {
  if (!listed || page.parent.type === 'workspace') return true
  if (above !== undefined) return false
  const parent = readTagged(page.parent)
  return parent === undefined || (await notes.page(parent)) === undefined
}

/** Notes a page at the one that it says it stands in: that may be gone before its own text tells of what was moved into it. */
async function noteParent({ notes }: Step, { id, parent }: Page): Promise<void> {
  const above = parent.type === 'page_id' ? readTagged(parent) : undefined
  if (above !== undefined && (await notes.page(above)) !== undefined) notes.addChild(above, id)
}

async function noteChild({ notes, state, queue }: Step, above: string, child: string): Promise<void> {
  notes.addChild(above, child)
  const note = await notes.page(child)
  if (note === undefined || (state.kind !== 'news' && note.pass < state.at)) queue.put({ do: 'page', id: child, above })
  else if (note.above !== above) notes.notePage(child, { ...note, above })
}

async function findGoneChildren({ notes }: Step, id: string, now: readonly string[]): Promise<string[]> {
  return (await notes.children(id)).filter((child) => !now.includes(child))
}

type PageWork = Extract<Work, { do: 'page' | 'check' }>
type DatabaseWork = Extract<Work, { do: 'database' }>

/** How many blocks a page may stand in, one in the other. */
const DEPTH_MAX = 30

/** A page that work is about, as far as there is still something to see of it. @throws ProviderFailure */
export async function lookAtPage(step: Step, work: PageWork): Promise<Found | undefined> {
  const { notes, state, call } = step
  const note = await notes.page(work.id)
  if (work.do === 'check' && note === undefined) return await lookAtChildDatabase(step, work)
  if (work.do === 'page' && note !== undefined && note.pass >= state.at) return undefined
  const page = await unlessUnavailable(getPage(call, work.id))
  const isGone = page === undefined || isTrashed(page) || (await isGoneWithParent(step, page, work.above))
  if (page === undefined || isGone) {
    step.achieved = true
    if (note !== undefined) await removePage(step, work.id)
    return undefined
  }
  const above = work.do === 'page' ? (work.above ?? note?.above) : undefined
  if (work.do === 'check' && note?.above === work.above) notes.notePage(work.id, clearAbove(note))
  const found = { page, listed: note?.listed ?? false, above, tries: work.tries }
  if (note !== undefined && note.read > 0 && !(await needsWatching(step, found))) {
    notes.unwatch(page.id)
    await noteParent(step, page)
  }
  return found
}

function clearAbove({ above: _, ...note }: PageNote): PageNote {
  return note
}

/** The data sources of a database. @throws ProviderFailure */
export async function lookAtDatabase(step: Step, { id }: DatabaseWork): Promise<void> {
  const database = await unlessUnavailable(getDatabase(step.call, id))
  step.achieved = true
  if (database === undefined || isTrashed(database)) return await removeDatabase(step, id)
  step.notes.unwatch(id)
  for (const source of database.data_sources) {
    step.notes.addChild(id, source.id)
    await noteSource(step, source.id)
  }
}

/** What stood in a page and is no page may be a database; what it was in may be gone, or it was moved. */
async function lookAtChildDatabase(step: Step, work: Extract<Work, { do: 'check' }>): Promise<undefined> {
  if ((await step.notes.children(work.id)).length === 0) return undefined
  const database = await unlessUnavailable(getDatabase(step.call, work.id))
  step.achieved = true
  if (database === undefined || isTrashed(database) || (await isGoneWithParent(step, database, work.above)))
    await removeDatabase(step, work.id)
  return undefined
}

/**
 * Whether what something stands in is gone: the trash does not say of what is in its things that it lies there, too. Where that is known
 * to be there, or there is nothing to know, it is not.
 */
async function isGoneWithParent(
  step: Step,
  { parent }: { parent?: Tagged | undefined },
  above: string | undefined
): Promise<boolean> {
  const { notes, call } = step
  const place = await findPageAbove(call, parent)
  if (parent === undefined || parent.type === 'workspace') return false
  if (place === undefined) return await liesInTrash(call, parent)
  if ((await notes.page(place)) !== undefined || (await notes.source(place)) !== undefined) return false
  return place === above || (await liesInTrash(call, parent))
}

/** The page or data source in which something stands, maybe in blocks of it; undefined at the top, or where that is not to be seen. */
async function findPageAbove(call: ProviderCall, parent: Tagged | undefined): Promise<string | undefined> {
  let place = parent
  for (let depth = 0; place?.type === 'block_id' && depth < DEPTH_MAX; depth += 1) {
    const block = await unlessUnavailable(getBlock(call, readTagged(place) ?? ''))
    if (block === undefined || isTrashed(block)) return undefined
    place = block.parent
  }
  return readTagged(place)
}
