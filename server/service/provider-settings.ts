import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import type { ServerSettingRow } from './server-settings-table.ts'
import * as values from './setting-values.ts'

/** What an instance's admin may set of a provider, by the end of the setting's key. */
const PARTS = {
  client_id: { about: 'the client that was registered with the real service', parse: values.token },
  client_secret: { about: 'its secret; with both the real service is used', parse: values.token, mask: hide },
  authorize_url: { about: 'where people consent, in place of the real service', parse: values.webAddress },
  token_url: { about: 'where codes and refresh tokens are exchanged, likewise', parse: values.webAddress },
  revoke_url: { about: 'where grants are revoked, likewise', parse: values.webAddress },
  api_url: { about: 'where content is asked for, likewise', parse: values.baseAddress }
} as const satisfies Readonly<Record<string, Pick<ServerSettingRow<string>, 'about' | 'parse' | 'mask'>>>

export type ProviderPart = keyof typeof PARTS

export type ProviderSettingName = `${ProviderId}.${ProviderPart}`

/** A row for each provider and part: `cloud_drive.client_id` is `MEMCTL_CLOUD_DRIVE_CLIENT_ID`. */
export const PROVIDER_SETTINGS = Object.fromEntries(PROVIDER_IDS.flatMap(listRows)) as Readonly<
  Record<ProviderSettingName, ServerSettingRow<string>>
>

/** Which providers are enabled: some of the real services, or all stand-ins. */
export function providerList(value: string): 'sandbox' | readonly ProviderId[] {
  if (value.trim() === 'sandbox') return 'sandbox'
  const names = value.split(',').map((name) => name.trim())
  const ids = PROVIDER_IDS.filter((id) => names.includes(id))
  const unknown = names.find((name) => !ids.some((id) => id === name))
  values.refuseIf(unknown !== undefined, `has '${unknown}': give sandbox, or some of ${PROVIDER_IDS.join(', ')}`)
  return ids
}

function listRows(id: ProviderId): [ProviderSettingName, ServerSettingRow<string>][] {
  return Object.entries(PARTS).map(([part, { about, ...row }]) => {
    const key = `${id}.${part as ProviderPart}` as const
    const variable = `MEMCTL_${id}_${part}`.toUpperCase()
    return [key, { key, variable, flag: undefined, about: `${id}: ${about}`, otherwise: undefined, ...row }]
  })
}

function hide(): string {
  return '[secret]'
}
