import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import type { Read } from '../read-document.ts'
import { elementDepth } from './element-depth.ts'

/** Letters of a page that are parsed. */
const LENGTH_MAX = 4 * 1024 * 1024
/** Levels of elements that are followed; where there are more than the second, only the tags are taken out, since parsing takes too long. */
const DEPTH_MAX = 200
const PARSED_DEPTH_MAX = 2000

/** The text of a page, with headings, lists and tables in the manner of Markdown, without links, scripts, styles and pictures. */
export function readHtml(html: string): Read {
  const taken = html.slice(0, LENGTH_MAX)
  const title = /<title[^<>]{0,200}>([^<]{1,500})/i.exec(taken)?.[1]
  const isDeep = elementDepth(taken) > PARSED_DEPTH_MAX
  const text = isDeep ? withoutTags(taken) : convert(taken.replaceAll(CUT, ''))
  const named = title === undefined ? '' : convert(title).replace(/\s+/g, ' ').trim()
  const cut = taken.length < html.length || text.includes(CUT)
  return { text: text.replaceAll(CUT, ''), ...(named !== '' && { title: named }), cut }
}

/** Stands where a limit was reached: a letter that no text has. */
const CUT = '\ufdd0'

/** In one pass: what would look for the end of each script by itself takes too long where there are none. */
function withoutTags(html: string): string {
  const pieces: string[] = []
  let hidden: string | undefined
  let at = 0
  for (const tag of html.matchAll(/<(\/?)([a-z]*)[^<>]*>/gi)) {
    const name = (tag[2] ?? '').toLowerCase()
    if (hidden === undefined) pieces.push(html.slice(at, tag.index))
    if (tag[1] === '' && (name === 'script' || name === 'style')) hidden ??= name
    else if (tag[1] === '/' && name === hidden) hidden = undefined
    at = tag.index + tag[0].length
  }
  if (hidden === undefined) pieces.push(html.slice(at))
  return pieces.join(' ')
}

function heading(level: number): FormatCallback {
  return (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 2 })
    builder.addInline(`${'#'.repeat(level)} `)
    walk(element.children ?? [], builder)
    builder.closeBlock({ trailingLineBreaks: 2 })
  }
}

const LEVELS = [1, 2, 3, 4, 5, 6]

/** A row is a line with its cells between bars, one without words is left out. A table that holds tables is there for the layout. */
const table: FormatCallback = (element, walk, builder) => {
  builder.openTable()
  for (const row of rowsOf(element)) {
    builder.openTableRow()
    for (const cell of row.children ?? []) {
      if (cell.name !== 'td' && cell.name !== 'th') continue
      builder.openTableCell()
      walk(cell.children ?? [], builder)
      builder.closeTableCell({ colspan: 1, rowspan: 1 })
    }
    builder.closeTableRow()
  }
  const tableToString = (rows: Cell[][]) => tableText(rows.map((row) => row.map(({ text }) => text.trim())))
  builder.closeTable({ tableToString, leadingLineBreaks: 2, trailingLineBreaks: 2 })
}

type Cell = { text: string }

function rowsOf(element: DomNode): DomNode[] {
  return (element.children ?? []).flatMap((child) => {
    if (child.name === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(child.name ?? '') ? rowsOf(child) : []
  })
}

function tableText(rows: readonly (readonly string[])[]): string {
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
  formatters: { table, ...Object.fromEntries(LEVELS.map((level) => [`h${level}`, heading(level)])) },
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
