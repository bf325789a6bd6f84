import { expect, test } from 'vitest'
import type { ItemContent } from '../../../../server/providers/port/provider.ts'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { type ChatKit, chatKit, type Follower, follow, newFollower } from './chat-kit.ts'

async function followed(kit: ChatKit, names: readonly string[]): Promise<Follower> {
  const follower = newFollower()
  await follow(kit, follower, { selection: names.map(kit.channel) })
  return follower
}

const itemWith = ({ known }: Follower, piece: string): ItemContent | undefined =>
  [...known.values()].find(({ content }) => content?.parts[0]?.text.includes(piece))?.content

test('reads a message with its author, time, channel and URL', async () => {
  const kit = await chatKit()
  const follower = await followed(kit, ['general'])
  const content = itemWith(follower, 'Office is closed')
  const [part] = content?.parts ?? []

  expect(part).toMatchObject({ speaker: 'Jonas Weber', at: Date.parse('2026-03-01T10:15:00.000Z') })
  expect(part?.text).toBe('Office is closed on 1 May. The alarm code changes that day, ask @Tomas for it.')
  expect(content?.title).toBe('general')
  const ts = content?.id.split('/')[2]?.replace('.', '')
  expect(content?.url).toBe(`https://harbourlight-sandbox.slack.com/archives/${kit.channel('general')}/p${ts}`)
})

test('makes one conversation of a thread, root first, and one of each day outside of threads', async () => {
  const kit = await chatKit()
  const { ts } = await kit.change('post', { channel: 'random', text: 'Tea?' })
  await kit.change('post', { channel: 'random', text: 'Also: rain.' })
  const { ts: reply } = await kit.change('reply', { channel: 'random', thread: ts, user: 'mei', text: 'Please!' })
  const follower = await followed(kit, ['random'])
  const channel = kit.channel('random')
  const partOf = (piece: string) => itemWith(follower, piece)?.parts[0]

  expect(partOf('Tea?')).toMatchObject({ conversation: `${channel}/${ts}`, position: 0 })
  expect(partOf('Please!')).toMatchObject({ conversation: `${channel}/${ts}`, speaker: 'mei' })
  expect(partOf('Please!')?.position).toBeGreaterThan(0)
  expect(partOf('rain')).toMatchObject({ conversation: `${channel}/2026-05-01` })
  expect(partOf('rain')?.position).toBeGreaterThan(12 * 3_600_000_000)
  expect(itemWith(follower, 'Please!')?.url).toContain(`?thread_ts=${ts}&cid=${channel}`)
  expect([...follower.known.keys()]).toContain(`${channel}/${ts}/${reply}`)
})

test('gives a message a new version when a first reply makes it a root', async () => {
  const kit = await chatKit()
  const { ts } = await kit.change('post', { channel: 'random', text: 'Anybody?' })
  const follower = await followed(kit, ['random'])
  const before = itemWith(follower, 'Anybody?')
  await kit.change('reply', { channel: 'random', thread: ts, text: 'Me.' })
  await follow(kit, follower, { selection: [kit.channel('random')] })

  const after = itemWith(follower, 'Anybody?')
  expect(after?.id).toBe(before?.id)
  expect(after?.version).not.toBe(before?.version)
  expect(after?.parts[0]?.conversation).toBe(`${kit.channel('random')}/${ts}`)
})

test('gives messages a new version when their channel is renamed, in a full listing', async () => {
  const kit = await chatKit()
  const before = itemWith(await followed(kit, ['general']), 'Office is closed')
  await kit.change('rename', { channel: 'general', name: 'announcements' })
  const follower = newFollower()
  await follow(kit, follower, { selection: [kit.channel('announcements')] })
  const after = itemWith(follower, 'Office is closed')
  expect([before?.title, after?.title, after?.id]).toEqual(['general', 'announcements', before?.id])
  expect(after?.version).not.toBe(before?.version)
})

test('keeps the replies of a deleted root, also when they are looked up', async () => {
  const kit = await chatKit()
  const channel = 'random'
  const { ts } = await kit.change('post', { channel, text: 'deleted soon' })
  const { ts: reply } = await kit.change('reply', { channel, thread: ts, text: 'its reply stays' })
  const follower = await followed(kit, ['random'])
  await kit.change('delete', { channel, ts })
  await follow(kit, follower, { selection: [kit.channel('random')] })

  const texts = [...follower.known.values()].map(({ content }) => content?.parts[0]?.text)
  expect(texts).toContain('its reply stays')
  expect(texts).not.toContain('deleted soon')
  expect(texts).not.toContain('This message was deleted.')
  const id = `${kit.channel('random')}/${ts}/${reply}`
  expect(await teamChatProvider.lookUp?.(kit.call, { id }, [kit.channel('random')])).toMatchObject({ id })
})

