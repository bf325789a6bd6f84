import type { Connection } from '../../../contract/connection.ts'
import type { Context } from '../../command/context.ts'
import { formatCount } from '../../output/short-forms.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { nextCommand } from '../../service/next-command.ts'
import { readSchedules } from '../../service/read-schedules.ts'
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
  const schedules = await readSchedules(client, connections)
  const wrong = connections.flatMap((one) =>
    checkConnection(context, one, { enabled, paused: schedules.get(one.id)?.paused })
  )
  const told = wrong.slice(0, TOLD_MAX)
  if (wrong.length > TOLD_MAX)
    told.push(warning(`and ${formatCount(wrong.length - TOLD_MAX, 'other')}`, 'memctl connections list -c COLLECTION'))
  if (told.length > 0) return told
  return ok(connections.length === 0 ? 'none' : `${formatCount(connections.length, 'connection')}, all well`)
}

type Known = { enabled: readonly string[]; paused: boolean | undefined }

function checkConnection(context: Context, connection: Connection, { enabled, paused }: Known): Seen[] {
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
  const resume = command(`connections resume ${id}`)
  return [
    ...(last_error === null ? [] : [warning(`${name}: ${last_error}`, afterError(last_error, { id, command }))]),
    ...(paused ? [warning(`${name}: paused, so that nothing is synced by schedule`, resume)] : [])
  ]
}

/** The command that an error names, else the one that shows what happened. */
function afterError(error: string, { id, command }: { id: string; command: (words: string) => string }): string {
  const again = /memctl connect \S+ -c \S+/.exec(error)?.[0]
  return command(again === undefined ? `connections runs ${id}` : again.slice('memctl '.length))
}

/** Enough of an id to tell it from others. */
const ID_SHOWN = 8
