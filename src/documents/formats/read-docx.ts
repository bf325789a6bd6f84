import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
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
  if (!zip.names.includes(MAIN_PART)) throw unreadableError('it is no document of Word')
  const parts = new Map<string, Uint8Array>()
  let size = 0
  for (const name of zip.names.filter((one) => PART.test(one))) {
    const part = zip.read(name) ?? new Uint8Array()
    size += part.length
    if (size > PARTS_BYTES_MAX) throw unreadableError(`its text is larger than ${PARTS_BYTES_MAX / 2 ** 20} MiB`)
    if (measureXmlDepth(part) > DEPTH_MAX) throw unreadableError('it is a broken document of Word')
    parts.set(name, part)
  }
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await wrapUnreadable('it is a broken document of Word', () =>
    mammoth.convertToHtml({ buffer: packZip(parts) }, { convertImage, externalFileAccess: false })
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

/** Packs members into an archive without compression, for a library that takes only an archive. */
export function packZip(members: ReadonlyMap<string, Uint8Array>): Buffer {
  const files: Uint8Array[] = []
  const entries: Uint8Array[] = []
  let at = 0
  for (const [name, content] of members) {
    const path = Buffer.from(name)
    const facts = toHeaderFields(content, path.length)
    const local = Buffer.concat([toUint32(0x04034b50), facts, path])
    files.push(local, content)
    // Version made by; comment, disk, and kind of content are empty.
    entries.push(Buffer.concat([toUint32(0x02014b50), Buffer.of(20, 0), facts, Buffer.alloc(10), toUint32(at), path]))
    at += local.length + content.length
  }
  const directory = Buffer.concat(entries)
  const counts = Buffer.alloc(8)
  counts.writeUInt16LE(members.size, 4)
  counts.writeUInt16LE(members.size, 6)
  const end = [toUint32(0x06054b50), counts, toUint32(directory.length), toUint32(at), Buffer.alloc(2)]
  return Buffer.concat([...files, directory, ...end])
}

/** Version needed, names in UTF-8, stored, no time; check, sizes, length of the name, no extra field. */
function toHeaderFields(content: Uint8Array, nameLength: number): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(0x0800, 2)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(content.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(nameLength, 22)
  return facts
}

function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
