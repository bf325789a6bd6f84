import { attributesOf, decoded, elementsOf, textIn } from './xml-parts.ts'

const ROWS_MAX = 50_000
/** Columns that are read: a cell far to the right must not make a row of a million empty ones. */
const COLUMNS_MAX = 200

export type SheetWorld = {
  strings: readonly string[]
  /** Numbers of the cell styles that show dates. */
  dates: ReadonlySet<number>
  from1904: boolean
}

/** The rows of a sheet as they are shown, but for numbers, which are as exact as the file has them. */
export function readSheet(xml: string, world: SheetWorld): { rows: string[][]; cut: boolean } {
  const rows = elementsOf(xml, 'row')
  const read = rows.slice(0, ROWS_MAX).map(({ inner }) => {
    const row: string[] = []
    for (const { attributes, inner: content } of elementsOf(inner, 'c')) {
      const said = attributesOf(attributes)
      const column = columnOf(said.r) ?? row.length
      if (column >= COLUMNS_MAX) continue
      while (row.length < column) row.push('')
      row[column] = shown(content, said, world)
    }
    return row
  })
  return { rows: read, cut: rows.length > ROWS_MAX }
}

/** Types of cells: ECMA-376 part 1, section 18.18.11. */
function shown(
  content: string,
  { t, s }: Record<string, string | undefined>,
  { strings, dates, from1904 }: SheetWorld
) {
  if (t === 'inlineStr') return textIn(content)
  const value = decoded(elementsOf(content, 'v')[0]?.inner ?? '')
  if (t === 's') return strings[Number(value)] ?? ''
  if (t === 'b') return value === '1' ? 'yes' : 'no'
  const isNumber = t === undefined || t === 'n'
  return isNumber && value !== '' && dates.has(Number(s)) ? dateOf(Number(value), from1904) : value
}

/** Days since 1899-12-30, or since 1904-01-01 (section 18.17.4.1). The time is left out where it is midnight. */
function dateOf(days: number, from1904: boolean): string {
  const ms = Math.round((days - (from1904 ? 24_107 : 25_569)) * 86_400) * 1000
  if (!Number.isFinite(ms) || Math.abs(ms) > DATE_MS_MAX) return String(days)
  const time = new Date(ms).toISOString()
  return days < 1 && days >= 0 ? time.slice(11, 16) : time.slice(0, 16).replace('T00:00', '').replace('T', ' ')
}

const DATE_MS_MAX = 8.64e15

/** `C7` is in column 2. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
