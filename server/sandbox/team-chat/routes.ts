import { Buffer } from 'node:buffer'
import type { SandboxCall, SandboxRoute } from '../core/sandbox-provider.ts'
import { type Channel, findPlace, type Message, messageAt, type Workspace } from './content.ts'
import { checkBody, checkScope, type Given, ok, readGiven, refuse } from './errors.ts'
import { appView, channelView, messageView, personView } from './views.ts'

const METHODS: Readonly<Record<string, (call: SandboxCall) => Response>> = {
  'auth.test': authTest,
  'bots.info': botsInfo,
  'conversations.history': conversationsHistory,
  'conversations.info': conversationsInfo,
  'conversations.list': conversationsList,
  'conversations.members': conversationsMembers,
  'conversations.replies': conversationsReplies,
  'users.info': usersInfo,
  'users.list': usersList
}

/** Each method with GET and with POST, which are equivalent (https://docs.slack.dev/apis/web-api/). */
export const ROUTES: readonly SandboxRoute[] = Object.entries(METHODS).flatMap(([operation, answer]) =>
  (['GET', 'POST'] as const).map((method) => ({
    method,
    path: `/api/${operation}`,
    operation,
    answer: (call: SandboxCall) => checkBody(call) ?? answer(call)
  }))
)

const CHANNELS_MAX = 1000

/** Implements https://docs.slack.dev/reference/methods/conversations.list. */
function conversationsList(call: SandboxCall): Response {
  const given = readGiven(call)
  const types = (given.text('types') ?? 'public_channel').split(',')
  if (types.some((type) => !Object.hasOwn(SCOPE_OF_TYPE, type))) return refuse('invalid_types')
  const refusal = types.map((type) => checkScope(call, SCOPE_OF_TYPE[type] ?? '')).find((one) => one !== undefined)
  if (refusal !== undefined) return refusal
  const limit = readLimit(given.text('limit'), { usual: 100, max: CHANNELS_MAX })
  if (limit === undefined) return refuse('invalid_limit')
  const { workspace } = given
  const shown = [...workspace.channels.values()].filter(
    (channel) =>
      types.includes(channel.isPrivate ? 'private_channel' : 'public_channel') &&
      isShown(channel, workspace.self) &&
      !(channel.isArchived && given.flag('exclude_archived'))
  )
  const repeat = call.fault('repeat_cursor') !== undefined
  const page = toPage(shown, { kind: 'team', cursor: given.text('cursor'), limit, repeat })
  if (page === 'invalid_cursor') return refuse(page)
  const channels = page.rows.map((channel) => channelView(channel, workspace.self))
  return ok({ channels, response_metadata: { next_cursor: page.next } })
}

const SCOPE_OF_TYPE: Readonly<Record<string, string>> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  mpim: 'mpim:read',
  im: 'im:read'
}

/** Implements https://docs.slack.dev/reference/methods/conversations.info. */
function conversationsInfo(call: SandboxCall): Response {
  const given = readGiven(call)
  const channel = findShownChannel(call, given, 'read')
  if (channel instanceof Response) return channel
  const { num_members, ...view } = channelView(channel, given.workspace.self)
  return ok({ channel: given.flag('include_num_members') ? { ...view, num_members } : view })
}

/** Implements https://docs.slack.dev/reference/methods/conversations.members. */
function conversationsMembers(call: SandboxCall): Response {
  const given = readGiven(call)
  const channel = findShownChannel(call, given, 'read')
  if (channel instanceof Response) return channel
  const limit = readLimit(given.text('limit'), { usual: 100, max: CHANNELS_MAX })
  if (limit === undefined) return refuse('invalid_limit')
  const rows = [...channel.members].map((id) => ({ id }))
  const page = toPage(rows, { kind: 'user', cursor: given.text('cursor'), limit, repeat: false })
  if (page === 'invalid_cursor') return refuse(page)
  return ok({ members: page.rows.map(({ id }) => id), response_metadata: { next_cursor: page.next } })
}

/** Returns the channel of a call, or the refusal. Private channels are invisible to people who are not members. */
function findShownChannel(call: SandboxCall, { workspace, text }: Given, what: 'read' | 'history'): Channel | Response {
  const channel = workspace.channels.get(text('channel') ?? '')
  if (channel === undefined || !isShown(channel, workspace.self)) return refuse('channel_not_found')
  return checkScope(call, channel.isPrivate ? `groups:${what}` : `channels:${what}`) ?? channel
}

function isShown({ isPrivate, members }: Channel, self: string): boolean {
  return !isPrivate || members.has(self)
}

