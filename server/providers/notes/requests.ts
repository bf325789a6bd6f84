import type { z } from 'zod'
import { type Asked, ask } from '../http/ask.ts'
import type { Account, ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { type About, parseReply } from './failures.ts'
import { Block, BlocksReply, BotUser, Database, Page, PageMarkdown, RowsReply, SearchReply } from './wire.ts'

/** A page with its properties. @throws ProviderFailure `item_gone`, also where it is not shared any more. */
export function getPage(call: ProviderCall, id: string): Promise<Page> {
  const about = { schema: Page, what: 'the page', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/pages/${encodeURIComponent(id)}` }, about)
}

/** The text of a page. Likewise. */
export function getMarkdown(call: ProviderCall, id: string) {
  const about = { schema: PageMarkdown, what: 'the text of the page', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/pages/${encodeURIComponent(id)}/markdown` }, about)
}

/** One block without those in it. Likewise. */
export function getBlock(call: ProviderCall, id: string): Promise<Block> {
  const about = { schema: Block, what: 'the block', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/blocks/${encodeURIComponent(id)}` }, about)
}

/** A database and which data sources it has. Likewise. */
export function getDatabase(call: ProviderCall, id: string) {
  const about = { schema: Database, what: 'the database', single: true }
  return askNotion(call, { method: 'GET', path: `/v1/databases/${encodeURIComponent(id)}` }, about)
}

/** A page of the blocks that stand in a block or page. Likewise. */
export async function listBlocks(call: ProviderCall, id: string, from: string | undefined) {
  const path = `/v1/blocks/${encodeURIComponent(id)}/children`
  const about = { schema: BlocksReply, what: 'the blocks of the page', single: true, fromCursor: from !== undefined }
  const query = { page_size: PAGE_SIZE_MAX, start_cursor: from }
  return addNext(await askNotion(call, { method: 'GET', path, query }, about), from, about.what)
}

/** A page of all pages and data sources that search knows of, those edited last first. */
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
 * A page of the rows of a data source, the oldest first; of those in the trash, those edited last first. Filters by time:
 * developers.notion.com/reference/filter-data-source-entries#timestamp.
 *
 * @throws ProviderFailure `item_gone` where there is no such data source for this account.
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

/** A next page that is this one would be asked for without end. */
function addNext<T extends { next_cursor: string | null; has_more: boolean }>(
  reply: T,
  from: string | undefined,
  what: string
): T & { next: string | undefined } {
  const next = reply.has_more ? reply.next_cursor : null
  if (reply.has_more && (next === null || next === from))
    throw new ProviderFailure('contract_broken', `${what}: the next page is the one before, or none`)
  return { ...reply, next: next ?? undefined }
}

/**
 * The version that every call names (developers.notion.com/reference/versioning). Reading a page as Markdown answers under it too, though
 * the description asks for a later one there.
 */
const NOTION_VERSION = '2025-09-03'

/** How many entries a page of a listing may have at most: developers.notion.com/reference/intro#pagination. */
export const PAGE_SIZE_MAX = 100

/** One call and what came back. @throws ProviderFailure */
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
 * The account by its workspace, so that consenting again, which may come with another bot, renews the same connection. The published
 * description knows of the bot only; replies have `workspace_id` too. Without it the id of the bot stands in, which is nobody else's either.
 */
export async function identify(call: ProviderCall): Promise<Account> {
  const about = { schema: BotUser, what: "the token's bot user" }
  const { id, name, bot } = await askNotion(call, { method: 'GET', path: '/v1/users/me' }, about)
  const known = bot?.workspace_name || name
  return { id: bot?.workspace_id ?? id, name: known || 'Notion workspace' }
}
