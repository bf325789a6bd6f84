import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { Fetch } from '../../src/ports.ts'

/** The sandbox of all providers as one function from request to response. Keeps everything in memory. */
export type Sandbox = {
  /**
   * Answers requests below the sandbox's base URL. Like fetch, rejects only with the reason of the request's signal.
   */
  fetch: Fetch
  /** Returns the endpoints of a sandbox provider, and the client that it knows. */
  provider(id: ProviderId): ProviderEndpoints
}

/** URLs have no slash at the end. */
export type ProviderEndpoints = {
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string | undefined
  issuer: string | undefined
  apiUrl: string
  clientId: string
  clientSecret: string
}
