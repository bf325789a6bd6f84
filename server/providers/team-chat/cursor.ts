import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { CURSOR_BYTES_MAX, readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { MESSAGE_TIME } from './wire.ts'

const CHANNELS_MAX = 1000
const THREADS_MAX = 1000

const Time = z.string().regex(MESSAGE_TIME)
const ChannelId = z.string().min(1).max(100)

/** A thread to read: its root message, and the state of its replies according to the root (see `toThreadMark`). */
const Thread = z.strictObject({ root: Time, mark: z.string().max(100) })

/** `after` is the last reply that was read. `next` is Slack's cursor for the following ones. */
const OpenThread = Thread.extend({ after: Time.optional(), next: z.string().max(2000).optional() })

/** The part of a channel's history that is still to be read, both ends included. */
const Window = z.strictObject({ oldest: Time.optional(), latest: Time, next: z.string().max(2000).optional() })

/** The channel that is being read. */
const Work = z.strictObject({
  channel: ChannelId,
  /** The time up to which it will have been read. */
  mark: Time,
  /** Where its recent part begins; absent if all of it is read. */
  since: Time.optional(),
  /** Absent once its history was read. */
  window: Window.optional(),
  thread: OpenThread.optional(),
  threads: z.array(Thread).max(THREADS_MAX),
  /** Threads that began before `since` were added to `threads`. */
  watched: z.boolean().optional(),
  /** Slack refused the channel, so its state must be requested. */
  refused: z.boolean().optional()
})

const Cursor = z.strictObject({
  v: z.literal(1),
  kind: z.enum(['changes', 'list']),
  /** Set if names of people are looked up first: the number of pages read, and Slack's cursor of the next one. */
  people: z.strictObject({ pages: z.int().min(0), next: z.string().max(2000).optional() }).optional(),
  work: Work.optional(),
  /** The channels after the current one. */
  todo: z.array(ChannelId).max(CHANNELS_MAX),
  /** The time up to which each channel was read. */
  marks: z.record(ChannelId, Time)
})

export type Cursor = z.infer<typeof Cursor>
export type Work = z.infer<typeof Work>
export type Thread = z.infer<typeof Thread>
export type OpenThread = z.infer<typeof OpenThread>

/** Serializes a cursor for `readCursor`. */
export function writeCursor(state: Cursor): string {
  const text = JSON.stringify(state)
  if (Buffer.byteLength(text) > CURSOR_BYTES_MAX)
    throw new ProviderFailure('contract_broken', 'one page contains more threads than the cursor can hold')
  return text
}

/**
 * Parses a cursor for a selection. Starts a new round if there is none or the last one has ended. Deselected channels
 * are removed.
 *
 * @throws ProviderFailure `cursor_invalid` if it is invalid.
 */
export function readCursor(cursor: string | undefined, kind: Cursor['kind'], selection: readonly string[]): Cursor {
  if (cursor === undefined) return createRound(kind, selection, {})
  const state = readCursorText(cursor, Cursor)
  if (state?.kind !== kind) throw new ProviderFailure('cursor_invalid', 'the cursor of the last sync cannot be read')
  const marks = Object.fromEntries(Object.entries(state.marks).filter(([channel]) => selection.includes(channel)))
  if (isEnded(state)) return createRound(kind, selection, marks)
  const { work, ...rest } = state
  const todo = state.todo.filter((channel) => selection.includes(channel))
  return { ...rest, marks, todo, ...(work && selection.includes(work.channel) && { work }) }
}

/** Reports whether everything was read. */
export function isEnded({ work, todo, people }: Cursor): boolean {
  return work === undefined && todo.length === 0 && people === undefined
}

function createRound(kind: Cursor['kind'], selection: readonly string[], marks: Cursor['marks']): Cursor {
  return { v: 1, kind, people: { pages: 0 }, todo: [...selection], marks }
}
