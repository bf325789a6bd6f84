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

/** Builds a Word document whose body is the given XML. */
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

/** Builds a workbook of sheets given as XML. Its second cell style is a date, its third has a custom format. */
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

/** Builds an archive of one member with `size` zeros that declares `declared` bytes. */
export function bombOf(name: string, { size, declared }: { size: number; declared: number }): Uint8Array {
  const packed = packZeros(size)
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

const packedZeros = new Map<number, Buffer>()

/** Compresses a number of zero bytes. Each number is compressed once, because that takes most of a test's time. */
function packZeros(size: number): Buffer {
  const packed = packedZeros.get(size) ?? deflateRawSync(Buffer.alloc(size), { level: 9 })
  packedZeros.set(size, packed)
  return packed
}

/** Builds a presentation of slides, some with notes, given as XML. */
export function pptxOf(slides: readonly { xml: string; notes?: string }[]): Uint8Array {
  const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="urn:p" xmlns:r="urn:r"'
  const members: Record<string, string> = {
    // The presentation defines the order of the slides, not the names of their files.
    'ppt/presentation.xml': `<p:presentation ${drawing}><p:sldIdLst>${slides.map((_, i) => `<p:sldId r:id="r${i}" id="${256 + i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_, i) => `<Relationship Id="r${i}" Type="${RELATIONS}/slide" Target="slides/slide${slides.length - i}.xml"/>`).join('')}</Relationships>`
  }
  for (const [i, { xml, notes }] of slides.entries()) {
    const name = `slide${slides.length - i}.xml`
    members[`ppt/slides/${name}`] = `<p:sld ${drawing}><p:cSld><p:spTree>${xml}</p:spTree></p:cSld></p:sld>`
    if (notes === undefined) continue
    members[`ppt/slides/_rels/${name}.rels`] =
      `<Relationships><Relationship Id="n" Type="${RELATIONS}/notesSlide" Target="../notesSlides/n${i}.xml"/></Relationships>`
    members[`ppt/notesSlides/n${i}.xml`] = `<p:notes ${drawing}>${notes}</p:notes>`
  }
  return zipOf(members)
}

/**
 * Builds a shape of a slide. `role` is the type of its placeholder, `text` for a text box. Each line is a paragraph;
 * two spaces are one level.
 */
export function shape(role: string, lines: readonly string[]): string {
  const place = role === 'text' ? '' : role === '' ? '<p:ph idx="1"/>' : `<p:ph type="${role}"/>`
  const paragraphs = lines.map((line) => {
    const level = (line.length - line.trimStart().length) / 2
    return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${line.trim()}</a:t></a:r></a:p>`
  })
  return `<p:sp><p:nvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`
}

/** Builds an OpenDocument file of a kind (`text`, `spreadsheet`, `presentation`) whose body is the given XML. */
export function odfOf(kind: string, body: string): Uint8Array {
  const names = ['office', 'text', 'table', 'draw', 'presentation', 'svg'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`
  )
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:m"/>',
    'content.xml': `<?xml version="1.0"?><office:document-content ${names.join(' ')}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`
  })
}

/** Builds a book of pages, by their names without extension. */
export function epubOf(
  pages: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {}
): Uint8Array {
  const names = Object.keys(pages)
  const item = (name: string) =>
    `<item id="${name}" href="text/${name}%20page.xhtml" media-type="application/xhtml+xml"/>`
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns:dc="urn:dc"><metadata><dc:title>The quay</dc:title></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${names.map(item).join('')}</manifest><spine><itemref idref="nav"/>${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
    'OEBPS/nav.xhtml': '<html><body>Contents</body></html>',
    ...Object.fromEntries(
      names.map((name) => [
        `OEBPS/text/${name} page.xhtml`,
        `<html><head><title>x</title></head><body>${pages[name]}</body></html>`
      ])
    ),
    ...more
  })
}
