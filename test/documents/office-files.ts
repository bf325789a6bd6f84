import { deflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

export function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const entries = Object.entries(members).map(
    ([name, content]) => [name, new Uint8Array(Buffer.from(content))] as const
  )
  return zipSync(Object.fromEntries(entries), { level: 0 })
}

/** A document of Word whose body is this XML. */
export function docxOf(body: string): Uint8Array {
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${MAIN}"><w:body>${body}</w:body></w:document>`
  })
}

export function paragraph(text: string, style = ''): string {
  const properties = style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

export function table(rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) =>
    `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`
  return `<w:tbl>${rows.map(line).join('')}</w:tbl>`
}

/** A workbook with these sheets, whose content is XML. Its second cell style shows dates, its third a format of its own. */
export function xlsxOf(sheets: Readonly<Record<string, string>>, strings: readonly string[] = []): Uint8Array {
  const names = Object.keys(sheets)
  const relations = names.map((_, i) => `<Relationship Id="r${i}" Type="x" Target="worksheets/s${i}.xml"/>`)
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns="${SHEETS}" xmlns:r="${RELATIONS}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      Object.values(sheets).map((xml, i) => [
        `xl/worksheets/s${i}.xml`,
        `<worksheet><sheetData>${xml}</sheetData></worksheet>`
      ])
    )
  })
}

/** An archive of one member that says it has `declared` bytes and has as many zeros as `size` says. */
export function bombOf(name: string, { size, declared }: { size: number; declared: number }): Uint8Array {
  const packed = deflateRawSync(Buffer.alloc(size), { level: 9 })
  const file = Buffer.from(zipOf({ [name]: packed }))
  const directory = file.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  for (const [at, sizeAt] of [
    [8, 22],
    [directory + 10, directory + 24]
  ] as const) {
    file.writeUInt16LE(8, at)
    file.writeUInt32LE(declared, sizeAt)
  }
  return file
}
