import type { Page, StyledLine } from './styled-line.ts'
import { toPlainText } from './to-plain-text.ts'
import { wrapPlain, wrapText } from './wrap-text.ts'

/** Names with their values, the values in one column and wrapped there. Those without a value are left out. */
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

/** Begins every line of a stored text, and no line of ours. */
export const QUOTE = '| '

/**
 * A stored text, wrapped to the page. Each line begins with the quote mark after `indent` spaces, so that none can pose as a
 * heading, a row or a hint of this program, whatever it says and wherever it is wrapped.
 */
export function quoteLines(text: string, page: Page, indent = 0): StyledLine[] {
  const columns = page.columns - indent - QUOTE.length
  return wrapText(text, { ...page, columns }).map((line) => quoteLine([line], indent))
}

/** A line of a stored text behind the quote mark. */
export function quoteLine(line: StyledLine, indent = 0): StyledLine {
  return [{ text: ' '.repeat(indent) + QUOTE, look: 'dim' }, ...line]
}

/**
 * A text wrapped to the page after `indent` spaces; the lines after the first are indented further, so that none looks like a
 * first one.
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

/** Lines after the first are indented so much further. */
const HANG_COLUMNS = 4

/** Paragraphs wrapped to the page, with `indent` spaces before each line. */
export function textLines(text: string, page: Page, indent = 0): StyledLine[] {
  return wrapText(text, { ...page, columns: page.columns - indent }).map((line) => [' '.repeat(indent) + line])
}
