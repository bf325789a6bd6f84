import type { Fetch } from '../../src/ports.ts'
import type { EnabledProvider, EnabledProviders } from '../oauth/wire/enabled-provider.ts'
import { createGuardedFetch } from '../providers/http/create-guarded-fetch.ts'
import type { OAuthFacts, Provider } from '../providers/port/provider.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { chooseClient, chooseProviders, type ProviderSettings } from './choose-providers.ts'

/** The fetches for requests to providers. */
export type ProviderFetches = {
  /** For the addresses that the admin of the server set, in any network. */
  own: Fetch
  /** For public addresses only. Rejects with the code `NOT_PUBLIC` for others. */
  foreign: Fetch
}

export type EnableParts = {
  settings: ProviderSettings
  providers: readonly Provider[]
  /** Set if the settings enable the sandbox. */
  sandbox: Sandbox | undefined
  fetches: ProviderFetches
}

/** Returns the providers that the settings enable, each with its client, its addresses and a fetch that reaches nothing else. */
export function enableProviders({ settings, providers, sandbox, fetches }: EnableParts): EnabledProviders {
  const chosen = chooseProviders(
    settings,
    providers.map(({ facts }) => facts.id)
  )
  const enabled = providers.flatMap((provider): EnabledProvider[] => {
    if (!chosen.ids.includes(provider.facts.id)) return []
    if (!chosen.sandbox) return enableRealProvider(provider, settings, fetches)
    return sandbox === undefined ? [] : [enableSandboxProvider(provider, sandbox, settings)]
  })
  return new Map(enabled.map((one) => [one.provider.facts.id, one]))
}

/** Returns the addresses of a provider: its own, unless the admin set others. */
export function chooseAddresses(
  { facts }: Provider,
  settings: ProviderSettings
): { oauth: OAuthFacts; apiUrl: string } {
  const set = (part: 'authorize_url' | 'token_url' | 'revoke_url' | 'api_url') => settings[`${facts.id}.${part}`]
  const { revokeUrl: usual, issuer, ...oauth } = facts.oauth
  const revokeUrl = set('revoke_url') ?? usual
  const authorizeUrl = set('authorize_url') ?? oauth.authorizeUrl
  // Another authorization server also has another issuer.
  const isSame = new URL(authorizeUrl).origin === new URL(oauth.authorizeUrl).origin
  return {
    apiUrl: set('api_url') ?? facts.apiUrl,
    oauth: {
      ...oauth,
      authorizeUrl,
      tokenUrl: set('token_url') ?? oauth.tokenUrl,
      ...(revokeUrl !== undefined && { revokeUrl }),
      ...(isSame && issuer !== undefined && { issuer })
    }
  }
}

function enableRealProvider(
  provider: Provider,
  settings: ProviderSettings,
  { own, foreign }: ProviderFetches
): EnabledProvider[] {
  const client = chooseClient(settings, provider.facts.id)
  if (client === undefined) return []
  const { oauth, apiUrl } = chooseAddresses(provider, settings)
  const addresses = [apiUrl, oauth.tokenUrl, ...(oauth.revokeUrl === undefined ? [] : [oauth.revokeUrl])]
  const fetch = createGuardedFetch({ addresses, own, foreign })
  const driveIds = allowsDriveIds(settings, true)
  return [{ provider, ...client, oauth, apiUrl, sandbox: false, driveIds, fetch }]
}

function enableSandboxProvider(provider: Provider, sandbox: Sandbox, settings: ProviderSettings): EnabledProvider {
  const { authorizeUrl, tokenUrl, revokeUrl, issuer, apiUrl, clientId, clientSecret } = sandbox.provider(
    provider.facts.id
  )
  const { revokeUrl: _, issuer: __, ...facts } = provider.facts.oauth
  const oauth = {
    ...facts,
    authorizeUrl,
    tokenUrl,
    ...(revokeUrl !== undefined && { revokeUrl }),
    ...(issuer !== undefined && { issuer })
  }
  const driveIds = allowsDriveIds(settings, false)
  return { provider, clientId, clientSecret, oauth, apiUrl, sandbox: true, driveIds, fetch: sandbox.fetch }
}

/** Whether folder ids may have the characters of real drives. */
function allowsDriveIds({ folderIdPattern }: ProviderSettings, isReal: boolean): boolean {
  return folderIdPattern === undefined ? isReal : folderIdPattern === 'drive'
}
