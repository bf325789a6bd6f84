import { mailboxSandbox } from '../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import type { Fetch } from '../../../src/ports.ts'
import { type SandboxExample, sandboxProviderSuite } from '../../suites/sandbox-provider-suite.ts'

const REFUSALS = {
  unauthorized: { status: 401, json: { error: { code: 401, status: 'UNAUTHENTICATED' } } },
  rate_limited: { status: 429, json: { error: { code: 429, errors: [{ reason: 'rateLimitExceeded' }] } } },
  server_error: { status: 500, json: { error: { code: 500 } } },
  overloaded: { status: 503, json: { error: { code: 503 } } },
  not_found: { status: 404, json: { error: { code: 404, errors: [{ reason: 'notFound' }] } } }
}

const EXAMPLE: SandboxExample = {
  sandboxProvider: mailboxSandbox,
  call: (apiUrl) => new Request(`${apiUrl}/gmail/v1/users/me/profile`),
  refuses: ({ reason }) => REFUSALS[reason],
  unscoped: {
    scopes: ['https://www.googleapis.com/auth/gmail.metadata'],
    call: (apiUrl) => new Request(`${apiUrl}/gmail/v1/users/me/messages/a1/attachments/b2`),
    status: 403,
    json: { error: { code: 403 } }
  },
  crawl: crawlMailbox,
  piecesMin: 60,
  change: { name: 'receive', input: { subject: 'Marmalade at noon' }, shows: 'Marmalade at noon' }
}

sandboxProviderSuite(EXAMPLE)

type Listing = { messages?: { id: string }[]; nextPageToken?: string }

/** Reads every message with decoded headers and bodies. */
async function crawlMailbox(fetch: Fetch, apiUrl: string): Promise<string[]> {
  const pieces: string[] = []
  let token: string | undefined
  do {
    const query = new URLSearchParams({ maxResults: '500', ...(token !== undefined && { pageToken: token }) })
    const page = await fetch(new Request(`${apiUrl}/gmail/v1/users/me/messages?${query}`))
    const { messages = [], nextPageToken } = (await page.json()) as Listing
    for (const { id } of messages) pieces.push(await readMessage(fetch, `${apiUrl}/gmail/v1/users/me/messages/${id}`))
    token = nextPageToken
  } while (token !== undefined)
  return pieces
}

type Part = { headers?: { name: string; value: string }[]; body?: { data?: string }; parts?: Part[] }

async function readMessage(fetch: Fetch, address: string): Promise<string> {
  const { payload } = (await (await fetch(new Request(`${address}?format=full`))).json()) as { payload: Part }
  return textsOf(payload).join('\n')
}

function textsOf({ headers = [], body, parts = [] }: Part): string[] {
  const data = Buffer.from(body?.data ?? '', 'base64url').toString()
  return [...headers.map(({ name, value }) => `${name}: ${value}`), data, ...parts.flatMap(textsOf)]
}
