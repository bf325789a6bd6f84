import type { Page, StyledLine } from './styled-line.ts'
import { toPlainText } from './to-plain-text.ts'
import { wrapPlain, wrapText } from './wrap-text.ts'

/**
 * Formats names with their values. The values are aligned and wrapped in one column; entries without a value are left
 * out.
 */
export function cardLines(
  entries: readonly (readonly [string, string | number | null | undefined])[],
  page: Page
): StyledLine[] {
  const present = entries.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const room = Math.max(0, ...present.map(([name]) => name.length)) + 2
  return present.flatMap(([name, value]) => {
    const lines = wrapText(String(value), { ...page, columns: page.columns - room })
    return lines.map((line, index) => [{ text: (index === 0 ? name : '').padEnd(room), look: 'dim' as const }, line])
  })
}

/** The mark at the start of every line of a stored text, and of no other line. */
export const QUOTE = '| '

/** The mark of the best of several quoted texts, as wide as the other one. */
export const BEST_QUOTE = '> '

/**
 * Wraps a stored text to the page. Each line begins with the quote mark after `indent` spaces, so that no line of the
 * text can look like a heading, a row or a hint of this program.
 */
export function quoteLines(text: string, page: Page, indent = 0): StyledLine[] {
  const columns = page.columns - indent - QUOTE.length
  return wrapText(text, { ...page, columns }).map((line) => quoteLine([line], indent))
}

/** Puts the quote mark before a line of a stored text. */
export function quoteLine(line: StyledLine, indent = 0, mark = QUOTE): StyledLine {
  return [{ text: ' '.repeat(indent) + mark, look: 'dim' }, ...line]
}

/**
 * Wraps a text to the page after `indent` spaces. Lines after the first are indented further, so that none looks like
 * the beginning of an entry.
 */
export function hangingLines(text: string, page: Page, indent = 0): StyledLine[] {
  const plain = toPlainText(text)
  const { lines } = wrapPlain(plain, { ...page, columns: page.columns - indent })
  const [first, second] = lines
  if (first === undefined) return []
  const hang = indent + HANG_COLUMNS
  const rest =
    second === undefined ? [] : wrapText(plain.slice(second.start), { ...page, columns: page.columns - hang })
  return [[' '.repeat(indent) + first.text], ...rest.map((line): StyledLine => [' '.repeat(hang) + line])]
}

/** Additional indent of the lines after the first. */
const HANG_COLUMNS = 4

/** Wraps paragraphs to the page, with `indent` spaces before each line. */
export function textLines(text: string, page: Page, indent = 0): StyledLine[] {
  return wrapText(text, { ...page, columns: page.columns - indent }).map((line) => [' '.repeat(indent) + line])
}
