import { type Choice, type PickState, TOP } from './pick-state.ts'

/** A row of the list. `level` is its depth. */
export type PickRow = {
  key: string
  level: number
} /** `found`: the filter matches this choice itself, not only one inside or around it. */ & (
  | { kind: 'choice'; choice: Choice; mayOpen: boolean; open: boolean; found: boolean }
  /** Selected before, but not in any listing so far. */
  | { kind: 'elsewhere'; id: string; name: string }
  | { kind: 'loading' }
  | { kind: 'failed'; parent: string; reason: string }
  | { kind: 'empty' }
)

/** Returns all rows from top to bottom. With a filter, returns the matching rows and their parents. */
export function listPickRows(state: PickState): PickRow[] {
  const needle = foldText(state.filter)
  const found = branchRows({ state, needle }, { id: TOP, key: '', level: 0, within: [], whole: needle === '' })
  return state.branches.get(TOP)?.state === 'loaded' ? [...elsewhereRows(state, needle), ...found] : found
}

/** Returns the index of the current row, or 0 if it no longer exists. */
export function findPickRow(rows: readonly PickRow[], at: string): number {
  return Math.max(
    0,
    rows.findIndex(({ key }) => key === at)
  )
}

/** Normalizes a text for comparison: ignores spaces, hyphens, accents and case. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\s#_-]/gu, '')
    .toLowerCase()
}

type Search = { state: PickState; needle: string }

/** A choice whose content is listed: its id, the key of its row, and the ids of its parents. `whole`: all of it is shown. */
type Place = { id: string; key: string; level: number; within: readonly string[]; whole: boolean }

function branchRows(search: Search, place: Place): PickRow[] {
  const { key, level } = place
  const branch = search.state.branches.get(place.id)
  if (branch === undefined || branch.state === 'loading')
    return [{ kind: 'loading', key: rowKey(key, 'loading'), level }]
  if (branch.state === 'failed') {
    const { reason } = branch
    return [{ kind: 'failed', key: rowKey(key, 'failed'), level, parent: place.id, reason }]
  }
  if (branch.choices.length === 0) return [{ kind: 'empty', key: rowKey(key, 'empty'), level }]
  return branch.choices.flatMap((choice) => choiceRows(search, place, choice))
}

/** Returns the rows of a choice and its visible content, or no rows if the filter matches none of it. */
function choiceRows(search: Search, place: Place, choice: Choice): PickRow[] {
  const { state, needle } = search
  const key = rowKey(place.key, choice.id)
  const within = [...place.within, choice.id]
  // A choice inside itself is a cycle and cannot be opened.
  const mayOpen = choice.opens && !place.within.includes(choice.id)
  const opened = mayOpen && state.open.has(key)
  const found = needle === '' || foldName(choice).includes(needle)
  const known = mayOpen && state.branches.get(choice.id)?.state === 'loaded'
  const looksInside = opened ? found || place.whole || known : known && needle !== '' && !found
  const inside = looksInside
    ? branchRows(search, {
        id: choice.id,
        key,
        level: place.level + 1,
        within,
        whole: opened && (found || place.whole)
      })
    : []
  if (!found && !place.whole && !inside.some(({ kind }) => kind === 'choice')) return []
  const open = opened || inside.length > 0
  const row: PickRow = { kind: 'choice', key, level: place.level, choice, mayOpen, open, found }
  return [row, ...inside]
}

function elsewhereRows({ before, branches, chosen }: PickState, needle: string): PickRow[] {
  const listed = new Set(
    [...branches.values()].flatMap((branch) => (branch.state === 'loaded' ? branch.choices.map(({ id }) => id) : []))
  )
  const ids = [...before].filter((id) => !listed.has(id) && foldText(id).includes(needle))
  return ids.map((id) => ({ kind: 'elsewhere', key: rowKey('', id), level: 0, id, name: chosen.get(id) ?? '' }))
}

function rowKey(parent: string, id: string): string {
  return `${parent}\u0000${id}`
}

const names = new WeakMap<Choice, string>()

/** Cached, because each key press compares all names, and lists have thousands. */
function foldName(choice: Choice): string {
  const known = names.get(choice)
  if (known !== undefined) return known
  const name = foldText(choice.name === '' ? choice.id : choice.name)
  names.set(choice, name)
  return name
}
