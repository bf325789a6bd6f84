import type { DocumentText, DocumentType } from '../providers/documents.ts'
import { readHtml } from './html/read-html.ts'
import { readDocx } from './office/read-docx.ts'
import { readXlsx } from './office/read-xlsx.ts'
import { readPdf } from './pdf/read-pdf.ts'
import { cutText } from './text/cut-text.ts'
import { decodeText } from './text/decode-text.ts'
import { parseCsv } from './text/parse-csv.ts'
import { readMarkdown } from './text/read-markdown.ts'
import { rowLines } from './text/row-lines.ts'

/** A file as a reader of its type leaves it. `cut`: not all of it was read. */
export type Read = { text: string; title?: string; cut?: boolean }

/**
 * The text of a file, cut where it is too long.
 *
 * @throws ProviderFailure `item_permanent` where it is none of its type, or one that cannot or must not be read.
 */
export async function readDocument(bytes: Uint8Array, type: DocumentType): Promise<DocumentText> {
  const { text, title, cut = false } = await READERS[type](bytes)
  const within = cutText(text)
  return { text: within.text, ...(title && { title }), cut: cut || within.cut }
}

const READERS: Readonly<Record<DocumentType, (bytes: Uint8Array) => Read | Promise<Read>>> = {
  pdf: readPdf,
  docx: readDocx,
  xlsx: readXlsx,
  html: (bytes) => readHtml(decodeText(bytes, 'markup')),
  markdown: readMarkdown,
  csv: readCsv,
  text: (bytes) => ({ text: decodeText(bytes, 'plain') })
}

function readCsv(bytes: Uint8Array): Read {
  const { rows, cut } = parseCsv(decodeText(bytes, 'plain'))
  const lines = rowLines(rows)
  return { text: lines.text, cut: cut || lines.cut }
}
