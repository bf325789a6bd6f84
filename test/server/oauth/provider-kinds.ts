import type { OAuthFacts } from '../../../server/providers/port/provider.ts'

const ORIGIN = 'https://accounts.example'

/** The standard provider, and the differing behaviour of each real provider as facts. */
export const PROVIDER_KINDS = {
  standard: {
    authorizeUrl: `${ORIGIN}/authorize?hd=any`,
    tokenUrl: `${ORIGIN}/token`,
    revokeUrl: `${ORIGIN}/revoke`,
    issuer: ORIGIN,
    scopes: ['files.read', 'profile'],
    neededScopes: ['files.read'],
    scopeParameter: 'scope',
    scopeSeparator: ' ',
    pkce: true,
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    clientAuthentication: 'post',
    tokenRequest: 'form',
    refusesWith200: false,
    revocation: 'rfc7009'
  },
  nested: {
    authorizeUrl: `${ORIGIN}/authorize`,
    tokenUrl: `${ORIGIN}/token`,
    revokeUrl: `${ORIGIN}/api/revoke`,
    scopes: ['channels:history', 'users:read'],
    neededScopes: ['channels:history'],
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    pkce: true,
    authorizeParameters: {},
    clientAuthentication: 'basic',
    tokenRequest: 'form',
    tokensUnder: 'authed_user',
    refusesWith200: true,
    revocation: 'bearer'
  },
  json: {
    authorizeUrl: `${ORIGIN}/authorize`,
    tokenUrl: `${ORIGIN}/token`,
    revokeUrl: `${ORIGIN}/revoke`,
    scopes: [],
    neededScopes: [],
    scopeParameter: 'scope',
    scopeSeparator: ' ',
    pkce: false,
    authorizeParameters: { owner: 'user' },
    clientAuthentication: 'basic',
    tokenRequest: 'json',
    refusesWith200: false,
    revocation: 'client_json'
  }
} as const satisfies Record<string, OAuthFacts>

export type ProviderKind = keyof typeof PROVIDER_KINDS

export const API_URL = 'https://api.example/v1'
export const CLIENT_ID = 'client:1'
export const CLIENT_SECRET = 'client-secret-of-the-test'
