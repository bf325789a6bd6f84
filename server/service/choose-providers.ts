import { Fault } from '../../src/contract/faults.ts'
import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import type { ProviderSettingName } from './provider-settings.ts'
import type { ServerSettings } from './server-settings-table.ts'

export type ProviderSettings = Pick<ServerSettings, 'providers' | 'folderIdPattern' | ProviderSettingName>

/** What the settings enable: the stand-ins of all, or some of the real services. */
export type ChosenProviders =
  | { sandbox: true }
  /** `lacking`: named, and without a client. */
  | { sandbox: false; ids: readonly ProviderId[]; lacking: readonly ProviderId[] }

/** Those that are named; where none is, those that have a client; where none has, the sandbox. */
export function chooseProviders(settings: ProviderSettings): ChosenProviders {
  const able = PROVIDER_IDS.filter((id) => chooseClient(settings, id) !== undefined)
  const { providers = able.length > 0 ? able : 'sandbox' } = settings
  if (providers === 'sandbox') return { sandbox: true }
  const ids = providers.filter((id) => able.includes(id))
  return { sandbox: false, ids, lacking: providers.filter((id) => !able.includes(id)) }
}

/** The client of ours at a provider; undefined where it is not set as a whole. */
export function chooseClient(
  settings: ProviderSettings,
  id: ProviderId
): { clientId: string; clientSecret: string } | undefined {
  const clientId = settings[`${id}.client_id`]
  const clientSecret = settings[`${id}.client_secret`]
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

/**
 * Refuses what cannot be meant: a provider that is named without a client, and half a client.
 *
 * @throws Fault `usage` naming what to set.
 */
export function refuseLacking(settings: ProviderSettings): void {
  const chosen = chooseProviders(settings)
  const [lacking] = chosen.sandbox ? [] : chosen.lacking
  if (lacking !== undefined) throw lackingFault(lacking, `the provider ${lacking} is to be enabled and has no client`)
  const half = PROVIDER_IDS.find((id) => isHalf(settings, id))
  if (half !== undefined && settings.providers === undefined)
    throw lackingFault(half, `the provider ${half} has only one of client id and secret`)
}

function isHalf(settings: ProviderSettings, id: ProviderId): boolean {
  return (settings[`${id}.client_id`] === undefined) !== (settings[`${id}.client_secret`] === undefined)
}

function lackingFault(id: ProviderId, message: string): Fault {
  const prefix = `MEMCTL_${id.toUpperCase()}`
  return new Fault('usage', message, {
    hint: `set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, or: memctl server providers set ${id} --client-id ID`,
    next: [`memctl server providers set ${id}`, 'memctl server providers list']
  })
}
