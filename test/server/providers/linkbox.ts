import * as z from 'zod'
import { ask, type Replied } from '../../../server/providers/http/ask.ts'
import { parseJson, parseValue } from '../../../server/providers/http/parse-value.ts'
import { readCursorText } from '../../../server/providers/http/read-cursor-text.ts'
import { readRetryAfter } from '../../../server/providers/http/read-retry-after.ts'
import type { Page, Provider, ProviderCall, SeenItem } from '../../../server/providers/port/provider.ts'
import { type FailureKind, ProviderFailure, unlessGone } from '../../../server/providers/port/provider-failure.ts'
import type { SandboxAccount, SandboxProvider } from '../../../server/sandbox/core/sandbox-provider.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/*
 * Linkbox, a fictional service that keeps links with notes: its adapter, and its sandbox below. Each change of a link
 * gives it the next number, and `GET /links?after=` lists links, also deleted ones, by these numbers.
 */

export const LINKBOX = 'linkbox' as ProviderId
const service = 'Linkbox'

const PagedLinks = z.looseObject({
  links: z.array(z.looseObject({ id: z.string(), seq: z.int(), deleted: z.boolean() })),
  last: z.int(),
  more: z.boolean()
})
const FullLink = z.looseObject({ id: z.string(), seq: z.int(), title: z.string(), note: z.string() })
const Me = z.looseObject({ id: z.string(), name: z.string() })

const Cursor = z.strictObject({ v: z.literal(1), of: z.enum(['changes', 'list']), after: z.int().min(0) })

export const linkboxProvider: Provider = {
  facts: {
    id: LINKBOX,
    service,
    apiUrl: 'https://api.linkbox.example',
    paceBy: 'account',
    listsAll: true,
    oauth: {
      authorizeUrl: 'https://linkbox.example/authorize',
      tokenUrl: 'https://linkbox.example/token',
      revokeUrl: 'https://linkbox.example/revoke',
      scopes: ['links.read'],
      neededScopes: ['links.read'],
      scopeParameter: 'scope',
      scopeSeparator: ' ',
      pkce: true,
      authorizeParameters: {},
      clientAuthentication: 'post',
      tokenRequest: 'form',
      refusesWith200: false,
      revocation: 'rfc7009'
    }
  },
  identify: (call) => get(call, '/me', { schema: Me }),
  changes: (call, { cursor }) => readPage(call, 'changes', cursor),
  list: (call, { cursor }) => readPage(call, 'list', cursor),
  async read(call, id) {
    const { seq, title, note } = await get(call, `/links/${encodeURIComponent(id)}`, { schema: FullLink })
    return { id, version: String(seq), title, parts: [{ text: `${title}\n\n${note}` }] }
  },
  async lookUp(call, { id }) {
    const found = await unlessGone(get(call, `/links/${encodeURIComponent(id)}`, { schema: FullLink }))
    return found === undefined ? 'absent' : toSeen(found)
  }
}

/** Both listings read all changes in order. A listing for comparison reports what exists, from the beginning. */
async function readPage(call: ProviderCall, of: 'changes' | 'list', cursor: string | undefined): Promise<Page> {
  const known = cursor === undefined ? { after: 0, of } : readCursorText(cursor, Cursor)
  if (known?.of !== of) throw new ProviderFailure('cursor_invalid', 'the cursor of the links has an unknown version')
  const { links, last, more } = await get(call, '/links', {
    schema: PagedLinks,
    query: { after: known.after, limit: 100 }
  })
  if (more && last <= known.after) throw new ProviderFailure('contract_broken', 'the links: a page repeats itself')
  return {
    seen: links.filter(({ deleted }) => !deleted).map(toSeen),
    gone: of === 'list' ? [] : links.filter(({ deleted }) => deleted).map(({ id }) => id),
    cursor: JSON.stringify({ v: 1, of, after: Math.max(last, known.after) }),
    more
  }
}

function toSeen({ id, seq }: { id: string; seq: number }): SeenItem {
  return { id, version: String(seq) }
}

type Question<S> = { schema: S; query?: Record<string, number> }

async function get<S extends z.ZodType>(
  call: ProviderCall,
  path: string,
  { schema, query = {} }: Question<S>
): Promise<z.output<S>> {
  const replied = await ask(call, { service, method: 'GET', path, query })
  if (replied.status === 200) return parseValue(replied, schema, { what: `the reply to ${path}`, service })
  const waits = { retryAfterMs: readRetryAfter(replied.headers, replied.receivedAt) }
  throw new ProviderFailure(classify(replied), `${service} refused the request (${replied.status})`, waits)
}

