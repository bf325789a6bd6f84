import type { DocumentReaders } from '../../src/documents/port/document-reader.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import { uuidV7 } from '../http/handlers/uuid-v7.ts'
import type { Storage } from '../storage/port/storage.ts'
import { createSync, type Sync } from '../sync/create-sync.ts'
import type { MakeMemories, SyncSource } from '../sync/sync-parts.ts'
import type { OpenConnectors } from './open-connectors.ts'
import type { ServerSettings } from './server-settings.ts'

export type OpenSyncParts = {
  storage: Storage
  connectors: Pick<OpenConnectors, 'enabled' | 'oauth'>
  documents: DocumentReaders
  makeMemories: MakeMemories
  world: { clock: Clock; ids: Ids; log: Log }
  settings: Pick<ServerSettings, 'syncIntervalMs' | 'syncLeaseMs' | 'syncWorkers' | 'retryBackoffMs' | 'cooldownMs'> &
    Pick<ServerSettings, 'attachmentBytesMax' | 'comments'>
}

/**
 * How much earlier than configured a lease ends. Within this time, another server has polled and claimed the
 * connection.
 */
const CLAIM_MS_MAX = 1500

/** Starts syncing the due connections of enabled providers. */
export function openSync({ storage, connectors, documents, makeMemories, world, settings }: OpenSyncParts): Sync {
  const { syncIntervalMs, syncLeaseMs, syncWorkers, retryBackoffMs, cooldownMs } = settings
  const { attachmentBytesMax, comments } = settings
  const sources = [...connectors.enabled].map(([id, { provider, apiUrl }]): [string, SyncSource] => [
    id,
    { provider, apiUrl }
  ])
  return createSync({
    storage,
    sources: new Map(sources),
    authorizedFetch: connectors.oauth.authorizedFetch,
    documents,
    makeMemories,
    world,
    newId: () => uuidV7(world),
    settings: {
      retryBackoffMs,
      cooldownMs,
      intervalMs: syncIntervalMs,
      leaseMs: syncLeaseMs - Math.min(CLAIM_MS_MAX, syncLeaseMs / 4),
      workers: syncWorkers,
      reads: { attachmentBytesMax, comments: comments !== 'off', innerComments: comments === 'all' }
    }
  })
}
