import type { Page, PageFrom, SeenItem, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { openChannel, workOn } from './channel-work.ts'
import { cursorOf, isEnded, type State, stateOf } from './cursor.ts'
import { channelsNoted, forgetChannel, NOTE, takeNotes } from './notes.ts'
import { listPeople } from './people.ts'
import { NOTHING, type Reading, type Step, type Stretch } from './step.ts'

/** When a page is full enough to be written, and how many threads are read for one. */
const ITEMS_PER_PAGE = 200
const THREADS_PER_PAGE = 10

/** See `Provider.changes`: the first round reads channels as a whole, each later one what is new and what is read again. */
export async function changes(call: SyncCall, from: PageFrom): Promise<Page> {
  return await nextPage(call, stateOf(from.cursor, 'changes', from.selection), from.selection)
}

/**
 * A page from a state on. Slack counts calls by method, so a page calls none twice: then it can be had however few calls
 * are allowed. Short threads are the exception, and names; what was read before calls became too many is kept.
 */
export async function nextPage(call: SyncCall, from: State, selection: readonly string[]): Promise<Page> {
  const reading: Reading = { call, notes: takeNotes(call.ledger), learned: { names: 0 } }
  const found = { seen: new Map<string, SeenItem>(), covered: [] as Stretch[], emptied: [] as string[] }
  const [gone, leftOut]: [string[], NonNullable<Page['leftOut']>[number][]] = [[], []]
  const done: Kind[] = []
  let state = from
  while (!isEnded(state) && found.seen.size < ITEMS_PER_PAGE) {
    const kind = kindOf(state)
    if (!hasRoom(done, kind)) break
    const moved = () => reading.learned.names > 0 || done.includes('history') || done.includes('thread')
    const next = await oneStep(reading, state).catch((error: unknown) => stopShort(error, moved()))
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
  const ledger = reading.notes.changes()
  return {
    seen: [...found.seen.values()],
    gone: [...gone, ...left.gone],
    leftOut,
    covered,
    emptied: [...emptied, ...left.emptied],
    ledger,
    cursor: cursorOf(state),
    more: !isEnded(state)
  }
}

/** Steps by the method that they call. */
type Kind = 'people' | 'channel' | 'thread' | 'history' | 'none'

function kindOf({ people, work }: State): Kind {
  if (people !== undefined) return 'people'
  if (work === undefined || work.refused) return 'channel'
  if (work.thread !== undefined || work.threads.length > 0) return 'thread'
  return work.window === undefined ? 'none' : 'history'
}

function hasRoom(done: readonly Kind[], kind: Kind): boolean {
  const before = done.filter((one) => one === kind).length
  return kind === 'none' || before < (kind === 'thread' ? THREADS_PER_PAGE : 1)
}

/** Where calls became too many after something was read: no failure, what comes next will tell. */
function stopShort(error: unknown, moved: boolean): undefined {
  const tooMany = error instanceof ProviderFailure && error.kind === 'rate_limited'
  if (!tooMany || !moved) throw error
}

/** People, then channel after channel. */
async function oneStep(reading: Reading, state: State): Promise<{ step: Step; state: State }> {
  if (state.people !== undefined) {
    const { people: _, ...rest } = state
    const people = await listPeople(reading.call, reading.notes, state.people)
    return { step: { ...NOTHING, work: undefined }, state: people === undefined ? rest : { ...rest, people } }
  }
  if (state.work !== undefined) {
    const step = await workOn(reading, state.work)
    return { step, state: after(state, step) }
  }
  const [channel, ...todo] = state.todo
  if (channel === undefined) return { step: { ...NOTHING, work: undefined }, state }
  const step = await openChannel(reading, channel, state)
  return { step, state: after({ ...state, todo }, step, channel) }
}

/**
 * Channels that are not selected any more leave at the end of a round, with what is kept in mind of them. Where nothing that was
 * selected can be read, none leaves: then the selection is more likely a mistake.
 */
async function forgetOthers({ notes }: Reading, selection: readonly string[]) {
  const [known, leftOut] = [await channelsNoted(notes, NOTE.channel), await channelsNoted(notes, NOTE.leftOut)]
  if (selection.every((channel) => leftOut.includes(channel))) return { emptied: [], gone: [] }
  const emptied = known.filter((channel) => !selection.includes(channel))
  const gone = leftOut.filter((channel) => !selection.includes(channel))
  for (const channel of emptied) await forgetChannel(notes, channel)
  for (const channel of gone) notes.put(NOTE.leftOut(channel), undefined)
  return { emptied, gone }
}

/** A channel that was read has its mark; one that is gone loses it, so that all of it is read should it come back. */
function after(state: State, step: Step, channel = state.work?.channel): State {
  const { work, ...rest } = state
  if (step.work !== undefined) return { ...rest, work: step.work }
  if (channel === undefined) return rest
  const { [channel]: _, ...others } = state.marks
  if (step.emptied.length > 0) return { ...rest, marks: others }
  return { ...rest, marks: work === undefined || work.refused ? state.marks : { ...others, [channel]: work.mark } }
}
