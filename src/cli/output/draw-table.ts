import { QUOTE } from './card-lines.ts'
import { drawLine, type Look, type Page, type StyledLine } from './styled-line.ts'
import { toPlainLine } from './to-plain-text.ts'
import { cutText, padText } from './wrap-text.ts'

/** A column of a table. `flexible` ones share the room that is left; those with the highest `leaves` go first when the terminal is narrow. */
export type TableColumn = {
  title: string
  look?: Look | undefined
  flexible?: boolean | undefined
  leaves?: number | undefined
}

/**
 * Rows as lines that fit the page, each with its LF, under a line of titles. Rows that begin with a flexible column, which
 * holds text from elsewhere, begin with the quote mark: none can pose as a line of another kind.
 */
export function drawTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[], page: Page): string {
  const whole = columnsThatFit(columns, rows, page)
  if (!whole[0]?.column.flexible) return drawLines(whole, rows, { ...page, mark: '' })
  const narrower = { ...page, columns: page.columns - QUOTE.length }
  return drawLines(columnsThatFit(columns, rows, narrower), rows, { ...narrower, mark: QUOTE })
}

/** `mark` begins each row. */
type MarkedPage = Page & { mark: string }

function drawLines(shown: readonly Fitted[], rows: readonly (readonly string[])[], page: MarkedPage): string {
  const { mark } = page
  const head = tableLine(
    shown.map(({ column, width }) => ({ text: column.title.toUpperCase(), look: 'dim', width })),
    page
  )
  const body = rows.map((row) =>
    tableLine(
      shown.map(({ column, index, width }) => ({ text: row[index] ?? '', look: column.look, width })),
      page
    )
  )
  const lines = [
    [' '.repeat(mark.length), ...head],
    ...body.map((line) => [{ text: mark, look: 'dim' as const }, ...line])
  ]
  return lines.map((line) => `${drawLine(line, page.colors)}\n`).join('')
}

type Fitted = { column: TableColumn; index: number; width: number }

/** Between two columns. */
const GAP = '  '

/** Below this a flexible column is no use to anybody. */
const FLEXIBLE_MIN = 16

function columnsThatFit(columns: readonly TableColumn[], rows: readonly (readonly string[])[], page: Page): Fitted[] {
  let fitted = columns.map((column, index) => {
    const cells = rows.map((row) => page.width(toPlainLine(row[index] ?? '')))
    return { column, index, width: cells.reduce((widest, width) => Math.max(widest, width), column.title.length) }
  })
  while (fitted.length > 1 && leastWidth(fitted) > page.columns) {
    const first = fitted.reduce((worst, next) =>
      (next.column.leaves ?? 0) > (worst.column.leaves ?? 0) ? next : worst
    )
    if ((first.column.leaves ?? 0) === 0) break
    fitted = fitted.filter((one) => one !== first)
  }
  return narrowToFit(fitted, page.columns)
}

function leastWidth(fitted: readonly Fitted[]): number {
  const least = fitted.map((one) => (one.column.flexible ? Math.min(one.width, FLEXIBLE_MIN) : one.width))
  return least.reduce((sum, width) => sum + width, 0) + GAP.length * (fitted.length - 1)
}

/** Flexible columns give way from the widest on, so that narrow ones stay whole; where that is not enough, all of them do. */
function narrowToFit(fitted: Fitted[], room: number): Fitted[] {
  const total = () => fitted.reduce((sum, one) => sum + one.width, 0) + GAP.length * (fitted.length - 1)
  const flexible = fitted.filter((one) => one.column.flexible)
  const most = flexible.reduce((sum, one) => sum + one.width - 1, 0)
  const giving = total() - most > room ? fitted : flexible
  while (total() > room) {
    const widest = giving.reduce((most, one) => (one.width > most.width ? one : most))
    if (widest.width <= 1) break
    const second = giving.reduce((least, one) => (one !== widest && one.width > least ? one.width : least), 1)
    widest.width -= Math.max(1, Math.min(total() - room, widest.width - second))
  }
  return fitted
}

type Cell = { text: string; look: Look | undefined; width: number }

function tableLine(cells: readonly Cell[], page: Page): StyledLine {
  return cells.flatMap((cell, index) => {
    const last = index === cells.length - 1
    const text = cutText(cell.text, cell.width, page.width)
    const piece = { text, look: cell.look ?? 'plain' }
    return last ? [piece] : [piece, padText(text, cell.width, page.width).slice(text.length) + GAP]
  })
}
