import type { IssuedTokens, RefusalCause, SandboxOAuth, SandboxProvider } from '../core/sandbox-provider.ts'
import { CHANGES } from './changes.ts'
import type { Workspace } from './content.ts'
import { ok, refuse } from './errors.ts'
import { PUBLISHED } from './published.ts'
import { ROUTES } from './routes.ts'
import { seedAccounts } from './seed-accounts.ts'

/** Builds a refusal. Invalid tokens and unknown methods have status 200. */
function refusal({ status, reason, retryAfter, token }: RefusalCause): Response {
  switch (reason) {
    case 'unauthorized':
      return refuse(TOKEN_ERRORS[token ?? 'unknown'])
    case 'not_found':
      return refuse('unknown_method')
    case 'rate_limited': {
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return Response.json({ ok: false, error: 'ratelimited' }, { status: 429, headers })
    }
    default: {
      const error = reason === 'overloaded' ? 'service_unavailable' : 'internal_error'
      return Response.json({ ok: false, error }, { status })
    }
  }
}

const TOKEN_ERRORS = {
  absent: 'not_authed',
  unknown: 'invalid_auth',
  expired: 'token_expired',
  revoked: 'token_revoked'
} as const

/** OAuth as in https://docs.slack.dev/authentication/installing-with-oauth, for user tokens. */
const TEAM_CHAT_OAUTH: SandboxOAuth = {
  authorizePath: '/oauth/v2/authorize',
  tokenPath: '/api/oauth.v2.access',
  revokePath: '/api/auth.revoke',
  clientAuthentication: 'post',
  tokenRequest: 'form',
  scopeParameter: 'user_scope',
  pkce: false,
  scopes: {
    'channels:read': 'see the names and members of public channels',
    'channels:history': 'read messages in public channels',
    'groups:read': 'see the names and members of private channels you are in',
    'groups:history': 'read messages in private channels you are in',
    'users:read': 'see the names of people in the workspace'
  },
  rotatesRefreshTokens: true,
  tokenReply,
  tokenRefusal: (error, why) => refuse(error === 'invalid_grant' ? grantRefusal(why) : (REFUSALS[error] ?? error)),
  async revocation(request, revoke) {
    const token = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (token === undefined) return refuse('not_authed')
    return revoke(token) ? ok({ revoked: true }) : refuse('invalid_auth')
  }
}

/**
 * Builds a token reply. A code returns the user's tokens in `authed_user`; a renewal returns them at the top level
 * (https://docs.slack.dev/authentication/using-token-rotation).
 */
function tokenReply({ accessToken, refreshToken, expiresInSeconds, scope, account, renewed }: IssuedTokens) {
  const { team, self } = account.content as Workspace
  const tokens = {
    scope,
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    expires_in: expiresInSeconds,
    token_type: 'user'
  }
  const app = {
    app_id: 'A0SANDBOX01',
    team: { id: team.id, name: team.name },
    enterprise: null,
    is_enterprise_install: false
  }
  return renewed
    ? { ok: true, ...app, user_id: self, ...tokens }
    : { ok: true, ...app, authed_user: { id: self, ...tokens } }
}

/** Slack's names for the errors of RFC 6749 (https://docs.slack.dev/reference/methods/oauth.v2.access). */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid_client: 'bad_client_secret',
  unsupported_grant_type: 'invalid_grant_type',
  invalid_request: 'invalid_arguments'
}

/** Returns Slack's error for a refused grant, which RFC 6749 does not distinguish. */
function grantRefusal(why: string): string {
  if (why.startsWith('redirect_uri')) return 'bad_redirect_uri'
  return why.includes('code') ? 'invalid_code' : 'invalid_refresh_token'
}

/** The sandbox of the methods of Slack's Web API that read channels with a user token. */
export const teamChatSandbox: SandboxProvider = {
  id: 'team_chat',
  service: 'Slack (sandbox)',
  oauth: TEAM_CHAT_OAUTH,
  accounts: seedAccounts,
  apiPath: '/api',
  routes: ROUTES,
  parameters: PUBLISHED,
  // Slack itself accepts most unknown names. Refusing them reveals typing errors in our own requests.
  unknownParameter: () => refuse('invalid_arg_name'),
  refusal,
  changes: CHANGES
}