/**
 * Implements https://docs.slack.dev/reference/methods/conversations.history, newest first. The fault `lag` omits the
 * newest messages.
 */
function conversationsHistory(call: SandboxCall): Response {
  const given = readGiven(call)
  const channel = findShownChannel(call, given, 'history')
  if (channel instanceof Response) return channel
  const asked = readAsked(given, { usual: 100, max: 999 })
  if (typeof asked === 'string') return refuse(asked)
  const { timeline } = channel
  const lag = call.fault('lag')?.value ?? 0
  const shown = lag === 0 ? timeline : timeline.slice(0, -lag)
  const upTo = asked.next === undefined ? findEnd(shown, asked) : findPlace(shown, `${asked.next}~`)
  const first = findStart(shown, asked)
  const from = Math.max(first, upTo - asked.limit)
  const next = from > first ? shown[from - 1] : undefined
  const messages = shown.slice(from, Math.max(from, upTo)).reverse()
  return ok({
    ...pageView({ workspace: given.workspace, channel, messages }, findNext(call, given, next)),
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0
  })
}

/** Implements https://docs.slack.dev/reference/methods/conversations.replies, oldest first, starting with the root. */
function conversationsReplies(call: SandboxCall): Response {
  const given = readGiven(call)
  const channel = findShownChannel(call, given, 'history')
  if (channel instanceof Response) return channel
  const asked = readAsked(given, { usual: 1000, max: 1000 })
  if (typeof asked === 'string') return refuse(asked)
  const thread = findThread(channel, given.text('ts') ?? '')
  if (thread === undefined) return refuse('thread_not_found')
  const { root, replies } = thread
  const end = findEnd(replies, asked)
  const from = asked.next === undefined ? findStart(replies, asked) : findPlace(replies, asked.next)
  const room = Math.max(1, asked.limit - (asked.next === undefined ? 1 : 0))
  const next = from + room < end ? replies[from + room] : undefined
  const page = replies.slice(from, Math.min(end, from + room))
  const messages = asked.next === undefined ? [...root, ...page] : page
  return ok(pageView({ workspace: given.workspace, channel, messages }, findNext(call, given, next)))
}

/** Finds a thread by the `ts` of its root or of a reply. A message without replies is a thread of one. */
function findThread(channel: Channel, ts: string): { root: Message[]; replies: readonly Message[] } | undefined {
  const shown = messageAt(channel.timeline, ts)
  const rootTs = shown?.threadTs ?? ts
  const root = messageAt(channel.timeline, rootTs)
  const replies = channel.threads.get(rootTs)
  if (root === undefined && replies === undefined) return undefined
  return { root: root === undefined ? [] : [root], replies: replies ?? [] }
}

type Asked = { limit: number; latest: string; oldest: string; inclusive: boolean; next: string | undefined }

function readAsked({ text, flag }: Given, limits: { usual: number; max: number }): Asked | string {
  const limit = readLimit(text('limit'), limits)
  const cursor = text('cursor')
  const next = cursor === undefined ? undefined : readCursor('next_ts', cursor)
  const [latest, oldest] = [
    readTime(text('latest'), '9999999999.999999'),
    readTime(text('oldest'), '0000000000.000000')
  ]
  if (limit === undefined) return 'invalid_limit'
  if (cursor !== undefined && (next === undefined || !/^\d{16}$/.test(next))) return 'invalid_cursor'
  if (latest === undefined) return 'invalid_ts_latest'
  if (oldest === undefined) return 'invalid_ts_oldest'
  const from = next && `${next.slice(0, 10)}.${next.slice(10)}`
  return { limit, latest, oldest, inclusive: flag('inclusive'), next: from }
}

