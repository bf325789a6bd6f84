import { Buffer } from 'node:buffer'
import { unreadableError } from '../port/unreadable-error.ts'

/** A page declares its encoding within these bytes (https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding). */
const PRESCAN_BYTES = 1024
/** A file is binary if its first bytes hold at least NULS_MIN NULs, and one byte in NUL_IN is a NUL. */
const LOOK_BYTES = 64 * 1024
const NULS_MIN = 8
const NUL_IN = 100

/**
 * Decodes a text file: by its byte order mark, as UTF-8 if it is valid UTF-8, by the encoding that a page declares (`markup`), and otherwise
 * as Windows-1252, which decodes any bytes.
 *
 * @throws UnreadableError if the file is not text.
 */
export function decodeText(bytes: Uint8Array, kind: 'plain' | 'markup'): string {
  const marked = readByteOrderMark(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  if (isBinary(bytes.subarray(0, LOOK_BYTES)))
    throw unreadableError('it is not a text file, although its type indicates one')
  const found = kind === 'markup' ? findDeclaredEncoding(bytes) : undefined
  const said = /^(windows-1252|iso-8859-1|latin1|us-ascii)$/i.test(found ?? '') ? undefined : found
  return decodeStrictly('utf-8', bytes) ?? (said && decodeStrictly(said, bytes)) ?? decodeWindows1252(bytes)
}

function isBinary(start: Uint8Array): boolean {
  const nuls = start.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  return nuls >= NULS_MIN && nuls * NUL_IN >= start.length
}

/** https://encoding.spec.whatwg.org/#bom-sniff */
function readByteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined
}

function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  return /<(?:meta[^>]*charset|\?xml[^>]*encoding)\s*=\s*["']?([\w:.-]{1,40})/i.exec(start)?.[1]
}

/** Returns undefined if the bytes are not in that encoding, or the encoding is unknown. */
function decodeStrictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Node 20 decodes windows-1252 as Latin-1, which has control characters at 0x80 to 0x9f. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return restoreWindows1252(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
}

/**
 * Replaces control characters with the windows-1252 characters of the same bytes. The bytes were decoded as ISO-8859-1
 * because a message declares it, or because the decoder does not distinguish the two.
 */
export function restoreWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => FROM_80[control.charCodeAt(0) - 0x80] ?? control)
}

/** The letters at 0x80 to 0x9f, in order (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const FROM_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
