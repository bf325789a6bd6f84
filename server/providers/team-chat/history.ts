import { ProviderFailure } from '../port/provider-failure.ts'
import type { OpenThread, Thread, Work } from './cursor.ts'
import { getSlackCode } from './failures.ts'
import { findWhere, type IdRange, KEYS, type LedgerDraft, NOTHING, type Reading, type Step } from './ledger.ts'
import { findPeople, toMessageItem } from './message-item.ts'
import { findNames } from './people.ts'
import { callMethod, nextCursor } from './requests.ts'
import {
  FIRST_TIME,
  justAfter,
  justBefore,
  LAST_TIME,
  type Message,
  MessagesPage,
  toMessageTime,
  toMs
} from './wire.ts'

type Window = NonNullable<Work['window']>

/**
 * Reads a page of a channel's messages, backwards from the window's end. Pages are delimited by time rather than by
 * Slack's cursors, which expire during a long interruption. New threads to read come first in the remaining work.
 */
export async function readHistory(reading: Reading, work: Work, window: Window): Promise<Step> {
  const { channel } = work
  const query = { channel, ...toQuery(window), inclusive: true, limit: FOLLOW.MESSAGES_PER_CALL }
  const page = await callMethod(reading.call, 'conversations.history', { query, schema: MessagesPage })
  const messages = filterWindow(page.messages, window)
  const [lowest] = messages
  const rest = { ...work, window: toWindowBelow(page, window, lowest) }
  if (lowest === undefined && page.has_more) return { ...NOTHING, work: rest }

  const names = await findNames(reading, findPeople(messages))
  const where = await findWhere(reading, channel)
  const bottom = findBottom(page, window, lowest)
  return {
    work: { ...rest, threads: await chooseThreads(reading, work, messages) },
    seen: messages.flatMap((message) => toMessageItem(message, where, names) ?? []),
    covered: bottom === undefined ? [] : listCovered(channel, messages, { bottom, top: window.latest }),
    emptied: []
  }
}

function toQuery({ latest, oldest, next }: Window): Record<string, string | undefined> {
  return { latest, oldest, cursor: next }
}

/** Returns the messages within the window, oldest first, whatever their original order. */
function filterWindow(messages: readonly Message[], { oldest = FIRST_TIME, latest }: Window): Message[] {
  return messages.filter(({ ts }) => ts >= oldest && ts <= latest).sort((a, b) => (a.ts < b.ts ? -1 : 1))
}

/** Returns the rest of a window after a page, or undefined if there is none. */
function toWindowBelow(page: MessagesPage, window: Window, lowest: Message | undefined): Window | undefined {
  if (!page.has_more) return undefined
  const { oldest } = window
  if (lowest !== undefined) {
    const latest = justBefore(lowest.ts)
    return latest < (oldest ?? FIRST_TIME) ? undefined : { latest, ...(oldest !== undefined && { oldest }) }
  }
  const next = nextCursor(page)
  if (next === undefined || next === window.next)
    throw new ProviderFailure(
      'contract_broken',
      'conversations.history: there are more messages, but no cursor for them'
    )
  return { ...window, next }
}

/**
 * Returns the time from which the page is complete, or undefined if it lists nothing. Messages hidden by a plan are not
 * deleted.
 */
function findBottom(page: MessagesPage, { oldest }: Window, lowest: Message | undefined): string | undefined {
  return page.has_more || page.is_limited ? lowest?.ts : (oldest ?? FIRST_TIME)
}

/**
 * Lists the ranges of ids between two times, except the replies of threads, which history does not contain. A message
 * without replies is covered with any former replies.
 */
function listCovered(
  channel: string,
  messages: readonly Message[],
  { bottom, top }: { bottom: string; top: string }
): IdRange[] {
  const stretches: IdRange[] = []
  let from = bottom
  for (const { ts } of messages.filter(hasReplies)) {
    stretches.push({ from: `${channel}/${from}/${FIRST_TIME}`, to: `${channel}/${ts}/${ts}` })
    from = justAfter(ts)
  }
  if (from <= top) stretches.push({ from: `${channel}/${from}/${FIRST_TIME}`, to: `${channel}/${top}/${LAST_TIME}` })
  return stretches
}

