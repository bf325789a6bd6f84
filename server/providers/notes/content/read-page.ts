import type { ProviderCall } from '../../provider.ts'
import { ProviderFailure } from '../../provider-failure.ts'
import { getMarkdown } from '../requests.ts'
import { type PlainMarkdown, plainMarkdown } from './plain-markdown.ts'
import { newWalk, walkBlock, walkBlocks } from './walk-blocks.ts'

/** Of one page; what is beyond is left out. Characters. */
const TEXT_LENGTH_MAX = 2_000_000
/** Blocks that the Markdown lacks and that are asked for one by one. */
const MISSING_MAX = 100

/**
 * The text of a page and what stands in it: as Markdown, which is one call, completed by the blocks that it does not render (bookmarks and
 * embeds, and what is beyond about 20,000 blocks: developers.notion.com/reference/retrieve-page-markdown). Where a page is not
 * to be had as Markdown, block by block. @throws ProviderFailure
 */
export async function readPage(call: ProviderCall, id: string): Promise<PlainMarkdown> {
  const found = (await readMarkdown(call, id)) ?? (await readBlocks(call, id))
  return { ...found, text: found.text.slice(0, TEXT_LENGTH_MAX) }
}

/** Undefined where there is none of this page. */
async function readMarkdown(call: ProviderCall, id: string): Promise<PlainMarkdown | undefined> {
  const reply = await getMarkdown(call, id).catch((error: unknown) => {
    if (error instanceof ProviderFailure && WALKED.has(error.kind)) return undefined
    throw error
  })
  if (reply === undefined) return undefined
  const walk = newWalk()
  const missing = new Map<string, readonly string[]>()
  for (const block of reply.unknown_block_ids.slice(0, MISSING_MAX))
    missing.set(block, await walkBlock(call, walk, block))
  const { text, pages, databases } = plainMarkdown(reply.markdown, missing)
  return { text, pages: distinct([...pages, ...walk.pages]), databases: distinct([...databases, ...walk.databases]) }
}

/** What a page may still be had block by block after. */
const WALKED: ReadonlySet<string> = new Set(['item_gone', 'item_permanent', 'contract_broken'])

async function readBlocks(call: ProviderCall, id: string): Promise<PlainMarkdown> {
  const walk = newWalk()
  const lines = await walkBlocks(call, walk, { id, depth: 0 })
  return { text: lines.join('\n').trim(), pages: distinct(walk.pages), databases: distinct(walk.databases) }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
