import { toPlainLine, toPlainText } from './to-plain-text.ts'

type Width = (text: string) => number

/** The text on one line, cut with `…` where it is wider than `columns`. Never cuts inside what a person sees as one letter. */
export function cutText(text: string, columns: number, width: Width): string {
  const line = toPlainLine(text)
  if (line.length <= columns && isNarrow(line)) return line
  if (width(line) <= columns) return line
  return columns < 1 ? '' : `${takeWidth(line, columns - 1, width)}…`
}

/** Room for wrapped text: so many columns, and lines where they are not all wanted. */
export type Room = { columns: number; width: Width; linesMax?: number }

/** The text as lines that fit the room, broken between words where there are any. Where lines are left out, the last ends in `…`. */
export function wrapText(text: string, room: Room): string[] {
  const { columns, linesMax = Number.POSITIVE_INFINITY } = room
  const wanted = text.slice(0, linesMax * Math.max(1, columns) * LETTER_CHARACTERS_MAX)
  return wrapPlain(toPlainText(wanted), room).lines.map((line) => line.text)
}

/** A line of a wrapped text, and where in the text it begins. */
export type WrappedLine = { text: string; start: number }

/** The same for a text that is plain already, with where its lines begin; `cut` where some are left out. */
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

/** Few letters are written with more characters; looking no further keeps wrapping linear in the length of the text. */
const LETTER_CHARACTERS_MAX = 16

/** The text with spaces up to `columns`. */
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
