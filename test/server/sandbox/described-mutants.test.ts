import { expect, test } from 'vitest'
import { cloudDriveProvider } from '../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { mailboxProvider } from '../../../server/providers/mailbox/mailbox-provider.ts'
import { notesProvider } from '../../../server/providers/notes/notes-provider.ts'
import type { Provider } from '../../../server/providers/port/provider.ts'
import { toProviderReader } from '../../../server/providers/port/to-provider-reader.ts'
import { teamChatProvider } from '../../../server/providers/team-chat/team-chat-provider.ts'
import { SANDBOX_PROVIDERS } from '../../../server/sandbox/sandbox-providers.ts'
import type { Fetch } from '../../../src/ports.ts'
import { localReaders } from '../../documents/documents-kit.ts'
import { googleDescription } from '../../suites/google-description.ts'
import { notionDescription } from '../../suites/notion-description.ts'
import { smallSync } from '../../suites/provider-suite-sync.ts'
import { sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { slackDescription } from '../../suites/slack-description.ts'

/** The first call of an adapter to each URL, and the sandbox's reply. */
type Exchange = { request: Request; body: unknown; reply: unknown; status: number }
type Complaints = (request: Request, reply: Response) => Promise<string[]>

const MISSING = 'the published description is not here'
const PATH = 'http://127.0.0.1:8787/sandbox'

function googleComplaints(file: 'drive.v3.json' | 'gmail.v1.json', at: string): Complaints | undefined {
  const description = googleDescription(file)
  if (description === undefined) return undefined
  return (request, reply) =>
    description.complaints(request, reply, request.url.slice(`${PATH}/${at}`.length).replace(/\?.*/s, ''))
}

const replies: readonly { provider: Provider; complaints: Complaints | undefined }[] = [
  { provider: cloudDriveProvider, complaints: googleComplaints('drive.v3.json', 'cloud_drive') },
  { provider: mailboxProvider, complaints: googleComplaints('gmail.v1.json', 'mailbox') },
  { provider: teamChatProvider, complaints: slackDescription()?.complaints }
]

test.for(replies)('detects a reply member of another type: $provider.facts.id', async (row, { skip }) => {
  const { provider, complaints } = row
  if (complaints === undefined) return skip(MISSING)
  const missed: string[] = []
  let spoilt = 0
  for (const { request, reply, status } of await exchangesOf(provider))
    for (const { path, value } of mutants(reply)) {
      spoilt += 1
      const found = await complaints(request.clone(), Response.json(value, { status }))
      if (found.length === 0) missed.push(`${new URL(request.url).pathname} ${path}`)
    }
  expect(spoilt).toBeGreaterThan(10)
  expect(missed).toEqual([])
})

// Notion describes its replies only as objects. They are compared with recorded ones in notes/recordings.test.ts.
test('detects a request member of another type: notes', async ({ skip }) => {
  const description = notionDescription()
  if (description === undefined) return skip(MISSING)
  const missed: string[] = []
  let spoilt = 0
  for (const { request, body, reply, status } of await exchangesOf(notesProvider))
    for (const { path, value } of body === undefined ? [] : mutants(body)) {
      spoilt += 1
      const asked = new Request(request.url, {
        method: request.method,
        headers: request.headers,
        body: JSON.stringify(value)
      })
      const found = await description.complaints(asked, Response.json(reply, { status }), `${PATH}/notes`)
      if (found.length === 0) missed.push(`${new URL(request.url).pathname} ${path}`)
    }
  expect(spoilt).toBeGreaterThan(2)
  expect(missed).toEqual([])
})

/** Returns the requests and replies of an adapter that reads the first account. */
async function exchangesOf(provider: Provider): Promise<Exchange[]> {
  const kit = sandboxKit(SANDBOX_PROVIDERS)
  const seen = new Map<string, Exchange>()
  const send = await kit.fetchAs(provider.facts.id)
  const fetch: Fetch = async (request) => {
    const kept = request.clone()
    const reply = await send(request)
    const name = `${request.method} ${new URL(request.url).pathname.replace(/[\w-]{16,}/g, 'ID')}`
    const isJson = reply.headers.get('content-type')?.includes('json') === true
    if (!reply.ok || !isJson || seen.has(name)) return reply
    const text = await kept.clone().text()
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    seen.set(name, { request: kept, body, reply: await reply.clone().json(), status: reply.status })
    return reply
  }
  const nothing = () => undefined
  const log = { error: nothing, info: nothing, debug: nothing }
  const { apiUrl } = kit.sandbox.provider(provider.facts.id)
  const documents = toProviderReader(localReaders(kit.clock).of('a connection'))
  const call = { fetch, apiUrl, clock: kit.clock, log, signal: new AbortController().signal, documents }
  const selection: string[] = []
  for await (const page of provider.channels?.(call) ?? []) selection.push(...page.map(({ id }) => id))
  for await (const page of provider.folders?.(call, undefined) ?? []) selection.push(...page.map(({ id }) => id))
  await smallSync({ provider, call: () => call, selection }).follow()
  return [...seen.values()]
}

/** Replaces each member of a value in turn, but only in the first element of a list. */
function mutants(value: unknown, path = ''): { path: string; value: unknown }[] {
  if (Array.isArray(value)) {
    const [first, ...rest] = value
    return value.length === 0 ? [] : mutants(first, `${path}[]`).map((one) => ({ ...one, value: [one.value, ...rest] }))
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) =>
      mutants(member, `${path}.${name}`).map((one) => ({ ...one, value: { ...value, [name]: one.value } }))
    )
  return value === null ? [] : [{ path, value: typeof value === 'string' ? 7 : 'spoilt' }]
}
