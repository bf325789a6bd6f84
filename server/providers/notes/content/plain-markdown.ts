import { dashed } from '../wire.ts'
import { inlineText } from './inline-text.ts'

/** What enhanced Markdown says as text, and which pages and databases stand in it, by their ids. */
export type PlainMarkdown = { text: string; pages: string[]; databases: string[] }

/**
 * Takes the tags off, line by line: what only arranges (columns, callouts, synced blocks) leaves what stands in it, tables become lines of
 * cells, and of files their captions are left. `missing` is what belongs in the place of a block that is not rendered, by its id.
 */
export function plainMarkdown(markdown: string, missing: ReadonlyMap<string, readonly string[]>): PlainMarkdown {
  const reader: Reader = { lines: [], pages: [], databases: [], cells: undefined, fence: undefined }
  const unplaced = new Map(missing)
  for (const line of markdown.split('\n')) {
    const [, tabs = '', rest = ''] = /^(\t*)(.*)$/s.exec(line) ?? []
    readLine(reader, { indent: '  '.repeat(tabs.length), rest, unplaced })
  }
  // A block that no tag speaks of stood somewhere beyond where the text was cut.
  for (const lines of unplaced.values()) reader.lines.push(...lines)
  return { text: tidy(reader.lines), pages: reader.pages, databases: reader.databases }
}

type Reader = {
  lines: string[]
  pages: string[]
  databases: string[]
  /** Of the row of a table that is being read. */
  cells: string[] | undefined
  /** What closes the code that is being read. */
  fence: string | undefined
}

type Line = { indent: string; rest: string; unplaced: Map<string, readonly string[]> }

function readLine(reader: Reader, line: Line): void {
  const { indent, rest } = line
  if (readLiteral(reader, indent, rest)) return
  if (readTable(reader, rest, indent)) return
  if (readReference(reader, line)) return
  const text = inlineText(shortened(rest)).trimEnd()
  for (const part of text.split('\n')) if (part.trim() !== '') reader.lines.push(`${indent}${part}`)
}

/** Code and formulas are as they stand; lines of ``` stay around code, and those of `$$` say nothing. */
function readLiteral(reader: Reader, indent: string, rest: string): boolean {
  const opening = /^(`{3,}|\${2}$)/.exec(rest.trimEnd())?.[1]
  if (reader.fence === undefined && opening === undefined) return false
  if (rest.trim() !== '$$') reader.lines.push(`${indent}${rest}`)
  if (reader.fence === undefined) reader.fence = opening
  else if (rest.trim() === reader.fence) reader.fence = undefined
  return true
}

/** `$$`, `---` and `:::` stand alone and say nothing; a callout's opening has its icon at most. */
function shortened(rest: string): string {
  return /^(\${2}|-{3,}|:{3,}.*)$/.test(rest.trim()) ? '' : rest.replace(/^\$\$(.*)\$\$$/, '$`$1`$')
}

/** Tables come as tags of HTML, a cell or a row to a line. */
function readTable(reader: Reader, rest: string, indent: string): boolean {
  if (!/^<\/?(table|tr|td|colgroup|col)\b/.test(rest)) return false
  if (/<tr\b/.test(rest)) reader.cells = []
  for (const [, cell = ''] of rest.matchAll(/<td\b[^<>]{0,400}>((?:(?!<td\b).)*?)<\/td>/gs))
    reader.cells?.push(inlineText(cell).trim())
  if (/<\/tr>/.test(rest)) {
    reader.lines.push(`${indent}${(reader.cells ?? []).join(' | ')}`)
    reader.cells = undefined
  }
  return true
}

/** Tags that stand for a page, a database, or something that is not rendered. */
function readReference(reader: Reader, { indent, rest, unplaced }: Line): boolean {
  const [, kind, attributes = '', title = ''] = /^<(page|database|unknown)\b([^>]*?)\/?>(.*)$/s.exec(rest) ?? []
  if (kind === undefined) return false
  const id = idIn(attributes)
  if (kind === 'unknown') {
    const lines = id === undefined ? undefined : unplaced.get(id)
    if (id !== undefined) unplaced.delete(id)
    reader.lines.push(...(lines ?? []).map((line) => `${indent}${line}`))
    return true
  }
  if (id !== undefined) (kind === 'page' ? reader.pages : reader.databases).push(id)
  const text = inlineText(title).trim()
  if (text !== '') reader.lines.push(`${indent}${text}`)
  return true
}

/** The id at the end of an address: of the block behind `#` where there is one, else of the page. */
function idIn(attributes: string): string | undefined {
  const url = /\burl="([^"]*)"/.exec(attributes)?.[1] ?? ''
  const [place = '', block = ''] = url.split('#')
  const found = HEX_ID.exec(block) ?? HEX_ID.exec(place.replace(/\?.*$/s, ''))
  return found?.[1] === undefined ? undefined : dashed(found[1])
}

const HEX_ID = /([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}*$/i

function tidy(lines: readonly string[]): string {
  return lines.join('\n').trim()
}
