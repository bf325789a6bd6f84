import type { Page, PageFrom, SeenItem, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { openChannel, workOn } from './channel-work.ts'
import { cursorOf, isEnded, type State, stateOf } from './cursor.ts'
import { takeNotes } from './notes.ts'
import { listPeople } from './people.ts'
import { NOTHING, type Reading, type Step, type Stretch } from './step.ts'

/** When a page is full enough to be written, and how many steps it may take to fill it: most are a call each. */
const ITEMS_PER_PAGE = 200
const STEPS_PER_PAGE = 10

/** See `Provider.changes`: the first round reads channels as a whole, each later one what is new and what is read again. */
export function changes(call: SyncCall, from: PageFrom): Promise<Page> {
  return nextPage(call, stateOf(from.cursor, 'changes', from.selection))
}

/** A page from a state on, made of as many steps as it takes. What was read before a failure is kept. */
export async function nextPage(call: SyncCall, from: State): Promise<Page> {
  const reading: Reading = { call, notes: takeNotes(call.ledger) }
  const found = { seen: new Map<string, SeenItem>(), covered: [] as Stretch[], emptied: [] as string[] }
  let state = from
  for (let steps = 0; steps < STEPS_PER_PAGE && found.seen.size < ITEMS_PER_PAGE && !isEnded(state); steps++) {
    try {
      const { step, state: next } = await oneStep(reading, state)
      for (const item of step.seen) found.seen.set(item.id, item)
      found.covered.push(...step.covered)
      found.emptied.push(...step.emptied)
      state = next
    } catch (error) {
      const nothingDone = steps === 0 && reading.notes.changes().length === 0
      if (nothingDone || !(error instanceof ProviderFailure)) throw error
      break
    }
  }
  const { covered, emptied } = found
  return {
    seen: [...found.seen.values()],
    gone: [],
    covered,
    emptied,
    ledger: reading.notes.changes(),
    cursor: cursorOf(state),
    more: !isEnded(state)
  }
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

/** A channel that was read has its mark; one that is gone loses it, so that all of it is read should it come back. */
function after(state: State, step: Step, channel = state.work?.channel): State {
  const { work, ...rest } = state
  if (step.work !== undefined) return { ...rest, work: step.work }
  if (channel === undefined) return rest
  const { [channel]: _, ...others } = state.marks
  if (step.emptied.length > 0) return { ...rest, marks: others }
  return { ...rest, marks: work === undefined || work.refused ? state.marks : { ...others, [channel]: work.mark } }
}
