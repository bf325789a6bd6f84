import * as z from 'zod'

/**
 * Slack's `ts`: seconds, a point and six digits, which identify a message within its channel
 * (https://docs.slack.dev/reference/events/message). All have the same length until the year 2286, so text order is
 * time order.
 */
export const MESSAGE_TIME = /^\d{10}\.\d{6}$/

export const FIRST_TIME = '0000000000.000000'
export const LAST_TIME = '9999999999.999999'

/** Converts milliseconds since 1970. */
export function toMessageTime(ms: number): string {
  return fromMicros(BigInt(Math.max(0, Math.floor(ms))) * 1000n)
}

/** Returns milliseconds since 1970, rounded down. */
export function toMs(time: string): number {
  return Number(toMicros(time) / 1000n)
}

/** Returns the next possible time. */
export function justAfter(time: string): string {
  return fromMicros(toMicros(time) + 1n)
}

/** Returns the previous possible time. */
export function justBefore(time: string): string {
  return fromMicros(toMicros(time) - 1n)
}

function toMicros(time: string): bigint {
  return BigInt(time.replace('.', ''))
}

function fromMicros(value: bigint): string {
  const within = value < 0n ? 0n : value > MICROS_MAX ? MICROS_MAX : value
  const digits = within.toString().padStart(16, '0')
  return `${digits.slice(0, 10)}.${digits.slice(10)}`
}

const MICROS_MAX = BigInt(LAST_TIME.replace('.', ''))

/** More items than requested are invalid and would not fit into a cursor. */
const MESSAGES_MAX = 1000
/** Slack's own have about 40 characters. */
const NEXT_CURSOR_LENGTH_MAX = 2000

const Time = z.string().regex(MESSAGE_TIME, 'expected the ts of a message')
const Metadata = z.object({ next_cursor: z.string().max(NEXT_CURSOR_LENGTH_MAX).nullish() }).nullish()

const Profile = z.object({ display_name: z.string().nullish(), real_name: z.string().nullish() })

/** A message in history and threads (https://docs.slack.dev/reference/events/message). */
export const Message = z.object({
  ts: Time,
  subtype: z.string().nullish(),
  hidden: z.boolean().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  username: z.string().nullish(),
  bot_profile: z.object({ name: z.string().nullish() }).nullish(),
  text: z.string().nullish(),
  thread_ts: Time.nullish(),
  reply_count: z.number().nullish(),
  latest_reply: Time.nullish(),
  edited: z.object({ ts: z.string().nullish() }).nullish(),
  user_profile: Profile.nullish(),
  blocks: z.array(z.unknown()).nullish(),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish()
})

/**
 * A page of conversations.history or conversations.replies. `is_limited`: older messages are hidden by the workspace's
 * plan.
 */
export const MessagesPage = z.object({
  messages: z.array(Message).max(MESSAGES_MAX),
  has_more: z.boolean().nullish(),
  is_limited: z.boolean().nullish(),
  response_metadata: Metadata
})

const ChannelId = z.string().min(1).max(100)

const ChannelEntry = z.object({
  id: ChannelId,
  name: z.string().nullish(),
  is_private: z.boolean().nullish(),
  is_archived: z.boolean().nullish(),
  is_im: z.boolean().nullish(),
  is_mpim: z.boolean().nullish(),
  num_members: z.number().nullish()
})

export const ChannelsPage = z.object({ channels: z.array(ChannelEntry), response_metadata: Metadata })

export const ChannelInfo = z.object({ channel: ChannelEntry })

const User = z.object({
  id: z.string().min(1).max(100),
  name: z.string().nullish(),
  real_name: z.string().nullish(),
  profile: Profile.nullish()
})

export const UsersPage = z.object({ members: z.array(User), response_metadata: Metadata })

/** An app that posts messages. Its id begins with B. */
export const BotInfo = z.object({ bot: z.object({ name: z.string() }) })

export const UserInfo = z.object({ user: User })

export const AuthTest = z.object({
  url: z.string(),
  team: z.string(),
  team_id: z.string().min(1),
  user: z.string(),
  user_id: z.string().min(1)
})

/** The common members of all replies (https://docs.slack.dev/apis/web-api/). */
export const Envelope = z.object({ ok: z.boolean(), error: z.string().nullish(), needed: z.string().nullish() })

export type Message = z.infer<typeof Message>
export type MessagesPage = z.infer<typeof MessagesPage>
export type ChannelsPage = z.infer<typeof ChannelsPage>
export type UsersPage = z.infer<typeof UsersPage>
export type User = z.infer<typeof User>
