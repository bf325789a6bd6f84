import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { ServerProvider } from '../../src/contract/running-server.ts'
import type { Provider } from '../providers/port/provider.ts'
import type { ProviderEndpoints } from '../sandbox/sandbox.ts'
import { chooseProviders, type ProviderSettings } from './choose-providers.ts'
import { chooseAddresses } from './enable-providers.ts'

/** Describes all providers, enabled or not. `findSandboxEndpoints` is called only if the sandbox is enabled. */
export function describeProviders(
  settings: ProviderSettings,
  providers: readonly Provider[],
  findSandboxEndpoints: (id: ProviderId) => Omit<ProviderEndpoints, 'clientId' | 'clientSecret'>
): ServerProvider[] {
  const chosen = chooseProviders(settings)
  return providers.map((provider) => {
    const { id } = provider.facts
    const { oauth, apiUrl } = chooseAddresses(provider, settings)
    const at = chosen.sandbox ? findSandboxEndpoints(id) : { revokeUrl: undefined, ...oauth, apiUrl }
    return {
      provider: id,
      enabled: chosen.ids.includes(id),
      sandbox: chosen.sandbox,
      client_id: settings[`${id}.client_id`] ?? null,
      client_secret_set: settings[`${id}.client_secret`] !== undefined,
      authorize_url: at.authorizeUrl,
      token_url: at.tokenUrl,
      revoke_url: at.revokeUrl ?? null,
      api_url: at.apiUrl
    }
  })
}
