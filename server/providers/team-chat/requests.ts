import type { z } from 'zod'
import { ask } from '../http/ask.ts'
import type { Account, ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { parseReply } from './failures.ts'
import { AuthTest } from './wire.ts'

const { service } = FACTS

type Arguments = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Calls a reading method of the Web API with GET and its arguments in the query.
 *
 * @throws ProviderFailure; the reason of the call's signal.
 */
export async function callMethod<S extends z.ZodType>(
  call: ProviderCall,
  method: string,
  { query, schema }: { query?: Arguments; schema: S }
): Promise<z.output<S>> {
  const replied = await ask(call, { service, method: 'GET', path: `/${method}`, ...(query && { query }) })
  return parseReply(replied, schema, method)
}

/** Returns the cursor of the next page, or undefined after the last one. */
export function nextCursor(page: {
  response_metadata?: { next_cursor?: string | null | undefined } | null | undefined
}): string | undefined {
  return page.response_metadata?.next_cursor || undefined
}

/** Identifies a person in a workspace. A user id is unique only together with its team's. */
export async function identify(call: ProviderCall): Promise<Account> {
  const { team_id, user_id, user, team } = await getAuthInfo(call)
  return { id: `${team_id}:${user_id}`, name: `${user} @ ${team}` }
}

/** Returns the URL of the workspace with a slash at the end, so that a path can be appended. */
export async function getTeamUrl(call: ProviderCall): Promise<string> {
  const { url } = await getAuthInfo(call)
  if (URL.canParse(url) && /^https?:\/\//.test(url)) return url.endsWith('/') ? url : `${url}/`
  throw new ProviderFailure('contract_broken', 'auth.test: the address of the workspace is invalid')
}

/** Fetches the facts about the token (https://docs.slack.dev/reference/methods/auth.test). */
function getAuthInfo(call: ProviderCall): Promise<z.infer<typeof AuthTest>> {
  return callMethod(call, 'auth.test', { schema: AuthTest })
}
