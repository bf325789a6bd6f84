import { LogLevel, WebClient, type WebClientOptions } from '@slack/web-api'
import { afterEach, expect, test } from 'vitest'
import { type Listener, listen } from '../../../../bin/node/http/listen.ts'
import { teamChatSandbox } from '../../../../server/sandbox/team-chat/team-chat-sandbox.ts'
import { type SandboxKit, sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

const listeners: Listener[] = []

afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

type Sdk = { client: WebClient; kit: SandboxKit; change(name: string, input: unknown): Promise<{ ts: string }> }

/** Connects Slack's official client to the sandbox over a loopback socket. */
async function slackSdk(options: WebClientOptions = {}): Promise<Sdk> {
  let kit: SandboxKit | undefined
  const answer = (request: Request) => kit?.sandbox.fetch(request) ?? Promise.resolve(Response.error())
  const refuse = () => new Response('refused', { status: 400 })
  const listener = await listen({ host: '127.0.0.1', port: 0, answer, refuse })
  listeners.push(listener)
  const made = sandboxKit([teamChatSandbox], { base: `${listener.origin}/sandbox` })
  kit = made
  const { accessToken } = await made.consent('team_chat')
  const slackApiUrl = `${made.sandbox.provider('team_chat').apiUrl}/`
  const client = new WebClient(accessToken, { slackApiUrl, logLevel: LogLevel.ERROR, ...options })
  const [{ accounts }] = (await made.control('GET', '/accounts')) as [{ accounts: { id: string }[] }]
  const account = encodeURIComponent(accounts[0]?.id ?? '')
  const change = async (name: string, input: unknown) =>
    (await made.control('POST', `/accounts/team_chat/${account}/${name}`, input)) as { ts: string }
  return { client, kit: made, change }
}

test('tells the official client whose token it is and who the members are', async () => {
  const { client } = await slackSdk()
  const me = await client.auth.test()
  expect(me).toMatchObject({ ok: true, user: 'ada', team: 'Harbourlight' })

  const names: (string | undefined)[] = []
  for await (const page of client.paginate('users.list', { limit: 2 }))
    names.push(...rowsOf<{ name?: string }>(page, 'members').map(({ name }) => name))
  expect(names).toEqual(['ada', 'tomas', 'priya', 'jonas', 'mei'])
  const { user } = await client.users.info({ user: String(me.user_id) })
  expect(user).toMatchObject({ real_name: 'Ada Moreau', is_bot: false })
})

test('lets the official client page through all channels, messages and threads', async () => {
  const { client, change } = await slackSdk()
  const ids: string[] = []
  for await (const page of client.paginate('conversations.list', { limit: 3, types: 'public_channel,private_channel' }))
    ids.push(...rowsOf<{ id: string }>(page, 'channels').map(({ id }) => id))
  expect(new Set(ids).size).toBe(7)
  const [channel = ''] = ids
  const { ts } = await change('post', { channel, text: 'a root' })
  await change('reply', { channel, thread: ts, text: 'a reply', count: 7 })

  const texts: (string | undefined)[] = []
  for await (const page of client.paginate('conversations.history', { channel, limit: 4 }))
    texts.push(...rowsOf<{ text?: string }>(page, 'messages').map(({ text }) => text))
  expect(texts[0]).toBe('a root')
  expect(texts).toHaveLength(9)
  const replies: (string | undefined)[] = []
  for await (const page of client.paginate('conversations.replies', { channel, ts, limit: 3 }))
    replies.push(...rowsOf<{ text?: string }>(page, 'messages').map(({ text }) => text))
  expect(replies).toEqual(['a root', ...Array.from({ length: 7 }, (_, n) => `a reply (${n + 1})`)])
  expect((await client.conversations.info({ channel, include_num_members: true })).channel?.num_members).toBe(5)
  expect((await client.conversations.members({ channel, limit: 2 })).members).toHaveLength(2)
})

test('returns a range of time to the official client, with its ends if requested', async () => {
  const { client, change } = await slackSdk()
  const at = Date.parse('2026-05-01T10:00:00.000Z')
  const said: string[] = []
  for (let n = 0; n < 5; n++)
    said.push((await change('post', { channel: 'general', text: `${n}`, at: at + n * 1000 })).ts)
  const [, oldest = '', , latest = ''] = said
  const { channels = [] } = await client.conversations.list()
  const channel = channels.find(({ name }) => name === 'general')?.id ?? ''
  const range = async (more: object) => {
    const { messages = [] } = await client.conversations.history({ channel, oldest, latest, ...more })
    return messages.map(({ text }) => text)
  }
  expect(await range({ inclusive: true })).toEqual(['3', '2', '1'])
  expect(await range({})).toEqual(['2'])
})

test('makes the official client wait as long as a 429 demands, then retry', async () => {
  const { client, kit } = await slackSdk({ retryConfig: { retries: 2, minTimeout: 0, maxTimeout: 0 } })
  await kit.control('POST', '/faults', { provider: 'team_chat', kind: 'rate_limited', retry_after: 0 })
  expect((await client.auth.test()).ok).toBe(true)
  const { requests } = (await kit.control('GET', '/requests')) as { requests: { operation: string; status: number }[] }
  const statuses = requests.filter(({ operation }) => operation === 'auth.test').map(({ status }) => status)
  expect(statuses).toEqual([429, 200])
})

test('refuses the official client in a way that it understands', async () => {
  const { client, kit } = await slackSdk({ retryConfig: { retries: 0 } })
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'fine',
      (error) => error.data?.error ?? error.code
    )
  expect(await codeOf(client.conversations.history({ channel: 'C0NOTTHERE' }))).toBe('channel_not_found')
  const { channels = [] } = await client.conversations.list()
  const channel = channels[0]?.id ?? ''
  expect(await codeOf(client.conversations.history({ channel, cursor: 'made up' }))).toBe('invalid_cursor')
  expect(await codeOf(client.conversations.replies({ channel, ts: '1000000000.000001' }))).toBe('thread_not_found')
  await kit.control('POST', '/clock', { advance_ms: 3_600_001 })
  expect(await codeOf(client.auth.test())).toBe('token_expired')
})

test('lets the official client exchange, renew and revoke a grant', async () => {
  const { client, kit } = await slackSdk({ retryConfig: { retries: 0 } })
  const { refreshToken = '', reply } = await kit.consent('team_chat')
  expect(reply).toMatchObject({ ok: true, authed_user: { token_type: 'user', expires_in: 3600 } })
  const { clientId: client_id, clientSecret: client_secret } = kit.sandbox.provider('team_chat')
  const renewal = { client_id, client_secret, grant_type: 'refresh_token', refresh_token: refreshToken } as const
  const renewed = await client.oauth.v2.access(renewal)
  expect(renewed).toMatchObject({ ok: true, token_type: 'user' })
  await expect(client.oauth.v2.access(renewal)).rejects.toMatchObject({ data: { error: 'invalid_refresh_token' } })
  const token = String(renewed.access_token)
  const other = new WebClient(token, {
    slackApiUrl: client.slackApiUrl,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR
  })
  expect(await other.auth.revoke()).toMatchObject({ ok: true, revoked: true })
  await expect(other.auth.test()).rejects.toMatchObject({ data: { error: 'token_revoked' } })
})

/** Returns the rows of a page. The client has one type for the pages of all methods. */
function rowsOf<Row>(page: object, member: string): Row[] {
  return (page as Record<string, Row[] | undefined>)[member] ?? []
}
