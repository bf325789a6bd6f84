import { createHash } from 'node:crypto'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import type { ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { blockText, plainText } from './page-text.ts'
import { listBlocks, listComments } from './requests.ts'
import { type Block, type Comment, isTrashed } from './wire.ts'

/** Maximum number of pages in a listing of comments. */
const PAGES_MAX = 20

/** `version` changes with the comments; undefined if there are none. `cut` is why some are missing. */
export type PageComments = { parts: TextPart[]; version?: string; cut?: string }

/** Requests for the comments on blocks of one page. */
const BLOCK_REQUESTS_MAX = 50
/** Characters of a block that are quoted above its comments. */
const QUOTED_MAX = 300

/**
 * Reads the open comments on a page as turns about it, each with its author and date. With `onBlocks`, reads those on
 * its blocks, too, below a quote of the block. Notion lists them by block, and does not tell which blocks have any:
 * developers.notion.com/guides/data-apis/working-with-comments. An integration without the capability to read comments
 * gets none.
 *
 * @throws ProviderFailure
 */
export async function readComments(call: ProviderCall, id: string, onBlocks: boolean): Promise<PageComments> {
  const ofPage = await listAll(call, id).catch(ifNotAllowed)
  if (ofPage === undefined) return { parts: [] }
  const cuts = ofPage.isCut ? ['only the first comments on the page are read'] : []
  const parts = ofPage.comments.flatMap((comment) => toPart(comment, id))
  if (onBlocks) {
    const ofBlocks = await readBlockComments(call, id)
    parts.push(...ofBlocks.parts)
    if (ofBlocks.isCut) cuts.push('only the comments on its first blocks are read')
  }
  const cut = cuts.length === 0 ? {} : { cut: cuts.join('; ') }
  if (parts.length === 0) return { parts, ...cut }
  const version = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
  return { parts, version, ...cut }
}

async function listAll(call: ProviderCall, id: string) {
  const comments: Comment[] = []
  let from: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const reply = await listComments(call, id, from)
    comments.push(...reply.results)
    from = reply.next
    if (from === undefined) return { comments, isCut: false }
  }
  return { comments, isCut: true }
}

type Budget = { requestsLeft: number; isCut: boolean }

/** Reads the comments on blocks in the order of the page, level by level. Those in child pages belong to these. */
async function readBlockComments(call: ProviderCall, page: string): Promise<{ parts: TextPart[]; isCut: boolean }> {
  const budget = { requestsLeft: BLOCK_REQUESTS_MAX, isCut: false }
  const parts: TextPart[] = []
  for await (const { id, quoted } of listTextBlocks(call, page, budget)) {
    if (!spendRequest(budget)) break
    const comments = (await listAll(call, id).catch(ifNotAllowed))?.comments ?? []
    parts.push(...comments.flatMap((comment) => toPart(comment, page, quoted)))
  }
  return { parts, isCut: budget.isCut }
}

function spendRequest(budget: Budget): boolean {
  if (budget.requestsLeft <= 0) budget.isCut = true
  else budget.requestsLeft -= 1
  return !budget.isCut
}

async function* listTextBlocks(call: ProviderCall, page: string, budget: Budget) {
  const parents = [page]
  for (const parent of parents) {
    let from: string | undefined
    do {
      if (!spendRequest(budget)) return
      const { results, next } = await listBlocks(call, parent, from)
      for (const block of results.filter(isOfPage)) {
        if (block.has_children && !parents.includes(block.id)) parents.push(block.id)
        const quoted = blockText(block).replace(/\s+/g, ' ').trim().slice(0, QUOTED_MAX).toWellFormed()
        if (quoted !== '') yield { id: block.id, quoted }
      }
      from = next
    } while (from !== undefined)
  }
}

function isOfPage(block: Block): boolean {
  return !isTrashed(block) && block.type !== 'child_page' && block.type !== 'child_database'
}

/** Failures that concern comments only. */
const WITHOUT: ReadonlySet<string> = new Set(['scope_missing', 'item_gone', 'item_permanent'])

function ifNotAllowed(error: unknown): undefined {
  if (error instanceof ProviderFailure && WITHOUT.has(error.kind)) return undefined
  throw error
}

function toPart({ rich_text, created_time, display_name }: Comment, conversation: string, quoted = ''): TextPart[] {
  const own = plainText(rich_text).trim()
  const speaker = display_name?.resolved_name?.trim()
  if (own === '') return []
  const text = quoted === '' ? own : `> ${quoted}\n\n${own}`
  return [{ text, conversation, at: Date.parse(created_time), ...(speaker && { speaker }) }]
}
