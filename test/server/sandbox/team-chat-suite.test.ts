import { expect, test } from 'vitest'
import { teamChatSandbox } from '../../../server/sandbox/team-chat/team-chat-sandbox.ts'
import type { Fetch } from '../../../src/ports.ts'
import { sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { type SandboxExample, sandboxProviderSuite } from '../../suites/sandbox-provider-suite.ts'

/** Errors of tokens by cause: https://docs.slack.dev/reference/methods/auth.test */
const TOKENS = { absent: 'not_authed', unknown: 'invalid_auth', expired: 'token_expired', revoked: 'token_revoked' }

const REFUSALS = {
  rate_limited: { status: 429, json: { ok: false, error: 'ratelimited' } },
  server_error: { status: 500, json: { ok: false, error: 'internal_error' } },
  overloaded: { status: 503, json: { ok: false, error: 'service_unavailable' } },
  not_found: { status: 200, json: { ok: false, error: 'unknown_method' } }
}

const EXAMPLE: SandboxExample = {
  sandboxProvider: teamChatSandbox,
  call: (apiUrl) => new Request(`${apiUrl}/auth.test`, { method: 'POST' }),
  refuses: ({ reason, token = 'unknown' }) =>
    reason === 'unauthorized' ? { status: 200, json: { ok: false, error: TOKENS[token] } } : REFUSALS[reason],
  unscoped: {
    scopes: ['channels:read'],
    call: (apiUrl) => new Request(`${apiUrl}/users.list`),
    status: 200,
    json: { ok: false, error: 'missing_scope', needed: 'users:read' }
  },
  crawl: crawlWorkspace,
  piecesMin: 30,
  change: { name: 'add_channel', input: { name: 'marmalade-at-noon' }, shows: 'marmalade-at-noon' }
}

sandboxProviderSuite(EXAMPLE)

test("team_chat: has at least six channels, public and private, with threads and ids of the interface's format", async () => {
  const kit = sandboxKit([teamChatSandbox])
  const { apiUrl } = kit.sandbox.provider('team_chat')
  const fetch = await kit.fetchAs('team_chat')
  const channels = await channelsOf(fetch, apiUrl)
  expect(channels.length).toBeGreaterThanOrEqual(6)
  for (const { id } of channels) expect(id).toMatch(/^[CG][A-Z0-9]{1,63}$/)
  expect(new Set(channels.map(({ is_private: isPrivate }) => isPrivate)).size).toBe(2)
  const messages = (await crawlWorkspace(fetch, apiUrl)).join('\n')
  expect(messages.match(/"reply_count":[1-9]/g)?.length).toBeGreaterThanOrEqual(6)
})

type Channel = { id: string; name: string; is_private: boolean; is_member: boolean }

async function crawlWorkspace(fetch: Fetch, apiUrl: string): Promise<string[]> {
  const channels = await channelsOf(fetch, apiUrl)
  const pieces: string[] = [...channels.map((channel) => Object.values(channel).join('\n'))]
  for (const { id } of channels) {
    const messages = await pagesOf<Message>(
      fetch,
      `${apiUrl}/conversations.history?channel=${id}&limit=200`,
      'messages'
    )
    pieces.push(...messages.map(textOf))
  }
  return pieces
}

type Message = { ts: string; text: string; reply_count?: number }

/** Includes the raw text, because JSON escapes control characters. */
function textOf(message: Message): string {
  return `${message.text}\n${JSON.stringify(message)}`
}

function channelsOf(fetch: Fetch, apiUrl: string): Promise<Channel[]> {
  const types = 'public_channel,private_channel'
  return pagesOf<Channel>(fetch, `${apiUrl}/conversations.list?limit=200&types=${types}`, 'channels')
}

async function pagesOf<Entry>(fetch: Fetch, address: string, member: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor = ''
  do {
    const page = await fetch(new Request(`${address}&cursor=${encodeURIComponent(cursor)}`))
    const reply = (await page.json()) as Record<string, Entry[]> & { response_metadata?: { next_cursor?: string } }
    entries.push(...(reply[member] ?? []))
    cursor = reply.response_metadata?.next_cursor ?? ''
  } while (cursor !== '')
  return entries
}
