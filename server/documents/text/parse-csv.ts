import { TEXT_BYTES_MAX } from './cut-text.ts'

/** What is read of a table, whatever its shape: text is cut at half as many letters, and an empty cell takes memory, too. */
const READ_MAX = { rows: 100_000, cells: 5_000_000, letters: 2 * TEXT_BYTES_MAX }
const DELIMITERS = [',', ';', '\t', '|']
/** Letters of the beginning by which the delimiter is told. */
const LOOK_LENGTH = 4096

/**
 * Rows of fields (RFC 4180), whichever of the usual delimiters stands between them. A quote that never ends goes to the end. `cut`: there are
 * more than are read.
 */
export function parseCsv(text: string): { rows: string[][]; cut: boolean } {
  const delimiter = delimiterOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let [at, cells, letters] = [0, 0, 0]
  const isEnough = () => rows.length >= READ_MAX.rows || cells >= READ_MAX.cells || letters >= READ_MAX.letters
  while (at <= text.length && !isEnough()) {
    const field = text[at] === '"' ? quotedField(text, at) : { value: '', end: at }
    const end = endOfField(text, field.end, delimiter)
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

/** What stands between quotes, and where that ends. Without an expression: these give up on a field of some megabytes. */
function quotedField(text: string, at: number): { value: string; end: number } {
  const pieces: string[] = []
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from)
    pieces.push(text.slice(from, quote === -1 ? text.length : quote))
    if (quote === -1) return { value: pieces.join(''), end: text.length }
    if (text[quote + 1] !== '"') return { value: pieces.join(''), end: quote + 1 }
    pieces.push('"')
    from = quote + 2
  }
}

function endOfField(text: string, from: number, delimiter: string): number {
  let end = from
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return end
}

/** The one that most lines at the beginning have equally often. */
function delimiterOf(text: string): string {
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
