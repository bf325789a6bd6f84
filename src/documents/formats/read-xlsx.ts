import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError } from '../port/unreadable-error.ts'
import { createTextCollector, readRelations, visitPart } from './office-package.ts'
import { openZip, type Zip } from './open-zip.ts'
import { formatRows } from './read-csv.ts'
import type { XmlAttributes } from './visit-xml.ts'

const SHEETS_MAX = 100
const ROWS_MAX = 50_000

/** Limits the columns that are read: a cell far to the right must not make a row of a million empty ones. */
const COLUMNS_MAX = 200
const WORKBOOK = 'xl/workbook.xml'

/** Reads the sheets of a workbook (ECMA-376 part 1, section 18), in their order, each row a line. A formula is read as its stored result. */
export function readXlsx(bytes: Uint8Array): DocumentText {
  const zip = openZip(bytes)
  if (!zip.names.includes(WORKBOOK)) throw unreadableError('it is not an Excel workbook')
  const { sheets, from1904 } = readWorkbook(zip)
  const world = { strings: readStrings(zip), dates: readDateStyles(zip), from1904 }
  const parts = sheets.slice(0, SHEETS_MAX).map(({ name, path }) => {
    const read = readSheet(zip, path, world)
    const { text, cut } = formatRows(read.rows)
    return { text: sheets.length > 1 && text !== '' ? `# ${name}\n\n${text}` : text, cut: cut || read.cut }
  })
  const text = parts
    .map((part) => part.text)
    .filter((one) => one !== '')
    .join('\n\n')
  return { text, cut: sheets.length > SHEETS_MAX || parts.some(({ cut }) => cut) }
}

type Workbook = { sheets: { name: string; path: string }[]; from1904: boolean }

function readWorkbook(zip: Zip): Workbook {
  const targets = new Map(readRelations(zip, WORKBOOK).map(({ id, path }) => [id, path]))
  const book: Workbook = { sheets: [], from1904: false }
  visitPart(zip, WORKBOOK, {
    open(name, attributes) {
      if (name === 'workbookPr') book.from1904 = /^(1|true)$/.test(attributes().date1904 ?? '')
      if (name !== 'sheet') return
      const said = attributes()
      book.sheets.push({
        name: said.name ?? `Sheet ${book.sheets.length + 1}`,
        path: targets.get(said['r:id'] ?? said.id ?? '') ?? ''
      })
    }
  })
  return book
}

/** Reads the texts that cells refer to by their numbers, without how they are pronounced (`rPh`). */
function readStrings(zip: Zip): string[] {
  const strings: string[] = []
  const words = createTextCollector('t', 'rPh')
  visitPart(zip, 'xl/sharedStrings.xml', {
    open: words.open,
    text: words.text,
    close(name) {
      words.close(name)
      if (name === 'si') strings.push(words.take())
    }
  })
  return strings
}

type SheetContext = {
  strings: readonly string[]
  /** Numbers of the cell styles that show dates. */
  dates: ReadonlySet<number>
  from1904: boolean
}

/** Reads the rows of a sheet as a spreadsheet shows them; numbers keep the precision of the file. */
function readSheet(zip: Zip, path: string, world: SheetContext): { rows: string[][]; cut: boolean } {
  const rows: string[][] = []
  const value = createTextCollector('v', 'is')
  const inline = createTextCollector('t', 'rPh')
  let [row, said]: [string[], XmlAttributes] = [[], {}]
  let isCut = false
  visitPart(zip, path, {
    open(name, attributes) {
      value.open(name)
      inline.open(name)
      if (name === 'c') said = attributes()
      else if (name === 'row') {
        isCut = rows.length >= ROWS_MAX
        row = []
      }
    },
    text(text) {
      value.text(text)
      inline.text(text)
    },
    close(name) {
      value.close(name)
      inline.close(name)
      if (name === 'row') rows.push(row)
      else if (name === 'c') addCell(row, said, formatCell({ value: value.take(), inline: inline.take() }, said, world))
    },
    isDone: () => isCut
  })
  return { rows, cut: isCut }
}

function addCell(row: string[], { r }: XmlAttributes, text: string): void {
  const column = parseColumn(r) ?? row.length
  if (column >= COLUMNS_MAX) return
  while (row.length < column) row.push('')
  row[column] = text
}

/** Parses the column of a cell reference, counted from 0: `C7` is in column 2. */
function parseColumn(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Formats a cell by its type (ECMA-376 part 1, section 18.18.11). */
function formatCell(
  { value, inline }: { value: string; inline: string },
  { t, s }: XmlAttributes,
  { strings, dates, from1904 }: SheetContext
): string {
  if (t === 'inlineStr') return inline
  if (t === 's') return strings[Number(value)] ?? ''
  if (t === 'b') return value === '1' ? 'yes' : 'no'
  const isNumber = t === undefined || t === 'n'
  return isNumber && value !== '' && dates.has(Number(s)) ? formatDate(Number(value), from1904) : value
}

/** Formats days since 1899-12-30, or since 1904-01-01 (section 18.17.4.1). The time is left out if it is midnight. */
function formatDate(days: number, from1904: boolean): string {
  const ms = Math.round((days - (from1904 ? 24_107 : 25_569)) * 86_400) * 1000
  if (!Number.isFinite(ms) || Math.abs(ms) > DATE_MS_MAX) return String(days)
  const time = new Date(ms).toISOString()
  return days < 1 && days >= 0 ? time.slice(11, 16) : time.slice(0, 16).replace('T00:00', '').replace('T', ' ')
}

const DATE_MS_MAX = 8.64e15

/** The date and time formats that every workbook has (ECMA-376 part 1, section 18.8.30). */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** Reads the indexes of the cell styles that show a number as a date or a time. */
function readDateStyles(zip: Zip): Set<number> {
  const formats = new Set(BUILT_IN)
  const dates = new Set<number>()
  let [styles, isInCells] = [0, false]
  visitPart(zip, 'xl/styles.xml', {
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true
      else if (name === 'numFmt' && isDateFormat(attributes().formatCode ?? ''))
        formats.add(Number(attributes().numFmtId))
      else if (name === 'xf' && isInCells) {
        if (formats.has(Number(attributes().numFmtId))) dates.add(styles)
        styles += 1
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    }
  })
  return dates
}

/** Checks whether a format has letters for parts of a date outside of quotes, brackets and escapes. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
}
