import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import type { Email } from 'postal-mime'
import { restoreWindows1252 } from '../formats/decode-text.ts'
import { measureElementDepth } from '../formats/read-html.ts'

/** At most this much of a body is read, in UTF-16 code units: far more than a person writes. */
const BODY_LENGTH_MAX = 1024 * 1024

/** A plain part that is this much shorter than the HTML only announces the HTML. */
const STUB_LENGTH_MAX = 200
const STUB_SHARE = 0.2

/** Limits of the levels of elements, and of the children of one. Mail laid out with tables nests about four levels for each. */
const DEPTH_MAX = 200
const CHILDREN_MAX = 20_000

/** Parsing takes time with the square of the depth. No letter is deeper than this: only the tags of such a part are removed. */
const PARSED_DEPTH_MAX = 2000

type BodyText = { text: string; cut: boolean }

/**
 * Reads the body of a message: its plain part, or its HTML if there is no plain part, or one that only announces the HTML.
 */
export function readBodyText({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): BodyText {
  const plain = normalizeBody(text.slice(0, BODY_LENGTH_MAX))
  if (html === '' || plain.length > STUB_LENGTH_MAX) return { text: plain, cut: text.length > BODY_LENGTH_MAX }
  const rich = convertHtml(html.slice(0, BODY_LENGTH_MAX))
  const richText = normalizeBody(rich.text)
  if (plain !== '' && plain.length >= richText.length * STUB_SHARE) return { text: plain, cut: false }
  return { text: richText, cut: rich.cut || html.length > BODY_LENGTH_MAX }
}

/** Normalizes line ends to LF, removes spaces at the end of lines except for that of a signature, and repeated empty lines. */
function normalizeBody(text: string): string {
  return restoreWindows1252(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .replace(INVISIBLE_FILLER, '')
    .split('\n')
    .map((line) => (line === '-- ' ? line : line.trimEnd()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

/** Invisible letters with which newsletters fill their preview, so that it shows nothing else. */
const INVISIBLE_FILLER = /(?:[\u034f\u00ad\u200b\u200c\u2060\ufeff] *){2,}/g

/**
 * Converts an HTML part to text, without links, pictures and scripts. Quotes (`blockquote`) are lines that begin with `>`, as in
 * plain mail, so that one rule finds both.
 */
function convertHtml(html: string): HtmlText {
  if (measureElementDepth(html) > PARSED_DEPTH_MAX) return { text: html.replace(/<[^<>]*>/g, ' '), cut: false }
  const text = convert(html)
  return { text: text.replaceAll(CUT, ''), cut: text.includes(CUT) }
}

/** Marks where a limit was reached: a noncharacter, which no text contains. */
const CUT = '\ufdd0'

/** A row of a table with head cells is a line with its cells apart; other tables are for layout. */
const formatRow: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  const apart = isDataRow(element)
  let first = true
  for (const cell of element.children ?? []) {
    if (cell.name !== 'td' && cell.name !== 'th') continue
    if (apart && !first) builder.addInline(' | ', { noWordTransform: true })
    first = false
    walk([cell], builder)
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** A data cell is a part of a line; a layout cell is a block. */
const formatCell: FormatCallback = (element, walk, builder) => {
  if (element.parent && isDataRow(element.parent)) return walk(element.children ?? [], builder)
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children ?? [], builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}

function isDataRow(row: DomNode): boolean {
  const group = row.parent
  const table = group?.name === 'table' ? group : group?.parent
  const near = [...(table?.children?.slice(0, 5) ?? []), ...(group?.children?.slice(0, 5) ?? [])]
  const rows = near.flatMap((one) => (one.name === 'tr' ? [one] : (one.children?.slice(0, 5) ?? [])))
  return rows.some(({ children }) => children?.slice(0, 5).some(({ name }) => name === 'th') === true)
}

/** Signatures, and elements that declare themselves hidden. */
const HIDDEN = [
  '[hidden]',
  'head',
  'template',
  '.gmail_signature',
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[style*="mso-hide:all"]'
]

const convert = compile({
  wordwrap: false,
  limits: { ellipsis: CUT, maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX },
  formatters: { row: formatRow, cell: formatCell },
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

type HtmlText = { text: string; cut: boolean }
