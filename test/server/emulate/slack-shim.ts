import { type Received, startShim } from './start-shim.ts'

/**
 * Starts a shim that adds what the emulator of Slack lacks: methods with GET, the time range of a history, and `auth.revoke`.
 */
export function startSlackShim(emulator: string): Promise<string> {
  const revoked = new Set<string>()
  return startShim(emulator, (received) => {
    const { method, url, headers } = received
    const token = headers.get('authorization') ?? ''
    if (!url.pathname.startsWith('/api/') || url.pathname === '/api/oauth.v2.access') return undefined
    if (url.pathname === '/api/auth.revoke') {
      revoked.add(token)
      return Promise.resolve(Response.json({ ok: true, revoked: true }))
    }
    if (revoked.has(token)) return Promise.resolve(Response.json({ ok: false, error: 'token_revoked' }))
    if (url.pathname === '/api/conversations.history') return readRange(received)
    return method === 'GET' ? received.forward({ method: 'POST', form: url.searchParams }) : undefined
  })
}

type Page = { ok: boolean; messages?: { ts: string }[] }

/** The emulator returns the newest messages, whatever the range. The channels of a test fit into one page. */
async function readRange({ url, forward }: Received): Promise<Response> {
  const { searchParams: asked } = url
  const channel = asked.get('channel') ?? ''
  const form = new URLSearchParams({ channel, limit: '1000' })
  const reply = await forward({ method: 'POST', form })
  const { messages, ...page } = (await reply.json()) as Page
  if (messages === undefined) return Response.json(page)
  const [oldest, latest] = [asked.get('oldest') ?? '0', asked.get('latest') ?? '9999999999.999999']
  const within = messages.filter(({ ts }) => ts >= oldest && ts <= latest)
  const limit = Number(asked.get('limit') ?? '100')
  return Response.json({ ...page, messages: within.slice(0, limit), has_more: within.length > limit })
}
