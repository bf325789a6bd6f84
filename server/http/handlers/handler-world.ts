import type { Clock, Ids } from '../../../src/ports.ts'
import type { ConnectionSyncs } from '../../connections/connection-syncs.ts'
import type { Connections } from '../../connections/connections.ts'
import type { OAuth } from '../../oauth/oauth.ts'
import type { EnabledProviders } from '../../oauth/wire/enabled-provider.ts'
import type { Engine } from '../../recall/engine/engine.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { Call, Caller } from '../handler.ts'

/** What the handlers work with. */
export type HandlerWorld = {
  storage: Storage
  engine: Engine
  clock: Clock
  ids: Ids
  connectors: Connectors
  /** How long a collection lives that an import made, in milliseconds. */
  ephemeralTtlMs: number
}

/** What links accounts at providers to collections. */
export type Connectors = {
  /** Those that may be connected here. */
  enabled: EnabledProviders
  oauth: OAuth
  connections: Connections
  syncs: ConnectionSyncs
  /** Seals all that is stored with a new key of the vault. Rejects with a Fault `conflict` where that is under way. */
  rotate(): Promise<{ keyId: string; resealed: number }>
}

/** Who calls an endpoint that is not public. */
export function requireCaller({ caller }: Pick<Call<unknown>, 'caller'>): Caller {
  if (caller === undefined) throw new Error('an endpoint that asks for a key was called without one')
  return caller
}
