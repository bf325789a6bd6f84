import type { RefusalCause, StandIn } from '../stand-in.ts'
import { TEAM_CHAT_CHANGES } from './changes.ts'
import { refused } from './envelope.ts'
import { TEAM_CHAT_OAUTH } from './oauth.ts'
import { TEAM_CHAT_PARAMETERS } from './parameters.ts'
import { TEAM_CHAT_ROUTES } from './routes.ts'
import { seedAccounts } from './seed.ts'

/** The part of Slack's Web API that reads channels, as the token of a person sees it. */
export const teamChatStandIn: StandIn = {
  id: 'team_chat',
  service: 'Slack (sandbox)',
  oauth: TEAM_CHAT_OAUTH,
  accounts: seedAccounts,
  apiPath: '/api',
  routes: TEAM_CHAT_ROUTES,
  parameters: TEAM_CHAT_PARAMETERS,
  // Slack itself lets most of them by and refuses odd names alone: a typing error in one of ours shows here.
  unknownParameter: () => refused('invalid_arg_name'),
  refusal,
  changes: TEAM_CHAT_CHANGES
}

/** Tokens and methods that are no good are told of with status 200. */
function refusal({ status, reason, retryAfter, token }: RefusalCause): Response {
  switch (reason) {
    case 'unauthorized':
      return refused(TOKEN_ERRORS[token ?? 'unknown'])
    case 'not_found':
      return refused('unknown_method')
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
