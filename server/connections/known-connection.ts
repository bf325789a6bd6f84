import { Fault } from '../../src/contract/faults.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { EnabledProvider } from '../oauth/oauth.ts'
import { reconnectCommand } from '../providers/reconnect-words.ts'
import type { StoredConnection } from '../storage/connector-storage.ts'
import { type LifeEvent, lifeStep } from './connection-life.ts'
import type { ConnectionsParts } from './connections.ts'
import { noConnection } from './no-connection.ts'

/** @throws Fault `not_found` where there is no such connection. */
export async function connectionOf(
  { storage }: { storage: Pick<ConnectionsParts['storage'], 'connection'> },
  id: string
): Promise<StoredConnection> {
  const connection = await storage.connection(id)
  if (!connection) throw noConnection(id)
  return connection
}

/** @throws Fault where the life of a connection has no room for the event. */
export function stepOf(connection: StoredConnection, event: LifeEvent): void {
  const { id, status } = connection
  const step = lifeStep(status, event)
  if (!('refusal' in step)) return
  throw new Fault(step.refusal, `the connection ${id} ${step.why}`, { hint: hintOf(connection) })
}

function hintOf(connection: StoredConnection): string | undefined {
  if (connection.status === 'revoked') return `connect again: ${reconnectCommand(connection)}`
  return connection.status === 'pending'
    ? `select what is synced: memctl connections config ${connection.id}`
    : undefined
}

/** A provider by what it is called. One that is not enabled any more is as unknown as one that never was. */
export function enabledOf({ enabled }: Pick<ConnectionsParts, 'enabled'>, name: string): EnabledProvider {
  const found = enabled.get(name as ProviderId)
  if (found) return found
  const named = JSON.stringify(name)
  throw new Fault('not_found', `there is no provider ${named} here`, { hint: 'see which there are: memctl providers' })
}
