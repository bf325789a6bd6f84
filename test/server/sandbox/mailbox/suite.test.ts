import { mailboxStandIn } from '../../../../server/sandbox/mailbox/stand-in.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { standInSuite } from '../../../suites/stand-in-suite.ts'

const REFUSALS = {
  unauthorized: { status: 401, reason: 'authError' },
  rate_limited: { status: 429, reason: 'rateLimitExceeded' },
  server_error: { status: 500, reason: 'backendError' },
  overloaded: { status: 503, reason: 'backendError' },
  not_found: { status: 404, reason: 'notFound' }
} as const

standInSuite({
  standIn: mailboxStandIn,
  call: (apiUrl) => new Request(`${apiUrl}/gmail/v1/users/me/profile`),
  refuses({ reason }) {
    const { status, reason: said } = REFUSALS[reason]
    return { status, json: { error: { code: status, errors: [{ reason: said }] } } }
  },
  unscoped: {
    scopes: ['https://www.googleapis.com/auth/gmail.metadata'],
    call: (apiUrl) => new Request(`${apiUrl}/gmail/v1/users/me/messages/1?format=full`),
    status: 403,
    json: { error: { errors: [{ reason: 'insufficientPermissions' }] } }
  },
  crawl,
  piecesMin: 60,
  change: { name: 'receive', input: { subject: 'Something new', text: 'This came just now.' }, shows: 'Something new' }
})

type Listed = { messages?: { id: string }[]; nextPageToken?: string }

async function crawl(fetch: Fetch, apiUrl: string): Promise<string[]> {
  const base = `${apiUrl}/gmail/v1/users/me/messages`
  const pieces: string[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page: Listed = await json(
      fetch,
      `${base}?maxResults=50&includeSpamTrash=true&pageToken=${token}`.replace(/&pageToken=$/, '')
    )
    for (const { id } of page.messages ?? []) {
      const { raw, ...rest } = await json<{ raw: string; historyId: string }>(fetch, `${base}/${id}?format=raw`)
      const { payload } = await json<{ payload: { headers: unknown } }>(fetch, `${base}/${id}?format=metadata`)
      pieces.push(`${rest.historyId} ${JSON.stringify(payload)} ${Buffer.from(raw, 'base64url').toString('latin1')}`)
      pieces[pieces.length - 1] += ` ${headersOf(payload)}`
    }
    token = page.nextPageToken
  }
  return pieces
}

function headersOf({ headers }: { headers: unknown }): string {
  return (headers as { value: string }[]).map(({ value }) => value).join('\n')
}

async function json<T>(fetch: Fetch, url: string): Promise<T> {
  const reply = await fetch(new Request(url))
  if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}
