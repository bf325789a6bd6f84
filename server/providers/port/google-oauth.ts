import type { OAuthFacts } from './provider.ts'

/**
 * Returns the OAuth facts of Google for a service with `scope`, which is required.
 *
 * Addresses, parameters and PKCE: https://developers.google.com/identity/protocols/oauth2/web-server and …/native-app.
 */
export function googleOAuth(scope: string): OAuthFacts {
  return {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    // https://accounts.google.com/.well-known/openid-configuration: `issuer`. The callback has it as `iss`.
    issuer: 'https://accounts.google.com',
    scopes: [scope],
    neededScopes: [scope],
    scopeParameter: 'scope',
    scopeSeparator: ' ',
    // The same document: `code_challenge_methods_supported` includes S256.
    pkce: true,
    // A refresh token is issued only for offline access, and on a second consent only if the user is prompted again.
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    clientAuthentication: 'post',
    tokenRequest: 'form',
    refusesWith200: false,
    revocation: 'rfc7009'
  }
}
