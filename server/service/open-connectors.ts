import { epochNow } from '../../src/contract/epoch-ms.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import type { ConnectionSyncSettings } from '../connections/connection-syncs.ts'
import { createConnectionSyncs } from '../connections/create-connection-syncs.ts'
import { createConnections } from '../connections/create-connections.ts'
import { type CleanUpParts, cleanUp } from '../connections/delete-memories.ts'
import { revokeGrant } from '../connections/revoke-grant.ts'
import type { Connectors } from '../http/handlers/handler-world.ts'
import { uuidV7 } from '../http/handlers/uuid-v7.ts'
import { createOAuth } from '../oauth/create-oauth.ts'
import type { OAuth } from '../oauth/oauth.ts'
import type { KeyRingFile } from '../oauth/vault/key-ring-file.ts'
import { openVault } from '../oauth/vault/open-vault.ts'
import { rotateKeyRing } from '../oauth/vault/rotate-key-ring.ts'
import type { Provider } from '../providers/port/provider.ts'
import { PROVIDERS } from '../providers/providers.ts'
import type { SandboxProvider } from '../sandbox/core/sandbox-provider.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ConnectorStorage } from '../storage/port/connector-storage.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { SyncStorage } from '../storage/port/sync-storage.ts'
import { assertClients, chooseProviders, type ProviderSettings } from './choose-providers.ts'
import { enableProviders, type ProviderFetches } from './enable-providers.ts'
import { isLoopbackHost } from './is-loopback-host.ts'
import { mountSandbox } from './mount-sandbox.ts'
import type { ServerSettings } from './server-settings.ts'

type ConnectorsParts = {
  storage: Storage
  world: { clock: Clock; ids: Ids; log: Log }
  keyFile: KeyRingFile
  fetches: ProviderFetches
  settings: ConnectorSettings
  /** The public address of the server, without a slash at the end. */
  publicUrl: string
  /** Allows a new store to use a key file of another store. */
  newStore?: boolean | undefined
  /** The providers and their sandboxes, instead of those that the server has. */
  registry?: { providers: readonly Provider[]; sandboxProviders: readonly SandboxProvider[] } | undefined
}

type ConnectorSettings = ProviderSettings &
  Pick<ServerSettings, 'host' | 'databaseUrl' | 'stateTtlMs' | 'tokenMarginMs' | 'connectConfirm'> &
  Pick<ServerSettings, 'syncIntervalMs' | 'retryBackoffMs'>

/** The connectors as the handlers use them, with the sandbox and the periodic work. */
export type OpenConnectors = Connectors & {
  /** Undefined unless the settings enable the sandbox. */
  sandbox: Sandbox | undefined
  /**
   * Runs periodically: removes old attempts, unused grants, old keys of the vault, and what revoked
   * connections left.
   */
  sweep(signal: AbortSignal): Promise<void>
}

/**
 * Opens the vault and prepares the providers that the settings enable.
 *
 * @throws Fault `usage` for a provider without a client; `system_refused` if the key file lacks a key that secrets are
 * sealed with.
 */
export async function openConnectors(parts: ConnectorsParts): Promise<OpenConnectors> {
  const { storage, world, settings, publicUrl, fetches, keyFile, newStore } = parts
  assertClients(settings)
  const vault = await openVault({ file: keyFile, storage, world, alone: settings.databaseUrl === undefined, newStore })
  const { providers = PROVIDERS, sandboxProviders } = parts.registry ?? {}
  const sandboxParts = { storage, world, publicUrl, sandboxProviders }
  const sandbox = chooseProviders(settings).sandbox ? await mountSandbox(sandboxParts) : undefined
  const enabled = enableProviders({ settings, providers, sandbox, fetches })
  const newId = (): string => uuidV7(world)
  const oauth = createOAuth({
    storage,
    vault,
    enabled,
    world,
    newId,
    settings: { ...settings, publicUrl, confirm: asksToConfirm(settings, publicUrl) }
  })
  return {
    enabled,
    oauth,
    connections: createConnections({ storage, oauth, enabled, world, newId }),
    syncs: createConnectionSyncs({ storage, enabled, world, settings: syncsSettings(settings) }),
    rotate: () => rotateKeyRing({ vault, storage, world }),
    sandbox,
    async sweep(signal) {
      await oauth.sweep(signal)
      await revokeUnused({ storage, oauth, world }, signal)
      await vault.tidy()
      await clearRevoked({ storage, world, newId }, signal)
    }
  }
}

function syncsSettings({ syncIntervalMs, retryBackoffMs }: ConnectorSettings): ConnectionSyncSettings {
  return { intervalMs: syncIntervalMs, retries: retryBackoffMs.length }
}

/**
 * Reports whether a person must confirm a new connection. If only this machine can reach the server, the person who
 * consents is the one who began. A server that listens on loopback may still be behind a proxy, and then has another
 * public name.
 */
function asksToConfirm({ connectConfirm, host }: ConnectorSettings, publicUrl: string): boolean {
  const isOwnOnly = isLoopbackHost(host) && isLoopbackHost(new URL(publicUrl).hostname)
  return connectConfirm === 'auto' ? !isOwnOnly : connectConfirm === 'always'
}

type RevokeUnusedParts = {
  storage: Pick<ConnectorStorage, 'takeUnusedCredentials'>
  oauth: OAuth
  world: { clock: Clock; log: Log }
}

/**
 * A small number, so that few grants are affected if the process ends after it removed the credentials and before it
 * informed the provider.
 */
const AT_ONCE = 5

/** Revokes the grants that are unused since their collections were deleted. */
async function revokeUnused({ storage, oauth, world }: RevokeUnusedParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const credentials = await storage.takeUnusedCredentials(AT_ONCE)
    await Promise.all(credentials.map((credential) => revokeGrant({ oauth, world }, credential)))
    if (credentials.length < AT_ONCE) return
  }
}

type ClearRevokedParts = CleanUpParts & { storage: Pick<SyncStorage, 'listOpenCleanups' | 'purgeRevoked'> }

const CLEANUPS_AT_ONCE = 100
const PURGED_AT_ONCE = 1000

/** Finishes requested cleanups that no server is running, then deletes what else revoked connections left behind. */
export async function clearRevoked(parts: ClearRevokedParts, signal: AbortSignal): Promise<void> {
  const { storage, world } = parts
  for (const connectionId of await storage.listOpenCleanups({ now: epochNow(world.clock), limit: CLEANUPS_AT_ONCE })) {
    if (signal.aborted) return
    await cleanUp(parts, { connectionId, signal, isPatient: false })
  }
  while (!signal.aborted && (await storage.purgeRevoked(PURGED_AT_ONCE)));
}
