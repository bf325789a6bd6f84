/** Rows that are read. */
const ROWS_MAX = 100_000
const DELIMITERS = [',', ';', '\t', '|']
/** Letters of the beginning by which the delimiter is told. */
const LOOK_LENGTH = 4096

/** Rows of fields (RFC 4180), whichever of the usual delimiters stands between them. A quote that never ends goes to the end. */
export function parseCsv(text: string): string[][] {
  const delimiter = delimiterOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length && rows.length < ROWS_MAX) {
    const field = text[at] === '"' ? quotedField(text, at) : { value: '', end: at }
    const end = endOfField(text, field.end, delimiter)
    row.push(field.value + text.slice(field.end, end))
    at = end + 1
    if (text[end] === delimiter) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (text.startsWith('\r\n', end)) at += 1
  }
  return rows
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
