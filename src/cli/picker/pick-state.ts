/** Something that can be chosen, as it was listed. */
export type Choice = {
  id: string
  name: string
  /** Whether it is chosen already. */
  chosen: boolean
  /** Whether others lie in it. */
  opens: boolean
  /** What is said beside its name, the most telling first. */
  remarks: readonly string[]
}

/** What is known of what lies in a choice. */
export type PickBranch =
  | { state: 'loading' }
  | { state: 'failed'; reason: string }
  | { state: 'loaded'; choices: readonly Choice[] }

/** In place of an id: where everything lies that lies in nothing else. */
export const TOP = ''

/** A list or tree that somebody chooses from, as far as it was looked at. */
export type PickState = {
  /** How many may be chosen. */
  most: number
  /** What lies in a choice, by its id. */
  branches: ReadonlyMap<string, PickBranch>
  /** Rows that show what lies in them, by key. */
  open: ReadonlySet<string>
  /** What was chosen before, as far as it is known. */
  before: ReadonlySet<string>
  /** What is chosen: ids with their names, which are empty as long as nobody told them. */
  chosen: ReadonlyMap<string, string>
  filter: string
  /** Key of the row that the next key is about. */
  at: string
  /** What is said until the next key. */
  notice: string
}

/** How choosing begins: nothing is known but what was chosen before, and what is at the top is asked for. */
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

/** What was listed comes in. What it says is chosen already is chosen, unless a person has had a say in it. */
export function takeBranch(state: PickState, parent: string, choices: readonly Choice[]): PickState {
  const before = new Set(state.before)
  const chosen = new Map(state.chosen)
  for (const { id, name, chosen: already } of choices) {
    if (chosen.has(id) || (already && !before.has(id))) chosen.set(id, name)
    if (already) before.add(id)
  }
  // Listed twice, a row could not be told from the other.
  const distinct = [...new Map(choices.map((choice) => [choice.id, choice])).values()]
  return { ...state, before, chosen, branches: withBranch(state, parent, { state: 'loaded', choices: distinct }) }
}

/** What was asked for did not come. */
export function failBranch(state: PickState, parent: string, reason: string): PickState {
  return { ...state, branches: withBranch(state, parent, { state: 'failed', reason }) }
}

/** Asks for what lies in a choice, unless it is known or on its way. */
export function askBranch(state: PickState, parent: string): PickState {
  const known = state.branches.get(parent)
  if (known !== undefined && known.state !== 'failed') return state
  return { ...state, branches: withBranch(state, parent, { state: 'loading' }) }
}

/** Chooses what is not chosen, and the other way round. Beyond the limit nothing is chosen, and that is said. */
export function toggle(state: PickState, { id, name }: Pick<Choice, 'id' | 'name'>): PickState {
  const chosen = new Map(state.chosen)
  const before = new Set(state.before).add(id)
  if (!chosen.delete(id)) {
    if (chosen.size >= state.most) return { ...state, notice: `no more than ${state.most} can be chosen` }
    chosen.set(id, name)
  }
  return { ...state, before, chosen }
}

function withBranch({ branches }: PickState, parent: string, branch: PickBranch): Map<string, PickBranch> {
  return new Map(branches).set(parent, branch)
}
