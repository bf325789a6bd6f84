import type { Drawn, ScreenSize } from '../../ports.ts'
import { formatCount } from '../output/short-forms.ts'
import { drawLine, type Look, type Page, type StyledLine } from '../output/styled-line.ts'
import { toPlainLine } from '../output/to-plain-text.ts'
import { cutText } from '../output/wrap-text.ts'
import { findPickRow, listPickRows, type PickRow } from './pick-row.ts'
import { type PickState, TOP } from './pick-state.ts'
import { fitTail, safeWidth } from './safe-width.ts'

/** The texts of a picker. */
export type PickWords = {
  /** The question in the first line: `Which folders to sync?`. */
  question: string
  /** The noun for the choices: `folder`, `folders`. */
  one: string
  many: string
  /** The remark beside selected choices that no listing contains. */
  elsewhere: string
  /** Whether choices contain others. */
  tree: boolean
}

export type Drawing = { state: PickState; words: PickWords; colors: boolean; width: Page['width'] }

/** Lines that are not rows of the list: the first one, the status line, and an empty one that prevents scrolling. */
const OTHER_LINES = 3

/** Minimum height of the terminal at which the keys are shown. */
const LINES_FOR_HELP = 8

/** Returns the number of visible rows of the list. */
export function pageRows({ rows }: ScreenSize): number {
  return Math.max(1, rows - OTHER_LINES - (rows < LINES_FOR_HELP ? 0 : 1))
}

/** Returns the first visible row, so that the current row is visible and no space at the end is wasted. */
export function windowStart({ count, at, height }: { count: number; at: number; height: number }): number {
  return Math.max(0, Math.min(at - Math.floor(height / 2), count - height))
}

/** Draws the picker. It stays one column narrower and one line shorter than the terminal, to prevent wrapping and scrolling. */
export function drawPicker(drawing: Drawing, size: ScreenSize, beat: number): Drawn {
  const { state, colors } = drawing
  const columns = Math.max(1, size.columns - 2)
  const pen: Pen = { ...drawing, columns, beat, width: safeWidth(drawing.width) }
  const rows = listPickRows(state)
  const height = pageRows(size)
  const start = windowStart({ count: rows.length, at: findPickRow(rows, state.at), height })
  const seen = rows.slice(start, start + height)
  const current = rows[findPickRow(rows, state.at)]?.key
  const help = size.rows < LINES_FOR_HELP ? [] : [helpLine(pen)]
  const below: StyledLine[] = [
    ...(rows.length === 0 ? [[{ text: nothingText(drawing), look: 'dim' as const }]] : []),
    ...seen.map((row) => rowLine(pen, row, row.key === current)),
    statusLine(pen, { start, seen: seen.length, of: rows.length }),
    ...help
  ]
  return {
    line: drawLine(headLine(pen), colors),
    below: below.map((line) => drawLine(fitLine(line, pen), colors)),
    busy: seen.some(({ kind }) => kind === 'loading')
  }
}

type Pen = Drawing & { columns: number; beat: number }

/** Draws the question and the counter. The filter is at the end, where the cursor is. */
function headLine(pen: Pen): StyledLine {
  const { state, words, columns, width } = pen
  const count = `${state.chosen.size}/${state.most}`
  const { question } = words
  const full = state.chosen.size >= state.most
  const wide = question.length + count.length + WIDE_FILTER <= columns
  const start: StyledLine = wide ? [{ text: question, look: 'bold' }, '  '] : []
  const before = (wide ? question.length + 2 : 0) + count.length
  const label = state.filter === '' ? '  ' : '  filter: '
  const room = columns - before - label.length
  if (room < 1) return [{ text: cutText(count, columns, width), look: 'bold' }]
  const filter = fitTail(toPlainLine(state.filter), room, width)
  return [...start, { text: count, look: full ? 'note' : 'good' }, { text: label, look: 'dim' }, filter]
}

/** Columns reserved for the filter. */
const WIDE_FILTER = 24

function rowLine(pen: Pen, row: PickRow, current: boolean): StyledLine {
  const { columns, words } = pen
  const indent = '  '.repeat(Math.min(row.level, Math.max(0, Math.floor(columns / 8))))
  const start = `${current ? '>' : ' '} ${indent}`
  const look: Look = current ? 'bold' : 'plain'
  if (row.kind === 'loading') return [start, { text: `${FRAMES[pen.beat % FRAMES.length]} loading …`, look: 'dim' }]
  if (row.kind === 'failed') return [start, { text: '! Space to retry: ', look: 'bad' }, { text: row.reason, look }]
  if (row.kind === 'empty') return [start, { text: `no ${words.many} here`, look: 'dim' }]
  const known = row.kind === 'choice' ? row.choice : { id: row.id, name: row.name, remarks: [words.elsewhere] }
  const opener = row.kind === 'choice' && row.mayOpen ? (row.open ? '- ' : '+ ') : '  '
  const box = pen.state.chosen.has(known.id) ? '[x] ' : '[ ] '
  const before = `${start}${words.tree ? opener : ''}${box}`
  const name = toPlainLine(known.name).trim() === '' ? known.id : known.name
  return [before, ...namePieces(pen, { name, remarks: known.remarks, look, room: columns - pen.width(before) })]
}

/** Frames of the spinner. */
const FRAMES = ['|', '/', '-', '\\']

/** Minimum width of a name before remarks are shown. */
const NAME_COLUMNS_MIN = 10

/** Draws the name and as many remarks as fit. */
function namePieces(
  { width }: Pen,
  { name, remarks, look, room }: { name: string; remarks: readonly string[]; look: Look; room: number }
): StyledLine {
  const nameMin = Math.min(NAME_COLUMNS_MIN, width(toPlainLine(name)))
  let beside = ''
  for (const remark of remarks) {
    const more = `${beside}${beside === '' ? '  ' : ', '}${toPlainLine(remark)}`
    if (nameMin + width(more) > room) break
    beside = more
  }
  return [
    { text: cutText(name, room - width(beside), width), look },
    { text: beside, look: 'dim' }
  ]
}

function statusLine(
  { state, words }: Pen,
  { start, seen, of }: { start: number; seen: number; of: number }
): StyledLine {
  if (state.notice !== '') return [{ text: state.notice, look: 'note' }]
  const range = seen < of ? `${start + 1}-${start + seen} of ${formatCount(of, 'row')}` : ''
  const partly = state.filter !== '' && words.tree ? `filters only ${words.many} that you have opened` : ''
  return [{ text: [range, partly].filter((text) => text !== '').join('; '), look: 'dim' }]
}

function nothingText({ state, words }: Drawing): string {
  return state.branches.get(TOP)?.state === 'loaded' ? `no ${words.many} match` : ''
}

/** Draws as many key hints as fit. */
function helpLine({ words, columns, state }: Pen): StyledLine {
  const keys = [
    'Space select',
    'Enter confirm',
    'Esc cancel',
    ...(words.tree ? ['Right open', 'Left close'] : []),
    state.filter === '' ? 'type to filter' : 'Ctrl-U clear filter',
    'PgUp PgDn'
  ]
  let text = ''
  for (const key of keys) {
    const more = text === '' ? key : `${text} | ${key}`
    if (more.length > columns) break
    text = more
  }
  return [{ text, look: 'dim' }]
}

/** Cuts a line to the available width. */
function fitLine(line: StyledLine, { columns, width }: Pen): StyledLine {
  let left = columns
  return line.map((piece) => {
    const { text, look } = typeof piece === 'string' ? { text: piece, look: 'plain' as const } : piece
    const cut = cutText(text, left, width)
    left -= width(cut)
    return { text: cut, look }
  })
}
