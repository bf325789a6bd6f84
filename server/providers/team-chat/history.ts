import { ProviderFailure } from '../provider-failure.ts'
import { callMethod, nextCursor } from './call-method.ts'
import type { Thread, Work } from './cursor.ts'
import { FOLLOW } from './follow-constants.ts'
import { isWritten, messageItem, peopleIn } from './message-item.ts'
import { FIRST_TIME, justAfter, justBefore, LAST_TIME, messageTime } from './message-time.ts'
import { NOTE, type Notes } from './notes.ts'
import { namesOf } from './people.ts'
import { NOTHING, type Reading, type Step, type Stretch, whereIs } from './step.ts'
import { type Message, MessagesPage } from './wire.ts'

type Window = NonNullable<Work['window']>

/**
 * A page of a channel's messages, downwards from the window's end. Pages go by time and not by Slack's cursors, which end
 * when a sync is long interrupted. Threads that are to be read come first in what is left to do.
 */
export async function readHistory(reading: Reading, work: Work, window: Window): Promise<Step> {
  const { channel } = work
  const query = { channel, ...askedFor(window), inclusive: true, limit: FOLLOW.MESSAGES_PER_CALL }
  const page = await callMethod(reading.call, 'conversations.history', { query, schema: MessagesPage })
  const messages = within(page.messages, window)
  const [lowest] = messages
  const rest = { ...work, window: windowBelow(page, window, lowest) }
  if (lowest === undefined && page.has_more) return { ...NOTHING, work: rest }

  const written = messages.filter(isWritten)
  const names = await namesOf(reading, peopleIn(written))
  const where = await whereIs(reading, channel)
  const bottom = bottomOf(page, window, lowest)
  return {
    work: { ...rest, threads: await threadsToRead(reading, work, messages) },
    seen: written.map((message) => messageItem(message, where, names)),
    covered: bottom === undefined ? [] : stretchesOf(channel, messages, { bottom, top: window.latest }),
    emptied: []
  }
}

function askedFor({ latest, oldest, next }: Window): Record<string, string | undefined> {
  return { latest, oldest, cursor: next }
}

/** Oldest first, whatever order they came in. */
function within(messages: readonly Message[], { oldest = FIRST_TIME, latest }: Window): Message[] {
  return messages.filter(({ ts }) => ts >= oldest && ts <= latest).sort((a, b) => (a.ts < b.ts ? -1 : 1))
}

/** What is left of a window after a page; undefined where that was all. */
function windowBelow(page: MessagesPage, window: Window, lowest: Message | undefined): Window | undefined {
  if (!page.has_more) return undefined
  const { oldest } = window
  if (lowest !== undefined) {
    const latest = justBefore(lowest.ts)
    return latest < (oldest ?? FIRST_TIME) ? undefined : { latest, ...(oldest !== undefined && { oldest }) }
  }
  const next = nextCursor(page)
  if (next === undefined || next === window.next)
    throw new ProviderFailure('contract_broken', 'conversations.history: there is more, and no way to it')
  return { ...window, next }
}

/** Down to where the page tells all; undefined where it tells nothing. What a plan hides is not gone. */
function bottomOf(page: MessagesPage, { oldest }: Window, lowest: Message | undefined): string | undefined {
  return page.has_more || page.is_limited ? lowest?.ts : (oldest ?? FIRST_TIME)
}

/**
 * The ids between two times, without the replies of threads, which a page of history does not tell: a message without replies
 * is covered with all that its thread may have had.
 */
function stretchesOf(
  channel: string,
  messages: readonly Message[],
  { bottom, top }: { bottom: string; top: string }
): Stretch[] {
  const stretches: Stretch[] = []
  let from = bottom
  for (const { ts } of messages.filter(hasReplies)) {
    stretches.push({ from: `${channel}/${from}/${FIRST_TIME}`, to: `${channel}/${ts}/${ts}` })
    from = justAfter(ts)
  }
  if (from <= top) stretches.push({ from: `${channel}/${from}/${FIRST_TIME}`, to: `${channel}/${top}/${LAST_TIME}` })
  return stretches
}

/** A reply that was also sent to the channel stands in its history, but is no root. */
function hasReplies({ ts, thread_ts, reply_count }: Message): boolean {
  return (reply_count ?? 0) > 0 && (thread_ts ?? ts) === ts
}

/** What a root says of its replies: when the last one came, and how many there are. */
export function threadMark({ latest_reply, reply_count }: Message): string {
  return `${latest_reply ?? FIRST_TIME} ${reply_count ?? 0}`
}

/** All, where all is read; else those that changed, or have replies so young that they may still be edited. */
async function threadsToRead({ call, notes }: Reading, work: Work, messages: readonly Message[]): Promise<Thread[]> {
  const { channel, since } = work
  const roots = messages.filter(hasReplies)
  const threads = roots.map((root) => ({ root: root.ts, mark: threadMark(root) }))
  if (since === undefined) return [...work.threads, ...threads]
  const known = await notes.entries(NOTE.threads(channel))
  const young = messageTime(call.clock.now() - FOLLOW.REPLY_EDITS_MS)
  forgetEmptyThreads(notes, channel, { messages, known })
  const due = threads.filter(({ root, mark }) => known.get(NOTE.thread(channel, root)) !== mark || mark >= young)
  return [...work.threads, ...due, ...awakened(messages, { channel, since, known })]
}

type Known = ReadonlyMap<string, string>

function forgetEmptyThreads(
  notes: Notes,
  channel: string,
  { messages, known }: { messages: readonly Message[]; known: Known }
): void {
  for (const { ts } of messages.filter((message) => !hasReplies(message))) {
    const key = NOTE.thread(channel, ts)
    if (known.has(key)) notes.put(key, undefined)
  }
}

/** Threads from before the window that nobody keeps in mind, and that a reply to the channel shows to be alive. */
function awakened(
  messages: readonly Message[],
  { channel, since, known }: { channel: string; since: string; known: Known }
): Thread[] {
  const roots = messages.flatMap(({ ts, thread_ts }) => {
    const unknown = thread_ts && thread_ts < since && (known.get(NOTE.thread(channel, thread_ts)) ?? '') < ts
    return unknown ? [thread_ts] : []
  })
  return [...new Set(roots)].map((root) => ({ root, mark: '' }))
}
