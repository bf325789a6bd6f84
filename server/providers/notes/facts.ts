import type { ProviderFacts } from '../port/provider.ts'

/**
 * Notion, by its API of 2025-09-03.
 *
 * Consent, `owner=user`, HTTP Basic, JSON and refresh tokens that are replaced with each use: developers.notion.com/guides/get-started/
 * authorization and …/reference/create-a-token, …/refresh-a-token; revoking: …/reference/revoke-token. There are no scopes: people choose pages,
 * and what may be done with them stands in the client's settings (…/reference/capabilities). None of these pages knows PKCE.
 */
export const FACTS: ProviderFacts = {
  id: 'notes',
  service: 'Notion',
  oauth: {
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    revokeUrl: 'https://api.notion.com/v1/oauth/revoke',
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
  },
  apiUrl: 'https://api.notion.com',
  // developers.notion.com/reference/request-limits: by connection.
  paceBy: 'account',
  // Search is not exhaustive (developers.notion.com/reference/search-optimizations-and-limitations).
  listsAll: false,
  asksUnlisted: true
}
