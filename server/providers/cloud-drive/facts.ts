import type { ProviderFacts } from '../provider.ts'

/** The smallest scope that sees all files (https://developers.google.com/workspace/drive/api/guides/api-specific-auth). */
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

/** Google Drive, version 3 of its API. */
export const CLOUD_DRIVE_FACTS: ProviderFacts = {
  id: 'cloud_drive',
  service: 'Google Drive',
  oauth: {
    // https://developers.google.com/identity/protocols/oauth2/web-server: all addresses and parameters below.
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    // https://accounts.google.com/.well-known/openid-configuration: `issuer`; it comes as `iss` with the callback.
    issuer: 'https://accounts.google.com',
    scopes: [SCOPE],
    neededScopes: [SCOPE],
    scopeParameter: 'scope',
    scopeSeparator: ' ',
    // The same document: `code_challenge_methods_supported` has S256.
    pkce: true,
    // A refresh token comes only with offline access, and for a second consent only if the person is asked anew.
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    clientAuthentication: 'post',
    tokenRequest: 'form',
    refusesWith200: false,
    revocation: 'rfc7009'
  },
  // `rootUrl` of the discovery document.
  apiUrl: 'https://www.googleapis.com',
  selection: 'folder_ids',
  // https://developers.google.com/workspace/drive/api/guides/limits: queries of a person, whatever they are.
  paceBy: 'account',
  listsAll: true
}
