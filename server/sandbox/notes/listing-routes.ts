import * as z from 'zod'
import type { StandInCall, StandInRoute } from '../stand-in.ts'
import { askedFor, idIn, route } from './asked.ts'
import {
  findBlock,
  isDiscarded,
  isVisible,
  type NoteBlock,
  type NotePage,
  type Parent,
  pageAbove,
  type Workspace
} from './content.ts'
import { Filter, passes } from './filter.ts'
import { blockObject, botObject, pageObject, personObject, sourceObject } from './objects.ts'
import { type Listed, Paging, pageOf, timePlace } from './paging.ts'
import { invalid, notFound, reply } from './reply.ts'

/** What a query tells of at most: developers.notion.com/reference/query-a-data-source. */
const ROWS_MAX = 10_000

const Direction = z.enum(['ascending', 'descending'])

const Search = z.strictObject({
  query: z.string().default(''),
  sort: z.strictObject({ direction: Direction, timestamp: z.literal('last_edited_time') }).optional(),
  filter: z.strictObject({ value: z.enum(['page', 'data_source']), property: z.literal('object') }).optional(),
  ...Paging
})

const Query = z.strictObject({
  filter: Filter.optional(),
  sorts: z
    .array(z.strictObject({ timestamp: z.enum(['created_time', 'last_edited_time']), direction: Direction }))
    .max(1, 'more than one sort is not covered here')
    .optional(),
  archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
  ...Paging
})

const Children = z.strictObject(Paging)

/** Everything that comes in pages. */
export const LISTING_ROUTES: readonly StandInRoute[] = [
  route('post-search', 'POST /v1/search', search),
  route('query-data-source', 'POST /v1/data_sources/{data_source_id}/query', query),
  route('get-block-children', 'GET /v1/blocks/{block_id}/children', children),
  route('get-users', 'GET /v1/users', users)
]

/** By title, what the index has: not everything, and with `lag` nothing of what was edited last. */
function search(call: StandInCall, workspace: Workspace): Response {
  const asked = askedFor(call, Search)
  if (asked instanceof Response) return asked
  const late = lagging(workspace, call.fault('lag')?.value ?? 0)
  const direction = asked.sort?.direction ?? 'descending'
  const has = (title: string) => title.toLowerCase().includes(asked.query.toLowerCase())
  const pages = [...workspace.pages.values()].filter(
    (page) => page.listed && !late.has(page.id) && has(page.title) && isThere(workspace, page)
  )
  const sources = [...workspace.sources.values()].filter(
    (source) => !late.has(source.id) && has(source.title) && isSourceThere(workspace, source.id)
  )
  const listed: Listed<unknown>[] = [
    ...(asked.filter?.value === 'data_source' ? [] : pages.map((page) => placed(page, pageObject(page, workspace)))),
    ...(asked.filter?.value === 'page' ? [] : sources.map((source) => placed(source, sourceObject(source, workspace))))
  ]
  return listReply(call, listed, { asked, type: 'page_or_data_source' })

  function placed<T>({ id, editedAt }: { id: string; editedAt: number }, one: T): Listed<T> {
    return { at: `${timePlace(editedAt, direction)} ${id}`, one }
  }
}

/** Ids of so many things that were edited last. */
function lagging({ pages, sources }: Workspace, count: number): ReadonlySet<string> {
  const all = [...pages.values(), ...sources.values()].sort((a, b) => b.editedAt - a.editedAt)
  return new Set(all.slice(0, count).map(({ id }) => id))
}

function query(call: StandInCall, workspace: Workspace): Response {
  const asked = askedFor(call, Query)
  if (asked instanceof Response) return asked
  const id = idIn(call.params.data_source_id)
  if (id === undefined || !isSourceThere(workspace, id))
    return notFound('data_source', String(call.params.data_source_id))
  const { timestamp = 'created_time', direction = 'ascending' } = asked.sorts?.[0] ?? {}
  // Of all parameters this one alone stands in the query.
  const only = call.query.has('filter_properties') ? call.query.getAll('filter_properties') : undefined
  const trashed = asked.in_trash ?? asked.archived ?? false
  const rows = [...workspace.pages.values()]
    .filter(({ parent, trashed: lies }) => parent.in === 'source' && parent.id === id && lies === trashed)
    .filter((row) => asked.filter === undefined || passes(asked.filter, row))
    .map((row) => {
      const at = timestamp === 'created_time' ? row.createdAt : row.editedAt
      return { at: `${timePlace(at, direction)} ${row.id}`, one: pageObject(row, workspace, only) }
    })
    .sort(byPlace)
  const incomplete = rows.length > ROWS_MAX
  const status = incomplete
    ? { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' }
    : { type: 'complete' }
  const more = { asked, type: 'page_or_data_source', extra: { request_status: status } }
  return listReply(call, rows.slice(0, ROWS_MAX), more)
}

function children(call: StandInCall, workspace: Workspace): Response {
  const asked = askedFor(call, Children)
  if (asked instanceof Response) return asked
  const id = idIn(call.params.block_id)
  const found = id === undefined ? undefined : insideOf(workspace, id)
  if (found === undefined) return notFound('block', String(call.params.block_id))
  const { blocks, page, parent } = found
  const listed = blocks.map((block, at) => ({
    at: String(at).padStart(6, '0'),
    one: blockObject(block, { parent, by: page.by })
  }))
  return listReply(call, listed, { asked, type: 'block' })
}

function users(call: StandInCall, workspace: Workspace): Response {
  const asked = askedFor(call, Children)
  if (asked instanceof Response) return asked
  const all = [...workspace.people.map(personObject), botObject(workspace)]
  const listed = all.map((one, at) => ({ at: String(at).padStart(6, '0'), one }))
  return listReply(call, listed, { asked, type: 'user' })
}

/** What stands in a page or block that is shown. */
export function insideOf(
  workspace: Workspace,
  id: string
): { blocks: readonly NoteBlock[]; page: NotePage; parent: Parent } | undefined {
  const own = workspace.pages.get(id)
  if (own !== undefined)
    return isVisible(workspace, own) ? { blocks: own.blocks, page: own, parent: { in: 'page', id } } : undefined
  const found = findBlock(workspace, id)
  if (found === undefined || !isVisible(workspace, found.page)) return undefined
  return { blocks: found.block.children, page: found.page, parent: { in: 'block', id, page: found.page.id } }
}

/** Whether a data source is shown: its database is not in the trash, and stands in a page that is shown. */
function isSourceThere(workspace: Workspace, id: string): boolean {
  const database = workspace.databases.get(workspace.sources.get(id)?.database ?? '')
  if (database === undefined || database.trashed) return false
  const page = pageAbove(workspace, database.parent)
  return page !== undefined && isThere(workspace, page)
}

function isThere(workspace: Workspace, page: NotePage): boolean {
  return isVisible(workspace, page) && !isDiscarded(workspace, page)
}

type Listing = {
  asked: { start_cursor?: string | undefined; page_size: number }
  type: string
  extra?: Record<string, unknown>
}

function listReply(call: StandInCall, listed: readonly Listed<unknown>[], { asked, type, extra }: Listing): Response {
  const repeats = asked.start_cursor !== undefined && call.fault('repeat_cursor') !== undefined
  const page = pageOf([...listed].sort(byPlace), asked, { repeats })
  if (page === undefined) return invalid(`The start_cursor provided is invalid: ${asked.start_cursor}`)
  return reply({ object: 'list', ...page, type, [type]: {}, ...extra })
}

function byPlace({ at: a }: { at: string }, { at: b }: { at: string }): number {
  return a < b ? -1 : a > b ? 1 : 0
}
