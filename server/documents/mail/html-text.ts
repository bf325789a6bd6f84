import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import { elementDepth } from '../html/element-depth.ts'

/** Levels of elements, and children of one, that are followed. Mail laid out with tables nests about four levels for each. */
const DEPTH_MAX = 200
const CHILDREN_MAX = 20_000

/** The parser takes time with the square of the depth. Nothing that is deeper is a letter: its tags are left out as they stand. */
const PARSED_DEPTH_MAX = 2000

export type HtmlText = { text: string; cut: boolean }

/**
 * What an HTML part says, without links, pictures and scripts. Quotes (`blockquote`) are lines that begin with `>`, as in
 * plain mail, so that one rule finds both.
 */
export function htmlText(html: string): HtmlText {
  if (elementDepth(html) > PARSED_DEPTH_MAX) return { text: html.replace(/<[^<>]*>/g, ' '), cut: false }
  const text = convert(html)
  return { text: text.replaceAll(CUT, ''), cut: text.includes(CUT) }
}

/** Stands where a limit was reached: a letter that no text has. */
const CUT = '\ufdd0'

/** A row of a table that has head cells is a line with its cells apart; others are there for the layout. */
const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  const apart = isOfData(element)
  let first = true
  for (const cell of element.children ?? []) {
    if (cell.name !== 'td' && cell.name !== 'th') continue
    if (apart && !first) builder.addInline(' | ', { noWordTransform: true })
    first = false
    walk([cell], builder)
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** A cell of data is a piece of a line; one for the layout is a block. */
const cell: FormatCallback = (element, walk, builder) => {
  if (element.parent && isOfData(element.parent)) return walk(element.children ?? [], builder)
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children ?? [], builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}

function isOfData(row: DomNode): boolean {
  const group = row.parent
  const table = group?.name === 'table' ? group : group?.parent
  const near = [...(table?.children?.slice(0, 5) ?? []), ...(group?.children?.slice(0, 5) ?? [])]
  const rows = near.flatMap((one) => (one.name === 'tr' ? [one] : (one.children?.slice(0, 5) ?? [])))
  return rows.some(({ children }) => children?.slice(0, 5).some(({ name }) => name === 'th') === true)
}

/** What nobody sees, as far as the elements say so themselves, and signatures. */
const HIDDEN = [
  ...['[hidden]', 'head', 'template', '.gmail_signature'],
  ...['[style*="display:none"]', '[style*="display: none"]', '[style*="mso-hide:all"]']
]

const convert = compile({
  wordwrap: false,
  limits: { ellipsis: CUT, maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX },
  formatters: { row, cell },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'tr', format: 'row' },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...HIDDEN.map((selector) => ({ selector, format: 'skip' }))
  ]
})
