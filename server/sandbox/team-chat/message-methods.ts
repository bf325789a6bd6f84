import type { StandInCall } from '../stand-in.ts'
import { shownChannel } from './channel-methods.ts'
import { type Channel, type Message, messageAt, placeOf, type Workspace } from './content.ts'
import { type Given, givenIn, ok, refused } from './envelope.ts'
import { cursorTo, limitOf, readCursor } from './pages.ts'
import { messageView } from './views.ts'

/** Newest first (https://docs.slack.dev/reference/methods/conversations.history). Fault `lag`: the newest so many are not shown yet. */
export function conversationsHistory(call: StandInCall): Response {
  const given = givenIn(call)
  const channel = shownChannel(call, given, 'history')
  if (channel instanceof Response) return channel
  const asked = askedFor(given, { usual: 100, max: 999 })
  if (typeof asked === 'string') return refused(asked)
  const { timeline } = channel
  const lag = call.fault('lag')?.value ?? 0
  const shown = lag === 0 ? timeline : timeline.slice(0, -lag)
  const upTo = asked.next === undefined ? endOf(shown, asked) : placeOf(shown, `${asked.next}~`)
  const first = startOf(shown, asked)
  const from = Math.max(first, upTo - asked.limit)
  const next = from > first ? shown[from - 1] : undefined
  const messages = shown.slice(from, Math.max(from, upTo)).reverse()
  return ok({
    ...pageView({ workspace: given.workspace, channel, messages }, nextOf(call, given, next)),
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0
  })
}

/** Oldest first, the root before all (https://docs.slack.dev/reference/methods/conversations.replies). */
export function conversationsReplies(call: StandInCall): Response {
  const given = givenIn(call)
  const channel = shownChannel(call, given, 'history')
  if (channel instanceof Response) return channel
  const asked = askedFor(given, { usual: 1000, max: 1000 })
  if (typeof asked === 'string') return refused(asked)
  const thread = threadOf(channel, given.text('ts') ?? '')
  if (thread === undefined) return refused('thread_not_found')
  const { root, replies } = thread
  const end = endOf(replies, asked)
  const from = asked.next === undefined ? startOf(replies, asked) : placeOf(replies, asked.next)
  const room = Math.max(1, asked.limit - (asked.next === undefined ? 1 : 0))
  const next = from + room < end ? replies[from + room] : undefined
  const page = replies.slice(from, Math.min(end, from + room))
  const messages = asked.next === undefined ? [...root, ...page] : page
  return ok(pageView({ workspace: given.workspace, channel, messages }, nextOf(call, given, next)))
}

/** `ts` may be that of the root or of a reply; a message without replies is a thread of one. */
function threadOf(channel: Channel, ts: string): { root: Message[]; replies: readonly Message[] } | undefined {
  const shown = messageAt(channel.timeline, ts)
  const rootTs = shown?.threadTs ?? ts
  const root = messageAt(channel.timeline, rootTs)
  const replies = channel.threads.get(rootTs)
  if (root === undefined && replies === undefined) return undefined
  return { root: root === undefined ? [] : [root], replies: replies ?? [] }
}

type Asked = { limit: number; latest: string; oldest: string; inclusive: boolean; next: string | undefined }

function askedFor({ text, flag }: Given, limits: { usual: number; max: number }): Asked | string {
  const limit = limitOf(text('limit'), limits)
  const cursor = text('cursor')
  const next = cursor === undefined ? undefined : readCursor('next_ts', cursor)
  const [latest, oldest] = [timeOf(text('latest'), '9999999999.999999'), timeOf(text('oldest'), '0000000000.000000')]
  if (limit === undefined) return 'invalid_limit'
  if (cursor !== undefined && (next === undefined || !/^\d{16}$/.test(next))) return 'invalid_cursor'
  if (latest === undefined) return 'invalid_ts_latest'
  if (oldest === undefined) return 'invalid_ts_oldest'
  const from = next && `${next.slice(0, 10)}.${next.slice(10)}`
  return { limit, latest, oldest, inclusive: flag('inclusive'), next: from }
}

/** Numbers with fewer digits are times, too. */
function timeOf(text: string | undefined, otherwise: string): string | undefined {
  if (text === undefined) return otherwise
  const [, seconds, micros = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return seconds === undefined ? undefined : `${seconds.padStart(10, '0')}.${micros.padEnd(6, '0')}`
}

/** The ends of a range are part of it only where that is asked for. `~` stands behind every digit. */
function startOf(messages: readonly Message[], { oldest, inclusive }: Asked): number {
  return placeOf(messages, inclusive ? oldest : `${oldest}~`)
}

function endOf(messages: readonly Message[], { latest, inclusive }: Asked): number {
  return placeOf(messages, inclusive ? `${latest}~` : latest)
}

/** The cursor of the next page. Fault `repeat_cursor`: the one that was sent comes back. */
function nextOf(call: StandInCall, { text }: Given, next: Message | undefined): string | undefined {
  const sent = text('cursor')
  if (sent !== undefined && call.fault('repeat_cursor') !== undefined) return sent
  return next && cursorTo('next_ts', next.ts.replace('.', ''))
}

type Shown = { workspace: Workspace; channel: Channel; messages: readonly Message[] }

function pageView({ workspace, channel, messages }: Shown, next: string | undefined): Record<string, unknown> {
  return {
    messages: messages.map((message) => messageView(channel, message, workspace)),
    has_more: next !== undefined,
    ...(next !== undefined && { response_metadata: { next_cursor: next } })
  }
}
