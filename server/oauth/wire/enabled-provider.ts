import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { Fetch } from '../../../src/ports.ts'
import type { OAuthFacts, Provider } from '../../providers/port/provider.ts'

/** A provider as this instance has it: whose client, and where. */
export type EnabledProvider = {
  provider: Provider
  clientId: string
  clientSecret: string
  /** Facts of the provider with the addresses that the instance's admin set. */
  oauth: OAuthFacts
  apiUrl: string
  /** It is the sandbox, not the real service. */
  sandbox: boolean
  /** Folder ids may have `-` and `_`. */
  driveIds: boolean
  /** Sends a request without credentials, to the admin's addresses only. */
  fetch: Fetch
}

/** By identifier, in the order in which they are listed. */
export type EnabledProviders = ReadonlyMap<ProviderId, EnabledProvider>
