import { Buffer } from 'node:buffer'
import * as z from 'zod'
import type { SandboxCall, SandboxRoute } from '../core/sandbox-provider.ts'
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
import { invalid, notFound, reply } from './errors.ts'
import { findId, parseAsked, route } from './requests.ts'
import { blockObject, botObject, commentObject, pageObject, personObject, sourceObject } from './views.ts'

/**
 * A filter by times: developers.notion.com/reference/filter-data-source-entries#timestamp. Filters by columns are not
 * implemented.
 */
type Filter = { and: Filter[] } | { or: Filter[] } | TimeFilter

const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'should be a valid ISO 8601 date string')

const Condition = z.union([
  z.strictObject({ on_or_after: Time }),
  z.strictObject({ after: Time }),
  z.strictObject({ on_or_before: Time }),
  z.strictObject({ before: Time })
])

const TimeFilter = z.union([
  z.strictObject({ timestamp: z.literal('last_edited_time'), last_edited_time: Condition }),
  z.strictObject({ timestamp: z.literal('created_time'), created_time: Condition })
])

type TimeFilter = z.infer<typeof TimeFilter>

const Filter: z.ZodType<Filter> = z.lazy(() =>
  z.union([
    z.strictObject({ and: z.array(Filter).max(100) }),
    z.strictObject({ or: z.array(Filter).max(100) }),
    TimeFilter
  ])
)

/** Reports whether an object with these times (ms) matches. Times are compared with minute precision, as in replies. */
function passes(filter: Filter, times: { createdAt: number; editedAt: number }): boolean {
  if ('and' in filter) return filter.and.every((one) => passes(one, times))
  if ('or' in filter) return filter.or.some((one) => passes(one, times))
  if (filter.timestamp === 'created_time') return fits(filter.created_time, times.createdAt)
  return fits(filter.last_edited_time, times.editedAt)
}

function fits(condition: z.infer<typeof Condition>, exact: number): boolean {
  const at = exact - (exact % 60_000)
  if ('on_or_after' in condition) return at >= minute(condition.on_or_after)
  if ('after' in condition) return at > minute(condition.after)
  if ('on_or_before' in condition) return at <= minute(condition.on_or_before)
  return at < minute(condition.before)
}

function minute(time: string): number {
  const at = Date.parse(time)
  return at - (at % 60_000)
}

/** developers.notion.com/reference/intro#pagination */
const PAGE_SIZE_MAX = 100

const Paging = {
  start_cursor: z.string().max(2000).optional(),
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_MAX)
}

type Asked = { start_cursor?: string | undefined; page_size: number }

/** An entry and its sort key, in list order. */
type Listed<T> = { at: string; one: T }

/** The requested fault in which the next page is the current one. */
type Repeating = { repeats: boolean }

/**
 * Returns a page of a list, or undefined if the cursor is invalid. A cursor names the last entry before it, so that
 * concurrent changes do not shift pages.
 */
function toPage<T>(listed: readonly Listed<T>[], asked: Asked, { repeats }: Repeating) {
  const after = asked.start_cursor === undefined ? '' : parseCursor(asked.start_cursor)
  if (after === undefined) return undefined
  const rest = listed.filter(({ at }) => at > after)
  const page = rest.slice(0, asked.page_size)
  const last = page.at(-1)
  const more = rest.length > page.length && last !== undefined
  if (repeats && asked.start_cursor !== undefined)
    return { results: page.map(({ one }) => one), next_cursor: asked.start_cursor, has_more: true }
  return { results: page.map(({ one }) => one), next_cursor: more ? cursorAt(last.at) : null, has_more: more }
}

function cursorAt(place: string): string {
  return `c-${Buffer.from(place).toString('hex')}`
}

function parseCursor(cursor: string): string | undefined {
  const hex = /^c-((?:[0-9a-f]{2})+)$/.exec(cursor)?.[1]
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString()
}

/** Returns the sort key of a time, ascending or descending, with minute precision as in replies. */
function timePlace(at: number, direction: 'ascending' | 'descending'): string {
  const minutes = Math.floor(at / 60_000)
  return String(direction === 'ascending' ? minutes : 1e9 - minutes).padStart(10, '0')
}

/** Maximum number of rows that a query returns: developers.notion.com/reference/query-a-data-source. */
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
    .max(1, 'the sandbox supports only one sort')
    .optional(),
  archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
  ...Paging
})

const Children = z.strictObject(Paging)
const Comments = z.strictObject({ ...Paging, block_id: z.string() })