test('names the app that posted a message, or through which a person posted it', async () => {
  const kit = await chatKit()
  const channel = 'random'
  await kit.change('post', { channel, bot: true, text: 'from a robot' })
  await kit.change('post', { channel, user: 'mei', app: 'Calendar', text: 'through an app' })
  const follower = await followed(kit, ['random'])

  expect(itemWith(follower, 'from a robot')?.parts[0]?.speaker).toBe('Robot')
  expect(itemWith(follower, 'through an app')?.parts[0]?.speaker).toBe('Calendar')
})

test('asks for the name of an app that its message lacks, and shows an unknown one by its id', async () => {
  const kit = await chatKit({ around: (fetch) => withoutAppNames(fetch) })
  const channel = 'random'
  await kit.change('post', { channel, bot: true, text: 'known app' })
  kit.workspace.channels.get(kit.channel('random'))?.timeline.push({
    ts: '1777637999.000000',
    botId: 'B0NOTTHERE1',
    username: 'x',
    text: 'unknown app'
  })
  const follower = await followed(kit, ['random'])

  expect(itemWith(follower, 'known app')?.parts[0]?.speaker).toBe('Robot')
  expect(itemWith(follower, 'unknown app')?.parts[0]?.speaker).toBe('B0NOTTHERE1')
})

/** Removes the names of apps from messages, as in old ones. */
function withoutAppNames(fetch: Fetch): Fetch {
  return async (request) => {
    const reply = await fetch(request)
    if (!request.url.includes('/conversations.')) return reply
    return new Response((await reply.text()).replaceAll('"username"', '"former_name"'), { headers: reply.headers })
  }
}

test('reads a forwarded message with its author and time, and the files beside a text', async () => {
  const follower = await followed(await chatKit(), ['design'])
  const content = itemWith(follower, 'Elin asked for this')

  expect(content?.parts.map(({ speaker, text }) => [speaker, text])).toEqual([
    [
      'mei',
      'Elin asked for this, and here are the colours that the app uses at night.\n' +
        'Night colours\nbackground #1A0000\nland #330A0A\nalarm #FFD400\nNight mode, all screens'
    ],
    ['Elin Strand', 'Pilots want the harbour lights twice as large at night.']
  ])
  expect(content?.parts[1]?.at).toBe(1_771_947_000_000)
  expect(content?.cut).toContain('only the names of its files are read')
})

test('reads what blocks and attachments have beyond the text', async () => {
  const follower = await followed(await chatKit(), ['firmware'])
  const [part] = itemWith(follower, 'Build 2.5.0')?.parts ?? []

  expect(part?.speaker).toBe('Build server')
  expect(part?.text.split('\n')).toEqual([
    'Build 2.5.0 passed',
    'Duration: 6 min 40 s',
    'Signed by: the build server',
    '| Target | Size |',
    '| --- | --- |',
    '| Buoy unit | 412 kB |',
    '| Ferry unit | 508 kB |',
    'Priya Nair',
    'Change 311',
    'Store positions as int32.',
    'harbourlight/firmware',
    'Reviewer: Tomas Varga'
  ])
})

test('reads the text of blocks or files if a message has none, and skips it if they have none', async () => {
  const kit = await chatKit()
  const channel = 'random'
  const mei = [...kit.workspace.people.values()].find(({ handle }) => handle === 'mei')?.id
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: `from <@${mei}> in a block` } }]
  await kit.change('post', { channel, text: '', blocks })
  await kit.change('post', { channel, text: '', files: ['plan.pdf', 'photo.jpg'] })
  const { ts } = await kit.change('post', { channel, text: ' ' })
  const follower = await followed(kit, ['random'])

  expect(itemWith(follower, 'in a block')?.parts[0]?.text).toBe('from @mei in a block')
  expect(itemWith(follower, 'plan.pdf')?.parts[0]?.text).toBe('plan.pdf\nphoto.jpg')
  const passed = follower.known.get(`${kit.channel('random')}/${ts}/${ts}`)
  expect(passed).toMatchObject({ skipped: 'the message has no text', place: kit.channel('random') })
  await expect(teamChatProvider.read(kit.call, passed?.id ?? '')).rejects.toMatchObject({ kind: 'item_permanent' })
})

test('reads a message by its id like a page does', async () => {
  const kit = await chatKit()
  const follower = await followed(kit, ['general', 'pilot-northquay'])
  for (const [id, { content, skipped }] of follower.known) {
    if (skipped === undefined) expect(await teamChatProvider.read(kit.call, id)).toEqual(content)
    else await expect(teamChatProvider.read(kit.call, id)).rejects.toThrow(skipped)
  }
})

test('treats deleted messages and invalid ids as gone', async () => {
  const kit = await chatKit()
  const { ts } = await kit.change('post', { channel: 'random' })
  const channel = kit.channel('random')
  await kit.change('delete', { channel, ts })
  const ids = [`${channel}/${ts}/${ts}`, 'x', '', '//', `C0NOTTHERE/${ts}/${ts}`]
  for (const id of ids)
    await expect(teamChatProvider.read(kit.call, id), id).rejects.toMatchObject({ kind: 'item_gone' })
})
