import type { Clock, Ids } from '../../../src/ports.ts'
import type { ConnectionSyncs } from '../../connections/connection-syncs.ts'
import type { Connections } from '../../connections/connections.ts'
import type { OAuth } from '../../oauth/oauth.ts'
import type { EnabledProviders } from '../../oauth/wire/enabled-provider.ts'
import type { Engine } from '../../recall/engine/engine.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Call, Caller } from '../handler.ts'

/** The dependencies of the handlers. */
export type HandlerWorld = {
  storage: Storage
  engine: Engine
  clock: Clock
  ids: Ids
  connectors: Connectors
  /** The lifetime of a collection that an import created, in milliseconds. */
  ephemeralTtlMs: number
  /** The version of memctl, which the server tells to assistants. */
  version: string
}

/** The parts that link accounts at providers to collections. */
export type Connectors = {
  /** The providers that are enabled on this server. */
  enabled: EnabledProviders
  oauth: OAuth
  connections: Connections
  syncs: ConnectionSyncs
  /** Reseals everything with a new key of the vault. Rejects with a Fault `conflict` if a rotation is in progress. */
  rotate(): Promise<{ keyId: string; resealed: number }>
}

/** Returns the caller of an endpoint that is not public. */
export function requireCaller({ caller }: Pick<Call<unknown>, 'caller'>): Caller {
  if (caller === undefined) throw new Error('the handler of an endpoint that requires a key was called without one')
  return caller
}
