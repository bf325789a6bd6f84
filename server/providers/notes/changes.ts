import type { Page as ItemPage, PageFrom, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { type Cursor, createPass, readCursor } from './cursor.ts'
import { PARTITIONS, readLastPass, type Work } from './ledger.ts'
import { getDataSource, PAGE_SIZE_MAX, queryRows, search } from './requests.ts'
import {
  addSeen,
  asProviderFailure,
  closeStep,
  isStopping,
  noteShape,
  noteSource,
  openStep,
  removePage,
  removeSource,
  type Step
} from './step.ts'
import { type Found, lookAtDatabase, lookAtPage, visitPages } from './visit-pages.ts'
import { isTrashed, type Page } from './wire.ts'

/**
 * Returns the next page of changes. Notion has no change feed. A pass therefore merges the results of search, which is
 * neither complete nor up to date, with the rows of every data source and the contents of pages. The ledger stores what
 * is known of each. The first pass reads everything. Each later pass searches for edits since the previous one, with a
 * day of overlap, queries data sources for edited or trashed rows, and checks pages that no other source reports.
 */
export async function changes(call: SyncCall, { cursor }: PageFrom): Promise<ItemPage> {
  if (cursor === undefined) return await beginPass(call, 'all')
  const state = readCursor(cursor, ['all', 'news'])
  return state.step === 'done' ? await beginPass(call, 'news', state) : await nextPage(call, state)
}

/**
 * Lists everything from the beginning in the same way: search, rows, contents of pages. A page that was read before and
 * not edited since is reported without reading it. The listing may still be incomplete, so unlisted items must be
 * looked up.
 */
export async function list(call: SyncCall, { cursor }: PageFrom): Promise<ItemPage> {
  if (cursor === undefined) return await beginPass(call, 'list')
  return await nextPage(call, readCursor(cursor, ['list']))
}

/**
 * Returns the first page of a pass.
 *
 * @throws ProviderFailure as `nextPage` does.
 */
async function beginPass(call: SyncCall, kind: Cursor['kind'], before?: Cursor): Promise<ItemPage> {
  const last = Math.max(await readLastPass(call.ledger, kind), before?.at ?? 0)
  const at = Math.max(call.clock.now(), last + 1)
  return await nextPage(call, createPass(kind, at, before))
}

/** Consecutive pages that may fail without results. A page that always fails must not block the rest. */
const IDLE_MAX = 2
/** Calls after which a page ends, so that its results are stored. */
const CALLS_MAX = 50

/**
 * Returns the next page of a pass.
 *
 * @throws ProviderFailure if the page has no results.
 */
async function nextPage(call: SyncCall, state: Cursor): Promise<ItemPage> {
  const counted = countCalls(call)
  const step = openStep(counted.call, state)
  do await advance(step)
  while (step.failure === undefined && step.state.step !== 'done' && counted.calls() < CALLS_MAX)
  const { failure, achieved } = step
  if (failure !== undefined && !achieved && (isStopping(failure) || state.idle >= IDLE_MAX)) throw failure
  step.state.idle = achieved ? 0 : state.idle + 1
  return closeStep(step)
}

async function advance(step: Step): Promise<void> {
  if (step.state.step !== 'search') return await (step.queue.isEmpty() ? walkLedger(step) : doWork(step))
  try {
    await doSearch(step)
  } catch (error) {
    const failure = asProviderFailure(error)
    if (!step.achieved) throw failure
    step.failure = failure
  }
}

function countCalls(call: SyncCall): { call: SyncCall; calls(): number } {
  let count = 0
  const fetch: SyncCall['fetch'] = (request) => {
    count += 1
    return call.fetch(request)
  }
  return { call: { ...call, fetch }, calls: () => count }
}

/** How far search may lag behind edits. Notion does not document this, so a whole day is searched again. */
const OVERLAP_MS = 24 * 3_600_000
/** Search pages that are read beyond the start of the overlap. An old page may have been shared only now. */
const BELOW_MAX = 10
/** How often search is read to its end, however long it is. */
const SEARCH_ALL_MS = 24 * 3_600_000
/** Maximum number of search pages in a pass. More would be a cycle. */
const SEARCH_PAGES_MAX = 10_000
const RESTARTS_MAX = 3
/** Page size if the results are read. In a pass for news, nearly all results are known. */
const SEARCH_READ_SIZE = 50

/**
 * Reads the next page of search.
 *
 * @throws ProviderFailure
 */
async function doSearch(step: Step): Promise<void> {
  const { call, state } = step
  const reply = await search(call, state.from, state.kind === 'news' ? PAGE_SIZE_MAX : SEARCH_READ_SIZE).catch(
    asProviderFailure
  )
  if (reply instanceof ProviderFailure) return restartSearch(step, reply)
  step.achieved = true
  const found: Found[] = []
  let below = state.kind === 'news' && reply.results.length > 0
  for (const result of reply.results) {
    if (isPage(result)) {
      found.push({ page: result, listed: true })
      if (Date.parse(result.last_edited_time) >= state.since - OVERLAP_MS) below = false
    } else if (isSource(result)) {
      if (!isTrashed(result)) await noteSource(step, result.id)
      else if ((await step.notes.source(result.id)) !== undefined) await removeSource(step, result.id)
    }
  }
  await visitPages(step, found)
  advanceSearch(step, reply.next, below)
}

type SearchResult = Awaited<ReturnType<typeof search>>['results'][number]
type PageResult = Extract<SearchResult, { object: 'page' }>
type SourceResult = Extract<SearchResult, { object: 'data_source' }>

function isPage(result: SearchResult): result is PageResult {
  return result.object === 'page'
}

function isSource(result: SearchResult): result is SourceResult {
  return result.object === 'data_source'
}

function advanceSearch({ state }: Step, next: string | undefined, below: boolean): void {
  state.searched += 1
  if (below) state.below += 1
  if (state.searched > SEARCH_PAGES_MAX) throw new ProviderFailure('contract_broken', 'the search does not end')
  const enough = state.below > BELOW_MAX && state.at - state.searchedAll < SEARCH_ALL_MS
  if (next !== undefined && !enough) {
    state.from = next
    return
  }
  if (next === undefined) state.searchedAll = state.at
  delete state.from
  state.step = state.kind === 'all' ? 'sweep' : 'sources'
}

/** Restarts search after a refused cursor. Seeing pages twice is harmless. */
function restartSearch({ state }: Step, failure: ProviderFailure): void {
  if (failure.kind !== 'cursor_invalid' || state.restarts >= RESTARTS_MAX) throw failure
  state.restarts += 1
  state.below = 0
  delete state.from
}

/** Walks the ledger, one partition at a time, until there is work or the pass is over. */
async function walkLedger(step: Step): Promise<void> {
  const { state, queue } = step
  while (state.step !== 'done' && queue.isEmpty()) {
    if (state.bucket < PARTITIONS) {
      await walkPartition(step, state.bucket)
      state.bucket += 1
    } else {
      state.step =
        state.step === 'sources' ? 'watched' : state.step === 'watched' && state.kind === 'list' ? 'sweep' : 'done'
      state.bucket = 0
    }
  }
  step.achieved = true
}

async function walkPartition(step: Step, partition: number): Promise<void> {
  const { state, notes, known } = step
  if (state.step === 'sweep') {
    if (state.kind === 'list') await notes.clearPartition(partition)
    else await notes.sweepPartition(partition, state.at)
    return
  }
  const { sources, watched } = await known.partition(partition)
  if (state.step === 'sources') for (const [id, { full }] of sources) await queueRows(step, id, full)
  else for (const [id, kind] of watched) step.queue.put({ do: kind, id })
}

/**
 * Queues the edited and trashed rows of a data source. Queues all rows if they were not listed yet, or for a
 * comparison.
 */
async function queueRows({ state, notes, queue }: Step, id: string, full: boolean): Promise<void> {
  if (state.kind === 'news' && full) {
    queue.put({ do: 'rows', id, since: Math.max(0, state.since - OVERLAP_MS) })
    queue.put({ do: 'trash', id })
    return
  }
  const note = await notes.source(id)
  if (note !== undefined && note.queued >= state.at) return
  notes.noteSource(id, { ...note, full: false, queued: state.at })
  queue.put({ do: 'rows', id })
}

/** Pages that are checked in one page of a pass. */
const PAGES_AT_ONCE = 16
/** Tries in a pass before an item is left to the next pass. */
const WORK_TRIES_MAX = 3

/** Does the next queued work: several pages, or one of another kind. */
async function doWork(step: Step): Promise<void> {
  const pages: PageWork[] = []
  while (pages.length < PAGES_AT_ONCE) {
    const work = await step.queue.take()
    if (work === undefined) break
    if (work.do === 'page' || work.do === 'check') {
      pages.push(work)
      continue
    }
    if (pages.length > 0) step.queue.put(work)
    else await tryWork(step, work, () => carryOut(step, work))
    break
  }
  if (pages.length > 0) await lookAtPages(step, pages)
}

type PageWork = Extract<Work, { do: 'page' | 'check' }>

/** Checks pages one after another, each completely, so that a low rate limit still allows progress. */
async function lookAtPages(step: Step, works: readonly PageWork[]): Promise<void> {
  for (const work of works) {
    const found = await tryWork(step, work, () => lookAtPage(step, work))
    if (found !== undefined) await visitPages(step, [found])
  }
}

async function carryOut(step: Step, work: Exclude<Work, PageWork>): Promise<void> {
  if (work.do === 'database') await lookAtDatabase(step, work)
  else if (work.do === 'rows') await listRows(step, work)
  else await listTrash(step, work)
}

/** Runs a task. A failed one is queued again, and after several tries left to a later pass. */
async function tryWork<T>(step: Step, work: Work, act: () => Promise<T>): Promise<T | undefined> {
  if (step.failure !== undefined && isStopping(step.failure)) {
    step.queue.put(work)
    return undefined
  }
  const result = await act().catch(asProviderFailure)
  if (!(result instanceof ProviderFailure)) return result
  step.failure = result
  const tries = work.tries + (isStopping(result) ? 0 : 1)
  if (tries < WORK_TRIES_MAX && result.kind !== 'item_permanent') step.queue.put({ ...work, tries })
  else await giveUpWork(step, work, result)
  return undefined
}

/**
 * Gives up a task. A page is reported without content, so that it is read and retried by itself. A data source stays
 * unlisted.
 */
async function giveUpWork(step: Step, work: Work, failure: ProviderFailure): Promise<void> {
  step.achieved = true
  step.call.log.info(
    { [work.do]: work.id, why: failure.message },
    'some content could not be read and is retried later'
  )
  if (work.do !== 'page' && work.do !== 'check' && work.do !== 'database') return
  // A former child without a note of its own is a database.
  const isDatabase = work.do === 'database' || (work.do === 'check' && (await step.notes.page(work.id)) === undefined)
  if (isDatabase) return step.notes.watch(work.id, 'database')
  step.notes.watch(work.id, 'page')
  addSeen(step, { id: work.id })
}

type RowsWork = Extract<Work, { do: 'rows' }>
type TrashWork = Extract<Work, { do: 'trash' }>

/** Maximum number of pages in one listing of rows. More would be a cycle. */
const ROW_PAGES_MAX = 10_000
/** Page size if the rows are read. Most of the recently edited rows are known. */
const ROW_READ_SIZE = 50

/**
 * Reads the next page of rows.
 *
 * @throws ProviderFailure
 */
async function listRows(step: Step, work: RowsWork): Promise<void> {
  const { from, since, created, id } = work
  const pageSize = since === undefined ? ROW_READ_SIZE : PAGE_SIZE_MAX
  if (step.state.kind !== 'list' && from === undefined && created === undefined) {
    const source = await queryOrRemove(step, work, () => getDataSource(step.call, id))
    if (source === undefined) return
    if ((await noteShape(step, source)) && since !== undefined) return step.queue.put({ do: 'rows', id })
  }
  const reply = await queryOrRemove(step, work, () =>
    queryRows(step.call, id, { from, pageSize, editedSince: since, createdSince: created })
  )
  if (reply === undefined) return
  const pages = filterPages(reply.results)
  await visitPages(
    step,
    pages.map((page) => ({ page, listed: true }))
  )
  if (work.pages >= ROW_PAGES_MAX)
    throw new ProviderFailure('contract_broken', 'the rows of the data source do not end')
  if (reply.next !== undefined) step.queue.put({ ...work, from: reply.next, pages: work.pages + 1, tries: 0 })
  else if (reply.request_status?.type === 'incomplete') continueByTime(step, work, pages.at(-1))
  else await markListed(step, work)
}

/** Continues a listing by creation time, because a query returns at most ten thousand rows. */
function continueByTime(step: Step, { do: kind, id, since, created, pages }: RowsWork, last: Page | undefined): void {
  if (last === undefined || last.created_time === created) {
    step.call.log.info({ source: id }, 'more rows were created within a minute than one query can return')
    return
  }
  const work = { do: kind, id, created: last.created_time, pages: pages + 1 }
  step.queue.put(since === undefined ? work : { ...work, since })
}

async function markListed({ notes }: Step, { id, since }: RowsWork): Promise<void> {
  const note = await notes.source(id)
  if (since === undefined && note !== undefined) notes.noteSource(id, { ...note, full: true })
}

/**
 * Lists trashed rows, most recently trashed first, and removes those that are known.
 *
 * @throws ProviderFailure
 */
async function listTrash(step: Step, work: TrashWork): Promise<void> {
  const asking = { from: work.from, pageSize: PAGE_SIZE_MAX, trashed: true }
  const reply = await queryOrRemove(step, work, () => queryRows(step.call, work.id, asking))
  if (reply === undefined) return
  let known = 0
  for (const { id } of filterPages(reply.results)) {
    if ((await step.notes.page(id)) === undefined) continue
    known += 1
    await removePage(step, id)
  }
  if (reply.next !== undefined && known > 0) step.queue.put({ do: 'trash', id: work.id, from: reply.next })
}

/**
 * Runs a query, or returns undefined if the data source is gone and was removed.
 *
 * @throws ProviderFailure
 */
async function queryOrRemove<T>(step: Step, work: RowsWork | TrashWork, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    const reply = await ask()
    step.achieved = true
    return reply
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'item_gone') await removeSource(step, work.id)
    else if (error.kind === 'cursor_invalid' && work.from !== undefined) {
      const { from: _, ...first } = work
      step.queue.put({ ...first, tries: work.tries + 1 })
    } else throw error
    step.achieved = true
    return undefined
  }
}

function filterPages(results: Awaited<ReturnType<typeof queryRows>>['results']): Page[] {
  return results.filter((result): result is Page => result.object === 'page')
}
