import type { ProviderFacts } from '../provider.ts'

/**
 * Gmail, by its API v1.
 *
 * Addresses, `access_type`, `prompt` and PKCE: developers.google.com/identity/protocols/oauth2/web-server and …/native-app;
 * `issuer`, `token_endpoint` and `revocation_endpoint` as in accounts.google.com/.well-known/openid-configuration.
 * The scope: developers.google.com/workspace/gmail/api/auth/scopes, reading only, and no narrower one shows what a message says.
 */
export const MAILBOX_FACTS: ProviderFacts = {
  id: 'mailbox',
  service: 'Gmail',
  oauth: {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    issuer: 'https://accounts.google.com',
    scopes: ['https://www.googleapis.com/auth/gmail.readonly'],
    neededScopes: ['https://www.googleapis.com/auth/gmail.readonly'],
    scopeParameter: 'scope',
    scopeSeparator: ' ',
    pkce: true,
    // Without the first there is no refresh token at all, without the second none when somebody consents again.
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    clientAuthentication: 'post',
    tokenRequest: 'form',
    refusesWith200: false,
    revocation: 'rfc7009'
  },
  apiUrl: 'https://gmail.googleapis.com',
  // https://developers.google.com/workspace/gmail/api/reference/quota: units of a person, of all methods together.
  paceBy: 'account',
  listsAll: true
}
