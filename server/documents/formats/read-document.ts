import type { DocumentText, DocumentType } from '../../providers/port/documents.ts'
import { decodeText } from './decode-text.ts'
import { limitText } from './limit-text.ts'
import { readCsv } from './read-csv.ts'
import { readDocx } from './read-docx.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import { readPdf } from './read-pdf.ts'
import { readXlsx } from './read-xlsx.ts'

/**
 * Reads the text of a file, cut where it is too long.
 *
 * @throws ProviderFailure `item_permanent` where it is none of its type, or one that cannot or must not be read.
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
  html: (bytes) => readHtml(decodeText(bytes, 'markup')),
  markdown: readMarkdown,
  csv: readCsv,
  text: (bytes) => ({ text: decodeText(bytes, 'plain'), cut: false })
}
