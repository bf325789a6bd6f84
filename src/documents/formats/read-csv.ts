import type { DocumentText } from '../port/document-reader.ts'
/*
 * csv-parse 7 was measured and rejected: parsing alone takes 1.3 times the processor time of this whole reader, it
 * cannot stop at a limit of cells or letters, and it treats an unclosed quote as an error.
 */

import { decodeText } from './decode-text.ts'
import { TEXT_BYTES_MAX } from './limit-text.ts'

/** Limits of what is read of a table: the text is cut at half as many letters, and an empty cell takes memory, too. */
const READ_MAX = { rows: 100_000, cells: 5_000_000, letters: 2 * TEXT_BYTES_MAX }
const DELIMITERS = [',', ';', '\t', '|']

/** The delimiter is detected in this many letters of the beginning. */
const LOOK_LENGTH = 4096

/** Reads a CSV file: one line of text per row, with the column names if the first row has names. */
export function readCsv(bytes: Uint8Array): DocumentText {
  const { rows, cut } = parseCsv(decodeText(bytes, 'plain'))
  const lines = formatRows(rows)
  return { text: lines.text, cut: cut || lines.cut }
}

/**
 * Parses rows of fields (RFC 4180), whichever of the usual delimiters separates them. A quote that is never closed ends with the text. `cut`:
 * there are more rows than are read.
 */
export function parseCsv(text: string): { rows: string[][]; cut: boolean } {
  const delimiter = detectDelimiter(text)
  const rows: string[][] = []
  let row: string[] = []
  let [at, cells, letters] = [0, 0, 0]
  const isEnough = () => rows.length >= READ_MAX.rows || cells >= READ_MAX.cells || letters >= READ_MAX.letters
  while (at <= text.length && !isEnough()) {
    const field = text[at] === '"' ? readQuotedField(text, at) : { value: '', end: at }
    const end = findFieldEnd(text, field.end, delimiter)
    const value = field.value + text.slice(field.end, end)
    row.push(value)
    cells += 1
    letters += value.length
    at = end + 1
    if (text[end] === delimiter) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (text.startsWith('\r\n', end)) at += 1
  }
  if (row.length > 0) rows.push(row)
  return { rows, cut: at < text.length }
}

/** Returns the delimiter that most lines at the beginning have equally often. */
function detectDelimiter(text: string): string {
  const lines = text
    .slice(0, LOOK_LENGTH)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/)
    .slice(0, 20)
  const counts = DELIMITERS.map((delimiter) => {
    const first = (lines[0] ?? '').split(delimiter).length - 1
    return first === 0 ? 0 : lines.filter((line) => line.split(delimiter).length - 1 === first).length * 100 + first
  })
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Reads a quoted field, and returns where it ends. A regular expression would fail on a field of some megabytes. */
function readQuotedField(text: string, at: number): { value: string; end: number } {
  const parts: string[] = []
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from)
    parts.push(text.slice(from, quote === -1 ? text.length : quote))
    if (quote === -1) return { value: parts.join(''), end: text.length }
    if (text[quote + 1] !== '"') return { value: parts.join(''), end: quote + 1 }
    parts.push('"')
    from = quote + 2
  }
}

function findFieldEnd(text: string, from: number, delimiter: string): number {
  let end = from
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return end
}

/**
 * Formats the rows of a table as lines: each cell with its column name, if the first row has names. `cut`: the rest is
 * left out.
 */
export function formatRows(rows: readonly (readonly string[])[]): { text: string; cut: boolean } {
  const [first = [], ...others] = rows
  const names = isHeader(first, others) ? first.map(toOneLine) : undefined
  const lines: string[] = []
  let length = 0
  for (const row of names === undefined ? rows : others) {
    if (length > TEXT_BYTES_MAX) return { text: lines.join('\n'), cut: true }
    const line = row
      .map(toOneLine)
      .flatMap((cell, i) => (cell === '' ? [] : [names?.[i] ? `${names[i]}: ${cell}` : cell]))
      .join(names === undefined ? ' | ' : '; ')
    if (line === '') continue
    lines.push(line)
    length += line.length + 1
  }
  return { text: lines.join('\n'), cut: false }
}

/** Checks whether the first row names the columns: every cell has a name, all names differ, and none is a number. */
function isHeader(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  const names = first.map(toOneLine)
  const isNamed = names.every((name) => name !== '' && !/^[-+\d.,%€$ ]+$/.test(name))
  return others.length > 0 && names.length > 1 && isNamed && new Set(names).size === names.length
}

function toOneLine(cell: string): string {
  return cell.replace(/\s+/g, ' ').trim()
}
