import type { StandInCall } from '../stand-in.ts'
import type { Channel } from './content.ts'
import { type Given, givenIn, lacking, ok, refused } from './envelope.ts'
import { limitOf, pageOf } from './pages.ts'
import { channelView } from './views.ts'

const CHANNELS_MAX = 1000

/** https://docs.slack.dev/reference/methods/conversations.list */
export function conversationsList(call: StandInCall): Response {
  const given = givenIn(call)
  const types = (given.text('types') ?? 'public_channel').split(',')
  if (types.some((type) => !Object.hasOwn(SCOPE_OF_TYPE, type))) return refused('invalid_types')
  const refusal = types.map((type) => lacking(call, SCOPE_OF_TYPE[type] ?? '')).find((one) => one !== undefined)
  if (refusal !== undefined) return refusal
  const limit = limitOf(given.text('limit'), { usual: 100, max: CHANNELS_MAX })
  if (limit === undefined) return refused('invalid_limit')
  const { workspace } = given
  const shown = [...workspace.channels.values()].filter(
    (channel) =>
      types.includes(channel.isPrivate ? 'private_channel' : 'public_channel') &&
      isShown(channel, workspace.self) &&
      !(channel.isArchived && given.flag('exclude_archived'))
  )
  const repeat = call.fault('repeat_cursor') !== undefined
  const page = pageOf(shown, { kind: 'team', cursor: given.text('cursor'), limit, repeat })
  if (page === 'invalid_cursor') return refused(page)
  const channels = page.rows.map((channel) => channelView(channel, workspace.self))
  return ok({ channels, response_metadata: { next_cursor: page.next } })
}

const SCOPE_OF_TYPE: Readonly<Record<string, string>> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  mpim: 'mpim:read',
  im: 'im:read'
}

/** https://docs.slack.dev/reference/methods/conversations.info */
export function conversationsInfo(call: StandInCall): Response {
  const given = givenIn(call)
  const channel = shownChannel(call, given, 'read')
  if (channel instanceof Response) return channel
  const { num_members, ...view } = channelView(channel, given.workspace.self)
  return ok({ channel: given.flag('include_num_members') ? { ...view, num_members } : view })
}

/** https://docs.slack.dev/reference/methods/conversations.members */
export function conversationsMembers(call: StandInCall): Response {
  const given = givenIn(call)
  const channel = shownChannel(call, given, 'read')
  if (channel instanceof Response) return channel
  const limit = limitOf(given.text('limit'), { usual: 100, max: CHANNELS_MAX })
  if (limit === undefined) return refused('invalid_limit')
  const rows = [...channel.members].map((id) => ({ id }))
  const page = pageOf(rows, { kind: 'user', cursor: given.text('cursor'), limit, repeat: false })
  if (page === 'invalid_cursor') return refused(page)
  return ok({ members: page.rows.map(({ id }) => id), response_metadata: { next_cursor: page.next } })
}

/** The channel of a call, or why it is not shown: private ones are as good as absent for who is not in them. */
export function shownChannel(
  call: StandInCall,
  { workspace, text }: Given,
  what: 'read' | 'history'
): Channel | Response {
  const channel = workspace.channels.get(text('channel') ?? '')
  if (channel === undefined || !isShown(channel, workspace.self)) return refused('channel_not_found')
  return lacking(call, channel.isPrivate ? `groups:${what}` : `channels:${what}`) ?? channel
}

function isShown({ isPrivate, members }: Channel, self: string): boolean {
  return !isPrivate || members.has(self)
}
