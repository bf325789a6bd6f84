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

/**
 * Yields each row; one that is exported as a page too is merged with it. An export gives rows no id, so the name in the
 * first column identifies a row if no other one of the database has it.
 */
async function* convertDatabase(
  { file, name, id, folder }: NotionFile,
  pages: ReadonlySet<string>
): AsyncGenerator<Item> {
  const { path } = file
  const { rows, cut } = parseCsv(decodeText(await readWhole(file, FILE_BYTES_MAX), 'plain'))
  const [names = [], ...others] = rows
  if (others.length === 0) yield { kind: 'file', path, leftOut: 'empty' }
  const rowIds = identifyRows(others)
  for (const [at, row] of others.entries()) {
    const place = `${path}#${at + 1}`
    if (pages.has(toPageKey({ folder: `${folder}/`, name: row[0] ?? '' }))) {
      yield { kind: 'row', path: place, merged: true }
      continue
    }
    const rowId = rowIds[at]
    const itemId = rowId === undefined ? id : `${id}/${rowId}`
    const { text } = formatRows([names, row])
    const lines = toLines(
      { id: itemId, title: name, url: toUrl(id), parts: [{ text }] },
      { format: NOTION_FACTS.id, id: rowId === undefined ? `${id}#${at + 1}` : itemId, path }
    )
    if (lines.length === 0) yield { kind: 'row', path: place, leftOut: 'empty' }
    else
      yield {
        kind: 'row',
        path: place,
        lines,
        ...(rowId !== undefined && { replaces: `${NOTION_FACTS.id}:${itemId}` })
      }
  }
  if (cut) yield { kind: 'rest', path, leftOut: 'truncated' }
}

/** Returns the name of each row, or undefined for one that is empty or that several rows have. */
function identifyRows(rows: readonly (readonly string[])[]): (string | undefined)[] {
  const names = rows.map(([name = '']) => name.trim().slice(0, ROW_NAME_UNITS_MAX))
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.map((name) => (name !== '' && counts.get(name) === 1 ? name : undefined))
}

/** Longer names of rows are cut where they serve as an id, in UTF-16 code units. */
const ROW_NAME_UNITS_MAX = 200

/** Names a page by its folder and the beginning of its name, in which files replace or omit some letters. */
function toPageKey({ folder, name }: { folder: string; name: string }): string {
  const parent = folder.slice(0, folder.lastIndexOf('/'))
  return `${parent}/${name
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 30)
    .toLowerCase()}`
}
