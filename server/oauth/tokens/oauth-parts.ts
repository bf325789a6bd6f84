import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage } from '../../storage/port/connector-storage.ts'
import type { SecretVault } from '../vault/secret-vault.ts'
import type { EnabledProviders } from '../wire/enabled-provider.ts'

export type OAuthParts = {
  storage: ConnectorStorage
  vault: SecretVault
  enabled: EnabledProviders
  world: { clock: Clock; ids: Ids; log: Log }
  /** Creates the id of a new attempt, connection or credential. */
  newId(): string
  settings: OAuthSettings
}

export type OAuthSettings = {
  /** The time limit of a consent, in milliseconds. */
  stateTtlMs: number
  /** How long before its expiry an access token is renewed, in milliseconds. */
  tokenMarginMs: number
  /** The public address of this server, without a trailing slash. Providers redirect people to it. */
  publicUrl: string
  /** Whether the callback page asks the person before their account is linked. */
  confirm: boolean
}
