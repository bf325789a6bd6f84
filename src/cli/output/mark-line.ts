import type { Look, StyledLine } from './styled-line.ts'
import type { WrappedLine } from './wrap-text.ts'

/** A highlighted part of a text, half-open, in UTF-16 code units. */
export type Mark = { start: number; end: number }

/**
 * Highlights parts of a line of a wrapped text; the rest looks like `look`. `marks` are positions in the whole text, in
 * order. A mark that continues on the next line is highlighted on both.
 */
export function markLine({ text, start }: WrappedLine, marks: readonly Mark[], look: Look = 'plain'): StyledLine {
  const pieces: { text: string; look: Look }[] = []
  const last = text.endsWith('…') ? text.length - 1 : text.length
  let done = 0
  const takeTo = (end: number, kind: Look): void => {
    if (end <= done) return
    const piece = pieces.at(-1)
    if (piece?.look === kind) piece.text += text.slice(done, end)
    else pieces.push({ text: text.slice(done, end), look: kind })
    done = end
  }
  for (const mark of marks) {
    const [from, to] = [Math.max(0, mark.start - start), Math.min(last, mark.end - start)]
    if (from >= last) break
    if (to <= done) continue
    takeTo(from, look)
    takeTo(to, 'match')
  }
  takeTo(text.length, look)
  return pieces
}
