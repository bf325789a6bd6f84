import type { SeenItem } from '../../provider.ts'
import type { ProviderFailure } from '../../provider-failure.ts'
import { pageItem, placeOf } from '../content/page-item.ts'
import { readPage } from '../content/read-page.ts'
import { isTrashed, type Page } from '../wire.ts'
import { leavePage } from './leave.ts'
import { noteStanding, noteVisit, type Visited } from './note-visit.ts'
import { isSettled } from './settled.ts'
import { failureIn, type Step, see, stops } from './step.ts'

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
    if (step.weight > WEIGHT_MAX || (step.failure !== undefined && stops(step.failure)))
      for (const one of group) later(step, one, 0)
    else await readGroup(step, group)
  }
}

/** Whether the text of a page has to be asked for. Notes what is told without it. */
async function needsReading(step: Step, { page, listed, above }: Found): Promise<boolean> {
  const { notes, state } = step
  state.newest = Math.max(state.newest, Date.parse(page.last_edited_time))
  const note = await notes.page(page.id)
  if (isTrashed(page)) {
    if (note !== undefined) await leavePage(step, page.id)
    return false
  }
  if (note === undefined || note.edited !== page.last_edited_time) return true
  const inThisPass = note.pass >= state.at
  if (!inThisPass && (state.kind !== 'news' || !isSettled(note))) return true
  const place = placeOf(page)
  if (place !== note.place && note.version !== undefined)
    see(step, { id: page.id, version: note.version, ...(place !== undefined && { place }) })
  if (place !== note.place || (listed && !note.listed) || (above !== undefined && above !== note.above))
    notes.notePage(page.id, {
      ...note,
      listed: listed || note.listed,
      ...(place !== undefined && { place }),
      ...(above !== undefined && { above })
    })
  if (place !== note.place) await noteStanding(step, page)
  return false
}

async function readGroup(step: Step, group: readonly Found[]): Promise<void> {
  const results = await Promise.all(
    group.map(async (found) => ({ found, got: await textOf(step, found).catch(failureIn) }))
  )
  for (const { found, got } of results) {
    if (got instanceof Error) await refused(step, found, got)
    else {
      step.achieved = true
      see(step, got.item)
      step.weight += got.item.content?.parts[0]?.text.length ?? 0
      await noteVisit(step, found, got)
    }
  }
}

async function textOf(step: Step, { page }: Found): Promise<Visited> {
  const { call, state, known } = step
  const place = placeOf(page)
  const common = { id: page.id, ...(place !== undefined && { place }) }
  const read = call.clock.now()
  if (state.kind === 'list') {
    // What was read and has not been edited since need not be read again to be named.
    const note = await known.page(page.id)
    if (note?.version !== undefined && note.edited === page.last_edited_time && isSettled(note)) {
      const children = await childrenOf(step, page.id)
      if (children !== undefined) return { item: { ...common, version: note.version }, read, ...children }
    }
  }
  const { text, pages, databases } = await readPage(call, page.id)
  const content = pageItem(page, text)
  const item: SeenItem = { ...common, version: content.version, content }
  return { item, read, pages, databases }
}

/** What is known to stand in a page, by kind; undefined where something does of which nothing else is known. */
async function childrenOf({ known }: Step, id: string): Promise<Pick<Visited, 'pages' | 'databases'> | undefined> {
  const pages: string[] = []
  const databases: string[] = []
  for (const child of await known.children(id)) {
    if ((await known.page(child)) !== undefined) pages.push(child)
    else if ((await known.children(child)).length > 0) databases.push(child)
    else return undefined
  }
  return { pages, databases }
}

async function refused(step: Step, found: Found, failure: ProviderFailure): Promise<void> {
  step.failure = failure
  if (failure.kind === 'item_gone') {
    step.achieved = true
    await leavePage(step, found.page.id)
  } else if (stops(failure)) later(step, found, 0)
  else if (failure.kind === 'transient') later(step, found, 1)
  else await giveUp(step, found, failure)
}

/** How often a page is asked for in a pass before it is left to be tried by itself. */
const TRIES_MAX = 3

function later(step: Step, { page, above, tries = 0 }: Found, more: number): void {
  const all = tries + more
  if (all < TRIES_MAX) step.line.put({ do: 'page', id: page.id, ...(above !== undefined && { above }), tries: all })
  else giveUpNow(step, { page, listed: false, above })
}

async function giveUp(step: Step, found: Found, failure: ProviderFailure): Promise<void> {
  step.call.log.debug({ page: found.page.id, why: failure.message }, 'a page could not be read')
  giveUpNow(step, found)
}

/** It is named without its content, so that it is read, and failing, by itself; and looked at again with the next pass. */
function giveUpNow(step: Step, { page, listed, above }: Found): void {
  const place = placeOf(page)
  const placed = place === undefined ? {} : { place }
  step.achieved = true
  see(step, { id: page.id, ...placed })
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
