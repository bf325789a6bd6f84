import type { ItemContent, LookedUp, ProviderCall, SyncCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'
import { getPlace, toPageItem } from './page-item.ts'
import { blockText, FRAMES, isKnownBlock, type PageText, readMarkdown } from './page-text.ts'
import { type PageComments, readComments } from './read-comments.ts'
import { openTitles, readRow } from './read-row.ts'
import { getBlock, getDatabase, getMarkdown, getPage, listBlocks, unlessUnavailable } from './requests.ts'
import { type Block, type Database, isTrashed, ObjectId, type Page, readTagged, type Tagged } from './wire.ts'

/** Reads the current content of a page. A page within a trashed parent counts as gone. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const id = ObjectId.safeParse(itemId)
  if (!id.success) throw makeGoneError()
  const page = await getPage(call, id.data)
  if (isTrashed(page) || (await liesInTrash(call, page.parent))) throw makeGoneError()
  return await readWhole(call, page)
}

/** Reads the text, the properties and the comments of a page. */
async function readWhole(call: SyncCall, page: Page): Promise<ReturnType<typeof toPageItem>> {
  const body = await readPageText(call, page.id)
  const row = await readRow(page, openTitles(call))
  return toPageItem(page, body, { row, comments: await readCommentsIfOn(call, page.id) })
}

/** Reads the comments on a page, or none if the server does not read comments. */
export async function readCommentsIfOn(call: SyncCall, id: string): Promise<PageComments> {
  const { comments = false, innerComments = false } = call.reads ?? {}
  return comments ? await readComments(call, id, innerComments) : { parts: [] }
}

function makeGoneError(): ProviderFailure {
  return new ProviderFailure('item_gone', 'the page was deleted or is in the trash')
}

/** Maximum length of a page's text in characters. The rest is omitted. */
const TEXT_LENGTH_MAX = 2_000_000
/** Maximum number of blocks that are fetched individually because the Markdown lacks them. */
const MISSING_MAX = 100

/**
 * Reads the text and the children of a page. Fetches it as Markdown in one call and adds the blocks that are not
 * rendered (bookmarks, embeds, and everything beyond about 20,000 blocks:
 * developers.notion.com/reference/retrieve-page-markdown). If a page is not available as Markdown, reads it block by
 * block.
 *
 * @throws ProviderFailure
 */
export async function readPageText(call: ProviderCall, id: string): Promise<PageText> {
  const found = (await readAsMarkdown(call, id)) ?? (await readAsBlocks(call, id))
  return found.text.length > TEXT_LENGTH_MAX
    ? { ...found, text: found.text.slice(0, TEXT_LENGTH_MAX), cut: LIMITED }
    : found
}

const LIMITED = 'only a part of the page is read: it has more text or blocks than are taken'
const UNSUPPORTED = 'only a part of the page is read: Notion does not return some of its blocks'
const TRUNCATED = 'only a part of the page is read: Notion truncated its text'

/** Reads a page as Markdown, or returns undefined if that is not available. */
async function readAsMarkdown(call: ProviderCall, id: string): Promise<PageText | undefined> {
  const reply = await getMarkdown(call, id).catch((error: unknown) => {
    if (error instanceof ProviderFailure && WALKED.has(error.kind)) return undefined
    throw error
  })
  if (reply === undefined) return undefined
  const walk = createWalk()
  const missing = new Map<string, readonly string[]>()
  for (const block of reply.unknown_block_ids.slice(0, MISSING_MAX))
    missing.set(block, await walkBlock(call, walk, block))
  const { text, pages, databases } = readMarkdown(reply.markdown, missing)
  const found = {
    text,
    pages: distinct([...pages, ...walk.pages]),
    databases: distinct([...databases, ...walk.databases])
  }
  // A truncated text is complete with the blocks that it lacks, if Notion names them.
  const { truncated, unknown_block_ids: unknown } = reply
  if (truncated && unknown.length === 0) return { ...found, cut: TRUNCATED }
  return { ...found, ...(unknown.length > MISSING_MAX ? { cut: LIMITED } : explainCut(walk)) }
}

/** Returns why a walk lacks a part of the page. */
function explainCut({ isCut, isLacking, unknownTypes }: Walk): Pick<PageText, 'cut'> {
  if (isCut) return { cut: LIMITED }
  if (isLacking) return { cut: UNSUPPORTED }
  const types = [...unknownTypes].sort().slice(0, 5).join(', ')
  return types === ''
    ? {}
    : { cut: `only a part of the page is read: the type of some of its blocks is unknown, ${types}` }
}

/** Failures after which a page may still be readable block by block. */
const WALKED: ReadonlySet<string> = new Set(['item_gone', 'item_permanent', 'contract_broken'])

async function readAsBlocks(call: ProviderCall, id: string): Promise<PageText> {
  const walk = createWalk()
  const lines = await walkBlocks(call, walk, { id, depth: 0 })
  const found = { text: lines.join('\n').trim(), pages: distinct(walk.pages), databases: distinct(walk.databases) }
  return { ...found, ...explainCut(walk) }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

/** The limits and results of walking one page. All walks of the page share one. */
type Walk = {
  /** Blocks whose content was read. A synced block may be part of its own original. */
  visited: Set<string>
  requestsLeft: number
  /** A limit was reached. */
  isCut: boolean
  /** Notion does not return a block, or marks it as not supported. */
  isLacking: boolean
  /** Types of blocks without a text that this server knows how to find. */
  unknownTypes: Set<string>
  pages: string[]
  databases: string[]
}

/** Creates a new walk. */
function createWalk(): Walk {
  return {
    visited: new Set(),
    requestsLeft: REQUESTS_MAX,
    isCut: false,
    isLacking: false,
    unknownTypes: new Set(),
    pages: [],
    databases: []
  }
}

/** Calls for the blocks of one page. */
const REQUESTS_MAX = 400
/** Maximum depth of nested blocks. */
const BLOCK_DEPTH_MAX = 30

/**
 * Returns the lines of all blocks in a page or block. What exceeds the limits of the walk is omitted.
 *
 * @throws ProviderFailure
 */
async function walkBlocks(call: ProviderCall, walk: Walk, { id, depth }: { id: string; depth: number }) {
  const lines: string[] = []
  if (depth > BLOCK_DEPTH_MAX) walk.isCut = true
  if (walk.visited.has(id) || depth > BLOCK_DEPTH_MAX) return lines
  walk.visited.add(id)
  let from: string | undefined
  do {
    if (walk.requestsLeft <= 0) {
      walk.isCut = true
      break
    }
    walk.requestsLeft -= 1
    const { results, next } = await listBlocks(call, id, from)
    for (const block of results) lines.push(...(await readBlock(call, walk, { block, depth })))
    from = next
  } while (from !== undefined)
  return lines
}

/**
 * Returns the lines of a block and its children, or none if the account cannot see it.
 *
 * @throws ProviderFailure
 */
async function walkBlock(call: ProviderCall, walk: Walk, id: string): Promise<string[]> {
  if (walk.requestsLeft <= 0) {
    walk.isCut = true
    return []
  }
  walk.requestsLeft -= 1
  try {
    return await readBlock(call, walk, { block: await getBlock(call, id), depth: 0 })
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === 'item_gone')) throw error
    walk.isLacking = true
    return []
  }
}

