import { NOT_PUBLIC } from '../../server/providers/http/create-guarded-fetch.ts'
import { isPublicAddress } from '../../server/providers/http/is-public-address.ts'
import type { ProviderFetches } from '../../server/service/enabled-providers.ts'
import { providerFetch } from '../node/provider-fetch.ts'

export type OpenFetches = ProviderFetches & { close(): Promise<void> }

/** The ways from this machine to providers: to the admin's addresses, and to whatever is public. */
export function openProviderFetches(): OpenFetches {
  const own = providerFetch()
  const foreign = providerFetch({ isAllowed: isPublicAddress, refusedCode: NOT_PUBLIC })
  return {
    own: own.fetch,
    foreign: foreign.fetch,
    async close() {
      await Promise.all([own.close(), foreign.close()])
    }
  }
}
