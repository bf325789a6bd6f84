import type { Account, ProviderCall } from '../provider.ts'
import { askNotion } from './ask-notion.ts'
import { BotUser } from './wire.ts'

/**
 * The account by its workspace, so that consenting again, which may come with another bot, renews the same connection. The published
 * description knows of the bot only; replies have `workspace_id` too. Without it the id of the bot stands in, which is nobody else's either.
 */
export async function identify(call: ProviderCall): Promise<Account> {
  const about = { schema: BotUser, what: "the token's bot user" }
  const { id, name, bot } = await askNotion(call, { method: 'GET', path: '/v1/users/me' }, about)
  const known = bot?.workspace_name || name
  return { id: bot?.workspace_id ?? id, name: known || 'Notion workspace' }
}
