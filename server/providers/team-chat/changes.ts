import type { Page, PageFrom, SeenItem, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { getChannel } from './channels.ts'
import { type Cursor, isEnded, readCursor, type Thread, type Work, writeCursor } from './cursor.ts'
import { FOLLOW, readHistory, readReplies } from './history.ts'
import {
  forgetChannel,
  type IdRange,
  KEYS,
  listNotedChannels,
  NOTHING,
  openReading,
  type Reading,
  type Step
} from './ledger.ts'
import { listPeople } from './people.ts'

import { toMessageTime, toMs } from './wire.ts'

/** When a page is full, and how many threads are read for one. */
const ITEMS_PER_PAGE = 200
const THREADS_PER_PAGE = 10

/**
 * See `Provider.changes`. The first round reads channels completely; each later one reads what is new and rereads
 * recent messages.
 */
export async function changes(call: SyncCall, from: PageFrom): Promise<Page> {
  return await nextPage(call, readCursor(from.cursor, 'changes', from.selection), from.selection)
}

/**
 * Builds a page from a state. Slack limits calls by method, so a page calls each method once and succeeds even with a
 * low limit. Short threads and names are exceptions. What was read before the limit was reached is kept.
 */
async function nextPage(call: SyncCall, from: Cursor, selection: readonly string[]): Promise<Page> {
  const reading = openReading(call)
  const found = { seen: new Map<string, SeenItem>(), covered: [] as IdRange[], emptied: [] as string[] }
  const [gone, leftOut]: [string[], NonNullable<Page['leftOut']>[number][]] = [[], []]
  const done: Kind[] = []
  let state = from
  while (!isEnded(state) && found.seen.size < ITEMS_PER_PAGE) {
    const kind = classifyStep(state)
    if (!hasRoom(done, kind)) break
    const hasMoved = () => reading.learned.names > 0 || done.includes('history') || done.includes('thread')
    const next = await takeStep(reading, state).catch((error: unknown) => ignoreRateLimit(error, hasMoved()))
    if (next === undefined) break
    for (const item of next.step.seen) found.seen.set(item.id, item)
    found.covered.push(...next.step.covered)
    found.emptied.push(...next.step.emptied)
    gone.push(...(next.step.back ?? []))
    leftOut.push(...(next.step.leftOut ?? []))
    done.push(kind)
    state = next.state
  }
  const left = isEnded(state) ? await forgetOthers(reading, selection) : { emptied: [], gone: [] }
  const { covered, emptied } = found
  const ledger = reading.draft.changes()
  return {
    seen: [...found.seen.values()],
    gone: [...gone, ...left.gone],
    leftOut,
    named: [...reading.learned.channels].map(([id, name]) => ({ id, name })),
    covered,
    emptied: [...emptied, ...left.emptied],
    ledger,
    cursor: writeCursor(state),
    more: !isEnded(state)
  }
}

/** Steps by the method that they call. */
type Kind = 'people' | 'channel' | 'thread' | 'history' | 'none'

function classifyStep({ people, work }: Cursor): Kind {
  if (people !== undefined) return 'people'
  if (work === undefined || work.refused) return 'channel'
  if (work.thread !== undefined || work.threads.length > 0) return 'thread'
  return work.window === undefined ? 'none' : 'history'
}

function hasRoom(done: readonly Kind[], kind: Kind): boolean {
  const before = done.filter((one) => one === kind).length
  return kind === 'none' || before < (kind === 'thread' ? THREADS_PER_PAGE : 1)
}

/**
 * Ignores a rate limit after something was read. The next page reports it if it persists. Any other error is rethrown.
 */
function ignoreRateLimit(error: unknown, moved: boolean): undefined {
  const tooMany = error instanceof ProviderFailure && error.kind === 'rate_limited'
  if (!tooMany || !moved) throw error
}

/** Reads people first, then channel after channel. */
async function takeStep(reading: Reading, state: Cursor): Promise<{ step: Step; state: Cursor }> {
  if (state.people !== undefined) {
    const { people: _, ...rest } = state
    const people = await listPeople(reading.call, reading.draft, state.people)
    return { step: { ...NOTHING, work: undefined }, state: people === undefined ? rest : { ...rest, people } }
  }
  if (state.work !== undefined) {
    const step = await workOnChannel(reading, state.work)
    return { step, state: applyStep(state, step) }
  }
  const [channel, ...todo] = state.todo
  if (channel === undefined) return { step: { ...NOTHING, work: undefined }, state }
  const step = await openChannel(reading, channel, state)
  return { step, state: applyStep({ ...state, todo }, step, channel) }
}

/**
 * Removes deselected channels at the end of a round, with their notes. If no selected channel can be read, none is
 * removed, because the selection is then probably a mistake.
 */
async function forgetOthers({ draft }: Reading, selection: readonly string[]) {
  const [known, leftOut] = [await listNotedChannels(draft, KEYS.channel), await listNotedChannels(draft, KEYS.leftOut)]
  if (selection.every((channel) => leftOut.includes(channel))) return { emptied: [], gone: [] }
  const emptied = known.filter((channel) => !selection.includes(channel))
  const gone = leftOut.filter((channel) => !selection.includes(channel))
  for (const channel of emptied) await forgetChannel(draft, channel)
  for (const channel of gone) draft.put(KEYS.leftOut(channel), undefined)
  return { emptied, gone }
}

/**
 * Applies a step to the state. A channel that was read gets its mark. One that is gone loses it, so that it is read
 * completely if it returns.
 */
function applyStep(state: Cursor, step: Step, channel = state.work?.channel): Cursor {
  const { work, ...rest } = state
  if (step.work !== undefined) return { ...rest, work: step.work }
  if (channel === undefined) return rest
  const { [channel]: _, ...others } = state.marks
  if (step.emptied.length > 0) return { ...rest, marks: others }
  return { ...rest, marks: work === undefined || work.refused ? state.marks : { ...others, [channel]: work.mark } }
}

/** See `Provider.list`. Reads channels and their threads completely, whatever was read before. */
export async function list(call: SyncCall, from: PageFrom): Promise<Page> {
  return await nextPage(call, readCursor(from.cursor, 'list', from.selection), from.selection)
}

/**
 * Begins a channel, if Slack still shows it: with the messages since the last sync and those to reread, or with all of
 * it. Archived channels are read like others.
 */
async function openChannel(reading: Reading, channel: string, state: Cursor): Promise<Step> {
  if (!(await checkChannel(reading, channel))) return emptyChannel(reading, channel)
  const now = reading.call.clock.now()
  const mark = state.kind === 'list' ? undefined : state.marks[channel]
  const since = mark === undefined ? undefined : toMessageTime(toMs(mark) - FOLLOW.RESCAN_MS)
  const latest = toMessageTime(now + FOLLOW.CLOCKS_APART_MS)
  const window = { latest, ...(since !== undefined && { oldest: since }) }
  const work = { channel, mark: toMessageTime(now), ...(since !== undefined && { since }), window, threads: [] }
  return { ...NOTHING, work }
}

/**
 * Does the next step of a channel: the open thread, the next thread, the history, or older threads. Returns an empty
 * step if everything was read.
 */
async function workOnChannel(reading: Reading, work: Work): Promise<Step> {
  if (work.refused) return lookAgain(reading, work)
  try {
    if (work.thread !== undefined) return await readReplies(reading, work, work.thread)
    const [next, ...threads] = work.threads
    if (next !== undefined) return await readReplies(reading, { ...work, threads }, next)
    if (work.window !== undefined)
      return await clearLeftOut(reading, await readHistory(reading, work, work.window), work)
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'item_gone') throw error
    return { ...NOTHING, work: { ...work, refused: true } }
  }
  return watchThreads(reading, work)
}