/** Parses a time. Numbers with fewer digits are accepted. */
function readTime(text: string | undefined, otherwise: string): string | undefined {
  if (text === undefined) return otherwise
  const [, seconds, micros = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return seconds === undefined ? undefined : `${seconds.padStart(10, '0')}.${micros.padEnd(6, '0')}`
}

/** Returns the index where a range starts. Its ends are included only if requested. `~` sorts after every digit. */
function findStart(messages: readonly Message[], { oldest, inclusive }: Asked): number {
  return findPlace(messages, inclusive ? oldest : `${oldest}~`)
}

function findEnd(messages: readonly Message[], { latest, inclusive }: Asked): number {
  return findPlace(messages, inclusive ? `${latest}~` : latest)
}

/** Returns the cursor of the next page. The fault `repeat_cursor` returns the current one. */
function findNext(call: SandboxCall, { text }: Given, next: Message | undefined): string | undefined {
  const sent = text('cursor')
  if (sent !== undefined && call.fault('repeat_cursor') !== undefined) return sent
  return next && writeCursor('next_ts', next.ts.replace('.', ''))
}

type Shown = { workspace: Workspace; channel: Channel; messages: readonly Message[] }

function pageView({ workspace, channel, messages }: Shown, next: string | undefined): Record<string, unknown> {
  return {
    messages: messages.map((message) => messageView(channel, message, workspace)),
    has_more: next !== undefined,
    ...(next !== undefined && { response_metadata: { next_cursor: next } })
  }
}

/** Implements https://docs.slack.dev/reference/methods/auth.test. */
function authTest(call: SandboxCall): Response {
  const { team, self, people } = readGiven(call).workspace
  const url = `https://${team.domain}.slack.com/`
  return ok({ url, team: team.name, user: people.get(self)?.handle ?? '', team_id: team.id, user_id: self })
}

/** Implements https://docs.slack.dev/reference/methods/bots.info. */
function botsInfo(call: SandboxCall): Response {
  const { workspace, text } = readGiven(call)
  const id = text('bot') ?? ''
  const refusal = checkScope(call, 'users:read')
  if (refusal !== undefined) return refusal
  return workspace.apps.has(id) ? ok({ bot: appView(id, workspace) }) : refuse('bot_not_found')
}

/** Implements https://docs.slack.dev/reference/methods/users.list. */
function usersList(call: SandboxCall): Response {
  const { workspace, text } = readGiven(call)
  const limit = readLimit(text('limit'), { usual: 1000, max: 1000 })
  const refusal = checkScope(call, 'users:read')
  if (refusal !== undefined) return refusal
  if (limit === undefined) return refuse('invalid_limit')
  const place = { kind: 'user', cursor: text('cursor'), limit, repeat: call.fault('repeat_cursor') !== undefined }
  const page = toPage([...workspace.people.values()], place)
  if (page === 'invalid_cursor') return refuse(page)
  return ok({
    members: page.rows.map((person) => personView(person, workspace)),
    cache_ts: Math.floor(call.now / 1000),
    response_metadata: { next_cursor: page.next }
  })
}

/** Implements https://docs.slack.dev/reference/methods/users.info. */
function usersInfo(call: SandboxCall): Response {
  const { workspace, text } = readGiven(call)
  const refusal = checkScope(call, 'users:read')
  if (refusal !== undefined) return refusal
  const person = workspace.people.get(text('user') ?? '')
  return person === undefined ? refuse('user_not_found') : ok({ user: personView(person, workspace) })
}

/**
 * Builds a cursor. Slack's cursors are Base64 of the type and id of the next object, as in the examples of its
 * documentation (https://docs.slack.dev/apis/web-api/pagination). Callers must treat them as opaque.
 */
function writeCursor(kind: string, next: string): string {
  return Buffer.from(`${kind}:${next}`).toString('base64')
}

/** Parses a cursor of a kind, or returns undefined if it is invalid. */
function readCursor(kind: string, cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64').toString()
  const said = text.startsWith(`${kind}:`) ? text.slice(kind.length + 1) : undefined
  return said !== undefined && writeCursor(kind, said) === cursor ? said : undefined
}

/** Parses the page size within the allowed range, or returns undefined if it is not a number. */
function readLimit(asked: string | undefined, { usual, max }: { usual: number; max: number }): number | undefined {
  if (asked === undefined) return usual
  const limit = Number(asked)
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, max) : undefined
}

type ListPage<Row> = { rows: readonly Row[]; next: string }

/** Returns a page of rows with ids and the next cursor, or 'invalid_cursor'. */
function toPage<Row extends { id: string }>(
  rows: readonly Row[],
  { kind, cursor, limit, repeat }: { kind: string; cursor: string | undefined; limit: number; repeat: boolean }
): ListPage<Row> | 'invalid_cursor' {
  const wanted = cursor === undefined ? undefined : readCursor(kind, cursor)
  if (cursor !== undefined && wanted === undefined) return 'invalid_cursor'
  const found = wanted === undefined ? 0 : rows.findIndex(({ id }) => id === wanted)
  if (found === -1) return 'invalid_cursor'
  const next = rows[found + limit]
  const following = next === undefined ? '' : writeCursor(kind, next.id)
  return { rows: rows.slice(found, found + limit), next: repeat && cursor !== undefined ? cursor : following }
}
