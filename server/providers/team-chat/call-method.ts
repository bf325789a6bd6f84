import type { z } from 'zod'
import { ask } from '../http/ask.ts'
import type { ProviderCall } from '../provider.ts'
import { TEAM_CHAT_FACTS } from './facts.ts'
import { answerOf } from './failure-of.ts'

const { service } = TEAM_CHAT_FACTS

export type Arguments = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Calls a method of the Web API that reads, by GET with its arguments in the query.
 *
 * @throws ProviderFailure; the reason of the call's signal.
 */
export async function callMethod<S extends z.ZodType>(
  call: ProviderCall,
  method: string,
  { query, schema }: { query?: Arguments; schema: S }
): Promise<z.output<S>> {
  const replied = await ask(call, { service, method: 'GET', path: `/${method}`, ...(query && { query }) })
  return answerOf(replied, schema, method)
}

/** The cursor of the next page; undefined where this was the last one. */
export function nextCursor(page: {
  response_metadata?: { next_cursor?: string | null | undefined } | null | undefined
}): string | undefined {
  return page.response_metadata?.next_cursor || undefined
}
