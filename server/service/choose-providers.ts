import { Fault } from '../../src/contract/faults.ts'
import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import type { ProviderSettingName } from './provider-settings.ts'
import type { ServerSettings } from './server-settings.ts'

export type ProviderSettings = Pick<ServerSettings, 'providers' | 'folderIdPattern' | ProviderSettingName>

/** The providers that the settings enable: some or all of the sandbox, or some of the real services. */
export type ChosenProviders =
  | { sandbox: true; ids: readonly ProviderId[] }
  /** `lacking`: named, but without a client. */
  | { sandbox: false; ids: readonly ProviderId[]; lacking: readonly ProviderId[] }

/**
 * Chooses the named providers; if none is named, those with a client; if there is none, all of the sandbox. Named
 * providers are those of the sandbox if none of them has a client, or a part of one: accounts of the sandbox never mix
 * with real ones. `all` are the providers that the server has.
 */
export function chooseProviders(
  settings: ProviderSettings,
  all: readonly ProviderId[] = PROVIDER_IDS
): ChosenProviders {
  const able = all.filter((id) => chooseClient(settings, id) !== undefined)
  const { providers = able.length > 0 ? able : 'sandbox' } = settings
  if (providers === 'sandbox') return { sandbox: true, ids: all }
  if (providers.every((id) => !able.includes(id) && !hasHalfClient(settings, id)))
    return { sandbox: true, ids: providers }
  const ids = providers.filter((id) => able.includes(id))
  return { sandbox: false, ids, lacking: providers.filter((id) => !able.includes(id)) }
}

/** Returns the client of a provider; undefined unless both its id and its secret are set. */
export function chooseClient(
  settings: ProviderSettings,
  id: ProviderId
): { clientId: string; clientSecret: string } | undefined {
  const clientId = settings[`${id}.client_id`]
  const clientSecret = settings[`${id}.client_secret`]
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

/**
 * Refuses incomplete settings: a named provider without a client, and a client without an id or a secret.
 *
 * @throws Fault `usage` naming what to set.
 */
export function assertClients(settings: ProviderSettings): void {
  const chosen = chooseProviders(settings)
  const [lacking] = chosen.sandbox ? [] : chosen.lacking
  if (lacking !== undefined) throw missingClientFault(lacking, `provider ${lacking} is enabled but has no client`)
  const half = PROVIDER_IDS.find((id) => hasHalfClient(settings, id))
  if (half !== undefined && settings.providers === undefined)
    throw missingClientFault(half, `provider ${half} needs both a client id and a client secret, but only one is set`)
}

function hasHalfClient(settings: ProviderSettings, id: ProviderId): boolean {
  return (settings[`${id}.client_id`] === undefined) !== (settings[`${id}.client_secret`] === undefined)
}

function missingClientFault(id: ProviderId, message: string): Fault {
  const prefix = `MEMCTL_${id.toUpperCase()}`
  return new Fault('usage', message, {
    hint: `set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, or: memctl server providers set ${id} --client-id ID`,
    next: [`memctl server providers set ${id}`, 'memctl server providers list']
  })
}
