import type { ConnectionConfig, ConnectionStatus } from '../../src/contract/connection.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import { chooseFirstStatus } from '../oauth/consent/complete-consent.ts'
import type { EnabledProvider } from '../oauth/wire/enabled-provider.ts'
import type { ProviderFacts } from '../providers/port/provider.ts'
import { reconnectCommand } from '../providers/port/reconnect-command.ts'
import type { StoredConnection } from '../storage/port/connector-storage.ts'
import type { ConnectionsParts } from './connections.ts'
import { noConnection } from './no-connection.ts'

/** @throws Fault `not_found` where there is no such connection. */
export async function requireConnection(
  { storage }: { storage: Pick<ConnectionsParts['storage'], 'connection'> },
  id: string
): Promise<StoredConnection> {
  const connection = await storage.connection(id)
  if (!connection) throw noConnection(id)
  return connection
}

/** @throws Fault where the life of a connection has no room for the event. */
export function assertStep(connection: StoredConnection, event: LifeEvent): void {
  const { id, status } = connection
  const step = lifeStep(status, event)
  if (!('refusal' in step)) return
  throw new Fault(step.refusal, `the connection ${id} ${step.why}`, { hint: chooseHint(connection) })
}

function chooseHint(connection: StoredConnection): string | undefined {
  if (connection.status === 'revoked') return `connect again: ${reconnectCommand(connection)}`
  return connection.status === 'pending'
    ? `select what is synced: memctl connections config ${connection.id}`
    : undefined
}

/** A provider by what it is called. One that is not enabled any more is as unknown as one that never was. */
export function requireEnabled({ enabled }: Pick<ConnectionsParts, 'enabled'>, name: string): EnabledProvider {
  const found = enabled.get(name as ProviderId)
  if (found) return found
  const named = JSON.stringify(name)
  throw new Fault('not_found', `there is no provider ${named} here`, { hint: 'see which there are: memctl providers' })
}

/** What may happen to a connection, or to the wish for one. */
export type LifeEvent =
  /** The person consented; `config` is what was chosen beforehand. */
  | { type: 'consented'; facts: Pick<ProviderFacts, 'selection'>; config: ConnectionConfig }
  | { type: 'config_updated' }
  | { type: 'sync_asked' }
  | { type: 'item_retried' }
  /** Its regular syncs stop and start again. */
  | { type: 'paused' }
  | { type: 'resumed' }
  /** Folders or channels are asked for. */
  | { type: 'browsed' }
  | { type: 'disconnected' }

/** What else is to be done. `sync`: as soon as possible, `restart`: from the start, `revoke`: the grant, if nobody else uses it. */
type LifeEffect = 'sync' | 'restart' | 'revoke'

/** Status is that afterwards. A refusal changes nothing: `why` goes on after `the connection …`. */
type LifeStep =
  | { status: ConnectionStatus; effects: readonly LifeEffect[] }
  | { refusal: 'usage' | 'conflict' | 'not_found'; why: string }

/**
 * What follows from an event for a connection of this status; undefined is one that does not exist. All there is to know of the
 * life of a connection stands here. Whoever consents again while it is pending or active renews its credentials and
 * nothing else; after it was revoked, a consent makes another one.
 */
export function lifeStep(status: ConnectionStatus | undefined, event: LifeEvent): LifeStep {
  if (status === undefined) return firstStep(event)
  if (status === 'revoked') return stepOfRevoked(event)
  switch (event.type) {
    case 'consented':
    case 'browsed':
    case 'paused':
      return { status, effects: [] }
    case 'item_retried':
    case 'resumed':
      return { status, effects: status === 'active' ? ['sync'] : [] }
    case 'config_updated':
      return { status: 'active', effects: ['restart', 'sync'] }
    case 'sync_asked':
      return status === 'active' ? { status, effects: ['sync'] } : { refusal: 'usage', why: NOTHING_SELECTED }
    case 'disconnected':
      return { status: 'revoked', effects: ['revoke'] }
  }
}

const NOTHING_SELECTED = 'is pending: nothing was selected yet'
const REVOKED = 'is revoked'

function firstStep(event: LifeEvent): LifeStep {
  if (event.type !== 'consented') return { refusal: 'not_found', why: 'does not exist' }
  const status = chooseFirstStatus(event.facts, event.config)
  return { status, effects: status === 'active' ? ['sync'] : [] }
}

/** It stays as it is, and ending it again finds the work done. */
function stepOfRevoked({ type }: LifeEvent): LifeStep {
  if (type === 'consented' || type === 'disconnected') return { status: 'revoked', effects: [] }
  return { refusal: type === 'sync_asked' ? 'usage' : 'conflict', why: REVOKED }
}
