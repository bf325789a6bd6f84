import { isSpace, type Line } from './line.ts'

/** What an item of a list begins with. `number` is undefined for bullets and letters; `content` is where its text starts. */
export type Marker = { marker: string; ordered: boolean; number: number | undefined; content: number }

/** The marker that a line begins with: `- `, `• `, `3. `, `(3) `, `b) `, `Step 2: `, with a box `[x]` behind it or not. */
export function readMarker(text: string, line: Line): Marker | undefined {
  if (!MARKER_START.test(text.charAt(line.first))) return undefined
  const start = text.slice(line.first, Math.min(line.end, line.first + MARKER_UNITS_MAX))
  const match = BULLET.exec(start) ?? ORDERED.exec(start) ?? STEP.exec(start)
  if (match === null) return undefined
  const [taken, marker = '', digits] = match
  const content = afterBox(text, { start: afterSpaces(text, line.first + taken.length, line.end), end: line.end })
  if (content >= line.end) return undefined
  return { marker, ordered: !BULLET.test(start), number: digits === undefined ? undefined : Number(digits), content }
}

/** Longer than any marker. */
const MARKER_UNITS_MAX = 16

/** First characters of markers and of the words for `step`: most lines are told by it. */
const MARKER_START = /[-*+•·–◦▪▸►‣⁃○●■□☐☑✓✔✅(\da-hA-Hsépкш]/iu

const BULLET = /^([-*+•·–◦▪▸►‣⁃○●■□☐☑✓✔✅])[ \t\u00a0]/u
const ORDERED = /^(\(?(?:(\d{1,3})[.)）]|[a-hA-H]\)))[ \t\u00a0]/
const STEP = /^((?:step|schritt|étape|paso|passo|stap|шаг|steg|trin|krok) (\d{1,2}) ?[:.)–-])[ \t\u00a0]/i

function afterSpaces(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isSpace(text.charCodeAt(at))) at++
  return at
}

/** Past `[ ]`, `[x]` or `[X]`. */
function afterBox(text: string, { start, end }: { start: number; end: number }): number {
  const box = text.slice(start, start + 4)
  return /^\[[ xX]\][ \t]/.test(box) ? afterSpaces(text, start + 4, end) : start
}