/** Clears the report that a channel cannot be read, once its messages are available. */
async function clearLeftOut({ draft }: Reading, step: Step, { channel }: Work): Promise<Step> {
  if ((await draft.get(KEYS.leftOut(channel))) === undefined) return step
  draft.put(KEYS.leftOut(channel), undefined)
  return { ...step, back: [channel] }
}

async function checkChannel({ call, draft, learned }: Reading, channel: string): Promise<boolean> {
  const shown = await getChannel(call, channel)
  if (shown === undefined) return false
  await draft.get(KEYS.channel(channel))
  draft.put(KEYS.channel(channel), shown.name ?? channel)
  learned.channels.set(channel, shown.name ?? channel)
  return true
}

/** Handles a refusal to return messages of a channel. They are gone only if Slack does not know the channel either. */
async function lookAgain(reading: Reading, work: Work): Promise<Step> {
  const { channel } = work
  if (!(await checkChannel(reading, channel))) return emptyChannel(reading, channel)
  reading.call.log.info({ channel }, 'a channel exists, but its messages cannot be read; its stored messages are kept')
  return addLeftOut(reading, { ...NOTHING, work: undefined }, { id: channel, why: NOT_SHOWN })
}

async function emptyChannel(reading: Reading, channel: string): Promise<Step> {
  await forgetChannel(reading.draft, channel)
  return addLeftOut(reading, { ...NOTHING, work: undefined, emptied: [channel] }, { id: channel, why: NOT_THERE })
}

const NOT_THERE = 'selected but not found: it was deleted, or is not visible to this account'
const NOT_SHOWN = 'selected, but its messages are not visible to this account'

/** Reports that a channel cannot be read, which nothing else would show. */
async function addLeftOut({ draft }: Reading, step: Step, { id, why }: { id: string; why: string }): Promise<Step> {
  await draft.get(KEYS.leftOut(id))
  draft.put(KEYS.leftOut(id), '')
  return { ...step, leftOut: [{ id, why }] }
}

/**
 * Queues older threads that may have new replies, after the window of a channel was read. Other threads are no longer
 * noted.
 */
async function watchThreads({ draft }: Reading, work: Work): Promise<Step> {
  const { channel, since, mark } = work
  if (since === undefined || work.watched) return { ...NOTHING, work: undefined }
  const alive = toMessageTime(toMs(mark) - FOLLOW.WATCH_MS)
  const known = [...(await draft.entries(KEYS.threads(channel)))]
    .map(([key, said]): Thread => ({ root: key.slice(KEYS.threads(channel).length), mark: said }))
    .sort((a, b) => (a.mark < b.mark ? 1 : -1))
  const kept = known.filter((thread) => thread.root >= since || thread.mark >= alive).slice(0, FOLLOW.THREADS_KNOWN_MAX)
  const keptRoots = new Set(kept.map(({ root }) => root))
  for (const { root } of known) if (!keptRoots.has(root)) draft.put(KEYS.thread(channel, root), undefined)
  const threads = kept.filter(({ root }) => root < since).slice(0, FOLLOW.WATCHED_MAX)
  return { ...NOTHING, work: { ...work, threads, watched: true } }
}
