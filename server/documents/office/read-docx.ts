import mammoth from 'mammoth'
import { readHtml } from '../html/read-html.ts'
import type { Read } from '../read-document.ts'
import { orUnreadable, unreadable } from '../unreadable.ts'
import { openZip } from '../zip/open-zip.ts'
import { packZip } from '../zip/pack-zip.ts'
import { xmlDepth } from './xml-depth.ts'

/** The parts that hold text and what it looks like. Pictures and what else is embedded stay outside. */
const PART = /^(\[Content_Types\]\.xml|_rels\/\.rels|word\/(_rels\/)?[^/]+\.(xml|rels))$/
const MAIN_PART = 'word/document.xml'
/** A tree is made of each part, which takes many times its size. */
const PARTS_BYTES_MAX = 24 * 1024 * 1024
/** Far deeper than Word goes. What is left open tag after tag takes minutes to be refused otherwise. */
const DEPTH_MAX = 2000

/** The text of a document of Word, with headings, lists and tables, through the HTML that mammoth makes of it. */
export async function readDocx(bytes: Uint8Array): Promise<Read> {
  const zip = openZip(bytes)
  if (!zip.names.includes(MAIN_PART)) throw unreadable('it is no document of Word')
  const parts = new Map<string, Uint8Array>()
  let size = 0
  for (const name of zip.names.filter((one) => PART.test(one))) {
    const part = zip.read(name) ?? new Uint8Array()
    size += part.length
    if (size > PARTS_BYTES_MAX) throw unreadable(`its text is larger than ${PARTS_BYTES_MAX / 2 ** 20} MiB`)
    if (xmlDepth(part) > DEPTH_MAX) throw unreadable('it is a broken document of Word')
    parts.set(name, part)
  }
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await orUnreadable('it is a broken document of Word', () =>
    mammoth.convertToHtml({ buffer: packZip(parts) }, { convertImage, externalFileAccess: false })
  )
  return readHtml(value)
}
