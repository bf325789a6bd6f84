import { decodeText } from './formats/decode-text.ts'
import { limitText } from './formats/limit-text.ts'
import { readCsv } from './formats/read-csv.ts'
import { readDocx } from './formats/read-docx.ts'
import { readEpub } from './formats/read-epub.ts'
import { readHtml } from './formats/read-html.ts'
import { readMarkdown } from './formats/read-markdown.ts'
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
