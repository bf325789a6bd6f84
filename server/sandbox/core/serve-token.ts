import { type Client, provesClient } from './client.ts'
import { ACCESS_SECONDS, type Grant, type Refused } from './grants.ts'
import type { StandInState } from './stand-in-state.ts'
import { tokenParams } from './token-params.ts'

type Received = { request: Request; body: Uint8Array }

/** The token endpoint: a code or a refresh token for tokens (RFC 6749 sections 4.1.3 and 6), in the provider's own shape. */
export function serveToken(state: StandInState, client: Client, { request: { headers }, body }: Received): Response {
  const { oauth } = state.standIn
  const params = tokenParams(oauth.tokenRequest, { contentType: headers.get('content-type'), body })
  if (params === undefined) {
    const how = oauth.tokenRequest === 'form' ? 'a form' : 'a JSON object'
    return oauth.tokenRefusal('invalid_request', `Parameters are sent as ${how}, each of them once.`)
  }
  if (!provesClient(client, oauth.clientAuthentication, { authorization: headers.get('authorization'), params })) {
    const where = oauth.clientAuthentication === 'basic' ? 'with HTTP Basic' : 'in the body'
    return oauth.tokenRefusal('invalid_client', `The client is unknown, or does not authenticate ${where}.`)
  }
  return tokensFor(state, params)
}

function tokensFor(state: StandInState, params: Readonly<Record<string, string>>): Response {
  const { oauth } = state.standIn
  const { grant_type: type, code, refresh_token: token } = params
  if (type === 'authorization_code') {
    if (code === undefined) return oauth.tokenRefusal('invalid_request', 'code is missing.')
    const by = { redirectUri: params.redirect_uri ?? '', verifier: oauth.pkce ? params.code_verifier : undefined }
    return tokenReply(state, state.grants.redeem(code, by), { withRefresh: true, renewed: false })
  }
  if (type === 'refresh_token') {
    if (token === undefined) return oauth.tokenRefusal('invalid_request', 'refresh_token is missing.')
    const rotates = oauth.rotatesRefreshTokens === true
    return tokenReply(state, state.grants.refresh(token, rotates), { withRefresh: rotates, renewed: true })
  }
  return oauth.tokenRefusal('unsupported_grant_type', 'Only authorization_code and refresh_token are known.')
}

type Kind = { withRefresh: boolean; renewed: boolean }

function tokenReply(state: StandInState, grant: Grant | Refused, { withRefresh, renewed }: Kind): Response {
  const { oauth } = state.standIn
  if ('refused' in grant) return oauth.tokenRefusal('invalid_grant', grant.refused)
  const account = state.accounts().find(({ id }) => id === grant.accountId)
  if (account === undefined) return oauth.tokenRefusal('invalid_grant', 'The account is gone.')
  const { accessToken, refreshToken } = state.grants.issue(grant)
  const reply = oauth.tokenReply({
    accessToken,
    refreshToken: withRefresh ? refreshToken : undefined,
    expiresInSeconds: ACCESS_SECONDS,
    scope: grant.scopes.join(oauth.scopeParameter === 'user_scope' ? ',' : ' '),
    account,
    renewed
  })
  return Response.json(reply, { headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
}
