import type { Key } from '../../ports.ts'
import { findPickRow, listPickRows, type PickRow } from './pick-row.ts'
import { askBranch, type PickState, TOP, toggle } from './pick-state.ts'

/** How the picker ended. */
export type Ended = 'chosen' | 'cancelled'

/** Returns the state after a key press. `page` is the number of visible rows. */
export function pressKey(state: PickState, key: Key, page: number): PickState | Ended {
  if (key.name === 'escape') return 'cancelled'
  const rows = listPickRows(state)
  const quiet = { ...state, notice: '' }
  if (key.name === 'return' || key.name === 'enter') return confirm(quiet, rows[findPickRow(rows, state.at)])
  const next = editFilter(quiet, key) ?? moveBy(quiet, rows, toStep(key, page)) ?? workRow(quiet, rows, key)
  return settleRow(next ?? quiet, rows)
}

/** Ensures that the current row exists. If it was removed, makes the row in its position current. */
export function settleRow(state: PickState, before: readonly PickRow[]): PickState {
  const rows = listPickRows(state)
  if (rows.some(({ key }) => key === state.at)) return state
  const place = Math.min(findPickRow(before, state.at), rows.length - 1)
  return { ...state, at: rows[place]?.key ?? '' }
}

function confirm(state: PickState, row: PickRow | undefined): PickState | Ended {
  const { chosen, most } = state
  if (row?.kind === 'failed') return askBranch(state, row.parent)
  if (state.branches.get(TOP)?.state !== 'loaded') return state
  if (chosen.size === 0) return { ...state, notice: 'Select at least one, or press Esc to cancel.' }
  if (chosen.size > most) return { ...state, notice: `${chosen.size} selected, but at most ${most} are allowed.` }
  return 'chosen'
}

/** Maximum length of the filter in UTF-16 code units. */
const FILTER_LENGTH_MAX = 60

/** Changes the filter if the key edits it; otherwise returns undefined. */
function editFilter(state: PickState, { name, text, ctrl }: Key): PickState | undefined {
  if (ctrl) return name === 'u' || name === 'w' ? applyFilter(state, '') : undefined
  if (name === 'backspace') return applyFilter(state, splitGraphemes(state.filter).slice(0, -1).join(''))
  if (name === 'space' || text.trim() === '') return undefined
  return applyFilter(state, (state.filter + text).slice(0, FILTER_LENGTH_MAX))
}

/** Sets the filter and moves to its first match. */
function applyFilter(state: PickState, filter: string): PickState {
  if (filter === state.filter) return state
  const next = { ...state, filter }
  const rows = listPickRows(next)
  const kept = filter === '' && rows.some(({ key }) => key === state.at)
  return kept ? next : { ...next, at: (rows.find((row) => row.kind === 'choice' && row.found) ?? rows[0])?.key ?? '' }
}

function splitGraphemes(text: string): string[] {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)
}

/** Returns how many rows a key moves down, negative for up; undefined for other keys. */
function toStep({ name, ctrl }: Key, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageup: -page,
    pagedown: page,
    home: Number.NEGATIVE_INFINITY,
    end: Number.POSITIVE_INFINITY
  }
  if (ctrl) return { p: -1, n: 1 }[name]
  return Object.hasOwn(steps, name) ? steps[name] : undefined
}

function moveBy(state: PickState, rows: readonly PickRow[], step: number | undefined): PickState | undefined {
  if (step === undefined) return undefined
  const place = Math.max(0, Math.min(rows.length - 1, findPickRow(rows, state.at) + step))
  return { ...state, at: rows[place]?.key ?? '' }
}

/** Applies a key to the current row. */
function workRow(state: PickState, rows: readonly PickRow[], { name }: Key): PickState | undefined {
  const place = findPickRow(rows, state.at)
  const row = rows[place]
  if (row?.kind === 'failed' && (name === 'space' || name === 'right')) return askBranch(state, row.parent)
  if (name === 'space' && row?.kind === 'choice') return toggle(state, row.choice)
  if (name === 'space' && row?.kind === 'elsewhere') return toggle(state, row)
  if (name === 'right' && row?.kind === 'choice') return enterChoice(state, rows, row)
  if (name === 'left' && row !== undefined) return leaveChoice(state, rows, place)
  return undefined
}

/** Opens a choice, or moves to the first choice inside an open one. */
function enterChoice(state: PickState, rows: readonly PickRow[], row: PickRow & { kind: 'choice' }): PickState {
  const { key, choice, mayOpen } = row
  if (!mayOpen) return state
  if (!state.open.has(key)) return { ...askBranch(state, choice.id), open: new Set(state.open).add(key) }
  const below = rows[findPickRow(rows, key) + 1]
  return below !== undefined && below.level > row.level ? { ...state, at: below.key } : state
}

/** Closes an open choice, or moves from a closed one to its parent. */
function leaveChoice(state: PickState, rows: readonly PickRow[], place: number): PickState {
  const row = rows[place]
  if (row === undefined) return state
  const open = new Set(state.open)
  if (open.delete(row.key)) return { ...state, open, at: row.key }
  const above = rows.slice(0, place).findLast(({ level }) => level < row.level)
  return above === undefined ? state : { ...state, at: above.key }
}
