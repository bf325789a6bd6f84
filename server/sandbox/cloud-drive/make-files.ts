import { Buffer } from 'node:buffer'

const WORD_MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** Builds a document (ECMA-376) of paragraphs. A line that begins with `# ` becomes a heading. */
export function makeDocx(text: string): Uint8Array {
  const body = text.split('\n').map(paragraph).join('')
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${WORD_MAIN}"><w:body>${body}</w:body></w:document>`
  })
}

/** Escapes text for XML. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function paragraph(line: string): string {
  const isHeading = line.startsWith('# ')
  const style = isHeading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
  return `<w:p>${style}<w:r><w:t xml:space="preserve">${escapeXml(isHeading ? line.slice(2) : line)}</w:t></w:r></w:p>`
}

const SHEET_MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** Builds a workbook (ECMA-376) with one sheet. Text that looks like a number becomes one. */
export function makeXlsx(rows: readonly (readonly string[])[]): Uint8Array {
  const lines = rows.map(
    (row, i) => `<row r="${i + 1}">${row.map((text, j) => cell(text, `${column(j)}${i + 1}`)).join('')}</row>`
  )
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET_MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET_MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
  })
}

function cell(text: string, place: string): string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return `<c r="${place}"><v>${text}</v></c>`
  return `<c r="${place}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`
}

function column(index: number): string {
  return String.fromCharCode(65 + (index % 26))
}

/** Lines per page and characters per line. Readers do not see text beyond the edge. */
const LINES_MAX = 45
const LETTERS_MAX = 85

/** Builds a PDF file (ISO 32000-1) with the lines of a text in Helvetica. Characters outside of Latin-1 become `?`. */
export function makePdf(text: string): Uint8Array {
  const lines = text.split('\n').flatMap(wrapLine)
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / LINES_MAX)) }, (_, i) =>
    lines.slice(i * LINES_MAX, (i + 1) * LINES_MAX)
  )
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, i) => [pageObject(5 + 2 * i), contentObject(page)])
  ]
  return assemblePdf(objects)
}

function wrapLine(line: string): string[] {
  const lines: string[] = []
  let last = ''
  for (const word of line.split(' ')) {
    const longer = last === '' ? word : `${last} ${word}`
    if (last === '' || longer.length <= LETTERS_MAX) last = longer
    else {
      lines.push(last)
      last = word
    }
  }
  return [...lines, last]
}

function pageObject(content: number): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} 0 R >>`
}

function contentObject(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&').replace(/[^ -ÿ]/g, '?')}) Tj T*`)
  const stream = `BT /F1 11 Tf 16 TL 56 780 Td\n${shown.join('\n')}\nET`
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`
}

function assemblePdf(objects: readonly string[]): Uint8Array {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const place = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

const STAMP = Buffer.from([0, 0, 0x21, 0x58])

/** Builds a ZIP file with uncompressed members (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16), without times. */
function makeZip(members: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const files: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const path = Buffer.from(name)
    const bytes = Buffer.from(content)
    const facts = toEntryFacts(bytes, path.length)
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path, bytes])
    const head = Buffer.from('PK\x01\x02\x14\x00', 'latin1')
    entries.push(Buffer.concat([head, facts, Buffer.alloc(10), uint32(offset), path]))
    files.push(file)
    offset += file.length
  }
  const directory = Buffer.concat(entries)
  const count = Buffer.alloc(4)
  count.writeUInt16LE(entries.length, 0)
  count.writeUInt16LE(entries.length, 2)
  const end = [
    Buffer.from('PK\x05\x06\0\0\0\0', 'latin1'),
    count,
    uint32(directory.length),
    uint32(offset),
    Buffer.alloc(2)
  ]
  return Buffer.concat([...files, directory, ...end])
}

/** Builds the 26 bytes, from the version on, that a member's header and its directory entry have in common. */
function toEntryFacts(bytes: Buffer, pathLength: number): Buffer {
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(pathLength, 0)
  const method = Buffer.from([0x14, 0, 0, 0, 0, 0])
  return Buffer.concat([method, STAMP, uint32(crc32(bytes)), uint32(bytes.length), uint32(bytes.length), lengths])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0)
  return value ^ 0xffffffff
}
