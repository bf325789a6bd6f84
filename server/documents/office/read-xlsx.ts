import { Buffer } from 'node:buffer'
import type { Read } from '../read-document.ts'
import { rowLines } from '../text/row-lines.ts'
import { unreadable } from '../unreadable.ts'
import { openZip, type Zip } from '../zip/open-zip.ts'
import { dateStyles } from './date-styles.ts'
import { readSheet } from './read-sheet.ts'
import { attributesOf, elementsOf, textIn } from './xml-parts.ts'

const SHEETS_MAX = 100
const WORKBOOK = 'xl/workbook.xml'

/** The sheets of a workbook (ECMA-376 part 1, section 18), in their order, each row a line. Formulas are read as what they gave. */
export function readXlsx(bytes: Uint8Array): Read {
  const zip = openZip(bytes)
  const workbook = partOf(zip, WORKBOOK)
  if (workbook === '') throw unreadable('it is no workbook of Excel')
  const strings = elementsOf(partOf(zip, 'xl/sharedStrings.xml'), 'si').map(({ inner }) => textIn(inner))
  const dates = dateStyles(partOf(zip, 'xl/styles.xml'))
  const sheets = sheetsOf(workbook, partOf(zip, 'xl/_rels/workbook.xml.rels'))
  const parts = sheets.slice(0, SHEETS_MAX).map(({ name, path }) => {
    const read = readSheet(partOf(zip, path), { strings, dates, from1904: /date1904="(1|true)"/.test(workbook) })
    const { text, cut } = rowLines(read.rows)
    return { text: sheets.length > 1 && text !== '' ? `# ${name}\n\n${text}` : text, cut: cut || read.cut }
  })
  const text = parts
    .map((part) => part.text)
    .filter((one) => one !== '')
    .join('\n\n')
  return { text, cut: sheets.length > SHEETS_MAX || parts.some(({ cut }) => cut) }
}

function sheetsOf(workbook: string, relations: string): { name: string; path: string }[] {
  const targets = new Map(
    elementsOf(relations, 'Relationship').map(({ attributes }) => {
      const { Id = '', Target = '' } = attributesOf(attributes)
      return [Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`]
    })
  )
  return elementsOf(workbook, 'sheet').map(({ attributes }, i) => {
    const said = attributesOf(attributes)
    return { name: said.name ?? `Sheet ${i + 1}`, path: targets.get(said['r:id'] ?? '') ?? '' }
  })
}

function partOf(zip: Zip, name: string): string {
  return Buffer.from(zip.read(name) ?? []).toString()
}
