import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { createOAuth } from '../../../server/oauth/create-oauth.ts'
import type { OAuth } from '../../../server/oauth/oauth.ts'
import type { OAuthParts, OAuthSettings } from '../../../server/oauth/tokens/oauth-parts.ts'
import type { KeyRingFile } from '../../../server/oauth/vault/key-ring-file.ts'
import { type OpenVault, openVault } from '../../../server/oauth/vault/open-vault.ts'
import type { EnabledProvider } from '../../../server/oauth/wire/enabled-provider.ts'
import { ask } from '../../../server/providers/http/ask.ts'
import type { OAuthFacts, Provider } from '../../../server/providers/port/provider.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { Clock, Log } from '../../../src/ports.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { idAt, newCollection, newKey } from '../../suites/storage-place.ts'
import { type ManualClock, manualClock } from '../http/manual-clock.ts'
import { API_URL, CLIENT_ID, CLIENT_SECRET, PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'
import { type ProviderServer, providerServer } from './provider-server.ts'

export const PUBLIC_URL = 'https://memctl.example'

export type OAuthSetup = {
  oauth: OAuth
  parts: OAuthParts
  storage: Storage
  clock: ManualClock
  server: ProviderServer
  enabled: EnabledProvider
  /** Everything that was logged, as text. */
  logged: string[]
  keyRing: KeyRingFile
  vault: OpenVault
  /** The path of the database. */
  path: string
}

export type SetupOptions = {
  kind?: ProviderKind
  settings?: Partial<OAuthSettings>
  selects?: boolean
  /** Opens a storage other than a new database file. */
  open?: (() => Promise<Storage>) | undefined
  /** Replaces the wait of the clock, for tests that wait for other processes. */
  wait?: Clock['wait']
}

/** Sets up the OAuth of a server with the embedded storage and a test provider named `cloud_drive`. */
export async function setUpOAuth({
  kind = 'standard',
  settings,
  selects = true,
  open,
  wait
}: SetupOptions = {}): Promise<OAuthSetup> {
  const clock = { ...manualClock(), ...(wait && { wait }) }
  const logged: string[] = []
  const world = { clock, ids: nodeIds, log: textLog(logged) }
  const path = join(temporaryFolder(), 'server.db')
  const storage = await filled(open ? await open() : await openSqliteStorage({ path, files: nodeFiles, clock }))
  const keyRing = memoryKeyRingFile()
  const vault = await openVault({ file: keyRing, storage, world, alone: true })
  const facts: OAuthFacts = PROVIDER_KINDS[kind]
  const server = providerServer(facts, clock)
  const enabled = enabledProvider(facts, server, selects)
  const parts: OAuthParts = {
    storage,
    vault,
    world,
    enabled: new Map([['cloud_drive', enabled]]),
    newId: randomUUID,
    settings: { stateTtlMs: 600_000, tokenMarginMs: 300_000, publicUrl: PUBLIC_URL, confirm: false, ...settings }
  }
  return { oauth: createOAuth(parts), parts, storage, clock, server, enabled, logged, keyRing, vault, path }
}

/** Fills a storage with three collections and two keys. */
async function filled(storage: Storage): Promise<Storage> {
  onTestFinished(() => storage.close())
  for (const n of [1, 2, 3]) await storage.createCollection(newCollection(n))
  await storage.createKey(newKey(1, { admin: true }))
  await storage.createKey(newKey(2))
  return storage
}

/** Creates another server over the storage and the key file of an existing one. */
export async function furtherNode({ parts, keyRing }: OAuthSetup, storage: Storage): Promise<OAuthParts> {
  const vault = await openVault({ file: keyRing, storage, world: parts.world, alone: false })
  return { ...parts, storage, vault }
}

export function memoryKeyRingFile(): KeyRingFile & { bytes: Uint8Array | undefined; mode: number } {
  const file = {
    path: 'server.key',
    bytes: undefined as Uint8Array | undefined,
    mode: 0o600,
    read: async () => (file.bytes === undefined ? undefined : { bytes: file.bytes, mode: file.mode }),
    async update(change: (before: Uint8Array | undefined) => Uint8Array | undefined) {
      file.bytes = change(file.bytes) ?? file.bytes
    }
  }
  return file
}

function enabledProvider(oauth: OAuthFacts, { fetch }: ProviderServer, selects: boolean): EnabledProvider {
  const named = { id: 'cloud_drive', service: 'Test Drive' } as const
  const facts = { ...named, oauth, apiUrl: API_URL, paceBy: 'account', listsAll: true } as const
  const unused = async (): Promise<never> => {
    throw new Error('not asked for in these tests')
  }
  const provider: Provider = {
    facts: selects ? { ...facts, selection: 'folder_ids' } : facts,
    async identify(call) {
      const { status, bytes } = await ask(call, { service: named.service, method: 'GET', path: '/me' })
      if (status !== 200) throw new Error(`status ${status}`)
      return JSON.parse(Buffer.from(bytes).toString()) as { id: string; name: string }
    },
    changes: unused,
    list: unused,
    read: unused
  }
  return {
    provider,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    oauth,
    apiUrl: API_URL,
    sandbox: false,
    driveIds: false,
    fetch
  }
}

function textLog(lines: string[]): Log {
  const take = (fields: object, message: string): void => void lines.push(`${message} ${deepText(fields)}`)
  return { error: take, info: take, debug: take }
}

/** Serializes a value with everything that a log could show of it, including the causes of errors. */
export function deepText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Error ? { ...member, message: member.message, stack: member.stack, cause: member.cause } : member
  )
}

export const ASKED = { provider: 'cloud_drive', collectionId: idAt(1), keyId: idAt(1), config: {} } as const

/** Connects an account and returns the ids of its credential and its connection. */
export async function connect(
  { oauth, server }: Pick<OAuthSetup, 'oauth' | 'server'>,
  { account = 'ada', collection = 1 } = {}
): Promise<{ credentialId: string; connectionId: string }> {
  const { authUrl } = await oauth.begin({ ...ASKED, collectionId: idAt(collection) })
  const outcome = await oauth.receive('cloud_drive', server.approve(authUrl, account))
  if (outcome.outcome !== 'connected') throw new Error(deepText(outcome))
  return { credentialId: outcome.connection.credentialId ?? '', connectionId: outcome.connection.id }
}

/** Advances the time until a promise settles. */
export async function whilePassing<T>(clock: ManualClock, work: Promise<T>, stepMs = 100): Promise<T> {
  let settled = false
  const done = work.finally(() => {
    settled = true
  })
  done.catch(() => undefined)
  for (let turn = 0; turn < 2000 && !settled; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    await clock.pass(stepMs)
  }
  return await done
}