/**
 * Reports whether a message is the root of a thread with replies. A reply that was also sent to the channel is in its
 * history too.
 */
function hasReplies({ ts, thread_ts, reply_count }: Message): boolean {
  return (reply_count ?? 0) > 0 && (thread_ts ?? ts) === ts
}

/** Builds the mark of a thread from its root: the time of the last reply, and the number of replies. */
function toThreadMark({ latest_reply, reply_count }: Message): string {
  return `${latest_reply ?? FIRST_TIME} ${reply_count ?? 0}`
}

/**
 * Chooses the threads to read: all if everything is read; else those that changed, or whose replies are recent enough
 * to be edited.
 */
async function chooseThreads({ call, draft }: Reading, work: Work, messages: readonly Message[]): Promise<Thread[]> {
  const { channel, since } = work
  const roots = messages.filter(hasReplies)
  const threads = roots.map((root) => ({ root: root.ts, mark: toThreadMark(root) }))
  if (since === undefined) return [...work.threads, ...threads]
  const known = await draft.entries(KEYS.threads(channel))
  const young = toMessageTime(call.clock.now() - FOLLOW.REPLY_EDITS_MS)
  forgetEmptyThreads(draft, channel, { messages, known })
  const due = threads.filter(({ root, mark }) => known.get(KEYS.thread(channel, root)) !== mark || mark >= young)
  return [...work.threads, ...due, ...findAwakened(messages, { channel, since, known })]
}

type Known = ReadonlyMap<string, string>

function forgetEmptyThreads(
  draft: LedgerDraft,
  channel: string,
  { messages, known }: { messages: readonly Message[]; known: Known }
): void {
  for (const { ts } of messages.filter((message) => !hasReplies(message))) {
    const key = KEYS.thread(channel, ts)
    if (known.has(key)) draft.put(key, undefined)
  }
}

/** Finds threads from before the window that have no note, but a new reply that was also sent to the channel. */
function findAwakened(
  messages: readonly Message[],
  { channel, since, known }: { channel: string; since: string; known: Known }
): Thread[] {
  const roots = messages.flatMap(({ ts, thread_ts }) => {
    const unknown = thread_ts && thread_ts < since && (known.get(KEYS.thread(channel, thread_ts)) ?? '') < ts
    return unknown ? [thread_ts] : []
  })
  return [...new Set(roots)].map((root) => ({ root, mark: '' }))
}

/**
 * Reads a page of a thread, oldest first, with its root on the first page. The page covers its own range of ids, so
 * that a deleted reply is detected.
 */
export async function readReplies(reading: Reading, work: Work, thread: OpenThread): Promise<Step> {
  const page = await fetchReplies(reading, work.channel, thread)
  if (page === 'gone') return withoutThread(reading, work, thread.root)
  if (page === 'cursor gone') return { ...NOTHING, work: { ...work, thread: withoutNext(thread) } }
  const { root, replies } = splitReplies(page.messages, thread)
  const mark = root === undefined ? thread.mark : toThreadMark(root)
  const after = replies.at(-1)?.ts ?? thread.after
  const next = page.has_more ? toNextPlace({ ...thread, mark }, { after, next: nextCursor(page) }) : undefined
  const messages = [...(root === undefined ? [] : [root]), ...replies]
  const names = await findNames(reading, findPeople(messages))
  const where = await findWhere(reading, work.channel)
  if (next === undefined) noteThread(reading, work, { root: thread.root, mark })
  return {
    work: { ...withoutOpen(work), ...(next && { thread: next }) },
    seen: messages.flatMap((message) => toMessageItem(message, where, names) ?? []),
    covered: listCoveredReplies(work.channel, thread, { root, until: page.has_more ? after : LAST_TIME }),
    emptied: []
  }
}

/**
 * Fetches replies by Slack's cursor. If the cursor is lost or leads nowhere, fetches them by the time of the last
 * reply.
 */
