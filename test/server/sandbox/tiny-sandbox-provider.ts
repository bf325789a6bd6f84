import type { SandboxProvider } from '../../../server/sandbox/core/sandbox-provider.ts'

/** Creates a minimal sandbox provider for tests of the core. */
export function tinySandboxProvider(
  differs: { oauth?: Partial<SandboxProvider['oauth']>; id?: SandboxProvider['id'] } = {}
): SandboxProvider {
  return {
    id: differs.id ?? 'notes',
    service: 'Tiny Notes (sandbox)',
    oauth: { ...OAUTH, ...differs.oauth },
    accounts: ({ now, random }) =>
      ['ada', 'grace', 'x<b>"\u202e'].map((name, at) => ({
        id: `A${at + 1}`,
        name,
        email: `${at}@example.com`,
        content: [`written at ${now}, number ${Math.floor(random() * 1000)}`]
      })),
    apiPath: '/api',
    routes: ROUTES,
    parameters: { 'notes.list': { query: ['q'] } },
    unknownParameter: ({ name }) => Response.json({ ok: false, unknown: name }, { status: 400 }),
    refusal: ({ status, reason, retryAfter, token }) =>
      Response.json(
        { ok: false, reason, ...(token && { token }) },
        { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } }
      ),
    changes: {
      add: (account, input, { now }) => {
        if (typeof input !== 'string') throw new Error('it takes a text')
        const notes = account.content as string[]
        notes.push(input)
        return { count: notes.length, now }
      }
    }
  }
}

const OAUTH: SandboxProvider['oauth'] = {
  authorizePath: '/authorize',
  tokenPath: '/token',
  revokePath: '/revoke',
  tokenReply: ({ accessToken, refreshToken, expiresInSeconds, scope, account }) => ({
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    expires_in: expiresInSeconds,
    scope,
    token_type: 'bearer',
    account: account.id
  }),
  tokenRefusal: (error, description) => Response.json({ error, error_description: description }, { status: 400 }),
  clientAuthentication: 'post',
  tokenRequest: 'form',
  scopeParameter: 'scope',
  pkce: true,
  scopes: { 'notes.read': 'read notes', 'notes.titles': 'see their titles' },
  async revocation(request, revoke) {
    const token = new URLSearchParams(await request.text()).get('token') ?? ''
    return new Response(null, { status: revoke(token) ? 200 : 400 })
  }
}

const ROUTES: SandboxProvider['routes'] = [
  {
    method: 'GET',
    path: '/api/notes',
    operation: 'notes.list',
    answer: ({ account, scopes, now, query, fault }) =>
      Response.json({
        notes: account.content,
        account: account.id,
        scopes,
        now,
        q: query.get('q'),
        lag: fault('lag')?.value ?? null,
        ok: true
      })
  },
  {
    method: 'GET',
    path: '/api/notes/{id}',
    operation: 'notes.get',
    answer: ({ params }) => Response.json({ id: params.id })
  },
  {
    method: 'POST',
    path: '/api/notes',
    operation: 'notes.add',
    answer: ({ body }) => Response.json({ bytes: body.length })
  },
  {
    method: 'GET',
    path: '/api/open',
    operation: 'open.get',
    open: true,
    answer: () => Response.json({ open: true })
  },
  {
    method: 'GET',
    path: '/api/broken',
    operation: 'broken.get',
    answer: () => {
      throw new Error('a bug of the sandbox provider')
    }
  }
]
