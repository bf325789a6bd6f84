import { toPlainLine, toPlainText } from './to-plain-text.ts'

type Width = (text: string) => number

/** Returns the text on one line. Cuts it with `…` if it is wider than `columns`, and never inside a grapheme. */
export function cutText(text: string, columns: number, width: Width): string {
  const line = toPlainLine(text)
  if (line.length <= columns && isNarrow(line)) return line
  if (width(line) <= columns) return line
  return columns < 1 ? '' : `${takeWidth(line, columns - 1, width)}…`
}

/** The space for wrapped text: its width, and the maximum number of lines, if limited. */
export type Room = { columns: number; width: Width; linesMax?: number }

/** Wraps a text to the room, between words if possible. If lines are left out, the last one ends with `…`. */
export function wrapText(text: string, room: Room): string[] {
  const { columns, linesMax = Number.POSITIVE_INFINITY } = room
  const wanted = text.slice(0, linesMax * Math.max(1, columns) * LETTER_CHARACTERS_MAX)
  return wrapPlain(toPlainText(wanted), room).lines.map((line) => line.text)
}

/** A line of a wrapped text, and its offset in the text. */
export type WrappedLine = { text: string; start: number }

/**
 * Wraps a text that is already plain, and returns the offset of each line. `cut` reports whether lines were left out.
 */
export function wrapPlain(plain: string, room: Room): { lines: WrappedLine[]; cut: boolean } {
  const { width, linesMax = Number.POSITIVE_INFINITY } = room
  const columns = Math.max(1, room.columns)
  const text = plain.slice(0, linesMax * columns * LETTER_CHARACTERS_MAX)
  const lines: WrappedLine[] = []
  let start = 0
  for (const paragraph of text.split('\n')) {
    for (const line of wrapParagraph(paragraph, columns, width)) {
      if (lines.length === linesMax) return { lines: endEarly(lines, columns, width), cut: true }
      lines.push({ text: line.text, start: start + line.start })
    }
    start += paragraph.length + 1
  }
  return { lines, cut: text.length < plain.length }
}

/**
 * Maximum number of characters of a grapheme that are considered; it keeps wrapping linear in the length of the text.
 */
const LETTER_CHARACTERS_MAX = 16

/** Pads the text with spaces up to `columns`. */
export function padText(text: string, columns: number, width: Width): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)))
}

function endEarly(lines: WrappedLine[], columns: number, width: Width): WrappedLine[] {
  const { text, start } = lines.at(-1) ?? { text: '', start: 0 }
  const shortened = width(text) + 1 <= columns ? `${text}…` : `${takeWidth(text, columns - 1, width)}…`
  return [...lines.slice(0, -1), { text: shortened, start }]
}

function* wrapParagraph(paragraph: string, columns: number, width: Width): Generator<WrappedLine> {
  let line = ''
  let start = 0
  for (const word of paragraph.split(/(?<=[ ])/)) {
    if (!isWider(line + word.trimEnd(), columns, width)) {
      line += word
      continue
    }
    if (line !== '') yield { text: line.trimEnd(), start }
    start += line.length
    line = word
    while (isWider(line.trimEnd(), columns, width)) {
      const beginning = line.slice(0, columns * LETTER_CHARACTERS_MAX)
      const head = takeWidth(beginning, columns, width) || firstLetter(beginning)
      yield { text: head, start }
      start += head.length
      line = line.slice(head.length)
    }
  }
  yield { text: line.trimEnd(), start }
}

function isWider(text: string, columns: number, width: Width): boolean {
  return text.length > columns * LETTER_CHARACTERS_MAX || width(text) > columns
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
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}
