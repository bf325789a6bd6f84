import type { z } from 'zod'
import { type Asked, ask } from '../http/ask.ts'
import type { Account, ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { type About, parseReply } from './failures.ts'
import {
  Block,
  BlocksReply,
  BotUser,
  CommentsReply,
  Database,
  DataSource,
  Page,
  PageMarkdown,
  RowsReply,
  SearchReply
} from './wire.ts'

/**
 * Fetches a page with its properties.
 *
 * @throws ProviderFailure `item_gone`, also if it is no longer shared.
 */
export function getPage(call: ProviderCall, id: string): Promise<Page> {
  const about = { schema: Page, what: 'the page', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/pages/${encodeURIComponent(id)}` }, about)
}

/**
 * Fetches the text of a page.
 *
 * @throws ProviderFailure as `getPage` does.
 */
export function getMarkdown(call: ProviderCall, id: string) {
  const about = { schema: PageMarkdown, what: 'the text of the page', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/pages/${encodeURIComponent(id)}/markdown` }, about)
}

/**
 * Fetches a block without its children.
 *
 * @throws ProviderFailure as `getPage` does.
 */
export function getBlock(call: ProviderCall, id: string): Promise<Block> {
  const about = { schema: Block, what: 'the block', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/blocks/${encodeURIComponent(id)}` }, about)
}

/**
 * Fetches a database and its data sources.
 *
 * @throws ProviderFailure as `getPage` does.
 */
export function getDatabase(call: ProviderCall, id: string) {
  const about = { schema: Database, what: 'the database', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/databases/${encodeURIComponent(id)}` }, about)
}

/**
 * Fetches a data source with its title and the names of its properties.
 *
 * @throws ProviderFailure as `getPage` does.
 */
export function getDataSource(call: ProviderCall, id: string): Promise<DataSource> {
  const about = { schema: DataSource, what: 'the data source', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/data_sources/${encodeURIComponent(id)}` }, about)
}

/** Awaits a request, or returns undefined if the account cannot see the object. */
export async function unlessUnavailable<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderFailure && (error.kind === 'item_gone' || error.kind === 'item_permanent'))
      return undefined
    throw error
  }
}

/**
 * Fetches a page of the blocks in a block or page.
 *
 * @throws ProviderFailure as `getPage` does.
 */
export async function listBlocks(call: ProviderCall, id: string, from: string | undefined) {
  const path = `/v1/blocks/${encodeURIComponent(id)}/children`
  const about = { schema: BlocksReply, what: 'the blocks of the page', single: true, fromCursor: from !== undefined }
  const query = { page_size: PAGE_SIZE_MAX, start_cursor: from }
  return addNext(await askNotion(call, { method: 'GET', path, query }, about), from, about.what)
}

/**
 * Fetches a page of the open comments on a page: developers.notion.com/reference/list-comments.
 *
 * @throws ProviderFailure as `getPage` does; `scope_missing` without the capability to read comments.
 */
export async function listComments(call: ProviderCall, id: string, from: string | undefined) {
  const about = { schema: CommentsReply, what: 'the comments', single: true, fromCursor: from !== undefined }
  const query = { block_id: id, page_size: PAGE_SIZE_MAX, start_cursor: from }
  return addNext(await askNotion(call, { method: 'GET', path: '/v1/comments', query }, about), from, about.what)
}

/** Fetches a page of all pages and data sources in the search index, most recently edited first. */
export async function search(call: ProviderCall, from: string | undefined, pageSize: number) {
  const json = {
    sort: { timestamp: 'last_edited_time', direction: 'descending' },
    page_size: pageSize,
    ...(from !== undefined && { start_cursor: from })
  }
  const about = { schema: SearchReply, what: 'the search', fromCursor: from !== undefined }
  return addNext(await askNotion(call, { method: 'POST', path: '/v1/search', json }, about), from, about.what)
}

type RowsAsked = {
  from?: string | undefined
  pageSize: number
  /** In milliseconds since 1970. */
  editedSince?: number | undefined
  createdSince?: string | undefined
  trashed?: boolean
}

/**
 * Fetches a page of the rows of a data source, oldest first; for trashed rows, most recently edited first. Filters by
 * time: developers.notion.com/reference/filter-data-source-entries#timestamp.
 *
 * @throws ProviderFailure `item_gone` if the account cannot see the data source.
 */
export async function queryRows(call: ProviderCall, id: string, asked: RowsAsked) {
  const { from, pageSize, trashed } = asked
  const json = {
    ...toFilter(asked),
    sorts: [
      trashed
        ? { timestamp: 'last_edited_time', direction: 'descending' }
        : { timestamp: 'created_time', direction: 'ascending' }
    ],
    page_size: pageSize,
    ...(trashed && { in_trash: true }),
    ...(from !== undefined && { start_cursor: from })
  }
  const path = `/v1/data_sources/${encodeURIComponent(id)}/query`
  const about = { schema: RowsReply, what: 'the rows of the data source', single: true, fromCursor: from !== undefined }
  return addNext(await askNotion(call, { method: 'POST', path, json }, about), from, about.what)
}

function toFilter({ editedSince, createdSince }: RowsAsked) {
  const conditions = [
    ...(editedSince === undefined ? [] : [toTimeFilter('last_edited_time', new Date(editedSince).toISOString())]),
    ...(createdSince === undefined ? [] : [toTimeFilter('created_time', createdSince)])
  ]
  const [first] = conditions
  if (first === undefined) return {}
  return { filter: conditions.length === 1 ? first : { and: conditions } }
}

function toTimeFilter(timestamp: 'created_time' | 'last_edited_time', time: string) {
  return { timestamp, [timestamp]: { on_or_after: time } }
}

/** Adds the next cursor, and refuses one that equals the current page, which would be read forever. */
function addNext<T extends { next_cursor: string | null; has_more: boolean }>(
  reply: T,
  from: string | undefined,
  what: string
): T & { next: string | undefined } {
  const next = reply.has_more ? reply.next_cursor : null
  if (reply.has_more && (next === null || next === from))
    throw new ProviderFailure('contract_broken', `${what}: the next page is the previous one, or missing`)
  return { ...reply, next: next ?? undefined }
}

/**
 * The version sent with every call (developers.notion.com/reference/versioning). Reading a page as Markdown works with
 * it, although the documentation requires a later one.
 */
const NOTION_VERSION = '2025-09-03'

/** The maximum page size of a listing: developers.notion.com/reference/intro#pagination. */
export const PAGE_SIZE_MAX = 100

/**
 * Sends one call and parses its reply.
 *
 * @throws ProviderFailure
 */
async function askNotion<S extends z.ZodType>(
  call: ProviderCall,
  asked: Omit<Asked, 'service'>,
  { schema, ...about }: About & { schema: S }
): Promise<z.output<S>> {
  const replied = await ask(call, {
    ...asked,
    service: FACTS.service,
    headers: { 'notion-version': NOTION_VERSION }
  })
  return parseReply(replied, schema, about)
}

/**
 * Identifies the account by its workspace, so that a new consent, which may create another bot, renews the same
 * connection. The documentation mentions only the bot; replies also have `workspace_id`. Without it, the id of the bot
 * is used, which is unique too.
 */
export async function identify(call: ProviderCall): Promise<Account> {
  const about = { schema: BotUser, what: "the token's bot user" }
  const { id, name, bot } = await askNotion(call, { method: 'GET', path: '/v1/users/me' }, about)
  const known = bot?.workspace_name || name
  return { id: bot?.workspace_id ?? id, name: known || 'Notion workspace' }
}
