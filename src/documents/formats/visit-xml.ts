import { Parser } from 'saxen'
import { unreadableError } from '../port/unreadable-error.ts'
import { decodeText } from './decode-text.ts'

/** Elements of XML may be nested this deep: far deeper than programs write them. */
const DEPTH_MAX = 2000

/**
 * Called for each part of an XML text, in order. Names of elements and attributes have no namespace prefix; attributes
 * are also available under their full names.
 */
export type XmlVisitor = {
  /** An element begins; an empty one is closed at once. */
  open?(name: string, attributes: () => XmlAttributes): void
  /** Text between tags, decoded. An element may have several. */
  text?(text: string): void
  close?(name: string): void
  /** Whether the rest of the XML is not needed. */
  isDone?(): boolean
}

export type XmlAttributes = Readonly<Record<string, string | undefined>>

/**
 * Visits an XML text. Entities other than the five of XML and numeric characters remain unchanged, and nothing is ever
 * fetched.
 *
 * @throws UnreadableError if it is malformed or nested too deeply.
 */
export function visitXml(bytes: Uint8Array, { open, text, close, isDone }: XmlVisitor): void {
  const xml = decodeText(bytes, 'markup')
  const parser = new Parser().on('error', (error) => {
    throw unreadableError(BROKEN, error)
  })
  let depth = 0
  parser.on('openTag', (name, attributes) => {
    if (++depth > DEPTH_MAX) throw unreadableError(BROKEN)
    open?.(stripPrefix(name), () => readAttributes(attributes()))
    if (isDone?.()) parser.stop()
  })
  parser.on('closeTag', (name) => {
    depth -= 1
    close?.(stripPrefix(name))
    if (isDone?.()) parser.stop()
  })
  if (text !== undefined) parser.on('text', (raw) => text(decodeEntities(raw))).on('cdata', text)
  parser.parse(xml)
}

const BROKEN = 'a part of it is malformed XML'

function stripPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function readAttributes(found: Record<string, string>): XmlAttributes {
  const attributes: Record<string, string> = {}
  for (const name of Object.keys(found)) {
    const value = decodeEntities(found[name] ?? '')
    attributes[name] = value
    attributes[stripPrefix(name)] ??= value
  }
  return attributes
}

/** Decodes the five entities of XML and numeric characters. The parser's own function breaks characters beyond U+FFFF. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, ...found: string[]) => {
    const [decimal, hex, name] = found
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
