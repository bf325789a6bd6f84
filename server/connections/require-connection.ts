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

/**
 * Returns a connection.
 *
 * @throws Fault `not_found` if it does not exist.
 */
export async function requireConnection(
  { storage }: { storage: Pick<ConnectionsParts['storage'], 'findConnection'> },
  id: string
): Promise<StoredConnection> {
  const connection = await storage.findConnection(id)
  if (!connection) throw noConnection(id)
  return connection
}

/**
 * Checks that an event is allowed for a connection.
 *
 * @throws Fault if it is not.
 */
export function assertStep(connection: StoredConnection, event: LifeEvent): void {
  const { id, status } = connection
  const step = lifeStep(status, event)
  if (!('refusal' in step)) return
  throw new Fault(step.refusal, `connection ${id} ${step.why}`, { hint: chooseHint(connection) })
}

function chooseHint(connection: StoredConnection): string | undefined {
  if (connection.status === 'revoked') return `connect again: ${reconnectCommand(connection)}`
  return connection.status === 'pending' ? `select what to sync: memctl connections config ${connection.id}` : undefined
}

/** Returns an enabled provider by name. A disabled provider counts as unknown. */
export function requireEnabled({ enabled }: Pick<ConnectionsParts, 'enabled'>, name: string): EnabledProvider {
  const found = enabled.get(name as ProviderId)
  if (found) return found
  const named = JSON.stringify(name)
  throw new Fault('not_found', `provider ${named} is unknown or not enabled on this server`, {
    hint: 'list the enabled providers: memctl providers'
  })
}

/** The events of a connection, or of an attempt to make one. */
export type LifeEvent =
  /** The person consented. `config` was chosen in advance. */
  | { type: 'consented'; facts: Pick<ProviderFacts, 'selection'>; config: ConnectionConfig }
  | { type: 'config_updated' }
  | { type: 'sync_asked' }
  | { type: 'item_retried' }
  /** The regular syncs are paused or resumed. */
  | { type: 'paused' }
  | { type: 'resumed' }
  /** Folders or channels are requested. */
  | { type: 'browsed' }
  | { type: 'disconnected' }

/**
 * Further effects of an event. `sync`: sync as soon as possible; `restart`: sync from the beginning; `revoke`: revoke
 * the grant if no other connection uses it.
 */
type LifeEffect = 'sync' | 'restart' | 'revoke'

/**
 * The result of an event. `status` is the status afterwards. A refusal changes nothing, and its `why` continues
 * `connection ID …`.
 */
type LifeStep =
  | { status: ConnectionStatus; effects: readonly LifeEffect[] }
  | { refusal: 'usage' | 'conflict' | 'not_found'; why: string }

/**
 * Returns what follows from an event for a connection of this status; undefined means that the connection does not
 * exist. This function defines the whole life of a connection. A new consent for a pending or active connection only
 * renews its credentials. After a revocation, a consent makes a new connection.
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

const NOTHING_SELECTED = 'is pending: no folders or channels are selected yet'
const REVOKED = 'is revoked'

function firstStep(event: LifeEvent): LifeStep {
  if (event.type !== 'consented') return { refusal: 'not_found', why: 'does not exist' }
  const status = chooseFirstStatus(event.facts, event.config)
  return { status, effects: status === 'active' ? ['sync'] : [] }
}

/** A revoked connection stays revoked, and disconnecting it again does nothing. */
function stepOfRevoked({ type }: LifeEvent): LifeStep {
  if (type === 'consented' || type === 'disconnected') return { status: 'revoked', effects: [] }
  return { refusal: type === 'sync_asked' ? 'usage' : 'conflict', why: REVOKED }
}
