import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import type { ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { plainText } from './page-text.ts'
import { listComments } from './requests.ts'
import type { Comment } from './wire.ts'

/** Maximum number of pages in a listing of comments. */
const PAGES_MAX = 20

/** `version` changes with the comments; undefined if there are none. `cut` is why some are missing. */
export type PageComments = { parts: TextPart[]; version?: string; cut?: string }

/**
 * Reads the open comments on a page as turns about it, each with its author and date. Comments on a single block are
 * not among them, since Notion lists those of each block by themselves. An integration without the capability to read
 * comments gets none.
 *
 * @throws ProviderFailure
 */
export async function readComments(call: ProviderCall, id: string): Promise<PageComments> {
  const parts: TextPart[] = []
  let from: string | undefined
  let pages = 0
  do {
    const reply = await listComments(call, id, from).catch(ifNotAllowed)
    parts.push(...(reply?.results ?? []).flatMap((comment) => toPart(comment, id)))
    from = reply?.next
    pages += 1
  } while (from !== undefined && pages < PAGES_MAX)
  if (parts.length === 0) return { parts }
  const version = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
  return { parts, version, ...(from !== undefined && { cut: 'only the first comments on the page are read' }) }
}

/** Failures that concern comments only. */
const WITHOUT: ReadonlySet<string> = new Set(['scope_missing', 'item_gone', 'item_permanent'])

function ifNotAllowed(error: unknown): undefined {
  if (error instanceof ProviderFailure && WITHOUT.has(error.kind)) return undefined
  throw error
}

function toPart({ rich_text, created_time, display_name }: z.infer<typeof Comment>, conversation: string): TextPart[] {
  const text = plainText(rich_text).trim()
  const speaker = display_name?.resolved_name?.trim()
  if (text === '') return []
  return [{ text, conversation, at: Date.parse(created_time), ...(speaker && { speaker }) }]
}
