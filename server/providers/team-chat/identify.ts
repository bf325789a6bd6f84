import type { z } from 'zod'
import type { Account, ProviderCall } from '../provider.ts'
import { callMethod } from './call-method.ts'
import { AuthTest } from './wire.ts'

/** A person in a workspace: the id of a user is unique only together with its team's. */
export async function identify(call: ProviderCall): Promise<Account> {
  const { team_id, user_id, user, team } = await whoIs(call)
  return { id: `${team_id}:${user_id}`, name: `${user} @ ${team}` }
}

/** What auth.test says of the token (https://docs.slack.dev/reference/methods/auth.test). */
export function whoIs(call: ProviderCall): Promise<z.infer<typeof AuthTest>> {
  return callMethod(call, 'auth.test', { schema: AuthTest })
}
