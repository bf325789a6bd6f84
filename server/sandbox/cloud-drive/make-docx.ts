import { makeZip } from './make-zip.ts'

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A document (ECMA-376) of paragraphs; a line that begins with `# ` is a heading. */
export function makeDocx(text: string): Uint8Array {
  const body = text.split('\n').map(paragraph).join('')
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${MAIN}"><w:body>${body}</w:body></w:document>`
  })
}

/** Text as it may stand in XML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function paragraph(line: string): string {
  const isHeading = line.startsWith('# ')
  const style = isHeading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
  return `<w:p>${style}<w:r><w:t xml:space="preserve">${escaped(isHeading ? line.slice(2) : line)}</w:t></w:r></w:p>`
}
