import type { Output } from '../../ports.ts'
import { toPlainLine } from './to-plain-text.ts'

/** Looks of a piece of a line. Colours are never the only carrier of a meaning. */
export type Look = 'plain' | 'bold' | 'dim' | 'good' | 'bad' | 'note' | 'match'

/** A piece of text with its look. The text may come from anywhere: it is made safe when the line is drawn. */
export type Piece = string | { text: string; look: Look }

/** One line for a person. */
export type StyledLine = readonly Piece[]

/** What a line for a person is drawn with. `columns` are characters, `width` counts them as a terminal does. */
export type Page = { columns: number; colors: boolean; width(text: string): number }

/** The line as a terminal gets it: safe, and with the codes of its looks where there are colours. Without a line end. */
export function drawLine(line: StyledLine, colors: boolean): string {
  return line.map((piece) => drawPiece(piece, colors)).join('')
}

/** The text of a line, safe and without looks. */
export function lineText(line: StyledLine): string {
  return drawLine(line, false)
}

function drawPiece(piece: Piece, colors: boolean): string {
  if (typeof piece === 'string') return toPlainLine(piece)
  const text = toPlainLine(piece.text)
  const code = SGR[piece.look]
  return colors && code !== undefined && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
}

const SGR: Readonly<Record<Look, string | undefined>> = {
  plain: undefined,
  bold: '1',
  dim: '2',
  good: '32',
  bad: '31',
  note: '36',
  match: '1;35'
}

type PageDesk = { output: Pick<Output, 'columns'>; options: { colors: boolean } }

/** What lines for a person are drawn with. Loads the package that knows how wide letters are. */
export async function makePage({ output, options }: PageDesk): Promise<Page> {
  const { default: stringWidth } = await import('string-width')
  return { columns: Math.max(COLUMNS_MIN, output.columns), colors: options.colors, width: (text) => stringWidth(text) }
}

/** Nobody reads a table narrower than this; a terminal that says so has not been asked yet. */
const COLUMNS_MIN = 20
