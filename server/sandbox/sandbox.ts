import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { Fetch } from '../../src/ports.ts'

/** Sandbox providers for all providers, as one function from request to response. Keeps everything in memory. */
export type Sandbox = {
  /** Answers what begins with the base address of the sandbox. Rejects only with the reason of the request's signal, as fetch does. */
  fetch: Fetch
  /** Where a sandbox provider is, and the client that it knows. */
  provider(id: ProviderId): ProviderEndpoints
}

/** Addresses have no slash at the end. */
export type ProviderEndpoints = {
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string | undefined
  issuer: string | undefined
  apiUrl: string
  clientId: string
  clientSecret: string
}
