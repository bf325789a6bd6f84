import { plainLine, plainText } from './plain-text.ts'

type Width = (text: string) => number

/** The text on one line, cut with `…` where it is wider than `columns`. Never cuts inside what a person sees as one letter. */
export function cutText(text: string, columns: number, width: Width): string {
  const line = plainLine(text)
  if (line.length <= columns && isNarrow(line)) return line
  if (width(line) <= columns) return line
  return columns < 1 ? '' : `${takeWidth(line, columns - 1, width)}…`
}

/** The text as lines of at most `columns`, broken between words where there are any; at most `linesMax` of them. */
export function wrapText(text: string, columns: number, width: Width, linesMax = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = []
  for (const paragraph of plainText(text).split('\n')) {
    for (const line of wrapParagraph(paragraph, Math.max(1, columns), width)) {
      if (lines.length === linesMax) return endEarly(lines, columns, width)
      lines.push(line)
    }
  }
  return lines
}

/** The text with spaces up to `columns`. */
export function padText(text: string, columns: number, width: Width): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)))
}

function endEarly(lines: string[], columns: number, width: Width): string[] {
  const last = lines.at(-1) ?? ''
  const shortened = width(last) + 1 <= columns ? `${last}…` : `${takeWidth(last, columns - 1, width)}…`
  return [...lines.slice(0, -1), shortened]
}

function* wrapParagraph(paragraph: string, columns: number, width: Width): Generator<string> {
  let line = ''
  for (const word of paragraph.split(/(?<=[ ])/)) {
    if (width(line + word.trimEnd()) <= columns) {
      line += word
      continue
    }
    if (line !== '') yield line.trimEnd()
    line = word
    while (width(line.trimEnd()) > columns) {
      const head = takeWidth(line, columns, width) || firstLetter(line)
      yield head
      line = line.slice(head.length)
    }
  }
  yield line.trimEnd()
}

function takeWidth(text: string, columns: number, width: Width): string {
  let taken = ''
  let used = 0
  for (const { segment } of letters().segment(text)) {
    used += width(segment)
    if (used > columns) break
    taken += segment
  }
  return taken
}

function firstLetter(text: string): string {
  for (const { segment } of letters().segment(text)) return segment
  return ''
}

function isNarrow(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

let segmenter: Intl.Segmenter | undefined

function letters(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter
}
