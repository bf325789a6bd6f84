import type { Range } from './block.ts'
import { isBlank, type Line, readLine } from './line.ts'
import { isProgram, isUnreadable } from './looks-like-code.ts'
import type { BlockReader } from './reader.ts'

/** Reads what stands between ``` or ~~~, to the end of the text where the second fence is missing. */
export const readFencedCode: BlockReader = ({ text, line }) => {
  const fence = /^(`{3,}|~{3,})/.exec(text.slice(line.first, Math.min(line.end, line.first + FENCE_UNITS_MAX)))?.[1]
  if (fence === undefined || text.slice(line.first + fence.length, line.end).includes('`')) return undefined
  let last = line
  while (last.next < text.length) {
    last = readLine(text, last.next)
    if (text.startsWith(fence, last.first) && last.end - last.first <= fence.length + 1) break
  }
  return { blocks: [{ kind: 'code', start: line.first, end: Math.max(last.end, line.end) }], next: last.next }
}

/** Reads lines of base64, minified code and the like, as many as follow each other. */
export const readUnreadable: BlockReader = ({ text, line }) => {
  if (!isUnreadable(text, { start: line.first, end: line.end })) return undefined
  let last = line
  while (last.next < text.length) {
    const next = readLine(text, last.next)
    if (!isUnreadable(text, { start: next.first, end: next.end })) break
    last = next
  }
  return { blocks: [{ kind: 'code', start: line.first, end: last.end }], next: last.next }
}

/** Reads a paragraph whose lines look like a program, and encoded lines of equal length, as mail wraps them. */
export const readProgram: BlockReader = ({ text, line, afterBlank }) => {
  if (!afterBlank) return undefined
  const lines: Line[] = []
  for (let at: Line = line; !isBlank(at); at = readLine(text, at.next)) {
    lines.push(at)
    if (at.next >= text.length || lines.length >= LINES_MAX) break
  }
  const last = lines.at(-1)
  if (last === undefined || !(isProgram(text, lines.map(rangeOf)) || isEncoded(text, lines))) return undefined
  return { blocks: [{ kind: 'code', start: line.first, end: last.end }], next: last.next }
}

const FENCE_UNITS_MAX = 80

/** Longer paragraphs are judged and taken in parts. */
const LINES_MAX = 500

/** Two lines or more without a space, all but the last of one length over 40. */
function isEncoded(text: string, lines: readonly Line[]): boolean {
  const [first] = lines
  if (first === undefined || lines.length < 2) return false
  const size = first.end - first.first
  if (size < 40 || size > 200) return false
  return lines.every(({ first: start, end }, n) => {
    const isFull = n === lines.length - 1 ? end - start <= size : end - start === size
    return isFull && /^[\w+/=-]+$/.test(text.slice(start, end))
  })
}

function rangeOf({ first, end }: Line): Range {
  return { start: first, end }
}