async function readBlock(call: ProviderCall, walk: Walk, at: { block: Block; depth: number }): Promise<string[]> {
  const { block, depth } = at
  if (isTrashed(block)) return []
  const text = blockText(block)
  if (block.type === 'unsupported') walk.isLacking = true
  else if (text === '' && !block.has_children && !isKnownBlock(block)) walk.unknownTypes.add(block.type.slice(0, 40))
  const own = text === '' ? [] : text.split('\n').map((line) => `${'  '.repeat(depth)}${line}`)
  if (block.type === 'child_page') walk.pages.push(block.id)
  else if (block.type === 'child_database') walk.databases.push(block.id)
  else if (block.has_children)
    own.push(...(await walkBlocks(call, walk, { id: block.id, depth: FRAMES.has(block.type) ? depth : depth + 1 })))
  return own
}

/** Maximum number of nested parents. */
const PARENTS_MAX = 50

/**
 * Reports whether any parent is in the trash, as far as the account can see them.
 *
 * @throws ProviderFailure
 */
export async function liesInTrash(call: ProviderCall, parent: Tagged): Promise<boolean> {
  let place: Tagged | undefined = parent
  for (let depth = 0; place !== undefined && place.type !== 'workspace' && depth < PARENTS_MAX; depth += 1) {
    const above: Page | Block | Database | undefined = await unlessUnavailable(getAbove(call, place))
    if (above === undefined) return false
    if (isTrashed(above)) return true
    place = above.parent
  }
  return false
}

/** Fetches a parent. A data source is in the trash if its database is, whose id it contains. */
async function getAbove(call: ProviderCall, place: Tagged): Promise<Page | Block | Database | undefined> {
  const id = readTagged(place)
  if (id === undefined) return undefined
  if (place.type === 'page_id') return await getPage(call, id)
  if (place.type === 'block_id') return await getBlock(call, id)
  const database = place.type === 'database_id' ? id : place.database_id
  return typeof database === 'string' ? await getDatabase(call, database) : undefined
}

/**
 * See `Provider.lookUp`. A page in the trash, or within a trashed parent, counts as gone. The result includes the
 * page's text.
 */
export async function lookUp(call: SyncCall, item: { id: string }): Promise<LookedUp> {
  const id = ObjectId.safeParse(item.id)
  if (!id.success) return 'absent'
  const page = await unlessGone(getPage(call, id.data))
  if (page === undefined || isTrashed(page) || (await liesInTrash(call, page.parent))) return 'absent'
  const content = await readWhole(call, page)
  const place = getPlace(page)
  return { id: page.id, version: content.version, content, ...(place !== undefined && { place }) }
}
