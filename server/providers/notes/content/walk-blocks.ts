import type { ProviderCall } from '../../provider.ts'
import { ProviderFailure } from '../../provider-failure.ts'
import { getBlock, listBlocks } from '../requests.ts'
import { type Block, isTrashed } from '../wire.ts'
import { blockText, FRAMES } from './block-text.ts'

/** What may be asked for one page, and what was met on the way. One of them goes through all of its walks. */
export type Walk = {
  /** Blocks whose content was taken: a synced block may stand in its own original. */
  visited: Set<string>
  requestsLeft: number
  pages: string[]
  databases: string[]
}

/** A walk that has not begun. */
export function newWalk(): Walk {
  return { visited: new Set(), requestsLeft: REQUESTS_MAX, pages: [], databases: [] }
}

/** Calls for the blocks of one page. */
const REQUESTS_MAX = 400
/** How deep blocks may stand in each other. */
const DEPTH_MAX = 30

/** The lines of all that stands in a page or block. What is beyond the limits of a walk is left out. @throws ProviderFailure */
export async function walkBlocks(call: ProviderCall, walk: Walk, { id, depth }: { id: string; depth: number }) {
  const lines: string[] = []
  if (walk.visited.has(id) || depth > DEPTH_MAX) return lines
  walk.visited.add(id)
  let from: string | undefined
  do {
    if (walk.requestsLeft <= 0) break
    walk.requestsLeft -= 1
    const { results, next } = await listBlocks(call, id, from)
    for (const block of results) lines.push(...(await linesOf(call, walk, { block, depth })))
    from = next
  } while (from !== undefined)
  return lines
}

/** The lines of one block and all that stands in it; none where it is not shown to us. @throws ProviderFailure */
export async function walkBlock(call: ProviderCall, walk: Walk, id: string): Promise<string[]> {
  if (walk.requestsLeft <= 0) return []
  walk.requestsLeft -= 1
  try {
    return await linesOf(call, walk, { block: await getBlock(call, id), depth: 0 })
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return []
    throw error
  }
}

async function linesOf(call: ProviderCall, walk: Walk, at: { block: Block; depth: number }): Promise<string[]> {
  const { block, depth } = at
  if (isTrashed(block)) return []
  const text = blockText(block)
  const own = text === '' ? [] : text.split('\n').map((line) => `${'  '.repeat(depth)}${line}`)
  if (block.type === 'child_page') walk.pages.push(block.id)
  else if (block.type === 'child_database') walk.databases.push(block.id)
  else if (block.has_children)
    own.push(...(await walkBlocks(call, walk, { id: block.id, depth: FRAMES.has(block.type) ? depth : depth + 1 })))
  return own
}
