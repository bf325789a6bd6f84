import { Fault } from '../../contract/faults.ts'
import type { Interaction } from '../../ports.ts'
import type { Page } from '../output/styled-line.ts'
import { drawPicker, type PickWords, pageRows } from './draw-picker.ts'
import { listPickRows } from './pick-row.ts'
import { type Choice, failBranch, type PickState, startPick, TOP, takeBranch } from './pick-state.ts'
import { type Ended, pressKey, settleRow } from './press-key.ts'

/** The choices and the previous selection. */
export type PickSetup = {
  words: PickWords
  most: number
  before: readonly string[]
  /** Loads the choices inside a parent, or the top level without one. The result is ignored once the signal is aborted. */
  load(parent: string | undefined, signal: AbortSignal): Promise<readonly Choice[]>
}

/** Selected ids with their names, which are empty if unknown. */
export type Picked = ReadonlyMap<string, string>

export type Picker = {
  interaction: Interaction
  /** Returns the selection, or undefined if the user left. Throws unexpected errors from loading. */
  result(): Picked | undefined
  /** Aborts loading. */
  close(): void
}

/** Creates a picker that loads choices when they are opened. Shows a failure to load in place of the choices. */
export function makePicker(setup: PickSetup, { colors, width }: Pick<Page, 'colors' | 'width'>): Picker {
  let state = startPick(setup)
  let ended: Ended | { bug: unknown } | undefined
  let redraw = (): void => undefined
  const underWay = new Set<string>()
  const over = new AbortController()

  function become(next: PickState): void {
    state = next
    for (const [parent, branch] of state.branches)
      if (branch.state === 'loading' && !underWay.has(parent)) void load(parent)
  }

  async function load(parent: string): Promise<void> {
    underWay.add(parent)
    const take = await loadAnswer(setup, parent, over.signal)
    underWay.delete(parent)
    if ('bug' in take) ended ??= take
    else become(settleRow(take.next(state), listPickRows(state)))
    redraw()
  }

  return {
    interaction: {
      start(onChange) {
        redraw = onChange
        become(state)
      },
      draw: (size, beat) =>
        ended === undefined ? drawPicker({ state, words: setup.words, colors, width }, size, beat) : undefined,
      press(key, size) {
        const next = pressKey(state, key, pageRows(size))
        if (typeof next === 'string') ended = next
        else become(next)
      }
    },
    result() {
      if (typeof ended === 'object') throw ended.bug
      return ended === 'chosen' ? state.chosen : undefined
    },
    close: () => over.abort()
  }
}

/** Loads choices and returns the change of the state, also for a fault. */
async function loadAnswer(
  { load }: PickSetup,
  parent: string,
  signal: AbortSignal
): Promise<{ next(state: PickState): PickState } | { bug: unknown }> {
  try {
    const choices = await load(parent === TOP ? undefined : parent, signal)
    return { next: (state) => takeBranch(state, parent, choices) }
  } catch (error) {
    if (!(error instanceof Fault)) return { bug: error }
    return { next: (state) => failBranch(state, parent, error.message) }
  }
}
