import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import type { DocumentText } from '../port/document-reader.ts'

/** At most this many letters of a page are parsed. */
const LENGTH_MAX = 4 * 1024 * 1024

/** Levels of elements that are followed. A page with more than PARSED_DEPTH_MAX takes too long to parse: only its tags are removed. */
const DEPTH_MAX = 200
const PARSED_DEPTH_MAX = 2000

/** Reads the text of a page, with headings, lists and tables as in Markdown, without links, scripts, styles and pictures. */
export function readHtml(html: string): DocumentText {
  const taken = html.slice(0, LENGTH_MAX)
  const title = /<title[^<>]{0,200}>([^<]{1,500})/i.exec(taken)?.[1]
  const isDeep = measureElementDepth(taken) > PARSED_DEPTH_MAX
  const text = isDeep ? stripTags(taken) : convert(taken.replaceAll(CUT, ''))
  const named = title === undefined ? '' : convert(title).replace(/\s+/g, ' ').trim()
  const cut = taken.length < html.length || text.includes(CUT)
  return { text: text.replaceAll(CUT, ''), ...(named !== '' && { title: named }), cut }
}

/** Marks where a limit was reached: a noncharacter, which no text contains. */
const CUT = '\ufdd0'

/** Removes tags in one pass: a search for the end of each script takes too long where there is none. */
function stripTags(html: string): string {
  const parts: string[] = []
  let hidden: string | undefined
  let at = 0
  for (const tag of html.matchAll(/<(\/?)([a-z]*)[^<>]*>/gi)) {
    const name = (tag[2] ?? '').toLowerCase()
    if (hidden === undefined) parts.push(html.slice(at, tag.index))
    if (tag[1] === '' && (name === 'script' || name === 'style')) hidden ??= name
    else if (tag[1] === '/' && name === hidden) hidden = undefined
    at = tag.index + tag[0].length
  }
  if (hidden === undefined) parts.push(html.slice(at))
  return parts.join(' ')
}

/** Elements without content, and those that end where the next of their kind begins. */
const FLAT = new Set(
  'area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option colgroup'.split(
    ' '
  )
)

/** Estimates how deep elements are nested at most, by their tags alone: quick, and never far too low. */
export function measureElementDepth(html: string): number {
  let depth = 0
  let most = 0
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (FLAT.has(name.toLowerCase())) continue
    depth = end === '' ? depth + 1 : Math.max(depth - 1, 0)
    if (depth > most) most = depth
  }
  return most
}

function formatHeading(level: number): FormatCallback {
  return (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 2 })
    builder.addInline(`${'#'.repeat(level)} `)
    walk(element.children ?? [], builder)
    builder.closeBlock({ trailingLineBreaks: 2 })
  }
}

const LEVELS = [1, 2, 3, 4, 5, 6]

/** A row is a line with its cells between bars; rows without words are left out. A table that contains tables is for layout. */
const formatTableElement: FormatCallback = (element, walk, builder) => {
  builder.openTable()
  for (const row of listRows(element)) {
    builder.openTableRow()
    for (const cell of row.children ?? []) {
      if (cell.name !== 'td' && cell.name !== 'th') continue
      builder.openTableCell()
      walk(cell.children ?? [], builder)
      builder.closeTableCell({ colspan: 1, rowspan: 1 })
    }
    builder.closeTableRow()
  }
  const tableToString = (rows: Cell[][]) => formatTable(rows.map((row) => row.map(({ text }) => text.trim())))
  builder.closeTable({ tableToString, leadingLineBreaks: 2, trailingLineBreaks: 2 })
}

type Cell = { text: string }

function listRows(element: DomNode): DomNode[] {
  return (element.children ?? []).flatMap((child) => {
    if (child.name === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(child.name ?? '') ? listRows(child) : []
  })
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const isLayout = rows.flat().some((text) => /^\| .* \|$/m.test(text)) || rows.every((row) => row.length < 2)
  if (isLayout)
    return rows
      .flat()
      .filter((text) => text !== '')
      .join('\n\n')
  const lines = rows.map((row) => row.map((text) => text.replace(/\s+/g, ' ')).join(' | '))
  return lines
    .filter((line) => /[^|\s]/.test(line))
    .map((line) => `| ${line} |`)
    .join('\n')
}

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: DEPTH_MAX, maxInputLength: LENGTH_MAX, ellipsis: CUT },
  formatters: {
    table: formatTableElement,
    ...Object.fromEntries(LEVELS.map((level) => [`h${level}`, formatHeading(level)]))
  },
  selectors: [
    ...['script', 'style', 'noscript', 'template', 'svg', 'img', 'head'].map((selector) => ({
      selector,
      format: 'skip'
    })),
    { selector: 'a', options: { ignoreHref: true } },
    ...LEVELS.map((level) => ({ selector: `h${level}`, format: `h${level}` })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'table' }
  ]
})