async function fetchReplies(
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
    if (getSlackCode(error) === 'thread_not_found') return 'gone'
    if (error.kind === 'cursor_invalid' && next !== undefined) return 'cursor gone'
    throw error
  }
}

/** Splits a page into the root, if it is the first page, and the replies that no earlier page had. */
function splitReplies(
  messages: readonly Message[],
  { root, after }: OpenThread
): { root: Message | undefined; replies: Message[] } {
  const replies = messages.filter(({ ts, thread_ts }) => thread_ts === root && ts !== root && ts > (after ?? root))
  return {
    root: after === undefined ? messages.find(({ ts }) => ts === root) : undefined,
    replies: replies.sort((a, b) => (a.ts < b.ts ? -1 : 1))
  }
}

/**
 * Returns where the next page begins. Each page either reads a later reply or switches to the other of the two ways.
 */
function toNextPlace(thread: OpenThread, { after, next }: Pick<OpenThread, 'after' | 'next'>): OpenThread {
  const { root, mark } = thread
  if (after === undefined) return { root, mark, after: root, ...(next !== undefined && { next }) }
  const moved = after !== thread.after
  if (moved && next !== undefined && next !== thread.next) return { root, mark, after, next }
  if (moved || thread.next !== undefined) return { root, mark, after }
  throw new ProviderFailure('contract_broken', 'conversations.replies: there are more replies, but no cursor for them')
}

function withoutNext({ root, mark, after }: OpenThread): OpenThread {
  return { root, mark, ...(after !== undefined && { after }) }
}

/** Lists the range from the previous page to the last reply of this one, or to the end of the thread. */
function listCoveredReplies(
  channel: string,
  { root, after }: OpenThread,
  page: { root: Message | undefined; until: string | undefined }
): IdRange[] {
  const until = page.until ?? root
  const from = after === undefined ? (page.root === undefined ? justAfter(root) : FIRST_TIME) : justAfter(after)
  return from > until ? [] : [{ from: `${channel}/${root}/${from}`, to: `${channel}/${root}/${until}` }]
}

/** Stores the note of a thread for as long as the thread may be read again. */
function noteThread(
  { draft }: Reading,
  { channel, mark: now }: Work,
  { root, mark }: { root: string; mark: string }
): void {
  const ms = toMs(now)
  const watched = mark >= toMessageTime(ms - FOLLOW.WATCH_MS) || root >= toMessageTime(ms - FOLLOW.RESCAN_MS)
  draft.put(KEYS.thread(channel, root), watched ? mark : undefined)
}

/** Handles a thread that Slack does not know: neither its root nor a reply exists. */
function withoutThread({ draft }: Reading, work: Work, root: string): Step {
  const { channel } = work
  draft.put(KEYS.thread(channel, root), undefined)
  const whole = { from: `${channel}/${root}/${FIRST_TIME}`, to: `${channel}/${root}/${LAST_TIME}` }
  return { ...NOTHING, work: withoutOpen(work), covered: [whole] }
}

function withoutOpen({ thread: _, ...work }: Work): Work {
  return work
}

const DAY_MS = 24 * 3600 * 1000

/**
 * Limits of rereading. Slack has no change feed for API users, so edits, deletions and replies are found by reading
 * again. Each sync rereads this much; changes of older messages are found by the next full listing.
 */
export const FOLLOW = {
  /** Age of channel messages that are reread, relative to the previous sync. */
  RESCAN_MS: 7 * DAY_MS,
  /** Age of replies that are reread, even if their thread appears unchanged. */
  REPLY_EDITS_MS: 2 * DAY_MS,
  /** Age of the last reply of older threads that are checked for new replies. */
  WATCH_MS: 30 * DAY_MS,
  /** Maximum number of such threads per channel, one call each. */
  WATCHED_MAX: 100,
  /** Maximum number of threads with notes per channel. */
  THREADS_KNOWN_MAX: 2000,
  /** How far Slack's clock may be ahead. */
  CLOCKS_APART_MS: 3600 * 1000,
  /**
   * The maximum that Slack recommends (https://docs.slack.dev/reference/methods/conversations.history). Some apps get
   * only 15.
   */
  MESSAGES_PER_CALL: 200
} as const
