import { Buffer } from 'node:buffer'
import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError, wrapUnreadable } from '../port/unreadable-error.ts'
import { openZip } from './open-zip.ts'
import { readHtml } from './read-html.ts'

/** The parts that hold text and its formatting. Pictures and other embedded files are left out. */
const PART = /^(\[Content_Types\]\.xml|_rels\/\.rels|word\/(_rels\/)?[^/]+\.(xml|rels))$/
const MAIN_PART = 'word/document.xml'
/** Each part is parsed into a tree, which takes many times its size. */
const PARTS_BYTES_MAX = 24 * 1024 * 1024
/** Far deeper than Word goes. Without a limit, a part with thousands of open tags takes minutes to fail. */
const DEPTH_MAX = 2000

/** Reads a Word document, with headings, lists and tables, through the HTML that mammoth makes of it. */
export async function readDocx(bytes: Uint8Array): Promise<DocumentText> {
  const zip = openZip(bytes)
  if (!zip.names.includes(MAIN_PART)) throw unreadableError('it is not a Word document')
  const parts = new Map<string, Uint8Array>()
  let size = 0
  for (const name of zip.names.filter((one) => PART.test(one))) {
    const part = zip.read(name) ?? new Uint8Array()
    size += part.length
    if (size > PARTS_BYTES_MAX) throw unreadableError(`its text is larger than ${PARTS_BYTES_MAX / 2 ** 20} MiB`)
    if (measureXmlDepth(part) > DEPTH_MAX) throw unreadableError('it is a damaged Word document')
    parts.set(name, part)
  }
  // mammoth takes only an archive. The time of its members is fixed, so that no clock is read.
  const buffer = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0, mtime: '1990-01-01' }))
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await wrapUnreadable('it is a damaged Word document', () =>
    mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false })
  )
  return readHtml(value)
}

/** The tag of an element: captures whether it closes one, and whether it is empty. */
const TAG = /<(\/?)[^<>!?/][^<>]*?(\/?)>/g

/** Returns how deep elements of XML are nested at most, by their tags alone. */
function measureXmlDepth(xml: Uint8Array): number {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString('latin1')
  let depth = 0
  let most = 0
  for (const [, end, empty] of text.matchAll(TAG)) {
    if (end !== '') depth -= 1
    else if (empty === '') depth += 1
    if (depth > most) most = depth
  }
  return most
}
