import * as z from 'zod'
import type { SandboxCall, SandboxRoute } from '../core/sandbox-provider.ts'
import { findBlock, isVisible, type NotePage, pageAbove, type Workspace } from './content.ts'
import { notFound, reply } from './errors.ts'
import { findInside } from './listing-routes.ts'
import { renderMarkdown } from './render-markdown.ts'
import { findId, parseAsked, route } from './requests.ts'
import { blockObject, botObject, databaseObject, pageObject, personObject, sourceObject } from './views.ts'

const Retrieve = z.strictObject({ filter_properties: z.array(z.string()).optional() })
const Markdown = z.strictObject({ include_transcript: z.enum(['true', 'false']).optional() })

/** The operations on a single object. */
export const ROUTES: readonly SandboxRoute[] = [
  route('get-self', 'GET /v1/users/me', (_, workspace) => reply(botObject(workspace))),
  route('get-user', 'GET /v1/users/{user_id}', user),
  route('retrieve-a-page', 'GET /v1/pages/{page_id}', page),
  route('retrieve-page-markdown', 'GET /v1/pages/{page_id}/markdown', markdown),
  route('retrieve-a-block', 'GET /v1/blocks/{block_id}', block),
  route('retrieve-a-database', 'GET /v1/databases/{database_id}', database),
  route('retrieve-a-data-source', 'GET /v1/data_sources/{data_source_id}', source)
]

function user({ params }: SandboxCall, workspace: Workspace): Response {
  const id = findId(params.user_id)
  if (id === workspace.bot.id) return reply(botObject(workspace))
  const person = workspace.people.find((one) => one.id === id)
  return person === undefined ? notFound('user', String(params.user_id)) : reply(personObject(person))
}

/** Returns a page. A trashed page is marked as such; the pages in it are not. */
function page(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Retrieve)
  if (asked instanceof Response) return asked
  const found = findShownPage(workspace, call.params.page_id)
  if (found === undefined) return notFound('page', String(call.params.page_id))
  return reply(pageObject(found, workspace, asked.filter_properties))
}

/** Renders a page or block with its children as Markdown. */
function markdown(call: SandboxCall, workspace: Workspace): Response {
  const asked = parseAsked(call, Markdown)
  if (asked instanceof Response) return asked
  const id = findId(call.params.page_id)
  const inside = id === undefined ? undefined : findInside(workspace, id)
  if (id === undefined || inside === undefined) return notFound('page', String(call.params.page_id))
  const own = findBlock(workspace, id)?.block
  const blocks = own === undefined || workspace.pages.has(id) ? inside.blocks : [own]
  const { markdown: text, unknown } = renderMarkdown(inside.page, blocks)
  return reply({
    object: 'page_markdown',
    id,
    markdown: text,
    truncated: unknown.length > 0,
    unknown_block_ids: unknown
  })
}

function block({ params }: SandboxCall, workspace: Workspace): Response {
  const found = findBlock(workspace, findId(params.block_id) ?? '')
  if (found === undefined || !isVisible(workspace, found.page)) return notFound('block', String(params.block_id))
  return reply(blockObject(found.block, { parent: found.above, by: found.page.by }))
}

function database({ params }: SandboxCall, workspace: Workspace): Response {
  const found = workspace.databases.get(findId(params.database_id) ?? '')
  if (found === undefined || !isShown(workspace, pageAbove(workspace, found.parent)))
    return notFound('database', String(params.database_id))
  return reply(databaseObject(found, workspace))
}

function source({ params }: SandboxCall, workspace: Workspace): Response {
  const found = workspace.sources.get(findId(params.data_source_id) ?? '')
  const home = found && workspace.databases.get(found.database)
  if (found === undefined || home === undefined || !isShown(workspace, pageAbove(workspace, home.parent)))
    return notFound('data_source', String(params.data_source_id))
  return reply(sourceObject(found, workspace))
}

function findShownPage(workspace: Workspace, id: string | undefined): NotePage | undefined {
  const found = workspace.pages.get(findId(id) ?? '')
  return isShown(workspace, found) ? found : undefined
}

function isShown(workspace: Workspace, found: NotePage | undefined): found is NotePage {
  return found !== undefined && isVisible(workspace, found)
}
