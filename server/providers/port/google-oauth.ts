import type { OAuthFacts } from './provider.ts'

/**
 * Consent and tokens at Google, for whatever of its services `scope` is: without it nothing works.
 *
 * Addresses, parameters and PKCE: https://developers.google.com/identity/protocols/oauth2/web-server and …/native-app.
 */
export function googleOAuth(scope: string): OAuthFacts {
  return {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    // https://accounts.google.com/.well-known/openid-configuration: `issuer`; it comes as `iss` with the callback.
    issuer: 'https://accounts.google.com',
    scopes: [scope],
    neededScopes: [scope],
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
  }
}
