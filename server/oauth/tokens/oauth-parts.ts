import type { Clock, Ids, Log } from '../../../src/ports.ts'
import type { ConnectorStorage } from '../../storage/port/connector-storage.ts'
import type { SecretVault } from '../vault/secret-vault.ts'
import type { EnabledProviders } from '../wire/enabled-provider.ts'

export type OAuthParts = {
  storage: ConnectorStorage
  vault: SecretVault
  enabled: EnabledProviders
  world: { clock: Clock; ids: Ids; log: Log }
  /** Makes the id of a new attempt, connection or credential. */
  newId(): string
  settings: OAuthSettings
}

export type OAuthSettings = {
  /** How long a consent may take, in milliseconds. */
  stateTtlMs: number
  /** How long before its end an access token is renewed, in milliseconds. */
  tokenMarginMs: number
  /** How this server is called from outside, without a slash at the end: where providers send people back to. */
  publicUrl: string
  /** Whether a person is asked at the callback before their account is linked. */
  confirm: boolean
}
