/** A line of a text. `first` and `end` exclude white space at both ends; in a blank line they are equal. */
export type TextLine = {
  start: number
  first: number
  end: number
  /** Start of the next line, or the length of the text after the last line. */
  next: number
  /** Columns before the first character; a tab advances to the next multiple of four. */
  indent: number
}

/** Reads the line that starts at `start`. Time depends on that line alone. */
export function readLine(text: string, start: number): TextLine {
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

/** Checks whether a line contains only white space. */
export function isBlank(line: TextLine): boolean {
  return line.first === line.end
}

/** Returns the first line from `start` on that is not blank; undefined if only blank ones remain. */
export function readNextFullLine(text: string, start: number): TextLine | undefined {
  let from = start
  while (from < text.length && isSpace(text.charCodeAt(from))) from++
  if (from >= text.length) return undefined
  return readLine(text, Math.max(start, text.lastIndexOf('\n', from) + 1))
}

/** Recognises white space, including line breaks and the byte order mark. */
export function isSpace(code: number): boolean {
  return (code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d))) || WIDE_SPACES.has(code)
}

const TAB = 0x09
const TAB_COLUMNS = 4
const WIDE_SPACES: ReadonlySet<number> = new Set([
  ...[0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]
])

/**
 * The start of a list item. `number` is undefined for bullets and letters; `content` is where the item's text starts;
 * `task` is the state of its box, or undefined if it has none.
 */
export type Marker = {
  marker: string
  ordered: boolean
  number: number | undefined
  content: number
  task: 'open' | 'done' | undefined
}

/** Reads the marker of a line: `- `, `• `, `3. `, `(3) `, `b) `, `Step 2: `, with or without a box `[x]`. */
export function readMarker(text: string, line: TextLine): Marker | undefined {
  if (!MARKER_START.test(text.charAt(line.first))) return undefined
  const start = text.slice(line.first, Math.min(line.end, line.first + MARKER_UNITS_MAX))
  const match = BULLET.exec(start) ?? ORDERED.exec(start) ?? STEP.exec(start)
  if (match === null) return undefined
  const [taken, marker = '', digits] = match
  const from = skipSpaces(text, line.first + taken.length, line.end)
  const box = BOX.exec(text.slice(from, from + 4))
  const content = box === null ? from : skipSpaces(text, from + box[0].length, line.end)
  if (content >= line.end) return undefined
  return {
    marker,
    ordered: !BULLET.test(start),
    number: digits === undefined ? undefined : Number(digits),
    content,
    task: box === null ? undefined : box[1] === ' ' ? 'open' : 'done'
  }
}

/** Longer than any marker. */
const MARKER_UNITS_MAX = 16

/** First characters of markers and of the words for `step`; a cheap check for most lines. */
const MARKER_START = /[-*+•·–◦▪▸►‣⁃○●■□☐☑✓✔✅(\da-hA-Hsépкш]/iu

const BOX = /^\[([ xX])\][ \t]/
const BULLET = /^([-*+•·–◦▪▸►‣⁃○●■□☐☑✓✔✅])[ \t\u00a0]/u
const ORDERED = /^(\(?(?:(\d{1,3})[.)）]|[a-hA-H]\)))[ \t\u00a0]/
const STEP = /^((?:step|schritt|étape|paso|passo|stap|шаг|steg|trin|krok) (\d{1,2}) ?[:.)–-])[ \t\u00a0]/i

function skipSpaces(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isSpace(text.charCodeAt(at))) at++
  return at
}
