import type { SeenItem } from '../../provider.ts'
import { type Page, taggedText } from '../wire.ts'
import type { Step } from './step.ts'
import type { Found } from './visit-pages.ts'

/** What came of reading a page: it, and what stands in it. `read`: when it was asked for (ms). */
export type Visited = { item: SeenItem; read: number; pages: readonly string[]; databases: readonly string[] }

/** Notes a page that was read, and puts into the line what follows from what stands in it, or no longer does. */
export async function noteVisit(step: Step, found: Found, visited: Visited): Promise<void> {
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
    const source = taggedText(page.parent)
    if (source !== undefined) notes.addChild(source, page.id)
  } else if (await needsWatching(step, found)) notes.watch(page.id, 'page')
  await noteStanding(step, page)
  for (const gone of await goneFrom(step, page.id, [...pages, ...databases])) {
    notes.dropChild(page.id, gone)
    step.line.put({ do: 'check', id: gone, above: page.id })
  }
  for (const child of pages) await standsIn(step, page.id, child)
  for (const child of databases) {
    notes.addChild(page.id, child)
    step.line.put({ do: 'database', id: child })
  }
}

/**
 * Whether nothing else will tell of what becomes of a page: one that search does not list, or that stands in none that is known to us,
 * so that nobody notices when it is thrown away.
 */
export async function needsWatching({ notes }: Step, { page, listed, above }: Found): Promise<boolean> {
  if (!listed || page.parent.type === 'workspace') return true
  if (above !== undefined) return false
  const parent = taggedText(page.parent)
  return parent === undefined || (await notes.page(parent)) === undefined
}

/** Notes a page at the one that it says it stands in: that may be gone before its own text tells of what was moved into it. */
export async function noteStanding({ notes }: Step, { id, parent }: Page): Promise<void> {
  const above = parent.type === 'page_id' ? taggedText(parent) : undefined
  if (above !== undefined && (await notes.page(above)) !== undefined) notes.addChild(above, id)
}

async function standsIn({ notes, state, line }: Step, above: string, child: string): Promise<void> {
  notes.addChild(above, child)
  const note = await notes.page(child)
  if (note === undefined || (state.kind !== 'news' && note.pass < state.at)) line.put({ do: 'page', id: child, above })
  else if (note.above !== above) notes.notePage(child, { ...note, above })
}

async function goneFrom({ notes }: Step, id: string, now: readonly string[]): Promise<string[]> {
  return (await notes.children(id)).filter((child) => !now.includes(child))
}
