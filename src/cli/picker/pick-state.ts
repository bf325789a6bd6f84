/** A choice as listed. */
export type Choice = {
  id: string
  name: string
  /** Whether it is already selected. */
  chosen: boolean
  /** Whether it contains other choices. */
  opens: boolean
  /** Remarks beside its name, the most important first. */
  remarks: readonly string[]
}

/** The content of a choice, as far as it is loaded. */
export type PickBranch =
  | { state: 'loading' }
  | { state: 'failed'; reason: string }
  | { state: 'loaded'; choices: readonly Choice[] }

/** Stands for the parent of the top level. */
export const TOP = ''

/** The state of a picker over a list or tree. */
export type PickState = {
  /** Maximum number of selected choices. */
  most: number
  /** The content of choices by their ids. */
  branches: ReadonlyMap<string, PickBranch>
  /** Keys of the open rows. */
  open: ReadonlySet<string>
  /** The previous selection, as far as known. */
  before: ReadonlySet<string>
  /** Selected ids with their names, which are empty while unknown. */
  chosen: ReadonlyMap<string, string>
  filter: string
  /** Key of the current row. */
  at: string
  /** A message shown until the next key press. */
  notice: string
}

/** Creates the initial state: the previous selection, and a top level that is loading. */
export function startPick({ most, before }: { most: number; before: readonly string[] }): PickState {
  return {
    most,
    branches: new Map([[TOP, { state: 'loading' }]]),
    open: new Set(),
    before: new Set(before),
    chosen: new Map(before.map((id) => [id, ''])),
    filter: '',
    at: '',
    notice: ''
  }
}

/** Adds loaded choices. Selects those that are already selected at the provider, unless the user has changed them. */
export function takeBranch(state: PickState, parent: string, choices: readonly Choice[]): PickState {
  const before = new Set(state.before)
  const chosen = new Map(state.chosen)
  for (const { id, name, chosen: already } of choices) {
    if (chosen.has(id) || (already && !before.has(id))) chosen.set(id, name)
    if (already) before.add(id)
  }
  // Duplicate ids would give two rows the same key.
  const distinct = [...new Map(choices.map((choice) => [choice.id, choice])).values()]
  return { ...state, before, chosen, branches: withBranch(state, parent, { state: 'loaded', choices: distinct }) }
}

/** Marks the content of a choice as failed to load. */
export function failBranch(state: PickState, parent: string, reason: string): PickState {
  return { ...state, branches: withBranch(state, parent, { state: 'failed', reason }) }
}

/** Starts loading the content of a choice, unless it is loaded or loading. */
export function askBranch(state: PickState, parent: string): PickState {
  const known = state.branches.get(parent)
  if (known !== undefined && known.state !== 'failed') return state
  return { ...state, branches: withBranch(state, parent, { state: 'loading' }) }
}

/** Selects or deselects a choice. At the limit, shows a notice instead. */
export function toggle(state: PickState, { id, name }: Pick<Choice, 'id' | 'name'>): PickState {
  const chosen = new Map(state.chosen)
  const before = new Set(state.before).add(id)
  if (!chosen.delete(id)) {
    if (chosen.size >= state.most) return { ...state, notice: `You can select at most ${state.most}.` }
    chosen.set(id, name)
  }
  return { ...state, before, chosen }
}

function withBranch({ branches }: PickState, parent: string, branch: PickBranch): Map<string, PickBranch> {
  return new Map(branches).set(parent, branch)
}
