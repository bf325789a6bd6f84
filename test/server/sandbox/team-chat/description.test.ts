import { expect, test } from 'vitest'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import { ROUTES as TEAM_CHAT_ROUTES } from '../../../../server/sandbox/team-chat/routes.ts'
import { describedSlackFetch, slackDescription } from '../../../suites/slack-description.ts'
import { type ChatKit, chatKit, follow, newFollower } from '../../providers/team-chat/chat-kit.ts'

const WHY = 'needs slack-openapi in ../shared/fixtures'
const description = slackDescription()

test("matches Slack's description in all requests of the adapter and replies of the sandbox", async ({ skip }) => {
  skip(description === undefined, WHY)
  for (const account of ['ada', 'ben', 'clio']) {
    const complaints: string[] = []
    const kit = await chatKit({ account, around: (fetch) => described(fetch, complaints) })
    const selection = [...kit.workspace.channels.keys()]
    const follower = newFollower()
    await follow(kit, follower, { selection })
    await makeChanges(kit)
    await follow(kit, follower, { selection: [...selection, 'C0NOTTHERE'] })
    await follow(kit, follower, { selection, how: 'list' })
    for (const id of [...follower.known.keys()].slice(0, 20))
      await teamChatProvider.read(kit.call, id).catch(() => undefined)
    await teamChatProvider.identify(kit.call)
    for await (const page of teamChatProvider.channels?.(kit.call) ?? []) expect(page.length).toBeGreaterThan(0)

    expect([...new Set(complaints)]).toEqual([])
  }
})

test("matches Slack's description in replies and refusals of every route to any request", async ({ skip }) => {
  skip(description === undefined, WHY)
  const complaints: string[] = []
  const kit = await chatKit({ around: (fetch) => described(fetch, complaints) })
  await makeChanges(kit)
  const { apiUrl, fetch } = kit.call
  const ask = async (method: string, query: Record<string, string>) =>
    (await (await fetch(new Request(`${apiUrl}/${method}?${new URLSearchParams(query)}`))).json()) as { error?: string }
  const channel = kit.channel('general')

  expect((await ask('conversations.history', { channel, cursor: 'bad' })).error).toBe('invalid_cursor')
  expect((await ask('conversations.history', { channel: 'C0' })).error).toBe('channel_not_found')
  expect((await ask('conversations.replies', { channel, ts: '1000000000.000000' })).error).toBe('thread_not_found')
  expect((await ask('users.info', { user: 'U0' })).error).toBe('user_not_found')
  expect((await ask('users.list', { limit: '2' })).error).toBeUndefined()
  expect((await ask('conversations.members', { channel, limit: '2' })).error).toBeUndefined()
  expect((await ask('conversations.list', { limit: '2', types: 'private_channel' })).error).toBeUndefined()
  for (const kind of ['rate_limited', 'expired_token', 'server_error', 'overloaded']) {
    await kit.control('POST', '/faults', {
      provider: 'team_chat',
      kind,
      ...(kind === 'rate_limited' && { retry_after: 3 })
    })
    await ask('auth.test', {})
  }
  expect([...new Set(complaints)]).toEqual([])
})

test('has only routes for methods that Slack describes', ({ skip }) => {
  skip(description === undefined, WHY)
  for (const { operation } of TEAM_CHAT_ROUTES) expect(description?.operations).toContain(operation)
})

test("detects deviations from Slack's description", async ({ skip }) => {
  if (description === undefined) return skip(true, WHY)
  const request = new Request('https://slack.example/api/conversations.list?limit=many&colour=red')
  const reply = Response.json({ ok: true, channels: [{ id: 'C012AB3CD', name: 7 }], extra: 1 })

  const complaints = (await description.complaints(request, reply)).join('\n')

  for (const part of ['limit: many', 'no parameter colour', 'additional', '/channels/0'])
    expect(complaints).toContain(part)
})

async function makeChanges(kit: ChatKit): Promise<void> {
  const channel = 'general'
  const { ts } = await kit.change('post', { channel, text: 'root', files: ['plan.pdf'] })
  await kit.change('reply', { channel, thread: ts, text: 'a', count: 3, broadcast: true })
  const { ts: last } = await kit.change('reply', { channel, thread: ts, text: 'b' })
  await kit.change('edit', { channel, ts: last, text: 'c' })
  await kit.change('delete', { channel, ts })
  await kit.change('post', { channel, bot: true })
  await kit.change('post', {
    channel,
    text: '',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'block' } }]
  })
  await kit.change('join', { channel })
  await kit.change('archive', { channel: 'random' }).catch(() => undefined)
}

function described(fetch: ChatKit['call']['fetch'], complaints: string[]): ChatKit['call']['fetch'] {
  return description === undefined ? fetch : describedSlackFetch(fetch, description, complaints)
}
