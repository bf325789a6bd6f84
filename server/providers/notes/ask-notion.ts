import type { z } from 'zod'
import { type Asked, ask } from '../http/ask.ts'
import type { ProviderCall } from '../provider.ts'
import { NOTES_FACTS } from './facts.ts'
import { type About, repliedValue } from './failure-of.ts'

/**
 * The version that every call names (developers.notion.com/reference/versioning). Reading a page as Markdown answers under it too, though
 * the description asks for a later one there.
 */
const NOTION_VERSION = '2025-09-03'

/** How many entries a page of a listing may have at most: developers.notion.com/reference/intro#pagination. */
export const PAGE_SIZE_MAX = 100

/** One call and what came back. @throws ProviderFailure */
export async function askNotion<S extends z.ZodType>(
  call: ProviderCall,
  asked: Omit<Asked, 'service'>,
  { schema, ...about }: About & { schema: S }
): Promise<z.output<S>> {
  const replied = await ask(call, {
    ...asked,
    service: NOTES_FACTS.service,
    headers: { 'notion-version': NOTION_VERSION }
  })
  return repliedValue(replied, schema, about)
}
