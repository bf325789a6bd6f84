import { ProviderFailure } from '../provider-failure.ts'
import { callMethod, nextCursor } from './call-method.ts'
import type { OpenThread, Work } from './cursor.ts'
import { slackCode } from './failure-of.ts'
import { FOLLOW } from './follow-constants.ts'
import { threadMark } from './history.ts'
import { isWritten, messageItem, peopleIn } from './message-item.ts'
import { FIRST_TIME, justAfter, LAST_TIME, messageTime, msOf } from './message-time.ts'
import { NOTE } from './notes.ts'
import { namesOf } from './people.ts'
import { NOTHING, type Reading, type Step, type Stretch, whereIs } from './step.ts'
import { type Message, MessagesPage } from './wire.ts'

/**
 * A page of a thread, oldest first, with its root before the first one. What the page covers is a stretch of ids of its
 * own, so that a reply that was deleted is missed in it.
 */
export async function readReplies(reading: Reading, work: Work, thread: OpenThread): Promise<Step> {
  const page = await askReplies(reading, work.channel, thread)
  if (page === 'gone') return withoutThread(reading, work, thread.root)
  if (page === 'cursor gone') return { ...NOTHING, work: { ...work, thread: byTime(thread) } }
  const { root, replies } = partsOf(page.messages, thread)
  const mark = root === undefined ? thread.mark : threadMark(root)
  const after = replies.at(-1)?.ts ?? thread.after
  const next = page.has_more ? nextPlace({ ...thread, mark }, { after, next: nextCursor(page) }) : undefined
  const written = [...(root === undefined ? [] : [root]), ...replies].filter(isWritten)
  const names = await namesOf(reading, peopleIn(written))
  const where = await whereIs(reading, work.channel)
  if (next === undefined) noteThread(reading, work, { root: thread.root, mark })
  return {
    work: { ...withoutOpen(work), ...(next && { thread: next }) },
    seen: written.map((message) => messageItem(message, where, names)),
    covered: stretchOf(work.channel, thread, { root, until: page.has_more ? after : LAST_TIME }),
    emptied: []
  }
}

/** Slack's own cursors first: where one was lost, or leads nowhere, the time of the last reply is as good. */
async function askReplies(
  { call }: Reading,
  channel: string,
  { root, after, next }: OpenThread
): Promise<MessagesPage | 'gone' | 'cursor gone'> {
  const from = next === undefined ? { oldest: after } : { cursor: next }
  const query = { channel, ts: root, limit: FOLLOW.MESSAGES_PER_CALL, ...from }
  try {
    return await callMethod(call, 'conversations.replies', { query, schema: MessagesPage })
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (slackCode(error) === 'thread_not_found') return 'gone'
    if (error.kind === 'cursor_invalid' && next !== undefined) return 'cursor gone'
    throw error
  }
}

/** The root where this is the first page, and replies that no page before had. */
function partsOf(
  messages: readonly Message[],
  { root, after }: OpenThread
): { root: Message | undefined; replies: Message[] } {
  const replies = messages.filter(({ ts, thread_ts }) => thread_ts === root && ts !== root && ts > (after ?? root))
  return {
    root: after === undefined ? messages.find(({ ts }) => ts === root) : undefined,
    replies: replies.sort((a, b) => (a.ts < b.ts ? -1 : 1))
  }
}

/** Where the next page begins. Each time either a later reply was read, or another way is tried, of which there are two. */
function nextPlace(thread: OpenThread, { after, next }: Pick<OpenThread, 'after' | 'next'>): OpenThread {
  const { root, mark } = thread
  if (after === undefined) return { root, mark, after: root, ...(next !== undefined && { next }) }
  const moved = after !== thread.after
  if (moved && next !== undefined && next !== thread.next) return { root, mark, after, next }
  if (moved || thread.next !== undefined) return { root, mark, after }
  throw new ProviderFailure('contract_broken', 'conversations.replies: there is more, and no way to it')
}

function byTime({ root, mark, after }: OpenThread): OpenThread {
  return { root, mark, ...(after !== undefined && { after }) }
}

/** From after the last page to the last reply of this one, or to the end of the thread. */
function stretchOf(
  channel: string,
  { root, after }: OpenThread,
  page: { root: Message | undefined; until: string | undefined }
): Stretch[] {
  const until = page.until ?? root
  const from = after === undefined ? (page.root === undefined ? justAfter(root) : FIRST_TIME) : justAfter(after)
  return from > until ? [] : [{ from: `${channel}/${root}/${from}`, to: `${channel}/${root}/${until}` }]
}

/** Keeps a thread in mind for as long as it may be asked for again. */
function noteThread(
  { notes }: Reading,
  { channel, mark: now }: Work,
  { root, mark }: { root: string; mark: string }
): void {
  const ms = msOf(now)
  const watched = mark >= messageTime(ms - FOLLOW.WATCH_MS) || root >= messageTime(ms - FOLLOW.RESCAN_MS)
  notes.put(NOTE.thread(channel, root), watched ? mark : undefined)
}

/** Slack says that there is no such thread: neither its root nor a reply. */
function withoutThread({ notes }: Reading, work: Work, root: string): Step {
  const { channel } = work
  notes.put(NOTE.thread(channel, root), undefined)
  const whole = { from: `${channel}/${root}/${FIRST_TIME}`, to: `${channel}/${root}/${LAST_TIME}` }
  return { ...NOTHING, work: withoutOpen(work), covered: [whole] }
}

function withoutOpen({ thread: _, ...work }: Work): Work {
  return work
}
