/** A line of a text. `first` and `end` leave white space at both ends out; a blank line has none. */
export type Line = {
  start: number
  first: number
  end: number
  /** Where the line after it starts; the length of the text after the last. */
  next: number
  /** Columns before the first character, a tab counting up to the next multiple of four. */
  indent: number
}

/** The line that starts at `start`. Takes time for that line alone. */
export function readLine(text: string, start: number): Line {
  const feed = text.indexOf('\n', start)
  const next = feed < 0 ? text.length : feed + 1
  let end = feed < 0 ? text.length : feed
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  let first = start
  let indent = 0
  for (; first < end && isSpace(text.charCodeAt(first)); first++)
    indent = text.charCodeAt(first) === TAB ? indent - (indent % TAB_COLUMNS) + TAB_COLUMNS : indent + 1
  return { start, first, end, next, indent }
}

/** Whether a line has nothing but white space. */
export function isBlank(line: Line): boolean {
  return line.first === line.end
}

/** The first line from `start` on that is not blank; undefined where only blank ones are left. */
export function nextFullLine(text: string, start: number): Line | undefined {
  let from = start
  while (from < text.length && isSpace(text.charCodeAt(from))) from++
  if (from >= text.length) return undefined
  return readLine(text, Math.max(start, text.lastIndexOf('\n', from) + 1))
}

/** The white space that lines are indented and ended with, line breaks and the byte order mark among it. */
export function isSpace(code: number): boolean {
  return (code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d))) || WIDE_SPACES.has(code)
}

const TAB = 0x09
const TAB_COLUMNS = 4
const WIDE_SPACES: ReadonlySet<number> = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])
