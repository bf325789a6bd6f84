import type { Range } from './block.ts'
import type { Line } from './line.ts'

export type Separator = '|' | '\t' | ',' | ';'

/** The cells of a row, without white space and quotation marks around them. Cells past the hundredth are left out. */
export function splitCells(text: string, { first, start, end }: Line, separator: Separator): Range[] {
  const from = separator === '|' && text[first] === '|' ? first + 1 : separator === '\t' ? start : first
  const to = separator === '|' && text[end - 1] === '|' && end - 1 > from ? end - 1 : end
  const cells: Range[] = []
  let cell = from
  for (let at = from; at <= to && cells.length < CELLS_MAX; at++) {
    if (at < to && text[at] === '"' && separator !== '|' && at === cell) at = closingQuote(text, at, to)
    if (at < to && (text[at] !== separator || (separator === '|' && text[at - 1] === '\\'))) continue
    cells.push(bare(text, { start: cell, end: at }, separator))
    cell = at + 1
  }
  return cells
}

const CELLS_MAX = 100

/** The quotation mark that ends a quoted cell, two in a row being one of its text; the end of the row where there is none. */
function closingQuote(text: string, from: number, end: number): number {
  for (let at = from + 1; at < end; at++) {
    if (text[at] !== '"') continue
    if (text[at + 1] !== '"' || at + 1 >= end) return at
    at++
  }
  return end
}

function bare(text: string, cell: Range, separator: Separator): Range {
  let { start, end } = cell
  while (start < end && ' \t\u00a0'.includes(text.charAt(start))) start++
  while (end > start && ' \t\u00a0'.includes(text.charAt(end - 1))) end--
  const isQuoted = separator !== '|' && end - start > 1 && text[start] === '"' && text[end - 1] === '"'
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end }
}
