import type { ProviderCall, SeenItem } from '../port/provider.ts'
import { type ProviderFailure, unlessGone } from '../port/provider-failure.ts'

import { isSettled, type PageNote, type Work } from './ledger.ts'
import { addCommentsVersion, getPlace, toPageItem } from './page-item.ts'
import { liesInTrash, readCommentsIfOn, readPageText } from './read.ts'
import { readRow } from './read-row.ts'
import { getBlock, getDatabase, getPage, unlessUnavailable } from './requests.ts'
import { addSeen, asProviderFailure, isStopping, noteSource, removeDatabase, removePage, type Step } from './step.ts'
import { isTrashed, type Page, readTagged, type Tagged } from './wire.ts'

/** `listed`: search or a query returned it, rather than a page that contains it. */
export type Found = { page: Page; listed: boolean; above?: string | undefined; tries?: number }

/** Concurrent requests for texts. Notion allows about three calls per second on average. */
const AT_ONCE = 4
/** Characters of text in one page of a pass. The rest is left to the next page. */
const WEIGHT_MAX = 8_000_000

/**
 * Processes pages: reads those that are new or may have changed, and notes the others. A temporary failure queues a
 * page again.
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

/** Reports whether the text of a page must be read. Notes what is known without it. */
async function needsReading(step: Step, { page, listed, above }: Found): Promise<boolean> {
  const { notes, state } = step
  state.newest = Math.max(state.newest, Date.parse(page.last_edited_time))
  const note = await notes.page(page.id)
  if (isTrashed(page)) {
    if (note !== undefined) await removePage(step, page.id)
    return false
  }
  if (note === undefined || note.edited !== page.last_edited_time || (await hasNewShape(step, page, note))) return true
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

/** Returns whether the title or the columns of the table of a row changed after the row was read. */
async function hasNewShape({ notes }: Step, { parent }: Page, { pass }: PageNote): Promise<boolean> {
  const source = parent.type === 'data_source_id' ? readTagged(parent) : undefined
  const shaped = source === undefined ? undefined : (await notes.source(source))?.shaped
  return shaped !== undefined && shaped > pass
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
  const { call, state, known, providerNow } = step
  const place = getPlace(page)
  const common = { id: page.id, ...(place !== undefined && { place }) }
  const read = providerNow()
  const comments = await readCommentsIfOn(call, page.id)
  if (state.kind === 'list') {
    // A page that was read and neither edited nor commented on since is reported without reading it.
    const note = await known.page(page.id)
    const isSame = note?.version !== undefined && addCommentsVersion(note.version, comments) === note.version
    if (note?.version !== undefined && isSame && note.edited === page.last_edited_time && isSettled(note)) {
      const children = await findKnownChildren(step, page.id)
      if (children !== undefined) return { item: { ...common, version: note.version }, read, ...children }
    }
  }
  const body = await readPageText(call, page.id)
  const { pages, databases } = body
  const content = toPageItem(page, body, { row: await readRow(page, step.titles), comments })
  const item: SeenItem = { ...common, version: content.version, content }
  return { item, read, pages, databases }
}

/** Returns the known children of a page by kind, or undefined if the kind of one is unknown. */
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

/** Tries of a page in a pass before it is given up. */
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

/**
 * Gives up a page: reports it without content, so that it is read and retried by itself, and checks it again in the
 * next pass.
 */
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

/** The result of reading a page: its item and its children. `read` is when it was requested (ms, by the provider's clock). */
type Visited = { item: SeenItem; read: number; pages: readonly string[]; databases: readonly string[] }

/** Notes a page that was read, and queues tasks for its new and former children. */
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
  }
  if (await needsWatching(step, found)) notes.watch(page.id, 'page')
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
 * Reports whether no other source will report the fate of a page: search does not return it, or none of its known
 * parents contains it. A row is found before its data source if search returns them in this order, and the database may
 * be deleted between the two.
 */
async function needsWatching({ notes }: Step, { page, listed, above }: Found): Promise<boolean> {
  if (!listed || page.parent.type === 'workspace') return true
  if (above !== undefined) return false
  const parent = readTagged(page.parent)
  if (parent === undefined) return true
  return (await (page.parent.type === 'data_source_id' ? notes.source(parent) : notes.page(parent))) === undefined
}

/**
 * Notes a page as a child of the parent that it names. The parent may be deleted before its own text shows a page that
 * was moved into it.
 */
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

/** Maximum depth of blocks around a page. */
const DEPTH_MAX = 30

/**
 * Fetches the page of a task, if it still needs to be processed.
 *
 * @throws ProviderFailure
 */
export async function lookAtPage(step: Step, work: PageWork): Promise<Found | undefined> {
  const { notes, state, call } = step
  const note = await notes.page(work.id)
  if (work.do === 'check' && note === undefined) return await lookAtChildDatabase(step, work)
  if (work.do === 'page' && note !== undefined && note.pass >= state.at) return undefined
  // A 400 about the page is a failure of this request: it does not prove that the page is gone.
  const page = await unlessGone(getPage(call, work.id))
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

/**
 * Reads the data sources of a database. A linked database, which the API refuses with a 400, has none; the refusal of
 * one whose data sources are known is a failure.
 *
 * @throws ProviderFailure
 */
export async function lookAtDatabase(step: Step, { id }: DatabaseWork): Promise<void> {
  const isKnown = (await step.notes.children(id)).length > 0
  const database = await (isKnown ? unlessGone : unlessUnavailable)(getDatabase(step.call, id))
  step.achieved = true
  if (database === undefined || isTrashed(database)) return await removeDatabase(step, id)
  step.notes.unwatch(id)
  for (const source of database.data_sources) {
    step.notes.addChild(id, source.id)
    await noteSource(step, source.id)
  }
}

/** Checks a former child that is not a page and may be a database. Its parent may be gone, or it was moved. */
async function lookAtChildDatabase(step: Step, work: Extract<Work, { do: 'check' }>): Promise<undefined> {
  if ((await step.notes.children(work.id)).length === 0) return undefined
  const database = await unlessGone(getDatabase(step.call, work.id))
  step.achieved = true
  if (database === undefined || isTrashed(database) || (await isGoneWithParent(step, database, work.above)))
    await removeDatabase(step, work.id)
  return undefined
}

/**
 * Reports whether the parent of an object is gone. Notion does not mark the children of a trashed page as trashed.
 * Returns false if the parent is known to exist, or if nothing is known.
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

/**
 * Returns the page or data source that contains an object, possibly through blocks. Returns undefined at the top level,
 * or if it is not visible.
 */
async function findPageAbove(call: ProviderCall, parent: Tagged | undefined): Promise<string | undefined> {
  let place = parent
  for (let depth = 0; place?.type === 'block_id' && depth < DEPTH_MAX; depth += 1) {
    const block = await unlessUnavailable(getBlock(call, readTagged(place) ?? ''))
    if (block === undefined || isTrashed(block)) return undefined
    place = block.parent
  }
  return readTagged(place)
}
