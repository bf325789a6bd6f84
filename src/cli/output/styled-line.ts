import type { Output } from '../../ports.ts'
import { toPlainLine } from './to-plain-text.ts'

/** Styles of a piece of a line. Colors never carry a meaning alone. */
export type Look = 'plain' | 'bold' | 'dim' | 'good' | 'bad' | 'note' | 'match'

/**
 * A piece of text with its style, and the web address that it links to. Text and address may be untrusted: drawing the
 * line makes both safe.
 */
export type Piece = string | { text: string; look: Look; link?: string | undefined }

/** One line for a terminal. */
export type StyledLine = readonly Piece[]

/**
 * The properties of a terminal that lines are drawn for. `columns` is a number of characters; `width` counts them as a
 * terminal does.
 */
export type Page = { columns: number; colors: boolean; links?: boolean; width(text: string): number }

/**
 * Returns the line for a terminal: safe, with the codes of its styles if `colors` is set, and with links if `links` is
 * set. The line has no line end.
 */
export function drawLine(line: StyledLine, colors: boolean, links = false): string {
  return line.map((piece) => drawLink(piece, drawPiece(piece, colors), links)).join('')
}

/** Returns the text of a line, made safe and without styles. */
export function lineText(line: StyledLine): string {
  return drawLine(line, false)
}

function drawPiece(piece: Piece, colors: boolean): string {
  if (typeof piece === 'string') return toPlainLine(piece)
  const text = toPlainLine(piece.text)
  const code = SGR[piece.look]
  return colors && code !== undefined && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
}

/** Wraps drawn text in a terminal link (OSC 8) if its address is safe. */
function drawLink(piece: Piece, drawn: string, links: boolean): string {
  if (!links || typeof piece === 'string' || piece.link === undefined) return drawn
  const address = toLinkAddress(piece.link)
  return address === undefined || drawn === '' ? drawn : `${LINK}${address}${LINK_END}${drawn}${LINK}${LINK_END}`
}

const LINK = '\u001b]8;;'
const LINK_END = '\u001b\\'

/** Returns a web address in printable ASCII, which cannot end the sequence; undefined for any other address. */
function toLinkAddress(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, href } = new URL(link)
  return /^https?:$/.test(protocol) && PRINTABLE.test(href) ? href : undefined
}

const PRINTABLE = /^[\x21-\x7e]{1,2000}$/

const SGR: Readonly<Record<Look, string | undefined>> = {
  plain: undefined,
  bold: '1',
  dim: '2',
  good: '32',
  bad: '31',
  note: '36',
  match: '1;35'
}

type PageDesk = { output: Pick<Output, 'columns' | 'links'>; options: { colors: boolean } }

/** Returns the properties for drawing lines. Loads the package that knows the width of characters. */
export async function makePage({ output, options }: PageDesk): Promise<Page> {
  const { default: stringWidth } = await import('string-width')
  return {
    columns: Math.max(COLUMNS_MIN, output.columns),
    colors: options.colors,
    links: output.links === true,
    width: (text) => stringWidth(text)
  }
}

/** Minimum width of a table. A terminal that reports less usually does not know its size yet. */
const COLUMNS_MIN = 20
