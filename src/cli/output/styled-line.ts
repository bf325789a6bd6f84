import type { Output } from '../../ports.ts'
import { toPlainLine } from './to-plain-text.ts'

/** Looks of a piece of a line. Colours are never the only carrier of a meaning. */
export type Look = 'plain' | 'bold' | 'dim' | 'good' | 'bad' | 'note' | 'match'

/**
 * A piece of text with its look, and the web address that it links to. Text and address may be untrusted: both are made safe
 * when the line is drawn.
 */
export type Piece = string | { text: string; look: Look; link?: string | undefined }

/** One line for a person. */
export type StyledLine = readonly Piece[]

/** What a line for a person is drawn with. `columns` are characters, `width` counts them as a terminal does. */
export type Page = { columns: number; colors: boolean; links?: boolean; width(text: string): number }

/**
 * Returns the line as a terminal gets it: safe, with the codes of its looks if `colors` is set and with links if `links` is set.
 * The line has no line end.
 */
export function drawLine(line: StyledLine, colors: boolean, links = false): string {
  return line.map((piece) => drawLink(piece, drawPiece(piece, colors), links)).join('')
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

/** What lines for a person are drawn with. Loads the package that knows how wide letters are. */
export async function makePage({ output, options }: PageDesk): Promise<Page> {
  const { default: stringWidth } = await import('string-width')
  return {
    columns: Math.max(COLUMNS_MIN, output.columns),
    colors: options.colors,
    links: output.links === true,
    width: (text) => stringWidth(text)
  }
}

/** Nobody reads a table narrower than this; a terminal that says so has not been asked yet. */
const COLUMNS_MIN = 20
