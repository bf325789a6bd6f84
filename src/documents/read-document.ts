import { decodeText } from './formats/decode-text.ts'
import { limitText } from './formats/limit-text.ts'
import { readCsv } from './formats/read-csv.ts'
import { readDocx } from './formats/read-docx.ts'
import { readEpub } from './formats/read-epub.ts'
import { readHtml } from './formats/read-html.ts'
import { readOdf } from './formats/read-odf.ts'
import { readPdf } from './formats/read-pdf.ts'
import { readPptx } from './formats/read-pptx.ts'
import { readRtf } from './formats/read-rtf.ts'
import { readXlsx } from './formats/read-xlsx.ts'
import { readEml } from './mail/read-eml.ts'
import type { DocumentText, DocumentType } from './port/document-reader.ts'

/**
 * Reads the text of a file, truncated if it is too long.
 *
 * @throws UnreadableError if the file is not of its type, or cannot or must not be read.
 */
export async function readDocument(bytes: Uint8Array, type: DocumentType): Promise<DocumentText> {
  const { text, title, cut } = await READERS[type](bytes)
  const within = limitText(text)
  return { text: within.text, ...(title && { title }), cut: cut || within.cut }
}

const READERS: Readonly<Record<DocumentType, (bytes: Uint8Array) => DocumentText | Promise<DocumentText>>> = {
  pdf: readPdf,
  docx: readDocx,
  xlsx: readXlsx,
  pptx: readPptx,
  odf: readOdf,
  epub: readEpub,
  eml: readEml,
  rtf: readRtf,
  html: (bytes) => readHtml(decodeText(bytes, 'markup')),
  markdown: readMarkdown,
  csv: readCsv,
  text: (bytes) => ({ text: decodeText(bytes, 'plain'), cut: false })
}

/**
 * Reads Markdown as it is, without pictures: an export of Google Docs has them at its end, encoded as text. Backslash escapes outside of
 * blocks of code (https://spec.commonmark.org/0.31.2/#backslash-escapes) are removed: such exports escape every full stop and dash.
 */
function readMarkdown(bytes: Uint8Array): DocumentText {
  const lines: string[] = []
  let isCode = false
  for (const line of decodeText(bytes, 'plain').split('\n')) {
    if (/^\s{0,3}(```|~~~)/.test(line)) isCode = !isCode
    if (isCode) lines.push(line)
    else if (!PICTURE.test(line)) lines.push(plainLine(line))
  }
  return { text: lines.join('\n'), cut: false }
}

/** A link definition whose target is the bytes of a picture. */
const PICTURE = /^\s{0,3}\[[^\]]{1,200}\]:\s*<?data:/

function plainLine(line: string): string {
  return line.replace(/!\[([^\]]{0,1000})\](\[[^\]]{0,200}\]|\(data:[^)\s]*\))/g, '$1').replace(/\\([-.!+=#&~])/g, '$1')
}
