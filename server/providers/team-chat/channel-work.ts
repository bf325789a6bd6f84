import { ProviderFailure } from '../provider-failure.ts'
import type { State, Thread, Work } from './cursor.ts'
import { FOLLOW } from './follow-constants.ts'
import { shownChannel } from './has-place.ts'
import { readHistory } from './history.ts'
import { messageTime, msOf } from './message-time.ts'
import { forgetChannel, NOTE } from './notes.ts'
import { readReplies } from './replies.ts'
import { NOTHING, type Reading, type Step } from './step.ts'

/**
 * Begins a channel, if Slack still shows it: with the part since the last sync and what is read again, or with all of it. Archived
 * channels can be read like others.
 */
export async function openChannel(reading: Reading, channel: string, state: State): Promise<Step> {
  if (!(await isShown(reading, channel))) return emptied(reading, channel)
  const now = reading.call.clock.now()
  const mark = state.kind === 'list' ? undefined : state.marks[channel]
  const since = mark === undefined ? undefined : messageTime(msOf(mark) - FOLLOW.RESCAN_MS)
  const latest = messageTime(now + FOLLOW.CLOCKS_APART_MS)
  const window = { latest, ...(since !== undefined && { oldest: since }) }
  const work = { channel, mark: messageTime(now), ...(since !== undefined && { since }), window, threads: [] }
  return { ...NOTHING, work }
}

/** The next piece of a channel: the open thread, the next thread, history, threads from before; nothing where all was read. */
export async function workOn(reading: Reading, work: Work): Promise<Step> {
  if (work.refused) return lookAgain(reading, work)
  try {
    if (work.thread !== undefined) return await readReplies(reading, work, work.thread)
    const [next, ...threads] = work.threads
    if (next !== undefined) return await readReplies(reading, { ...work, threads }, next)
    if (work.window !== undefined) return await seenAgain(reading, await readHistory(reading, work, work.window), work)
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'item_gone') throw error
    return { ...NOTHING, work: { ...work, refused: true } }
  }
  return watchThreads(reading, work)
}

/** A channel that was told of as left out is so no more once its messages are shown. */
async function seenAgain({ notes }: Reading, step: Step, { channel }: Work): Promise<Step> {
  if ((await notes.get(NOTE.leftOut(channel))) === undefined) return step
  notes.put(NOTE.leftOut(channel), undefined)
  return { ...step, back: [channel] }
}

async function isShown({ call, notes }: Reading, channel: string): Promise<boolean> {
  const shown = await shownChannel(call, channel)
  if (shown === undefined) return false
  await notes.get(NOTE.channel(channel))
  notes.put(NOTE.channel(channel), shown.name ?? channel)
  return true
}

/** Slack refused to show messages of a channel: only when it does not know the channel either, they are gone. */
async function lookAgain(reading: Reading, work: Work): Promise<Step> {
  const { channel } = work
  if (!(await isShown(reading, channel))) return emptied(reading, channel)
  reading.call.log.info({ channel }, 'A channel is there and its messages were refused: what is known of it stays')
  return leavingOut(reading, { ...NOTHING, work: undefined }, { id: channel, why: NOT_SHOWN })
}

async function emptied(reading: Reading, channel: string): Promise<Step> {
  await forgetChannel(reading.notes, channel)
  return leavingOut(reading, { ...NOTHING, work: undefined, emptied: [channel] }, { id: channel, why: NOT_THERE })
}

const NOT_THERE = 'selected, yet not there: deleted, or not shown to this account'
const NOT_SHOWN = 'selected, yet its messages are not shown to this account'

/** Says that a channel is not read: nothing else would show it. */
async function leavingOut({ notes }: Reading, step: Step, { id, why }: { id: string; why: string }): Promise<Step> {
  await notes.get(NOTE.leftOut(id))
  notes.put(NOTE.leftOut(id), '')
  return { ...step, leftOut: [{ id, why }] }
}

/** Once a channel's window is read: threads from before it that may have got replies. Others are not kept in mind any more. */
async function watchThreads({ notes }: Reading, work: Work): Promise<Step> {
  const { channel, since, mark } = work
  if (since === undefined || work.watched) return { ...NOTHING, work: undefined }
  const alive = messageTime(msOf(mark) - FOLLOW.WATCH_MS)
  const known = [...(await notes.entries(NOTE.threads(channel)))]
    .map(([key, said]): Thread => ({ root: key.slice(NOTE.threads(channel).length), mark: said }))
    .sort((a, b) => (a.mark < b.mark ? 1 : -1))
  const kept = known.filter((thread) => thread.root >= since || thread.mark >= alive).slice(0, FOLLOW.THREADS_KNOWN_MAX)
  const keptRoots = new Set(kept.map(({ root }) => root))
  for (const { root } of known) if (!keptRoots.has(root)) notes.put(NOTE.thread(channel, root), undefined)
  const threads = kept.filter(({ root }) => root < since).slice(0, FOLLOW.WATCHED_MAX)
  return { ...NOTHING, work: { ...work, threads, watched: true } }
}