/** The operations with paged replies. */
export const LISTING_ROUTES: readonly SandboxRoute[] = [
  route('post-search', 'POST /v1/search', search),
  route('query-data-source', 'POST /v1/data_sources/{data_source_id}/query', query),
  route('get-block-children', 'GET /v1/blocks/{block_id}/children', children),
  route('retrieve-a-comment', 'GET /v1/comments', comments),
  route('get-users', 'GET /v1/users', users)
]

/** Searches the index by title. The index is incomplete, and with `lag` it omits the latest edits. */
function search(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Search)
  if (asked instanceof Response) return asked
  const late = findLagging(workspace, call.fault('lag')?.value ?? 0)
  const direction = asked.sort?.direction ?? 'descending'
  const has = (title: string) => title.toLowerCase().includes(asked.query.toLowerCase())
  const pages = [...workspace.pages.values()].filter(
    (page) => page.listed && !late.has(page.id) && has(page.title) && isThere(workspace, page)
  )
  const sources = [...workspace.sources.values()].filter(
    (source) => !late.has(source.id) && has(source.title) && isSourceThere(workspace, source.id)
  )
  const listed: Listed<unknown>[] = [
    ...(asked.filter?.value === 'data_source' ? [] : pages.map((page) => toListed(page, pageObject(page, workspace)))),
    ...(asked.filter?.value === 'page'
      ? []
      : sources.map((source) => toListed(source, sourceObject(source, workspace))))
  ]
  return listReply(call, listed, { asked, type: 'page_or_data_source' })

  function toListed<T>({ id, editedAt }: { id: string; editedAt: number }, one: T): Listed<T> {
    return { at: `${timePlace(editedAt, direction)} ${id}`, one }
  }
}

/** Returns the ids of the most recently edited objects. */
function findLagging({ pages, sources }: Workspace, count: number): ReadonlySet<string> {
  const all = [...pages.values(), ...sources.values()].sort((a, b) => b.editedAt - a.editedAt)
  return new Set(all.slice(0, count).map(({ id }) => id))
}

function query(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Query)
  if (asked instanceof Response) return asked
  const id = findId(call.params.data_source_id)
  if (id === undefined || !isSourceThere(workspace, id))
    return notFound('data_source', String(call.params.data_source_id))
  const { timestamp = 'created_time', direction = 'ascending' } = asked.sorts?.[0] ?? {}
  // The only parameter that is in the query string.
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

function children(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Children)
  if (asked instanceof Response) return asked
  const id = findId(call.params.block_id)
  const found = id === undefined ? undefined : findInside(workspace, id)
  if (found === undefined) return notFound('block', String(call.params.block_id))
  const { blocks, page, parent } = found
  const listed = blocks.map((block, at) => ({
    at: String(at).padStart(6, '0'),
    one: blockObject(block, { parent, by: page.by })
  }))
  return listReply(call, listed, { asked, type: 'block' })
}

/** Lists the open comments on a page itself, or on a block. */
function comments(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Comments)
  if (asked instanceof Response) return asked
  const id = findId(asked.block_id)
  const found = id === undefined ? undefined : findInside(workspace, id)
  if (id === undefined || found === undefined) return notFound('block', asked.block_id)
  const all = (found.page.comments ?? []).filter(({ block = found.page.id }) => block === id)
  const listed = all.map((comment, at) => ({
    at: String(at).padStart(6, '0'),
    one: commentObject(comment, { page: id, workspace })
  }))
  return listReply(call, listed, { asked, type: 'comment' })
}

function users(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Children)
  if (asked instanceof Response) return asked
  const all = [...workspace.people.map(personObject), botObject(workspace)]
  const listed = all.map((one, at) => ({ at: String(at).padStart(6, '0'), one }))
  return listReply(call, listed, { asked, type: 'user' })
}

/** Returns the blocks in a visible page or block. */
export function findInside(
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

/** Reports whether a data source is visible: its database is not in the trash and is in a visible page. */
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

function listReply(call: SandboxCall, listed: readonly Listed<unknown>[], { asked, type, extra }: Listing): Response {
  const repeats = asked.start_cursor !== undefined && call.fault('repeat_cursor') !== undefined
  const page = toPage([...listed].sort(byPlace), asked, { repeats })
  if (page === undefined) return invalid(`The start_cursor provided is invalid: ${asked.start_cursor}`)
  return reply({ object: 'list', ...page, type, [type]: {}, ...extra })
}

function byPlace({ at: a }: { at: string }, { at: b }: { at: string }): number {
  return a < b ? -1 : a > b ? 1 : 0
}
