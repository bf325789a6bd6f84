import type { Block, BlockPlace, BlockReader, Range, ReadBlocks, RowBlock } from './block.ts'
import { isKnownKey } from './read-fields.ts'
import { isBlank, readLine, type TextLine } from './text-line.ts'

/** Reads tables whose first line names the columns: with `|` as in Markdown, with tabs, commas or semicolons. */
export const readTable: BlockReader = (place) => {
  const { text, line } = place
  if (line.next >= text.length || line.end - line.first > HEADER_UNITS_MAX) return undefined
  return (
    readPipedTable(place) ??
    readSeparatedTable(place, '\t') ??
    readSeparatedTable(place, ';') ??
    readSeparatedTable(place, ',')
  )
}

const HEADER_UNITS_MAX = 5_000
const COLUMN_UNITS_MAX = 60
const COLUMN_WORDS_MAX = 6

/** Further rows form one block without cells. */
const ROWS_MAX = 1_000

/** `| Name | Room |`, followed by `|---|---|` or a second row with as many cells. */
function readPipedTable(place: BlockPlace): ReadBlocks | undefined {
  const { text, line } = place
  if (!text.slice(line.first, line.end).includes('|')) return undefined
  const header = splitCells(text, line, '|')
  const second = readLine(text, line.next)
  const isRuled = isRule(text, second)
  const isFramed = [line, second].every(
    ({ first, end }) => text[first] === '|' && text[end - 1] === '|' && end - first > 1
  )
  if (header.length < 2 && !(isRuled && isFramed)) return undefined
  if (!isRuled && !(isFramed && splitCells(text, second, '|').length === header.length)) return undefined
  return rows(place, { separator: '|', header, from: isRuled ? second.next : line.next })
}

/** `|:---|---:|` */
function isRule(text: string, { first, end }: TextLine): boolean {
  const line = text.slice(first, end)
  return line.includes('|') && line.includes('-') && /^[\s|:-]+$/.test(line)
}

/**
 * Reads `name,city,age` above rows with as many cells. Spaces are allowed only if a column has the name of a field.
 * Requires three rows, or two if there are tabs or more than two columns.
 */
function readSeparatedTable(place: BlockPlace, separator: Separator): ReadBlocks | undefined {
  const { text, line, afterBlank } = place
  const isTab = separator === '\t'
  if (!(afterBlank || isTab) || !text.slice(line.first, line.end).includes(separator)) return undefined
  const header = splitCells(text, line, separator)
  if (header.length < 2 || !header.every((cell) => isColumn(text, cell)) || !isDistinct(text, header)) return undefined
  const isLoose = !isTab && text.slice(line.first, line.end).includes(`${separator} `)
  if (isLoose && !header.some(({ start, end }) => isKnownKey(text.slice(start, end)))) return undefined
  const needed = isTab ? 1 : header.length > 2 ? 2 : 3
  let at = line
  for (let count = 0; count < needed; count++) {
    if (at.next >= text.length) return undefined
    at = readLine(text, at.next)
    if (splitCells(text, at, separator).length !== header.length) return undefined
  }
  return rows(place, { separator, header, from: line.next })
}

/** Checks for a column name: letters, few words and no end of a sentence. */
function isColumn(text: string, { start, end }: Range): boolean {
  const name = text.slice(start, Math.min(end, start + COLUMN_UNITS_MAX + 1))
  if (name.length > COLUMN_UNITS_MAX || name.split(' ').length > COLUMN_WORDS_MAX) return false
  return name === '#' || (/\p{L}/u.test(name) && !/[.!?]$/.test(name))
}

function isDistinct(text: string, cells: readonly Range[]): boolean {
  return new Set(cells.map(({ start, end }) => text.slice(start, end))).size === cells.length
}

type Table = { separator: Separator; header: Range[]; from: number }

function rows({ text, line, tables }: BlockPlace, { separator, header, from }: Table): ReadBlocks {
  const columns = header.map(({ start, end }) => text.slice(start, end))
  const row = (at: TextLine, cells: Range[], isHeader: boolean): RowBlock => ({
    kind: 'row',
    table: tables,
    isHeader,
    start: at.first,
    end: at.end,
    cells: cells.slice(0, columns.length).map((cell, n) => ({ ...cell, column: columns[n] ?? '' }))
  })
  const blocks: RowBlock[] = [row(line, header, true)]
  let next = from
  while (next < text.length) {
    const at = readLine(text, next)
    if (isBlank(at)) break
    if (!text.slice(at.first, at.end).includes(separator)) break
    if (blocks.length <= ROWS_MAX) {
      const cells = splitCells(text, at, separator)
      if (separator === '|' ? cells.length < 2 && columns.length > 1 : cells.length > columns.length + 1) break
      blocks.push(row(at, cells, false))
    } else blocks.splice(ROWS_MAX + 1, 1, rest(blocks[ROWS_MAX + 1], at, tables))
    next = at.next
  }
  return { blocks: blocks satisfies Block[], next }
}

/** Extends the remainder of an overlong table by one line. */
function rest(block: RowBlock | undefined, { first, end }: TextLine, table: number): RowBlock {
  return { kind: 'row', table, isHeader: false, start: block?.start ?? first, end, cells: [] }
}

type Separator = '|' | '\t' | ',' | ';'

/**
 * Splits a row into cells, without surrounding white space and quotation marks. Cells after the hundredth are omitted.
 */
function splitCells(text: string, { first, start, end }: TextLine, separator: Separator): Range[] {
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

/** Returns the quotation mark that ends a quoted cell (a doubled one is part of its text), or the end of the row. */
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
