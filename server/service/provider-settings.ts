import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import type { SettingDefinition } from './setting-definition.ts'
import * as values from './setting-definition.ts'

/** The settings of a provider, by the last part of their keys. */
const PARTS = {
  client_id: { about: 'client id registered with the real service', parse: values.parseToken },
  client_secret: {
    about: 'client secret; with both, the real service is used',
    parse: values.parseToken,
    mask: maskSecret
  },
  authorize_url: { about: "address of the consent page, instead of the real service's", parse: values.parseWebAddress },
  token_url: {
    about: "address for exchanging codes and refresh tokens, instead of the real service's",
    parse: values.parseWebAddress
  },
  revoke_url: { about: "address for revoking grants, instead of the real service's", parse: values.parseWebAddress },
  api_url: { about: "base address of the content API, instead of the real service's", parse: values.parseBaseAddress }
} as const satisfies Readonly<Record<string, Pick<SettingDefinition<string>, 'about' | 'parse' | 'mask'>>>

export type ProviderPart = keyof typeof PARTS

export type ProviderSettingName = `${ProviderId}.${ProviderPart}`

/** A setting for each provider and part: `cloud_drive.client_id` is `MEMCTL_CLOUD_DRIVE_CLIENT_ID`. */
export const PROVIDER_SETTINGS = Object.fromEntries(PROVIDER_IDS.flatMap(listSettings)) as Readonly<
  Record<ProviderSettingName, SettingDefinition<string>>
>

/** Parses which providers are enabled: some of the real services, or the sandbox for all. */
export function parseProviderList(value: string): 'sandbox' | readonly ProviderId[] {
  if (value.trim() === 'sandbox') return 'sandbox'
  const names = value.split(',').map((name) => name.trim())
  const ids = PROVIDER_IDS.filter((id) => names.includes(id))
  const unknown = names.find((name) => !ids.some((id) => id === name))
  values.refuseIf(
    unknown !== undefined,
    `unknown provider '${unknown}': expected sandbox, or a list of ${PROVIDER_IDS.join(', ')}`
  )
  return ids
}

function listSettings(id: ProviderId): [ProviderSettingName, SettingDefinition<string>][] {
  return Object.entries(PARTS).map(([part, { about, ...row }]) => {
    const key = `${id}.${part as ProviderPart}` as const
    const variable = `MEMCTL_${id}_${part}`.toUpperCase()
    return [key, { key, variable, flag: undefined, about: `${id}: ${about}`, otherwise: undefined, ...row }]
  })
}

function maskSecret(): string {
  return '[secret]'
}
