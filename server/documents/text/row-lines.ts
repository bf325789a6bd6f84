import { TEXT_BYTES_MAX } from './cut-text.ts'

/** Rows of a table as lines: each cell with the name of its column, where the first row has names. More than can be taken is left out. */
export function rowLines(rows: readonly (readonly string[])[]): { text: string; cut: boolean } {
  const [first = [], ...others] = rows
  const names = isHeader(first, others) ? first.map(plain) : undefined
  const lines: string[] = []
  let length = 0
  for (const row of names === undefined ? rows : others) {
    if (length > TEXT_BYTES_MAX) return { text: lines.join('\n'), cut: true }
    const line = row
      .map(plain)
      .flatMap((cell, i) => (cell === '' ? [] : [names?.[i] ? `${names[i]}: ${cell}` : cell]))
      .join(names === undefined ? ' | ' : '; ')
    if (line === '') continue
    lines.push(line)
    length += line.length + 1
  }
  return { text: lines.join('\n'), cut: false }
}

/** Names are there for all cells, differ, and are no numbers. */
function isHeader(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  const names = first.map(plain)
  const isNamed = names.every((name) => name !== '' && !/^[-+\d.,%€$ ]+$/.test(name))
  return others.length > 0 && names.length > 1 && isNamed && new Set(names).size === names.length
}

function plain(cell: string): string {
  return cell.replace(/\s+/g, ' ').trim()
}
