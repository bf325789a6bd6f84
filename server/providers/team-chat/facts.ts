import type { ProviderFacts } from '../port/provider.ts'

/**
 * Slack. A user token reads what the person may read: all public channels, and private ones they are a member of
 * (https://docs.slack.dev/reference/methods/conversations.history).
 */
export const FACTS: ProviderFacts = {
  id: 'team_chat',
  service: 'Slack',
  oauth: {
    // https://docs.slack.dev/authentication/installing-with-oauth: scopes of a person go under `user_scope`, with commas.
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    // https://docs.slack.dev/reference/methods/auth.revoke: ends the token that the call carries.
    revokeUrl: 'https://slack.com/api/auth.revoke',
    revocation: 'bearer',
    scopes: ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read'],
    // Who declines private channels still has the public ones.
    neededScopes: ['channels:read', 'channels:history', 'users:read'],
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    // https://docs.slack.dev/authentication/using-pkce: it has to be switched on for an app, which for good makes it a public
    // client and lets its refresh tokens end after 30 days; a server with a secret is better off without.
    pkce: false,
    authorizeParameters: {},
    // https://docs.slack.dev/reference/methods/oauth.v2.access takes both and prefers Basic, whose user name and password it
    // does not say to be encoded as RFC 6749 section 2.3.1 wants; parameters of a form mean the same to everybody.
    clientAuthentication: 'post',
    tokenRequest: 'form',
    // Tokens of the person; those at the top would be a bot's. Renewing a user token answers with them at the top
    // (https://docs.slack.dev/authentication/using-token-rotation).
    tokensUnder: 'authed_user',
    refusesWith200: true,
    // Errors that every method has (as https://docs.slack.dev/reference/methods/auth.test). That a token was revoked is no proof that
    // the grant was: another server of ours may have renewed it.
    tokenRefusals: ['token_expired', 'token_revoked']
  },
  apiUrl: 'https://slack.com/api',
  selection: 'channel_ids',
  // https://docs.slack.dev/apis/web-api/rate-limits: by method, workspace and app.
  paceBy: 'path',
  // Each page of a listing says itself what it covers. Plans that hide old messages make a listing end early, which is no
  // deletion.
  listsAll: false
}
