import { wrapText } from './fit-text.ts'
import type { Line, Page } from './line.ts'

/** Names with their values, the values in one column and wrapped there. Those without a value are left out. */
export function cardLines(
  entries: readonly (readonly [string, string | number | null | undefined])[],
  page: Page
): Line[] {
  const present = entries.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const room = Math.max(0, ...present.map(([name]) => name.length)) + 2
  return present.flatMap(([name, value]) => {
    const lines = wrapText(String(value), { ...page, columns: page.columns - room })
    return lines.map((line, index) => [{ text: (index === 0 ? name : '').padEnd(room), look: 'dim' as const }, line])
  })
}

/** Paragraphs wrapped to the page, with `indent` spaces before each line. */
export function textLines(text: string, page: Page, indent = 0): Line[] {
  return wrapText(text, { ...page, columns: page.columns - indent }).map((line) => [' '.repeat(indent) + line])
}
