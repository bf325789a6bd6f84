import type { ProviderFacts } from '../port/provider.ts'

/**
 * Notion API, version 2025-09-03.
 *
 * Consent, `owner=user`, HTTP Basic, JSON and rotating refresh tokens:
 * developers.notion.com/guides/get-started/authorization and …/reference/create-a-token, …/refresh-a-token. Revocation:
 * …/reference/revoke-token. Notion has no scopes: people choose pages, and the client's settings define its rights
 * (…/reference/capabilities). None of these pages mentions PKCE.
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
  // developers.notion.com/reference/request-limits: limits apply per connection.
  paceBy: 'account',
  // Search is not exhaustive (developers.notion.com/reference/search-optimizations-and-limitations).
  listsAll: false,
  asksUnlisted: true
}
