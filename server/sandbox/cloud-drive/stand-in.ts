import type { IssuedTokens, StandIn, StandInOAuth } from '../stand-in.ts'
import { cloudDriveChanges } from './changes.ts'
import { refusal } from './google-error.ts'
import { cloudDriveRoutes } from './routes.ts'
import { SCOPES } from './scopes.ts'
import { seedAccounts } from './seed.ts'

const oauth: StandInOAuth = {
  authorizePath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  revokePath: '/revoke',
  tokenReply,
  tokenRefusal,
  clientAuthentication: 'post',
  tokenRequest: 'form',
  scopeParameter: 'scope',
  pkce: true,
  scopes: {
    [SCOPES.readonly]: 'see and download your files',
    [SCOPES.metadata]: 'see names and dates of your files'
  },
  issuer: 'https://accounts.google.com',
  revocation
}

/** Google Drive v3 as far as reading goes. */
export const cloudDriveStandIn: StandIn = {
  id: 'cloud_drive',
  service: 'Cloud Drive (sandbox)',
  oauth,
  accounts: seedAccounts,
  apiPath: '',
  routes: cloudDriveRoutes,
  refusal,
  changes: cloudDriveChanges
}

/** https://developers.google.com/identity/protocols/oauth2/web-server, the exchange and the renewal of tokens. */
function tokenReply({ accessToken, refreshToken, expiresInSeconds, scope }: IssuedTokens) {
  const renewal = refreshToken === undefined ? {} : { refresh_token: refreshToken }
  return { access_token: accessToken, expires_in: expiresInSeconds, ...renewal, scope, token_type: 'Bearer' }
}

function tokenRefusal(error: string, description: string): Response {
  const status = error === 'invalid_client' ? 401 : 400
  return Response.json({ error, error_description: description }, { status, headers: { 'cache-control': 'no-store' } })
}

/** RFC 7009, but that an unknown token is refused: https://developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke */
async function revocation(request: Request, revoke: (token: string) => boolean): Promise<Response> {
  const token = new URLSearchParams(await request.text()).get('token')
  if (token !== null && revoke(token)) return Response.json({})
  return Response.json({ error: 'invalid_token', error_description: 'Token expired or revoked' }, { status: 400 })
}
