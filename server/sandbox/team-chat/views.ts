import { createHash } from 'node:crypto'
import { type Channel, type Message, messageAt, type Person, type Workspace } from './content.ts'

/**
 * Builds a channel as in conversations.list and conversations.info
 * (https://docs.slack.dev/reference/objects/conversation-object).
 */
export function channelView(
  { id, name, isPrivate, isArchived, createdAt, creator, topic, members }: Channel,
  self: string
) {
  const created = Math.floor(createdAt / 1000)
  return {
    id,
    name,
    name_normalized: name,
    created,
    creator,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_general: name === 'general',
    is_private: isPrivate,
    is_archived: isArchived,
    is_member: members.has(self),
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    previous_names: [],
    unlinked: 0,
    topic: { value: topic, creator: topic === '' ? '' : creator, last_set: topic === '' ? 0 : created },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: members.size
  }
}

/** Builds a person as in users.list and users.info (https://docs.slack.dev/reference/objects/user-object). */
export function personView({ id, handle, realName, displayName, title, bot }: Person, { team }: Workspace) {
  return {
    id,
    team_id: team.id,
    name: handle,
    real_name: realName,
    deleted: false,
    color: createHash('sha256').update(id).digest('hex').slice(0, 6),
    tz: 'Europe/Lisbon',
    tz_label: 'Western European Time',
    tz_offset: 0,
    profile: {
      real_name: realName,
      real_name_normalized: realName,
      display_name: displayName,
      display_name_normalized: displayName,
      title,
      phone: '',
      skype: '',
      status_text: '',
      status_emoji: '',
      avatar_hash: 'g0123456789a',
      team: team.id,
      fields: null
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: bot,
    is_app_user: false,
    updated: 1700000000
  }
}

/** Builds a message as in history and threads. A root includes the state of its thread. */
export function messageView(channel: Channel, message: Message, workspace: Workspace) {
  const { ts, threadTs, subtype, user, text, edited, botId, username, blocks, attachments, files } = message
  return {
    type: 'message',
    ...(subtype !== undefined && { subtype }),
    ...(subtype === 'tombstone' && { hidden: true }),
    ...(user !== undefined && { user }),
    text,
    ts,
    ...(user !== undefined && botId === undefined && { team: workspace.team.id }),
    ...(botId !== undefined && { bot_id: botId }),
    ...(botId !== undefined && username === undefined && { bot_profile: appProfile(botId, workspace) }),
    ...(username !== undefined && { username }),
    ...(blocks !== undefined && { blocks }),
    ...(attachments !== undefined && { attachments: attachments.map((one, at) => ({ id: at + 1, ...one })) }),
    ...(files !== undefined && { files }),
    ...(edited !== undefined && { edited }),
    ...threadView(channel, { ts, threadTs })
  }
}

/** Builds an app as in bots.info. */
export function appView(id: string, { apps }: Workspace) {
  const icons = Object.fromEntries(
    [36, 48, 72].map((size) => [`image_${size}`, `https://a.slack-edge.com/${size}.png`])
  )
  return { id, deleted: false, name: apps.get(id) ?? id, updated: 1700000000, app_id: 'A0SANDBOX01', icons }
}

function appProfile(id: string, workspace: Workspace) {
  return { ...appView(id, workspace), team_id: workspace.team.id }
}

function threadView(channel: Channel, { ts, threadTs }: { ts: string; threadTs: string | undefined }) {
  if (threadTs !== undefined) {
    const parent = messageAt(channel.timeline, threadTs)?.user
    return { thread_ts: threadTs, ...(parent !== undefined && { parent_user_id: parent }) }
  }
  const replies = channel.threads.get(ts) ?? []
  const last = replies.at(-1)
  if (last === undefined) return {}
  const users = new Set(replies.flatMap(({ user }) => user ?? []))
  return {
    thread_ts: ts,
    reply_count: replies.length,
    ...(users.size > 0 && { reply_users: [...users].slice(0, REPLY_USERS_SHOWN) }),
    reply_users_count: users.size,
    latest_reply: last.ts,
    subscribed: false
  }
}

const REPLY_USERS_SHOWN = 5
