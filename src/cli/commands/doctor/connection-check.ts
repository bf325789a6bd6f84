import type { Connection } from '../../../contract/connection.ts'
import type { Context } from '../../context.ts'
import { counted } from '../../output/short-forms.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { nextCommand } from '../../service/next-command.ts'
import { ok, type Seen, warning } from './check.ts'

/** Collections whose connections are looked at, and connections that are told, at most. */
const COLLECTIONS_MAX = 20
const TOLD_MAX = 5

/** Accounts that are linked to collections of the key: whether each is synced. */
export async function lookAtConnections(context: Context): Promise<Seen | Seen[]> {
  const client = await context.client()
  const enabled = await client.listProviders()
  const collections = (await client.listCollections()).filter(({ expires_at }) => expires_at === null)
  const connections: Connection[] = []
  for (const { id } of collections.slice(0, COLLECTIONS_MAX))
    connections.push(...(await client.listConnections({ query: { collection_id: id } })))
  const wrong = connections.flatMap((one) => seenOf(context, one, enabled))
  const told = wrong.slice(0, TOLD_MAX)
  if (wrong.length > TOLD_MAX)
    told.push(warning(`and ${counted(wrong.length - TOLD_MAX, 'other')}`, 'memctl connections list -c COLLECTION'))
  if (told.length > 0) return told
  return ok(connections.length === 0 ? 'none' : `${counted(connections.length, 'connection')}, all well`)
}

function seenOf(context: Context, connection: Connection, enabled: readonly string[]): Seen[] {
  const { id, provider, status, collection_id, last_error } = connection
  const name = `${provider} (${id.slice(0, ID_SHOWN)})`
  const command = (words: string): string => nextCommand(context, `memctl ${words}`)
  if (!enabled.includes(provider)) {
    const set = `memctl server providers set ${provider}`
    const { origin } = chooseServer(context.settings)
    return [
      warning(`${name}: ${provider} is not enabled on the server, so that nothing is synced`, `${set}, at ${origin}`)
    ]
  }
  if (status === 'revoked')
    return [warning(`${name}: it is revoked`, command(`connect ${provider} -c ${collection_id}`))]
  if (status === 'pending')
    return [warning(`${name}: what is to be synced is not chosen`, command(`connections config ${id}`))]
  if (last_error === null) return []
  const again = /memctl connect \S+ -c \S+/.exec(last_error)?.[0]
  return [
    warning(
      `${name}: ${last_error}`,
      again === undefined ? command(`connections runs ${id}`) : command(again.slice('memctl '.length))
    )
  ]
}

/** Enough of an id to tell it from others. */
const ID_SHOWN = 8
