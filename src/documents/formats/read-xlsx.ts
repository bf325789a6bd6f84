import { Buffer } from 'node:buffer'
import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError } from '../port/unreadable-error.ts'
import { openZip, type Zip } from './open-zip.ts'
import { formatRows } from './read-csv.ts'

const SHEETS_MAX = 100
const ROWS_MAX = 50_000

/** Limits the columns that are read: a cell far to the right must not make a row of a million empty ones. */
const COLUMNS_MAX = 200
const WORKBOOK = 'xl/workbook.xml'

/** Reads the sheets of a workbook (ECMA-376 part 1, section 18), in their order, each row a line. A formula is read as its stored result. */
export function readXlsx(bytes: Uint8Array): DocumentText {
  const zip = openZip(bytes)
  const workbook = readPart(zip, WORKBOOK)
  if (workbook === '') throw unreadableError('it is no workbook of Excel')
  const strings = findElements(readPart(zip, 'xl/sharedStrings.xml'), 'si').map(({ inner }) => readText(inner))
  const dates = listDateStyles(readPart(zip, 'xl/styles.xml'))
  const sheets = listSheets(workbook, readPart(zip, 'xl/_rels/workbook.xml.rels'))
  const parts = sheets.slice(0, SHEETS_MAX).map(({ name, path }) => {
    const read = readSheet(readPart(zip, path), { strings, dates, from1904: /date1904="(1|true)"/.test(workbook) })
    const { text, cut } = formatRows(read.rows)
    return { text: sheets.length > 1 && text !== '' ? `# ${name}\n\n${text}` : text, cut: cut || read.cut }
  })
  const text = parts
    .map((part) => part.text)
    .filter((one) => one !== '')
    .join('\n\n')
  return { text, cut: sheets.length > SHEETS_MAX || parts.some(({ cut }) => cut) }
}

function listSheets(workbook: string, relations: string): { name: string; path: string }[] {
  const targets = new Map(
    findElements(relations, 'Relationship').map(({ attributes }) => {
      const { Id = '', Target = '' } = parseAttributes(attributes)
      return [Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`]
    })
  )
  return findElements(workbook, 'sheet').map(({ attributes }, i) => {
    const said = parseAttributes(attributes)
    return { name: said.name ?? `Sheet ${i + 1}`, path: targets.get(said['r:id'] ?? '') ?? '' }
  })
}

function readPart(zip: Zip, name: string): string {
  return Buffer.from(zip.read(name) ?? []).toString()
}

type SheetContext = {
  strings: readonly string[]
  /** Numbers of the cell styles that show dates. */
  dates: ReadonlySet<number>
  from1904: boolean
}

/** Reads the rows of a sheet as a spreadsheet shows them; numbers keep the precision of the file. */
function readSheet(xml: string, world: SheetContext): { rows: string[][]; cut: boolean } {
  const rows = findElements(xml, 'row')
  const read = rows.slice(0, ROWS_MAX).map(({ inner }) => {
    const row: string[] = []
    for (const { attributes, inner: content } of findElements(inner, 'c')) {
      const said = parseAttributes(attributes)
      const column = parseColumn(said.r) ?? row.length
      if (column >= COLUMNS_MAX) continue
      while (row.length < column) row.push('')
      row[column] = formatCell(content, said, world)
    }
    return row
  })
  return { rows: read, cut: rows.length > ROWS_MAX }
}

/** Parses the column of a cell reference, counted from 0: `C7` is in column 2. */
function parseColumn(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Formats a cell by its type (ECMA-376 part 1, section 18.18.11). */
function formatCell(
  content: string,
  { t, s }: Record<string, string | undefined>,
  { strings, dates, from1904 }: SheetContext
) {
  if (t === 'inlineStr') return readText(content)
  const value = decodeEntities(findElements(content, 'v')[0]?.inner ?? '')
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

/** Lists the indexes of the cell styles that show a number as a date or a time. */
function listDateStyles(styles: string): Set<number> {
  const own = findElements(styles, 'numFmt').flatMap(({ attributes }) => {
    const { numFmtId = '', formatCode = '' } = parseAttributes(attributes)
    return isDateFormat(formatCode) ? [Number(numFmtId)] : []
  })
  const formats = new Set([...BUILT_IN, ...own])
  const cells = findElements(findElements(styles, 'cellXfs')[0]?.inner ?? '', 'xf')
  return new Set(
    cells.flatMap(({ attributes }, i) => (formats.has(Number(parseAttributes(attributes).numFmtId)) ? [i] : []))
  )
}

/** Whether a format has letters for parts of a date outside of quotes, brackets and escapes. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
}

/** An element as text: the inside of its tag, and what is between its tags. */
type XmlElement = { attributes: string; inner: string }

/**
 * Finds the elements of a name, in their order, in XML as programs write it into workbooks: elements of one name are never nested. Namespace
 * prefixes are ignored. Malformed XML yields fewer elements, never an error.
 */
function findElements(xml: string, name: string): XmlElement[] {
  const found: XmlElement[] = []
  const open = new RegExp(`<(?:\\w+:)?${name}(\\s[^<>]*?)?(/?)>`, 'g')
  const close = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g')
  for (let tag = open.exec(xml); tag !== null; tag = open.exec(xml)) {
    if (tag[2] === '/') {
      found.push({ attributes: tag[1] ?? '', inner: '' })
      continue
    }
    close.lastIndex = open.lastIndex
    const end = close.exec(xml)
    if (end === null) return found
    found.push({ attributes: tag[1] ?? '', inner: xml.slice(open.lastIndex, end.index) })
    open.lastIndex = close.lastIndex
  }
  return found
}

/** Parses the attributes of a tag, by their names with namespace prefixes. */
function parseAttributes(text: string): Record<string, string | undefined> {
  const pairs = [...text.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return Object.fromEntries(pairs.map(([, name, one, other]) => [name, decodeEntities(one ?? other ?? '')]))
}

/** Joins the `t` elements of a cell or a shared text, without those that say how it is pronounced. */
function readText(xml: string): string {
  const spoken = xml.includes('<rPh') ? xml.replace(/<rPh[\s>][\s\S]*?<\/rPh>/g, '') : xml
  return findElements(spoken, 't')
    .map(({ inner }) => decodeEntities(inner))
    .join('')
}

/** Decodes the five entities of XML and numeric characters. Others stay as they are: nothing is ever looked up. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, ...found: string[]) => {
    const [decimal, hex, name] = found
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
