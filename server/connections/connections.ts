import type { Attempt, Channel, Connection, Disconnected, Folder } from '../../src/contract/connection.ts'
import type { Clock, Log } from '../../src/ports.ts'
import type { OAuth } from '../oauth/oauth.ts'
import type { EnabledProviders } from '../oauth/wire/enabled-provider.ts'
import type { ConnectorStorage } from '../storage/port/connector-storage.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { DeleteMemoriesParts } from './delete-memories.ts'
import type { ConfigBody } from './parse-selection.ts'

/** The life of connections, as callers of the service see it. All rejects with Faults; who may call is asked elsewhere. */
export type Connections = {
  /** To which collection a connection, or an attempt to make one, belongs; undefined where there is no such thing. */
  collectionOfConnection(id: string): Promise<string | undefined>
  collectionOfAttempt(state: string): Promise<string | undefined>
  /** Begins a consent for an account at `provider`. */
  begin(asked: BeginAsked): Promise<{ auth_url: string; state: string }>
  attempt(state: string): Promise<Attempt>
  /** Those of a collection, oldest first, without revoked ones. */
  list(collectionId: string): Promise<Connection[]>
  get(id: string): Promise<Connection>
  folders(id: string, asked: { parentId: string | undefined; signal: AbortSignal }): Promise<Folder[]>
  channels(id: string, asked: { signal: AbortSignal }): Promise<Channel[]>
  /** Sets what is synced, from the start. `signal` ends what is asked of the provider, where `check_ids` has it asked. */
  configure(id: string, body: ConfigBody, signal?: AbortSignal): Promise<Connection>
  /** Ends it; a second time finds it ended. */
  disconnect(id: string, asked: DisconnectAsked): Promise<Disconnected>
}

export type BeginAsked = {
  provider: string
  collectionId: string
  keyId: string
  /** What was chosen beforehand, as it came. */
  config: Readonly<Record<string, unknown>> | undefined
}

/** Whether memories are to go, by either way of saying so. */
export type DisconnectAsked = { byQuery: boolean | undefined; byBody: boolean | undefined }

export type ConnectionsParts = {
  storage: ConnectorStorage & Pick<Storage, 'collection'> & DeleteMemoriesParts['storage']
  oauth: OAuth
  enabled: EnabledProviders
  world: { clock: Clock; log: Log }
  newId(): string
}
