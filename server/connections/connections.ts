import type { Attempt, Channel, Disconnected, Folder, NamedConnection } from '../../src/contract/connection.ts'
import type { Clock, Log } from '../../src/ports.ts'
import type { OAuth } from '../oauth/oauth.ts'
import type { EnabledProviders } from '../oauth/wire/enabled-provider.ts'
import type { ConnectorStorage } from '../storage/port/connector-storage.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { DeleteMemoriesParts } from './delete-memories.ts'
import type { ConfigBody } from './parse-selection.ts'

/**
 * The life of connections, as callers of the service see it. All methods reject with Faults. Access is checked
 * elsewhere.
 */
export type Connections = {
  /** Returns the collection of a connection or of an attempt; undefined if it does not exist. */
  collectionOfConnection(id: string): Promise<string | undefined>
  collectionOfAttempt(state: string): Promise<string | undefined>
  /** Begins a consent for an account at `provider`. */
  begin(asked: BeginAsked): Promise<{ auth_url: string; state: string }>
  attempt(state: string): Promise<Attempt>
  /** Lists the connections of a collection, oldest first, without revoked ones. */
  list(collectionId: string, shown?: Shown): Promise<NamedConnection[]>
  get(id: string, shown?: Shown): Promise<NamedConnection>
  folders(id: string, asked: { parentId: string | undefined; signal: AbortSignal }): Promise<Folder[]>
  channels(id: string, asked: { signal: AbortSignal }): Promise<Channel[]>
  /**
   * Sets the selection and restarts the sync. `signal` aborts the calls to the provider, which are made if `check_ids`
   * is set.
   */
  configure(id: string, body: ConfigBody, shown?: Shown & { signal?: AbortSignal }): Promise<NamedConnection>
  /** Ends a connection. A second call returns the same result. */
  disconnect(id: string, asked: DisconnectAsked): Promise<Disconnected>
}

/** Whether a connection is shown with the names of its account and selection. */
export type Shown = { include?: 'names' | undefined }

export type BeginAsked = {
  provider: string
  collectionId: string
  keyId: string
  /** The selection that was chosen in advance, not yet validated. */
  config: Readonly<Record<string, unknown>> | undefined
}

/** Whether to delete the memories, as given in the query or in the body. */
export type DisconnectAsked = { byQuery: boolean | undefined; byBody: boolean | undefined }

export type ConnectionsParts = {
  storage: ConnectorStorage & Pick<Storage, 'findCollection'> & DeleteMemoriesParts['storage']
  oauth: OAuth
  enabled: EnabledProviders
  world: { clock: Clock; log: Log }
  newId(): string
}
