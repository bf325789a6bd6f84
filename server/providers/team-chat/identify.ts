import type { z } from 'zod'
import type { Account, ProviderCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { callMethod } from './call-method.ts'
import { AuthTest } from './wire.ts'

/** A person in a workspace: the id of a user is unique only together with its team's. */
export async function identify(call: ProviderCall): Promise<Account> {
  const { team_id, user_id, user, team } = await whoIs(call)
  return { id: `${team_id}:${user_id}`, name: `${user} @ ${team}` }
}

/** The address of the workspace, with a slash at its end, so that a path can be appended. */
export async function teamUrl(call: ProviderCall): Promise<string> {
  const { url } = await whoIs(call)
  if (URL.canParse(url) && /^https?:\/\//.test(url)) return url.endsWith('/') ? url : `${url}/`
  throw new ProviderFailure('contract_broken', 'auth.test: the address of the workspace is none')
}

/** What auth.test says of the token (https://docs.slack.dev/reference/methods/auth.test). */
function whoIs(call: ProviderCall): Promise<z.infer<typeof AuthTest>> {
  return callMethod(call, 'auth.test', { schema: AuthTest })
}