function classify({ status, bytes }: Replied): FailureKind {
  const refusal = z.looseObject({ error: z.string() }).safeParse(parseJson(bytes)).data
  if (status === 401) return 'auth_expired'
  if (status === 429) return 'rate_limited'
  if (status >= 500 || refusal === undefined) return 'transient'
  if (status === 404) return refusal.error === 'not_found' ? 'item_gone' : 'transient'
  return 'contract_broken'
}

type Link = { id: string; seq: number; title: string; note: string; deleted: boolean }
export const HOSTILE = 'x<b>"\u202e/..'

type Box = { links: Link[]; head: number }

/** The links of an account that exist, with the words of their notes. */
export function listLinks({ content }: SandboxAccount): ReadonlyMap<string, string> {
  return new Map((content as Box).links.filter(({ deleted }) => !deleted).map(({ id, note }) => [id, note]))
}

function put(box: Box, link: Omit<Link, 'seq'>): Link {
  box.head += 1
  const made = { ...link, seq: box.head }
  box.links = [...box.links.filter(({ id }) => id !== link.id), made]
  return made
}

function createBox(name: string): Box {
  const box: Box = { links: [], head: 0 }
  for (let at = 1; at <= 12; at++)
    put(box, { id: `${name}-${at}`, title: `Link ${at}`, note: `${name} keeps note ${at}.`, deleted: false })
  return box
}

const Change = z.strictObject({ id: z.string(), title: z.string().default(''), note: z.string().default('') })

export const linkboxSandbox: SandboxProvider = {
  id: LINKBOX,
  service: `${service} (sandbox)`,
  oauth: {
    authorizePath: '/authorize',
    tokenPath: '/token',
    revokePath: '/revoke',
    tokenReply: ({ accessToken, refreshToken, expiresInSeconds, scope }) => ({
      ...{ access_token: accessToken, expires_in: expiresInSeconds, scope, token_type: 'bearer' },
      ...(refreshToken !== undefined && { refresh_token: refreshToken })
    }),
    tokenRefusal: (error, description) => Response.json({ error, error_description: description }, { status: 400 }),
    clientAuthentication: 'post',
    tokenRequest: 'form',
    scopeParameter: 'scope',
    pkce: true,
    scopes: { 'links.read': 'read your links' },
    async revocation(request, revoke) {
      const token = new URLSearchParams(await request.text()).get('token') ?? ''
      return new Response(null, { status: revoke(token) ? 200 : 400 })
    }
  },
  accounts: () =>
    ['Ada', 'Ben', HOSTILE].map((name) => ({
      id: name,
      name,
      email: `${name}@linkbox.example`,
      content: createBox(name)
    })),
  apiPath: '/api',
  routes: [
    {
      ...{ method: 'GET', path: '/api/me', operation: 'me.get' },
      answer: ({ account: { id, name } }) => Response.json({ id, name })
    },
    {
      ...{ method: 'GET', path: '/api/links', operation: 'links.list' },
      answer({ account, query, fault }) {
        const { links, head } = account.content as Box
        const [after, limit] = [Number(query.get('after')), Number(query.get('limit'))]
        const shown = links.filter(({ seq }) => seq > after && seq <= head - (fault('lag')?.value ?? 0))
        const page = shown.slice(0, limit).map(({ id, seq, deleted }) => ({ id, seq, deleted }))
        if (fault('repeat_cursor') !== undefined) return Response.json({ links: page, last: after, more: true })
        return Response.json({ links: page, last: page.at(-1)?.seq ?? after, more: shown.length > limit })
      }
    },
    {
      ...{ method: 'GET', path: '/api/links/{id}', operation: 'links.get' },
      answer({ account, params }) {
        const found = (account.content as Box).links.find(({ id, deleted }) => id === params.id && !deleted)
        return found === undefined ? Response.json({ error: 'not_found' }, { status: 404 }) : Response.json(found)
      }
    }
  ],
  parameters: { 'links.list': { query: ['after', 'limit'] } },
  unknownParameter: ({ name }) => Response.json({ error: `unknown ${name}` }, { status: 400 }),
  refusal: ({ status, reason, retryAfter }) =>
    Response.json({ error: reason }, { status, headers: retryAfter ? { 'retry-after': String(retryAfter) } : {} }),
  changes: {
    put: ({ content }, input) => put(content as Box, { ...Change.parse(input), deleted: false }),
    delete: ({ content }, input) => put(content as Box, { ...Change.parse(input), deleted: true })
  }
}
