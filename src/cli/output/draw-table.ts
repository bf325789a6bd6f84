import { QUOTE } from './card-lines.ts'
import { drawLine, type Look, type Page, type StyledLine } from './styled-line.ts'
import { toPlainLine } from './to-plain-text.ts'
import { cutText, padText } from './wrap-text.ts'

/**
 * A column of a table. `flexible` columns share the remaining width. On a narrow terminal, columns with the highest
 * `leaves` are dropped first.
 */
export type TableColumn = {
  title: string
  look?: Look | undefined
  flexible?: boolean | undefined
  leaves?: number | undefined
}

/**
 * Draws rows as lines that fit the page, each with its LF, under a line of titles. If the first column is flexible, it
 * holds untrusted text, and each row begins with the quote mark: no row can look like another kind of line.
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

/** The space between two columns. */
const GAP = '  '

/** The minimum width of a flexible column that is still useful. */
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

/**
 * Narrows columns to fit the width: flexible ones first, from the widest on, and all of them only if that is not
 * enough.
 */
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
