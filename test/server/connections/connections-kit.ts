import path from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import type { ConnectionSyncs } from '../../../server/connections/connection-syncs.ts'
import type { Connections } from '../../../server/connections/connections.ts'
import { createConnectionSyncs } from '../../../server/connections/create-connection-syncs.ts'
import { createConnections } from '../../../server/connections/create-connections.ts'
import type { ConsentRequest } from '../../../server/oauth/consent/consent-outcome.ts'
import type { OAuth } from '../../../server/oauth/oauth.ts'
import type { EnabledProvider } from '../../../server/oauth/wire/enabled-provider.ts'
import type { OAuthFacts, Provider } from '../../../server/providers/port/provider.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { StoredConnection, StoredCredential } from '../../../server/storage/port/connector-storage.ts'

import type { Storage } from '../../../server/storage/port/storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { SelectionKey } from '../../../src/contract/selection-limits.ts'
import type { LogFields } from '../../../src/ports.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { connected, made, newAttempt, ready } from '../../suites/storage-connector-things.ts'
import { type ManualClock, manualClock } from '../http/manual-clock.ts'

/** The methods of the provider that a test replaces. Connections call no others. */
export type Browsing = Pick<Provider, 'folders' | 'channels' | 'findPlaceName'>

export type ConnectionsKit = {
  connections: Connections
  syncs: ConnectionSyncs
  storage: Storage
  clock: ManualClock
  begun: ConsentRequest[]
  revoked: StoredCredential[]
  log: { fields: LogFields; message: string }[]
  /** Creates a connection of a provider in collection 1 with the nth consent. */
  connect(n: number, provider: ProviderId, status?: 'pending' | 'active'): Promise<StoredConnection>
}

const KEYS: Readonly<Record<ProviderId, SelectionKey | undefined>> = {
  cloud_drive: 'folder_ids',
  team_chat: 'channel_ids',
  mailbox: undefined,
  notes: undefined
}

/** Creates connections over the embedded storage, with providers replaced by the test. */
export async function connectionsKit(
  options: {
    enabled?: ProviderId[]
    browsing?: Browsing
    revoke?: OAuth['revoke']
    driveIds?: boolean
    /** Wraps the storage. */
    wrap?: (storage: Storage) => Storage
  } = {}
): Promise<ConnectionsKit> {
  const clock = manualClock()
  const file = path.join(temporaryFolder(), 'memctl.db')
  // The waits of the storage must not move with the clock of the test, so it has a clock of its own.
  const itsClock = { ...clock, wait: manualClock().wait }
  const opened = await ready(() => openSqliteStorage({ path: file, files: nodeFiles, clock: itsClock }))
  const storage = options.wrap?.(opened) ?? opened
  onTestFinished(() => storage.close())
  const [begun, revoked, log]: [ConsentRequest[], StoredCredential[], ConnectionsKit['log']] = [[], [], []]
  const note = (fields: LogFields, message: string) => void log.push({ fields, message })
  const oauth: OAuth = {
    ...notAsked,
    async begin(asked) {
      begun.push(asked)
      return { authUrl: 'https://provider.test/consent', state: 'a state' }
    },
    attempt: (state) => storage.findAttempt(state),
    authorizedFetch: (credentialId) => async () => new Response(credentialId),
    async revoke(credential, signal) {
      revoked.push(credential)
      return (await options.revoke?.(credential, signal)) ?? true
    }
  }
  const { enabled = ['cloud_drive', 'team_chat', 'mailbox', 'notes'], browsing = {}, driveIds = false } = options
  const providers = new Map(enabled.map((id) => [id, enabledProvider(id, { browsing, driveIds })]))
  const world = { clock, log: { error: note, info: note, debug: note } }
  const newId = (): string => nodeIds.randomHex(16)
  const connections = createConnections({ storage, oauth, enabled: providers, world, newId })
  const settings = { intervalMs: 4 * 3600 * 1000, retries: 3 }
  const syncs = createConnectionSyncs({ storage, enabled: providers, world, settings })
  const connect: ConnectionsKit['connect'] = async (n, provider, status = 'pending') => {
    if (provider === 'cloud_drive') return await connected(storage, n, { status })
    const id = `attempt-${n}`
    await storage.createAttempt(newAttempt(id, { provider }))
    await storage.useAttempt(id, toEpochMs(1500))
    const completion = await storage.completeAttempt(id, made(n, 'ada', { status }))
    if ('connection' in completion) return completion.connection
    throw new Error(completion.outcome)
  }
  return { connections, syncs, storage, clock, begun, revoked, log, connect }
}

/** Creates an enabled provider that has only the given methods. */
function enabledProvider(
  id: ProviderId,
  { browsing = {}, driveIds = false }: { browsing?: Browsing; driveIds?: boolean } = {}
): EnabledProvider {
  const selection = KEYS[id]
  const facts = {
    id,
    service: `${id} (made up)`,
    oauth: OAUTH,
    apiUrl: 'https://api.test',
    paceBy: 'account' as const,
    listsAll: true,
    ...(selection && { selection })
  }
  const provider: Provider = { facts, ...UNUSED, ...browsing }
  const more = { clientId: 'client', clientSecret: 'not a secret', apiUrl: 'https://api.test', sandbox: true }
  return { provider, oauth: OAUTH, driveIds, fetch: () => Promise.reject(new Error('no network')), ...more }
}

function unused(): never {
  throw new Error('connections have no business with this')
}

const UNUSED = { identify: unused, changes: unused, list: unused, read: unused }

const notAsked = { receive: unused, confirm: unused, sweep: unused }

const OAUTH: OAuthFacts = {
  authorizeUrl: 'https://provider.test/consent',
  tokenUrl: 'https://provider.test/token',
  scopes: [],
  neededScopes: [],
  scopeParameter: 'scope',
  scopeSeparator: ' ',
  pkce: true,
  authorizeParameters: {},
  clientAuthentication: 'post',
  tokenRequest: 'form',
  refusesWith200: false,
  revocation: 'rfc7009'
}
