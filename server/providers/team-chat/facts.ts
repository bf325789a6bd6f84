import type { ProviderFacts } from '../port/provider.ts'

/**
 * Slack. A user token reads what the user can read: all public channels, and private ones that they are a member of
 * (https://docs.slack.dev/reference/methods/conversations.history).
 */
export const FACTS: ProviderFacts = {
  id: 'team_chat',
  service: 'Slack',
  oauth: {
    // https://docs.slack.dev/authentication/installing-with-oauth: user scopes are in `user_scope`, separated by
    // commas.
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    // https://docs.slack.dev/reference/methods/auth.revoke: revokes the token of the call.
    revokeUrl: 'https://slack.com/api/auth.revoke',
    revocation: 'bearer',
    scopes: ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read'],
    // A user who declines private channels can still connect the public ones.
    neededScopes: ['channels:read', 'channels:history', 'users:read'],
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    // https://docs.slack.dev/authentication/using-pkce: enabling PKCE makes an app a public client permanently and
    // limits its refresh tokens to 30 days. A server with a secret is better off without it.
    pkce: false,
    authorizeParameters: {},
    // https://docs.slack.dev/reference/methods/oauth.v2.access accepts both and prefers Basic. It does not document the
    // encoding of user name and password that RFC 6749 section 2.3.1 requires; form parameters are unambiguous.
    clientAuthentication: 'post',
    tokenRequest: 'form',
    // Tokens of the user; those at the top level belong to a bot. Renewing a user token returns it at the top level
    // (https://docs.slack.dev/authentication/using-token-rotation).
    tokensUnder: 'authed_user',
    refusesWith200: true,
    // Errors that every method has (such as https://docs.slack.dev/reference/methods/auth.test). A revoked token does
    // not prove that the grant was revoked: another server of this instance may have renewed it.
    tokenRefusals: ['token_expired', 'token_revoked']
  },
  apiUrl: 'https://slack.com/api',
  selection: 'channel_ids',
  // https://docs.slack.dev/apis/web-api/rate-limits: limits apply by method, workspace and app.
  paceBy: 'path',
  // Each page of a listing declares the ranges that it covers. Plans that hide old messages end a listing early, which
  // is not a deletion.
  listsAll: false
}
