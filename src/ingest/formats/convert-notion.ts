import { decodeText } from '../../documents/formats/decode-text.ts'
import { limitText } from '../../documents/formats/limit-text.ts'
import { formatRows, parseCsv } from '../../documents/formats/read-csv.ts'
import { readMarkdown } from '../../documents/formats/read-markdown.ts'
import { type DocumentText, FILE_BYTES_MAX } from '../../documents/port/document-reader.ts'
import { UnreadableError } from '../../documents/port/unreadable-error.ts'
import { takeFile } from '../lines/chat-message.ts'
import { toLines } from '../lines/to-lines.ts'
import { type FileTree, readWhole, type TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import { convertFiles } from './convert-files.ts'

/**
 * https://www.notion.com/help/export-your-content: pages as Markdown or HTML, and databases as CSV. Names end with the 32
 * hexadecimal digits of an id; the subpages of a page are in a folder with its name.
 */
export const NOTION_FACTS: FormatFacts = {
  id: 'notion',
  name: 'an export of Notion',
  markers: [{ path: /(^|\/)[^/]* [0-9a-f]{32}(_all)?\.(md|html|csv)$/ }],
  edits: 'items'
}

/** A file of Notion. `folder` contains the pages below it. */
type NotionFile = { file: TreeFile; name: string; id: string; folder: string; ending: string; isAll: boolean }

/** Converts pages, and the rows of databases that are not pages. Attachments are read as documents. */
export async function* convertNotion(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const known = tree.files.flatMap((file) => readName(file) ?? [])
  const paths = new Set(known.map(({ file }) => file.path))
  const pages = new Set(known.filter(({ ending }) => ending !== 'csv').map(toPageKey))
  const seen = new Set<string>()
  for (const one of known) {
    given.signal.throwIfAborted()
    const { path } = one.file
    const isPart = one.ending === 'csv' && !one.isAll && paths.has(path.replace(/\.csv$/, '_all.csv'))
    if (isPart || seen.has(one.id)) yield { kind: one.ending === 'csv' ? 'file' : 'page', path, merged: true }
    else {
      seen.add(one.id)
      yield* takeFile(one.file, one.ending === 'csv' ? convertDatabase(one, pages) : convertPage(one, given))
    }
  }
  const others = tree.files.filter(({ path }) => !paths.has(path))
  for (const { path } of others.filter(isIndex)) yield { kind: 'file', path, leftOut: 'settings' }
  yield* convertFiles({ ...tree, files: others.filter((file) => !isIndex(file)) }, given)
}

/** A page or database: its name, and its id. `_all` is a database with the rows that its view hides. */
const NAME = /^(.*) ([0-9a-f]{32})(_all)?\.(md|html|csv)$/

/** An export in HTML begins with a list of its pages. */
function isIndex({ path }: TreeFile): boolean {
  return /(^|\/)index\.html$/.test(path)
}

function readName(file: TreeFile): NotionFile | undefined {
  const base = file.path.slice(file.path.lastIndexOf('/') + 1)
  const [, name, id, all, ending] = NAME.exec(base) ?? []
  if (name === undefined || id === undefined || ending === undefined) return undefined
  return { file, name, id, folder: file.path.replace(/(_all)?\.\w+$/, ''), ending, isAll: all !== undefined }
}

async function* convertPage({ file, name, id, ending }: NotionFile, given: Given): AsyncGenerator<Item> {
  const { path, modifiedMs } = file
  const bytes = await readWhole(file, FILE_BYTES_MAX)
  let page: DocumentText
  try {
    page =
      ending === 'md'
        ? limitText(readMarkdown(bytes).text)
        : await given.documents.readText(bytes, 'html', given.signal)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    return yield { kind: 'page', path, leftOut: 'damaged' }
  }
  const text = ending === 'md' ? showLinks(page.text) : page.text
  // Long names of files are cut.
  const title = (ending === 'md' ? /^# (.+)/.exec(text)?.[1] : page.title) ?? name
  const part = { text, ...(modifiedMs !== undefined && { at: modifiedMs }) }
  const lines = toLines({ id, title, url: toUrl(id), parts: [part] }, { format: NOTION_FACTS.id, id, path })
  if (lines.length === 0) return yield { kind: 'page', path, leftOut: 'empty' }
  yield { kind: 'page', path, lines, replaces: `${NOTION_FACTS.id}:${id}` }
  if (page.cut) yield { kind: 'rest', path, leftOut: 'truncated' }
}

function toUrl(id: string): string {
  return `https://www.notion.so/${id}`
}

/** Shows a link to another page or file as its words: its address is a path of the export. */
function showLinks(text: string): string {
  return text.replace(
    /(!?)\[([^[\]\n]{0,500})\]\((?![a-z]+:)[^()\n]{1,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)/gi,
    (_link, picture, words) => (picture === '' ? words : '')
  )
}

/** Yields each row; one that is exported as a page too is merged with it. */
async function* convertDatabase(
  { file, name, id, folder }: NotionFile,
  pages: ReadonlySet<string>
): AsyncGenerator<Item> {
  const { path } = file
  const { rows, cut } = parseCsv(decodeText(await readWhole(file, FILE_BYTES_MAX), 'plain'))
  const [names = [], ...others] = rows
  if (others.length === 0) yield { kind: 'file', path, leftOut: 'empty' }
  const parts: Item[] = []
  for (const [at, row] of others.entries()) {
    const place = `${path}#${at + 1}`
    const rowName = row[0] ?? ''
    if (pages.has(toPageKey({ folder: `${folder}/`, name: rowName }))) {
      parts.push({ kind: 'row', path: place, merged: true })
      continue
    }
    const { text } = formatRows([names, row])
    const lines = toLines(
      { id, title: name, url: toUrl(id), parts: [{ text }] },
      { format: NOTION_FACTS.id, id: `${id}/${at + 1}`, path }
    )
    parts.push(
      lines.length === 0 ? { kind: 'row', path: place, leftOut: 'empty' } : { kind: 'row', path: place, lines }
    )
  }
  yield* parts
  if (cut) yield { kind: 'rest', path, leftOut: 'truncated' }
}

/** Names a page by its folder and the beginning of its name, in which files replace or omit some letters. */
function toPageKey({ folder, name }: { folder: string; name: string }): string {
  const parent = folder.slice(0, folder.lastIndexOf('/'))
  return `${parent}/${name
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 30)
    .toLowerCase()}`
}
