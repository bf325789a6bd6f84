import * as z from 'zod'
import type { IssuedTokens, SandboxOAuth, SandboxProvider } from '../core/sandbox-provider.ts'
import { CHANGES } from './changes.ts'
import type { Workspace } from './content.ts'
import { refusal, refuse, reply, unknownParameter } from './errors.ts'
import { LISTING_ROUTES } from './listing-routes.ts'
import { PUBLISHED } from './published.ts'
import { ROUTES } from './routes.ts'
import { seedAccounts } from './seed-accounts.ts'
import { personObject } from './views.ts'

/** OAuth as in developers.notion.com/reference/create-a-token, …/refresh-a-token and …/revoke-token. */
const NOTES_OAUTH: SandboxOAuth = {
  authorizePath: '/v1/oauth/authorize',
  tokenPath: '/v1/oauth/token',
  revokePath: '/v1/oauth/revoke',
  tokenReply,
  tokenRefusal: (error, description) =>
    Response.json(
      { error, error_description: description, request_id: '00000000-0000-4000-8000-000000000000' },
      { status: error === 'invalid_client' ? 401 : 400 }
    ),
  clientAuthentication: 'basic',
  tokenRequest: 'json',
  scopeParameter: 'scope',
  pkce: false,
  rotatesRefreshTokens: true,
  revocation
}

function tokenReply({ accessToken, refreshToken, account }: IssuedTokens): Record<string, unknown> {
  const { id, name, bot, people } = account.content as Workspace
  const [owner] = people
  return {
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: refreshToken ?? null,
    bot_id: bot.id,
    workspace_icon: null,
    workspace_name: name,
    workspace_id: id,
    owner: { type: 'user', ...(owner && { user: personObject(owner) }) },
    duplicated_template_id: null,
    request_id: '00000000-0000-4000-8000-000000000000'
  }
}

const Revocation = z.looseObject({ token: z.string() })

/** Handles a revocation: JSON, with the client's credentials by HTTP Basic. */
async function revocation(request: Request, revoke: (token: string) => boolean): Promise<Response> {
  if (!/^basic /i.test(request.headers.get('authorization') ?? ''))
    return refuse(401, 'unauthorized', 'The client does not authenticate with HTTP Basic.')
  const asked = Revocation.safeParse(await request.json().catch(() => undefined))
  if (!asked.success) return refuse(400, 'validation_error', 'body failed validation: body.token should be defined.')
  revoke(asked.data.token)
  return reply({})
}

/** The sandbox of the reading operations of Notion's API of 2025-09-03. */
export const notesSandbox: SandboxProvider = {
  id: 'notes',
  service: 'Notion (sandbox)',
  oauth: NOTES_OAUTH,
  accounts: seedAccounts,
  apiPath: '',
  routes: [...ROUTES, ...LISTING_ROUTES],
  parameters: PUBLISHED,
  unknownParameter,
  refusal: refusal,
  changes: CHANGES
}
