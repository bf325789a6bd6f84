/** A piece of text on a page, as pdf.js has it. `transform` ends with where it stands: x and y, which grows upwards. */
export type PageItem = { str: string; hasEOL: boolean; height: number; width: number; transform: number[] }

/** Lines further apart than so many heights of their letters are two paragraphs. */
const PARAGRAPH_GAP = 1.7

/** The lines of a page as paragraphs, in the order of the file: words that were divided at the end of a line are whole again. */
export function pageText(items: readonly PageItem[]): string {
  const pieces: string[] = []
  let before: Line | undefined
  for (const line of linesOf(items)) {
    if (before !== undefined) pieces.push(between(before, line))
    const isWhole = before === undefined || !isDivided(before, line)
    pieces.push(line.text)
    // The sign with which the line before ended goes, and nothing stands between the two.
    if (!isWhole) pieces.splice(-3, 2, (pieces.at(-3) ?? '').slice(0, -1))
    before = line
  }
  return pieces.join('').trim()
}

type Line = { text: string; y: number; height: number }

function linesOf(items: readonly PageItem[]): Line[] {
  const lines: Line[] = []
  let line: Line | undefined
  for (const { str, hasEOL, height, transform } of items) {
    const y = transform[5] ?? 0
    if (line !== undefined && Math.abs(line.y - y) > Math.max(line.height, height) * 0.6 && str.trim() !== '') {
      lines.push(line)
      line = undefined
    }
    line ??= { text: '', y, height }
    line.text += str
    line.height = Math.max(line.height, height)
    if (!hasEOL) continue
    lines.push(line)
    line = undefined
  }
  if (line !== undefined) lines.push(line)
  return lines.map((one) => ({ ...one, text: one.text.replace(/\s+/g, ' ').trim() })).filter(({ text }) => text !== '')
}

/** What stands between two lines. */
function between(before: Line, line: Line): string {
  if (isApart(before, line)) return '\n\n'
  return /^([-*•–]|\d{1,3}[.)])\s/.test(line.text) ? '\n' : ' '
}

function isApart(before: Line, line: Line): boolean {
  const gap = before.y - line.y
  const size = Math.max(line.height, before.height, 1)
  return gap < 0 || gap > size * PARAGRAPH_GAP || Math.abs(line.height - before.height) > size * 0.15
}

function isDivided(before: Line, line: Line): boolean {
  return !isApart(before, line) && /\p{L}-$/u.test(before.text.slice(-3)) && /^\p{Ll}/u.test(line.text)
}
