import type { SandboxOAuth } from '../core/sandbox-provider.ts'

/**
 * Creates the OAuth behavior of Google: https://developers.google.com/identity/protocols/oauth2/web-server. Refresh
 * tokens do not change. Revoking either token ends the grant, and, unlike in RFC 7009, an unknown one is refused.
 * `scopes` has their descriptions.
 */
export function createGoogleOAuth(scopes: Readonly<Record<string, string>>): SandboxOAuth {
  return {
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    revokePath: '/revoke',
    tokenReply: ({ accessToken, refreshToken, expiresInSeconds, scope }) => ({
      access_token: accessToken,
      expires_in: expiresInSeconds,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope,
      token_type: 'Bearer'
    }),
    tokenRefusal: (error, description) =>
      Response.json(
        { error, error_description: description },
        { status: error === 'invalid_client' ? 401 : 400, headers: { 'cache-control': 'no-store' } }
      ),
    clientAuthentication: 'post',
    tokenRequest: 'form',
    scopeParameter: 'scope',
    pkce: true,
    scopes,
    issuer: 'https://accounts.google.com',
    async revocation(request, revoke) {
      const form = new URLSearchParams(await request.text())
      const token = form.get('token') ?? new URL(request.url).searchParams.get('token') ?? ''
      if (revoke(token)) return Response.json({})
      return Response.json({ error: 'invalid_token', error_description: 'Token expired or revoked' }, { status: 400 })
    }
  }
}
