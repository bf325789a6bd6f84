import { posix } from 'node:path'
import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError } from '../port/unreadable-error.ts'
import { decodeText } from './decode-text.ts'
import { TEXT_BYTES_MAX } from './limit-text.ts'
import { createTextCollector, resolvePath, visitPart } from './office-package.ts'
import { openZip, type Zip } from './open-zip.ts'
import { readHtml } from './read-html.ts'

const CONTAINER = 'META-INF/container.xml'
const ENCRYPTION = 'META-INF/encryption.xml'

/** Reads the chapters of a book (EPUB 3.3, https://www.w3.org/TR/epub-33/) in reading order, without its table of contents. */
export function readEpub(bytes: Uint8Array): DocumentText {
  const zip = openZip(bytes)
  const { title, chapters } = readPackage(zip, findPackage(zip))
  const sealed = listEncrypted(zip)
  if (chapters.some((path) => sealed.has(path))) throw unreadableError('it is copy-protected')
  const texts: string[] = []
  let [length, number, cut] = [0, 0, false]
  for (; number < chapters.length && length <= TEXT_BYTES_MAX; number += 1) {
    const page = zip.read(chapters[number] ?? '')
    const chapter = page === undefined ? { text: '', cut: false } : readHtml(decodeText(page, 'markup'))
    if (chapter.text !== '') texts.push(chapter.text)
    length += chapter.text.length
    cut ||= chapter.cut
  }
  return { text: texts.join('\n\n'), ...(title !== '' && { title }), cut: cut || number < chapters.length }
}

/** Finds the part that describes the book. */
function findPackage(zip: Zip): string {
  let path: string | undefined
  visitPart(zip, CONTAINER, {
    open(name, attributes) {
      if (name === 'rootfile') path ??= attributes()['full-path']
    }
  })
  if (path === undefined || !zip.names.includes(path)) throw unreadableError('it is not an EPUB book')
  return path
}

type Book = { title: string; chapters: string[] }

/** Lists the pages of the spine, in its order. */
function readPackage(zip: Zip, path: string): Book {
  const folder = posix.dirname(path)
  const pages = new Map<string, string>()
  const chapters: string[] = []
  const words = createTextCollector('title', 'manifest')
  let title = ''
  visitPart(zip, path, {
    open(name, attributes) {
      words.open(name)
      if (name === 'itemref') chapters.push(...listPage(pages.get(attributes().idref ?? '')))
      if (name !== 'item') return
      const { id = '', href = '', 'media-type': type = '', properties = '' } = attributes()
      const isPage = type === 'application/xhtml+xml' || type === 'text/html'
      if (isPage && !/\bnav\b/.test(properties)) pages.set(id, resolvePath(folder, decodePath(href)))
    },
    text: words.text,
    close(name) {
      words.close(name)
      if (name === 'title') title ||= words.take().replace(/\s+/g, ' ').trim()
    }
  })
  return { title, chapters: [...new Set(chapters)] }
}

function listPage(path: string | undefined): string[] {
  return path === undefined ? [] : [path]
}

/** Lists the members that only a licensed reader can open. Fonts often are, which does not matter: only pages are read. */
function listEncrypted(zip: Zip): Set<string> {
  const sealed = new Set<string>()
  visitPart(zip, ENCRYPTION, {
    open(name, attributes) {
      if (name === 'CipherReference') sealed.add(decodePath(attributes().URI ?? ''))
    }
  })
  return sealed
}

/** Decodes a reference to a member, without its fragment. Broken escapes stay as they are. */
function decodePath(reference: string): string {
  const path = reference.replace(/#.*$/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
